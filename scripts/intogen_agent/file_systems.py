"""What kind of file system a folder is on."""

from pathlib import Path

# Whatever else there is may be shared between machines.
LOCAL = (
    "btrfs",
    "ecryptfs",
    "ext",
    "f2fs",
    "jfs",
    "overlay",
    "proc",
    "ramfs",
    "reiserfs",
    "rootfs",
    "squashfs",
    "tmpfs",
    "xfs",
    "zfs",
)


def file_system(folder: Path) -> str:
    """Return the kind of a folder's file system, as Linux calls it; `?` if it is not known."""
    best = ("", "?")
    try:
        lines = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return best[1]
    place = folder.resolve()
    for _, mount, kind, *_ in (line.split(" ") for line in lines):
        mount = mount.replace("\\040", " ")
        # Later mounts cover earlier ones.
        if place.is_relative_to(mount) and len(mount) >= len(best[0]):
            best = (mount, kind)
    return best[1]


def between_machines(folder: Path) -> bool:
    """Tell whether other machines may write a folder's file system too."""
    return not file_system(folder).startswith(LOCAL)
