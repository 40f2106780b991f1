"""Tensors that stay on a task between the runs of a session, behind a handle."""

from . import dtypes, raw_ops
from .convert import convert_to_tensor, placeholder
from .graph import colocate_with, device


class TensorHandle:
    """What a run gives for get_session_handle(): the value stays until delete()."""

    def __init__(self, handle, dtype, session):
        self.handle, self._dtype, self._session = handle.decode(), dtype, session

    def __str__(self):
        return self.handle

    def eval(self):
        """The value, an array."""
        with self._session.graph.as_default():
            holder, value = get_session_tensor(self.handle, self._dtype)
            return self._session.run(value, {holder: self.handle})

    def delete(self):
        """Frees the value."""
        with self._session.graph.as_default():
            holder, deleter = delete_session_tensor(self.handle)
            self._session.run(deleter, {holder: self.handle})


def get_session_handle(data, name=None):
    """A tensor that a run gives a TensorHandle for: it keeps the value of `data`."""
    data = convert_to_tensor(data)
    with colocate_with(data.op):
        return raw_ops.GetSessionHandle(value=data, name=name)


def get_session_tensor(handle, dtype, name=None):
    """(a placeholder that handles are fed to, the value behind what is fed)."""
    with _on_its_device(handle):
        holder = placeholder(dtypes.string, [])
        return holder, raw_ops.GetSessionTensor(handle=holder, dtype=dtype, name=name)


def delete_session_tensor(handle, name=None):
    """(a placeholder that handles are fed to, an operation that frees the value behind)."""
    with _on_its_device(handle):
        holder = placeholder(dtypes.string, [])
        return holder, raw_ops.DeleteSessionTensor(handle=holder, name=name)


def _on_its_device(handle):
    """Handles end in ";<device>"."""
    parts = str(handle).split(";")
    return device(parts[-1] if len(parts) > 1 else "")
