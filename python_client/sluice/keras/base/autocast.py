# SPDX-License-Identifier: Apache-2.0
"""Variables that layers read in the dtype in which they compute."""

import contextlib
import threading

from ... import dtypes
from ...graph.convert import is_resource_variable
from ...ops import array as arrays
from ...ops.state.variables import Variable


class _Reading(threading.local):
    dtype = None


_reading = _Reading()


@contextlib.contextmanager
def reading_as(dtype):
    """Reads of an AutoCastVariable inside give a dtype: a name, or None for that of the variable.
    A dtype that is not floating counts as None."""
    before = _reading.dtype
    dtype = None if dtype is None else dtypes.as_dtype(dtype)
    _reading.dtype = dtype if dtype is not None and dtype.is_floating else None
    try:
        yield
    finally:
        _reading.dtype = before


class AutoCastVariable(Variable):
    """A variable that is cast when a layer reads it which computes in another dtype.

    Everything but reads goes to the variable itself.

    Args:
        variable: A floating resource variable.

    Raises:
        ValueError: It is another one.
    """

    creators_apply = False  # the variable is there already

    def __init__(self, variable):
        if not is_resource_variable(variable):
            raise ValueError(f"variable must be of type tf.ResourceVariable, but got: {variable}")
        if not variable.dtype.is_floating:
            raise ValueError(
                f"variable must be a floating point variable but has type: {variable.dtype.name}"
            )
        self._variable = variable

    def __getattr__(self, name):
        if name == "_variable":
            raise AttributeError(name)
        return getattr(self._variable, name)

    @property
    def true_dtype(self):
        """The dtype of the variable itself."""
        return self._variable.dtype

    @property
    def dtype(self):
        """The dtype of a read here."""
        return _reading.dtype or self._variable.dtype

    @property
    def name(self):
        """The name of the variable itself, "<operation>:0"."""
        return self._variable.name

    def _read(self, value):
        return value if value.dtype == self.dtype else arrays.cast(value, self.dtype)

    def value(self):
        return self._read(self._variable.value())

    def read_value(self):
        return self._read(self._variable.read_value())

    def sparse_read(self, indices, name=None):
        return self._read(self._variable.sparse_read(indices, name))

    def gather_nd(self, indices, name=None):
        return self._read(self._variable.gather_nd(indices, name))

    def _update(self, *args, **kwargs):
        return self._variable._update(*args, **kwargs)

    def _as_graph_element(self):
        return self._variable._as_graph_element()

    def load(self, value, session=None):
        self._variable.load(value, session)

    def __repr__(self):
        return (
            f"<AutoCastVariable '{self.name}' shape={self.shape} dtype={self.dtype.name} "
            f"true_dtype={self.true_dtype.name}>"
        )
