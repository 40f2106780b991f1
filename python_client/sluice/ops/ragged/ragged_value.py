# SPDX-License-Identifier: Apache-2.0
"""The values of ragged tensors, which runs return and take."""

import numpy as np


class RaggedTensorValue:
    """The value of a RaggedTensor.

    Args:
        values: The elements of all rows, an array, or a RaggedTensorValue.
        row_splits: Where rows begin, and where the last one ends, an array [rows + 1].
    """

    def __init__(self, values, row_splits):
        self._values = values if isinstance(values, RaggedTensorValue) else np.asarray(values)
        self._row_splits = np.asarray(row_splits)

    @property
    def values(self):
        """The elements of all rows, an array or a RaggedTensorValue."""
        return self._values

    @property
    def row_splits(self):
        """Where rows begin, and where the last one ends, an array."""
        return self._row_splits

    @property
    def flat_values(self):
        """The innermost values, an array."""
        inner = self._values
        return inner.flat_values if isinstance(inner, RaggedTensorValue) else inner

    @property
    def nested_row_splits(self):
        """The row_splits of all ragged dimensions, a tuple, the outermost first."""
        inner = self._values
        more = inner.nested_row_splits if isinstance(inner, RaggedTensorValue) else ()
        return (self._row_splits, *more)

    @property
    def ragged_rank(self):
        """How many ragged dimensions there are, an int."""
        return len(self.nested_row_splits)

    @property
    def dtype(self):
        """The dtype of the elements, NumPy's."""
        return self.flat_values.dtype

    @property
    def shape(self):
        """The shape, a tuple; None for ragged dimensions."""
        inner = self._values.shape
        return (len(self._row_splits) - 1, None, *inner[1:])

    def to_list(self):
        """Returns the rows as lists.

        Returns:
            A list of lists.
        """
        inner = self._values
        items = inner.to_list() if isinstance(inner, RaggedTensorValue) else inner.tolist()
        splits = self._row_splits
        return [items[splits[i] : splits[i + 1]] for i in range(len(splits) - 1)]

    def __eq__(self, other):
        return isinstance(other, RaggedTensorValue) and self.to_list() == other.to_list()

    __hash__ = None

    def __repr__(self):
        return f"<sluice.RaggedTensorValue {self.to_list()}>"
