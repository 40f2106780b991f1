# SPDX-License-Identifier: Apache-2.0
"""Checks of tensors, and other functions that the package has too."""

from ...older_names import argsort, is_tensor, sort
from ...ops.debug.assertions import assert_same_float_dtype, assert_scalar
from ...ops.functions.py_func import py_func

__all__ = [
    "argsort", "assert_same_float_dtype", "assert_scalar", "is_tensor", "py_func", "sort",
]  # fmt: skip
