# SPDX-License-Identifier: Apache-2.0
"""Files and folders, by the names that 1.x gives them.

A path is of this machine, or has the scheme of a file system that Sluice knows: "file:///tmp/x".
Every function raises errors.UnimplementedError for another scheme and names it. Other errors:
errors.NotFoundError: a file or folder is not there; AlreadyExistsError: one is in the way;
PermissionDeniedError; FailedPreconditionError: a folder where a file is needed, or the other way
round; UnknownError for what else the system refuses.
"""

import contextlib
import functools
import inspect
import os
import re

from .. import _sluice, errors
from .files import name_of, open_file


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
            raise errors.InvalidArgumentError(f'mode "{mode}" is not one of "r", "w", "a"')
        self.name, self.mode, self._file = name, mode, None

    def _opened(self):
        if self._file is None:
            with _as_ours(self.name):
                self._file = open_file(self.name, self.mode)
        return self._file

    def _readable(self):
        if "r" not in self.mode and "+" not in self.mode:
            raise errors.PermissionDeniedError(
                f'{self.name} was opened with mode "{self.mode}", which does not allow reading'
            )
        return self._opened()

    def _writable(self):
        if "r" in self.mode and "+" not in self.mode:
            raise errors.PermissionDeniedError(
                f'{self.name} was opened with mode "{self.mode}", which does not allow writing'
            )
        return self._opened()

    def read(self, n=-1):
        """Reads from the current place.

        Args:
            n: How many characters or bytes, an int; -1: all that remain.

        Returns:
            A str, in mode "b" bytes.

        Raises:
            errors.NotFoundError: The file does not exist.
            errors.PermissionDeniedError: The mode does not allow reading.
        """
        return self._readable().read(n)

    def readline(self):
        """Reads a line.

        Returns:
            A str, in mode "b" bytes; empty at the end of the file.
        """
        return self._readable().readline()

    def readlines(self):
        """Reads all lines that remain.

        Returns:
            A list of str, in mode "b" of bytes.
        """
        return self._readable().readlines()

    def write(self, file_content):
        """Writes at the current place.

        Args:
            file_content: A str, in mode "b" bytes.

        Raises:
            errors.PermissionDeniedError: The mode does not allow writing.
        """
        self._writable().write(file_content)

    def seek(self, offset=None, whence=0, position=None):
        """Moves the current place.

        Args:
            offset: How far, an int.
            whence: From where: 0: the start, 1: the current place, 2: the end.
            position: Older name of offset.

        Raises:
            errors.PermissionDeniedError: The mode does not allow reading.
        """
        self._readable().seek(position if offset is None else offset, whence)

    def tell(self):
        """Returns the current place.

        Returns:
            An int, bytes from the start.
        """
        file = self._opened()
        if file.seekable():
            return file.tell()
        file.flush()
        return (file if "b" in self.mode else file.buffer).raw.tell()

    def size(self):
        """Returns the size of the file.

        Returns:
            An int, bytes.
        """
        return stat(self.name).length

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
        return iter(self._readable())


FastGFile = Open = GFile


def exists(path):
    """Tests whether there is a file or directory.

    Args:
        path: The path, a str.

    Returns:
        A bool.
    """
    return _sluice.file_exists(name_of(path))


def isdir(path):
    """Tests whether there is a directory.

    Args:
        path: The path, a str.

    Returns:
        A bool.
    """
    try:
        return stat(path).is_directory
    except errors.UnimplementedError:
        raise
    except errors.OpError:
        return False


def listdir(path):
    """Returns the names of what a directory has.

    Args:
        path: The path, a str.

    Returns:
        A list of str.

    Raises:
        errors.NotFoundError: It does not exist.
    """
    if not isdir(path):
        raise errors.NotFoundError(f"{path}; this is not a directory")
    return [_like(path, name) for name in _sluice.list_folder(name_of(path))]


def glob(pattern):
    """Finds the files that patterns match.

    Args:
        pattern: A pattern such as "a*b?.[c-d]", or a list of them.

    Returns:
        A list of paths.
    """
    patterns = [pattern] if isinstance(pattern, (str, bytes, os.PathLike)) else pattern
    return [_like(p, name) for p in patterns for name in _sluice.matching_files(name_of(p))]


def _like(path, name):
    """A name of the system as bytes where the path is, else as str."""
    return name if isinstance(path, bytes) else os.fsdecode(name)


def mkdir(path):
    """Makes a directory.

    Args:
        path: The path, a str.

    Raises:
        errors.AlreadyExistsError: It exists.
        errors.NotFoundError: The directory above it does not exist.
    """
    _sluice.make_new_folder(name_of(path))


def makedirs(path):
    """Makes a directory and those above it. It may exist.

    Args:
        path: The path, a str.

    Raises:
        errors.PermissionDeniedError: It may not be made.
    """
    _sluice.make_folders(name_of(path))


def remove(path):
    """Removes a file.

    Args:
        path: The path, a str.

    Raises:
        errors.NotFoundError: It does not exist.
    """
    _sluice.remove_file(name_of(path))


def rmtree(path):
    """Removes a directory and everything in it.

    Args:
        path: The path, a str.

    Raises:
        errors.NotFoundError: It does not exist.
    """
    _sluice.remove_folder_with_contents(name_of(path))


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
    _sluice.rename_file(name_of(src), name_of(dst))


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
    _sluice.copy_file(name_of(src), name_of(dst))


def _free(path, overwrite):
    if exists(path) and not overwrite:
        raise errors.AlreadyExistsError(f"{path} is there already")


class FileStatistics:
    """The facts that a file system stores about a file.

    Args:
        length: Its size in bytes, an int; also st_size.
        mtime_nsec: When it was written, in nanoseconds since 1970, an int; also st_mtime, in
            seconds, a float.
        is_directory: Whether it is a directory. A bool.
    """

    def __init__(self, length, mtime_nsec, is_directory):
        self.length, self.mtime_nsec, self.is_directory = length, mtime_nsec, is_directory
        self.st_size, self.st_mtime = length, mtime_nsec / 1e9

    def __repr__(self):
        return f"FileStatistics({self.length}, {self.mtime_nsec}, {self.is_directory})"


def stat(path):
    """Returns what the system knows of a file.

    Args:
        path: The path, a str.

    Returns:
        A FileStatistics: length is its size in bytes.

    Raises:
        errors.NotFoundError: It does not exist.
    """
    return FileStatistics(*_sluice.describe_file(name_of(path)))


def walk(top, topdown=True, onerror=None):
    """Visits a directory and all directories below it.

    Args:
        top: The path, a str.
        topdown: Whether a directory comes before those below it. A bool.
        onerror: A function that is called with each OpError. None: errors are ignored.

    Returns:
        An iterator of (directory, names of directories in it, names of files in it).
    """
    try:
        names = listdir(top)
    except errors.UnimplementedError:
        raise
    except errors.OpError as error:
        if onerror is not None:
            onerror(error)
        return
    folders = [name for name in names if isdir(os.path.join(top, name))]
    row = top, folders, [name for name in names if name not in set(folders)]
    if topdown:
        yield row
    for name in folders:
        if not _is_link(os.path.join(top, name)):
            yield from walk(os.path.join(top, name), topdown, onerror)
    if not topdown:
        yield row


def _is_link(path):
    """A link may lead back: nobody follows it."""
    try:
        return os.path.islink(_sluice.local_path(name_of(path)))
    except errors.UnimplementedError:
        return False  # another file system has none


def _with_older_names(function, **older):
    """The function whose arguments have the names that 1.x gives them."""
    newer = {new: old for old, new in older.items()}
    signature = inspect.signature(function)
    own = [p.replace(name=newer.get(p.name, p.name)) for p in signature.parameters.values()]

    @functools.wraps(function)
    def renamed(*args, **kwargs):
        return function(*args, **{older.get(name, name): value for name, value in kwargs.items()})

    renamed.__signature__ = signature.replace(parameters=own)
    for new, old in newer.items():
        renamed.__doc__ = re.sub(rf"\b{new}(?=:| does not exist)", old, renamed.__doc__)
    return renamed


Copy = _with_older_names(copy, oldpath="src", newpath="dst")
DeleteRecursively = _with_older_names(rmtree, dirname="path")
Exists = _with_older_names(exists, filename="path")
Glob = _with_older_names(glob, filename="pattern")
IsDirectory = _with_older_names(isdir, dirname="path")
ListDirectory = _with_older_names(listdir, dirname="path")
MakeDirs = _with_older_names(makedirs, dirname="path")
MkDir = _with_older_names(mkdir, dirname="path")
Remove = _with_older_names(remove, filename="path")
Rename = _with_older_names(rename, oldname="src", newname="dst")
Stat = _with_older_names(stat, filename="path")
Walk = _with_older_names(walk, in_order="topdown")


__all__ = """
    Copy DeleteRecursively Exists FastGFile GFile Glob IsDirectory ListDirectory MakeDirs MkDir Open
    Remove Rename Stat Walk copy exists glob isdir listdir makedirs mkdir remove rename rmtree stat
    walk
""".split()
