"""Advisory locks on files, also where a file system has none."""

import errno
import fcntl

NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}


def take(descriptor: int, *, shared: bool = False, wait: bool = False) -> bool | None:
    """Take the lock on an open file; it ends when the file is closed.

    Args:
        descriptor: The open file.
        shared: Whether others may hold it too, who take it shared.
        wait: Whether to wait for whoever holds it.

    Returns:
        False if another process holds it; None if the file system has no locks.

    Raises:
        OSError: The file system fails otherwise.
    """
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(descriptor, kind if wait else kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
        return None
    return True
