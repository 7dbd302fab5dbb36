"""Why the files of a report could not be written."""

import errno
from typing import Self

from websearch.causes import AnyCause


class FileProblem(AnyCause):
    """A cause that keeps files from being written, with its advice for the user."""

    DISK_FULL = "disk_full"
    FILES_REFUSED = "files_refused"

    @classmethod
    def of(cls, error: OSError) -> Self:
        """The problem that *error* stands for."""
        is_full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        return cls.DISK_FULL if is_full else cls.FILES_REFUSED
