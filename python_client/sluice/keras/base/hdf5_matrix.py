# SPDX-License-Identifier: Apache-2.0
"""Arrays that stay in HDF5 files."""

import numpy as np


class HDF5Matrix:
    """Rows of a data set of an HDF5 file, in place of an array. It requires h5py.

    Args:
        datapath: Path of the file, a str.
        dataset: Name of the data set in the file, a str.
        start: The first row, an int.
        end: The row after the last one, an int. None: the end of the data set.
        normalizer: A function of the rows that are read. None: none.

    Raises:
        ImportError: h5py is not installed.
    """

    refs = {}  # path -> the open file, which all objects share

    def __init__(self, datapath, dataset, start=0, end=None, normalizer=None):
        try:
            import h5py
        except ImportError:
            raise ImportError("The use of HDF5Matrix requires HDF5 and h5py installed.") from None
        if datapath not in self.refs:
            self.refs[datapath] = h5py.File(datapath, "r")
        self.data = self.refs[datapath][dataset]
        self.start = start
        self.end = self.data.shape[0] if end is None else end
        self.normalizer = normalizer

    def __len__(self):
        return self.end - self.start

    def __getitem__(self, key):
        if isinstance(key, slice):
            first = key.start or 0
            stop = len(self) if key.stop is None else key.stop
            last, rows = stop - 1, slice(first + self.start, stop + self.start)
        elif isinstance(key, (int, np.integer)):
            last, rows = key, key + self.start
        else:
            last, rows = max(key), [int(row) + self.start for row in key]
        if last + self.start >= self.end:
            raise IndexError(f"row {last} of {len(self)} rows")
        found = self.data[rows]
        return found if self.normalizer is None else self.normalizer(found)

    def __array__(self, dtype=None, copy=None):
        del copy
        return np.asarray(self[:], dtype)

    @property
    def shape(self):
        """The shape, a tuple of ints."""
        return (len(self), *self.data.shape[1:])

    @property
    def dtype(self):
        """The dtype of NumPy."""
        return self.data.dtype

    @property
    def ndim(self):
        """How many dimensions there are, an int."""
        return self.data.ndim

    @property
    def size(self):
        """How many elements there are, an int."""
        return int(np.prod(self.shape))
