# SPDX-License-Identifier: Apache-2.0
"""Texts as str and as bytes, and the classes of numbers."""

import numbers
import os

import numpy as np

bytes_or_text_types = (bytes, str)
integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)
complex_types = (numbers.Complex, np.number)


def _refuse(value):
    raise TypeError(f"Expected binary or unicode string, got {value!r}")


def as_bytes(bytes_or_text, encoding="utf-8"):
    """Converts a text to bytes.

    Args:
        bytes_or_text: A str, or bytes.
        encoding: The encoding, a str.

    Returns:
        The bytes.

    Raises:
        TypeError: The value is neither.
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    return bytes_or_text if isinstance(bytes_or_text, bytes) else _refuse(bytes_or_text)


def as_text(bytes_or_text, encoding="utf-8"):
    """Converts bytes to a text.

    Args:
        bytes_or_text: A str, or bytes.
        encoding: The encoding, a str.

    Returns:
        A str.

    Raises:
        TypeError: The value is neither.
        UnicodeDecodeError: The bytes are not in this encoding.
    """
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    return bytes_or_text if isinstance(bytes_or_text, str) else _refuse(bytes_or_text)


as_str = as_text


def as_str_any(value):
    """Converts any value to a text.

    Args:
        value: Bytes in UTF-8, or an object that str() takes.

    Returns:
        A str.
    """
    return as_text(value) if isinstance(value, bytes) else str(value)


def path_to_str(path):
    """Converts a path to a text.

    Args:
        path: A path such as a pathlib.Path, or any other object.

    Returns:
        A str for a path; other objects as they are.
    """
    return as_str_any(os.fspath(path)) if hasattr(path, "__fspath__") else path
