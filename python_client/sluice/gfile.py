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
    """A file, opened when it is first read or written. mode: "r", "w", "a", with "b" for bytes."""

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
        return self._opened().read(n)

    def readline(self):
        return self._opened().readline()

    def readlines(self):
        return self._opened().readlines()

    def write(self, file_content):
        self._opened().write(file_content)

    def seek(self, offset=None, whence=0, position=None):
        """To an offset from the beginning, the current place or the end. position: its older
        name."""
        self._opened().seek(position if offset is None else offset, whence)

    def tell(self):
        return self._opened().tell()

    def size(self):
        """The bytes of the file."""
        return stat(self.name).st_size

    def flush(self):
        if self._file is not None:
            self._file.flush()

    def close(self):
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
    """Is there a file or folder?"""
    return os.path.exists(path)


def isdir(path):
    """Is it a folder?"""
    return os.path.isdir(path)


def listdir(path):
    """The names of what is in a folder."""
    with _as_ours(path):
        return os.listdir(path)


def glob(pattern):
    """The sorted names of the files that one or several patterns match."""
    patterns = [pattern] if isinstance(pattern, (str, bytes)) else pattern
    return [name for p in patterns for name in sorted(_glob.glob(p))]


def mkdir(path):
    """Makes a folder, where its parent is there."""
    with _as_ours(path):
        os.mkdir(path)


def makedirs(path):
    """Makes a folder and those above it; it may be there."""
    with _as_ours(path):
        os.makedirs(path, exist_ok=True)


def remove(path):
    """Removes a file."""
    with _as_ours(path):
        os.remove(path)


def rmtree(path):
    """Removes a folder and all in it."""
    with _as_ours(path):
        shutil.rmtree(path)


def rename(src, dst, overwrite=False):
    """Gives a file or folder another name; one that has it is in the way, unless `overwrite`."""
    _free(dst, overwrite)
    with _as_ours(src):
        os.replace(src, dst)


def copy(src, dst, overwrite=False):
    """Copies a file; one that is there is in the way, unless `overwrite`."""
    _free(dst, overwrite)
    with _as_ours(src):
        shutil.copyfile(src, dst)


def _free(path, overwrite):
    if not overwrite and os.path.exists(path):
        raise errors.AlreadyExistsError(f"{path} is there already")


def stat(path):
    """What the system says of a file: st_size and more."""
    with _as_ours(path):
        return os.stat(path)


def walk(top, topdown=True, onerror=None):
    """(folder, names of folders in it, names of files in it), from the top or the bottom."""
    return os.walk(top, topdown, onerror)


Copy, DeleteRecursively, Exists, Glob, IsDirectory = copy, rmtree, exists, glob, isdir
ListDirectory, MakeDirs, MkDir, Remove, Rename = listdir, makedirs, mkdir, remove, rename
Stat, Walk = stat, walk


__all__ = """
    Copy DeleteRecursively Exists FastGFile GFile Glob IsDirectory ListDirectory MakeDirs MkDir Open
    Remove Rename Stat Walk copy exists glob isdir listdir makedirs mkdir remove rename rmtree stat
    walk
""".split()
