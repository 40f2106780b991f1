# SPDX-License-Identifier: Apache-2.0
"""Arguments of windows that move over images."""

from numbers import Integral


def window_sizes(value, data_format="NHWC", dims=2):
    """A list for every dimension of one int, one int for each spatial one, or such a list."""
    value = 1 if value is None else value
    value = [value] * dims if isinstance(value, Integral) else list(value)
    if len(value) == 1:
        value *= dims
    if len(value) == dims:
        value = [1, 1, *value] if data_format.startswith("NC") else [1, *value, 1]
    return value


def padding_attributes(padding):
    """The attributes of a padding: "SAME", "VALID", or [[before, after], ...] of each dimension."""
    if isinstance(padding, str):
        return {"padding": padding}
    return {"padding": "EXPLICIT", "explicit_paddings": [n for pair in padding for n in pair]}


def one_size(value):
    value = 1 if value is None else value
    return value if isinstance(value, Integral) else max(value)
