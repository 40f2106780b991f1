# SPDX-License-Identifier: Apache-2.0
"""Examples in sparse matrices, which models take instead of arrays."""

import numpy as np

from ...ops.ragged.ragged_value import RaggedTensorValue
from ...ops.sparse.sparse_tensor import SparseTensorValue
from .ragged_rows import RaggedRows


class SparseRows:
    """The rows of a sparse array. A part of them is taken as of an array.

    Args:
        indices: The places of the elements, an int64 array [n, rank].
        values: The elements, an array [n].
        shape: The shape, a tuple of ints.
    """

    def __init__(self, indices, values, shape):
        order = np.lexsort(np.asarray(indices).T[::-1])
        self._indices = np.asarray(indices, np.int64)[order]
        self._values = np.asarray(values)[order]
        self.shape = tuple(int(n) for n in shape)
        self._starts = np.searchsorted(self._indices[:, 0], np.arange(self.shape[0] + 1))

    @property
    def ndim(self):
        """The rank, an int."""
        return len(self.shape)

    @property
    def dtype(self):
        """The dtype of the elements."""
        return self._values.dtype

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, chosen):
        rows = np.arange(len(self))[chosen]
        counts = self._starts[rows + 1] - self._starts[rows]
        before = np.cumsum(counts) - counts
        places = np.repeat(self._starts[rows] - before, counts) + np.arange(counts.sum())
        indices = self._indices[places]
        indices[:, 0] = np.repeat(np.arange(len(rows)), counts)
        return SparseRows(indices, self._values[places], (len(rows), *self.shape[1:]))

    def parts(self):
        """Returns the arrays that are fed for a SparseTensor.

        Returns:
            A list: indices, values, shape.
        """
        return [self._indices, self._values, np.asarray(self.shape, np.int64)]

    def to_dense(self):
        """Returns the array, with its zeros."""
        found = np.zeros(self.shape, self.dtype)
        found[tuple(self._indices.T)] = self._values
        return found


def rows_of(data):
    """The SparseRows of a SparseTensorValue or of a matrix of SciPy, the RaggedRows of a
    RaggedTensorValue; None of anything else."""
    if isinstance(data, (SparseRows, RaggedRows)):
        return data
    if isinstance(data, RaggedTensorValue):
        return RaggedRows(data)
    if isinstance(data, SparseTensorValue):
        return SparseRows(*data)
    if hasattr(data, "tocoo"):
        matrix = data.tocoo()
        return SparseRows(np.stack([matrix.row, matrix.col], 1), matrix.data, matrix.shape)
    return None
