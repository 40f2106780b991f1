# SPDX-License-Identifier: Apache-2.0
"""Paths of the files beside a program."""

import os
import sys

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _folder_of_caller():
    return os.path.dirname(sys._getframe(2).f_code.co_filename)


def get_data_files_path():
    """Returns the directory of the file that calls this function.

    Returns:
        A str.
    """
    return _folder_of_caller()


def get_path_to_datafile(path):
    """Returns the path of a file beside the file that calls this function.

    Args:
        path: The path relative to that directory, a str.

    Returns:
        A str.
    """
    return os.path.join(_folder_of_caller(), path)


def get_root_dir_with_all_resources():
    """Returns the directory of this package's files.

    Returns:
        A str.
    """
    return os.path.dirname(os.path.abspath(__file__))


def load_resource(path):
    """Reads a file of this package.

    Args:
        path: The path relative to the package, a str.

    Returns:
        Its content, bytes.

    Raises:
        OSError: The file does not exist.
    """
    with open(os.path.join(_PACKAGE, path), "rb") as file:
        return file.read()


def readahead_file_path(path, readahead="128M"):
    """Returns the path.

    Args:
        path: The path, a str.
        readahead: Accepted. It has no effect.

    Returns:
        The path.
    """
    del readahead
    return path


__all__ = [
    "get_data_files_path", "get_path_to_datafile", "get_root_dir_with_all_resources",
    "load_resource", "readahead_file_path",
]  # fmt: skip
