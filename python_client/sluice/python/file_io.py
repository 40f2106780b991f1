# SPDX-License-Identifier: Apache-2.0
"""The functions of TensorFlow's lib.io.file_io."""

from ..files import gfile


def read_file_to_string(filename, binary_mode=False):
    """Reads a file.

    Args:
        filename: The path, a str.
        binary_mode: Whether the content is returned as bytes. A bool.

    Returns:
        The content, a str or bytes.
    """
    with gfile.GFile(filename, "rb" if binary_mode else "r") as file:
        return file.read()


def write_string_to_file(filename, file_content):
    """Writes a file.

    Args:
        filename: The path, a str.
        file_content: The content, a str or bytes.
    """
    with gfile.GFile(filename, "wb" if isinstance(file_content, bytes) else "w") as file:
        file.write(file_content)


NAMES = {
    "FileIO": gfile.GFile, "copy": gfile.copy, "create_dir": gfile.mkdir,
    "delete_file": gfile.remove, "delete_recursively": gfile.rmtree, "file_exists": gfile.exists,
    "get_matching_files": gfile.glob, "is_directory": gfile.isdir, "list_directory": gfile.listdir,
    "read_file_to_string": read_file_to_string, "recursive_create_dir": gfile.makedirs,
    "rename": gfile.rename, "stat": gfile.stat, "walk": gfile.walk,
    "write_string_to_file": write_string_to_file,
}  # fmt: skip
