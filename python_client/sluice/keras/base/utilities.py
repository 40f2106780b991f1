# SPDX-License-Identifier: Apache-2.0
"""Functions of arrays."""

import numpy as np


def to_categorical(y, num_classes=None, dtype="float32"):
    """Converts classes to one-hot vectors.

    Args:
        y: The classes, an array of ints.
        num_classes: How many classes there are, an int. None: the largest one and 1.
        dtype: Dtype of the result, a str.

    Returns:
        An array with a dimension more.
    """
    y = np.array(y, dtype="int")
    shape = y.shape
    if shape and shape[-1] == 1 and len(shape) > 1:
        shape = shape[:-1]
    flat = y.ravel()
    count = num_classes or int(np.max(flat)) + 1
    found = np.zeros((len(flat), count), dtype)
    found[np.arange(len(flat)), flat] = 1
    return found.reshape(*shape, count)


def normalize(x, axis=-1, order=2):
    """Divides arrays by their norms.

    Args:
        x: The array.
        axis: Dimension over which norms are computed, an int.
        order: Order of the norm, an int.

    Returns:
        An array.
    """
    norms = np.atleast_1d(np.linalg.norm(x, order, axis))
    norms[norms == 0] = 1
    return x / np.expand_dims(norms, axis)
