# SPDX-License-Identifier: Apache-2.0
"""Tensors that stay on a task between the runs of a session, behind a handle."""

from .. import dtypes
from ..graph.convert import convert_to_tensor, placeholder
from ..graph.default_graph import colocate_with, device
from ..ops import raw_ops


class TensorHandle:
    """The handle of a tensor that stays on a task: what a run returns for get_session_handle().

    Args:
        handle: The handle, bytes.
        dtype: Dtype of the tensor.
        session: The session.
    """

    def __init__(self, handle, dtype, session):
        self.handle, self.dtype, self._session = handle.decode(), dtype, session
        self._deleted = False

    def __str__(self):
        return self.handle

    def get_raw_handle(self):
        """Returns the handle. The tensor stays until delete_session_tensor() frees it.

        Returns:
            A str.
        """
        return self.handle

    def eval(self):
        """Reads the tensor.

        Returns:
            An array.

        Raises:
            TypeError: delete() has freed it.
        """
        self._check_not_deleted()
        with self._session.graph.as_default():
            holder, value = get_session_tensor(self.handle, self.dtype)
            return self._session.run(value, {holder: self.handle})

    def delete(self):
        """Frees the tensor.

        Raises:
            TypeError: It is free already.
        """
        self._check_not_deleted()
        with self._session.graph.as_default():
            holder, deleter = delete_session_tensor(self.handle)
            self._session.run(deleter, {holder: self.handle})
        self._deleted = True

    def _check_not_deleted(self):
        if self._deleted:
            raise TypeError(f"Persistent tensor {self.handle} may have already been deleted.")


def get_session_handle(data, name=None):
    """Returns a tensor for which a run gives a handle. The value of `data` stays on its task.

    Args:
        data: A tensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A string scalar.
    """
    data = convert_to_tensor(data)
    with colocate_with(data.op):
        return raw_ops.GetSessionHandle(value=data, name=name)


def get_session_tensor(handle, dtype, name=None):
    """Returns a tensor with the value behind a handle.

    Args:
        handle: The handle of a tensor, a str.
        dtype: Dtype of the value.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: a placeholder to feed a handle to, and the tensor.
    """
    with _on_its_device(handle):
        holder = placeholder(dtypes.string, [])
        return holder, raw_ops.GetSessionTensor(handle=holder, dtype=dtype, name=name)


def delete_session_tensor(handle, name=None):
    """Adds an operation that frees the value behind a handle.

    Args:
        handle: The handle of a tensor, a str.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: a placeholder to feed a handle to, and the Operation.
    """
    with _on_its_device(handle):
        holder = placeholder(dtypes.string, [])
        return holder, raw_ops.DeleteSessionTensor(handle=holder, name=name)


def _on_its_device(handle):
    """Handles end in ";<device>"."""
    parts = str(handle).split(";")
    return device(parts[-1] if len(parts) > 1 else "")
