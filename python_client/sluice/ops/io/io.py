# SPDX-License-Identifier: Apache-2.0
"""Files."""

from ...graph.keys import GraphKeys
from ..building import thin, with_names
from ..state.variables import Variable

read_file = thin(
    "ReadFile",
    "filename",
    """Reads a file in the server.

    Args:
        filename: The path, a string scalar.

    Returns:
        A string scalar.

    Raises:
        errors.NotFoundError: In run(): the file does not exist.
    """,
)
write_file = thin(
    "WriteFile",
    "filename contents",
    """Writes a file in the server. Directories are made as needed.

    Args:
        filename: The path, a string scalar.
        contents: The bytes, a string scalar.
    """,
)
matching_files = thin(
    "MatchingFiles",
    "pattern",
    """Finds the files that patterns match, in the server.

    Args:
        pattern: A pattern such as "a*b?.[c-d]", a string scalar or vector.

    Returns:
        A string vector of sorted paths.
    """,
)


def match_filenames_once(pattern, name=None):
    """Makes a local variable with the names of the files that a pattern matches when it is
    initialised.

    Args:
        pattern: A pattern, or a list of them.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The variable.
    """
    return Variable(
        matching_files(pattern), trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
        validate_shape=False, name=name or "matching_filenames",
    )  # fmt: skip


__all__ = with_names(globals())
