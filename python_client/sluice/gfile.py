"""Files and folders of the client's machine, by the names that 1.x gives them.

errors.NotFoundError: a file or folder is not there; AlreadyExistsError: one is in the way;
PermissionDeniedError; any other error of the system is an UnknownError.
"""

import contextlib
import glob as _glob
import os
import shutil

from . import errors


@contextlib.contextmanager
def _as_ours(path):
    """An error of the system as one of ours."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError) as e:
        raise errors.NotFoundError(f"{path}; {e.strerror}") from None
    except FileExistsError as e:
        raise errors.AlreadyExistsError(f"{path}; {e.strerror}") from None
    except PermissionError as e:
        raise errors.PermissionDeniedError(f"{path}; {e.strerror}") from None
    except IsADirectoryError as e:
        raise errors.FailedPreconditionError(f"{path}; {e.strerror}") from None
    except OSError as e:
        raise errors.UnknownError(f"{path}; {e.strerror}") from None


class GFile:
    """A file, which is opened when it is first read or written.

    Args:
        name: The path, a str.
        mode: "r", "w" or "a"; with "b" for bytes and "+" for both directions.

    Raises:
        errors.InvalidArgumentError: mode is unknown.
    """

    def __init__(self, name, mode="r"):
        if mode.replace("b", "").replace("+", "") not in ("r", "w", "a"):
            raise errors.InvalidArgumentError(f'mode "{mode}" is none of "r", "w", "a"')
        self.name, self.mode, self._file = name, mode, None

    def _opened(self):
        if self._file is None:
            with _as_ours(self.name):
                text = {} if "b" in self.mode else {"encoding": "utf-8", "newline": ""}
                self._file = open(self.name, self.mode, **text)
        return self._file

    def read(self, n=-1):
        """Reads from the current place.

        Args:
            n: How many characters or bytes, an int; -1: all that remain.

        Returns:
            A str, in mode "b" bytes.

        Raises:
            errors.NotFoundError: The file does not exist.
        """
        return self._opened().read(n)

    def readline(self):
        """Reads a line.

        Returns:
            A str, in mode "b" bytes; empty at the end of the file.
        """
        return self._opened().readline()

    def readlines(self):
        """Reads all lines that remain.

        Returns:
            A list of str, in mode "b" of bytes.
        """
        return self._opened().readlines()

    def write(self, file_content):
        """Writes at the current place.

        Args:
            file_content: A str, in mode "b" bytes.
        """
        self._opened().write(file_content)

    def seek(self, offset=None, whence=0, position=None):
        """Moves the current place.

        Args:
            offset: How far, an int.
            whence: From where: 0: the start, 1: the current place, 2: the end.
            position: Older name of offset.
        """
        self._opened().seek(position if offset is None else offset, whence)

    def tell(self):
        """Returns the current place.

        Returns:
            An int, bytes from the start.
        """
        return self._opened().tell()

    def size(self):
        """Returns the size of the file.

        Returns:
            An int, bytes.
        """
        return stat(self.name).st_size

    def flush(self):
        """Writes buffered data to the file."""
        if self._file is not None:
            self._file.flush()

    def close(self):
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __iter__(self):
        return iter(self._opened())


FastGFile = Open = GFile


def exists(path):
    """Tests whether there is a file or directory.

    Args:
        path: The path, a str.

    Returns:
        A bool.
    """
    return os.path.exists(path)


def isdir(path):
    """Tests whether there is a directory.

    Args:
        path: The path, a str.

    Returns:
        A bool.
    """
    return os.path.isdir(path)


def listdir(path):
    """Returns the names of what a directory has.

    Args:
        path: The path, a str.

    Returns:
        A list of str.

    Raises:
        errors.NotFoundError: It does not exist.
    """
    with _as_ours(path):
        return os.listdir(path)


def glob(pattern):
    """Finds the files that patterns match.

    Args:
        pattern: A pattern such as "a*b?.[c-d]", or a list of them.

    Returns:
        A list of paths.
    """
    patterns = [pattern] if isinstance(pattern, (str, bytes)) else pattern
    return [name for p in patterns for name in sorted(_glob.glob(p))]


def mkdir(path):
    """Makes a directory.

    Args:
        path: The path, a str.

    Raises:
        errors.AlreadyExistsError: It exists.
        errors.NotFoundError: The directory above it does not exist.
    """
    with _as_ours(path):
        os.mkdir(path)


def makedirs(path):
    """Makes a directory and those above it. It may exist.

    Args:
        path: The path, a str.

    Raises:
        errors.PermissionDeniedError: It may not be made.
    """
    with _as_ours(path):
        os.makedirs(path, exist_ok=True)


def remove(path):
    """Removes a file.

    Args:
        path: The path, a str.

    Raises:
        errors.NotFoundError: It does not exist.
    """
    with _as_ours(path):
        os.remove(path)


def rmtree(path):
    """Removes a directory and everything in it.

    Args:
        path: The path, a str.

    Raises:
        errors.NotFoundError: It does not exist.
    """
    with _as_ours(path):
        shutil.rmtree(path)


def rename(src, dst, overwrite=False):
    """Renames a file or directory.

    Args:
        src: The path, a str.
        dst: The new path, a str.
        overwrite: Whether a file at the new path is replaced. A bool.

    Raises:
        errors.AlreadyExistsError: The new path exists, and overwrite is not set.
        errors.NotFoundError: src does not exist.
    """
    _free(dst, overwrite)
    with _as_ours(src):
        os.replace(src, dst)


def copy(src, dst, overwrite=False):
    """Copies a file.

    Args:
        src: The path, a str.
        dst: The new path, a str.
        overwrite: Whether a file at the new path is replaced. A bool.

    Raises:
        errors.AlreadyExistsError: The new path exists, and overwrite is not set.
        errors.NotFoundError: src does not exist.
    """
    _free(dst, overwrite)
    with _as_ours(src):
        shutil.copyfile(src, dst)


def _free(path, overwrite):
    if not overwrite and os.path.exists(path):
        raise errors.AlreadyExistsError(f"{path} is there already")


def stat(path):
    """Returns what the system knows of a file.

    Args:
        path: The path, a str.

    Returns:
        An os.stat_result: st_size is its size in bytes.

    Raises:
        errors.NotFoundError: It does not exist.
    """
    with _as_ours(path):
        return os.stat(path)


def walk(top, topdown=True, onerror=None):
    """Visits a directory and all directories below it.

    Args:
        top: The path, a str.
        topdown: Whether a directory comes before those below it. A bool.
        onerror: A function that is called with each error of the system. None: errors are ignored.

    Returns:
        An iterator of (directory, names of directories in it, names of files in it).
    """
    return os.walk(top, topdown, onerror)


Copy, DeleteRecursively, Exists, Glob, IsDirectory = copy, rmtree, exists, glob, isdir
ListDirectory, MakeDirs, MkDir, Remove, Rename = listdir, makedirs, mkdir, remove, rename
Stat, Walk = stat, walk


__all__ = """
    Copy DeleteRecursively Exists FastGFile GFile Glob IsDirectory ListDirectory MakeDirs MkDir Open
    Remove Rename Stat Walk copy exists glob isdir listdir makedirs mkdir remove rename rmtree stat
    walk
""".split()
