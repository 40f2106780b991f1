# SPDX-License-Identifier: Apache-2.0
"""Examples with rows of different lengths, which models take instead of arrays."""

import itertools

import numpy as np

from ...ops.ragged import making
from ...ops.ragged.ragged_tensor import RaggedTensor
from ...ops.ragged.ragged_value import RaggedTensorValue


def ragged_input(dtype, shape, name=None):
    """Makes a placeholder with rows of different lengths.

    Args:
        dtype: Dtype of the elements.
        shape: The shape with the batch. The dimensions without a size that follow the batch are
            ragged.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A RaggedTensor. If no dimension is ragged, a tensor without the batch, as in TensorFlow
        1.15.
    """
    ragged = list(itertools.takewhile(lambda size: size is None, shape[1:]))
    return making.placeholder(dtype, len(ragged), shape[len(ragged) + 1 :], name)


def op_of(tensor):
    """The Operation that computes a tensor; of a RaggedTensor its innermost values."""
    return tensor.flat_values.op if isinstance(tensor, RaggedTensor) else tensor.op


def joined(values):
    """Puts the rows of some values together.

    Args:
        values: Arrays, or RaggedTensorValues, a list.

    Returns:
        An array, or a RaggedTensorValue.
    """
    if not isinstance(values[0], RaggedTensorValue):
        return np.concatenate(values)
    splits = [values[0].row_splits[:1]]
    for value in values:
        splits.append(value.row_splits[1:] + splits[-1][-1])
    return RaggedTensorValue(joined([v.values for v in values]), np.concatenate(splits))


class RaggedRows:
    """The rows of a RaggedTensorValue. A part of them is taken as of an array.

    Args:
        value: The RaggedTensorValue.
    """

    def __init__(self, value):
        self._splits, self._flat = value.nested_row_splits, value.flat_values
        count = len(self._splits[0]) - 1
        self.shape = (count, *[None] * len(self._splits), *self._flat.shape[1:])

    @property
    def ndim(self):
        """The rank, an int."""
        return len(self.shape)

    @property
    def dtype(self):
        """The dtype of the elements."""
        return self._flat.dtype

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, chosen):
        rows, splits = np.arange(len(self))[chosen], []
        for old in self._splits:
            lengths = old[rows + 1] - old[rows]
            new = np.concatenate([[0], np.cumsum(lengths)])
            rows = np.repeat(old[rows] - new[:-1], lengths) + np.arange(new[-1])
            splits.append(new.astype(old.dtype))
        part = RaggedRows.__new__(RaggedRows)
        part._splits, part._flat = tuple(splits), self._flat[rows]
        part.shape = (len(splits[0]) - 1, *self.shape[1:])
        return part

    def parts(self):
        """Returns the arrays that are fed for a RaggedTensor.

        Returns:
            A list: the elements of all rows, then the splits of each ragged dimension.
        """
        return [self._flat, *self._splits]
