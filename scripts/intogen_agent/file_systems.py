"""What kind of file system a folder is on."""

from pathlib import Path

NETWORK = (
    "nfs",
    "lustre",
    "gpfs",
    "beegfs",
    "ceph",
    "cifs",
    "smb",
    "fuse",
    "wekafs",
    "9p",
    "virtiofs",
)


def file_system(folder: Path) -> str:
    """Return the kind of a folder's file system, as Linux calls it; `?` if it is not known."""
    best = ("", "?")
    try:
        lines = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return best[1]
    for _, mount, kind, *_ in (line.split(" ") for line in lines):
        mount = mount.replace("\\040", " ")
        # Later mounts cover earlier ones.
        if folder.resolve().is_relative_to(mount) and len(mount) >= len(best[0]):
            best = (mount, kind)
    return best[1]


def between_machines(folder: Path) -> bool:
    """Tell whether other machines may write a folder's file system too."""
    return file_system(folder).startswith(NETWORK)
