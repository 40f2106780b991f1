"""Values become tensors; feeds are values of placeholders."""

import numpy as np

from . import _sluice, dtypes
from .graph import Operation, Tensor, get_default_graph


def constant(value, dtype=None, shape=None, name="Const", verify_shape=False):
    """A tensor that holds `value`: a number, string, nested list or array. Python's floats become
    float32,
    its ints int32. A `shape` other than the value's repeats a scalar; with verify_shape it is a
    TypeError."""
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
    if isinstance(value, np.generic):
        value = np.asarray(value)  # np.float64 is a float of Python too
    if dtype is None and not hasattr(value, "dtype"):
        kind = np.asarray(value)
        if kind.dtype == np.float64:
            dtype = dtypes.float32
        elif kind.dtype == np.int64 and np.all(np.abs(kind) < 2**31):
            dtype = dtypes.int32
    if shape is not None:
        value = np.asarray(value, None if dtype is None else dtype.as_numpy_dtype)
        if verify_shape and list(value.shape) != list(shape):
            raise TypeError(f"the value has shape {list(value.shape)}, not {list(shape)}")
        value = np.full(shape, value) if value.size == 1 else value.reshape(shape)
    tensor = _sluice.tensor(value, int(dtype) if dtype is not None else 0)
    number, _ = _sluice.tensor_info(tensor)
    graph = get_default_graph()
    op = graph.create_op("Const", [], {"value": tensor, "dtype": number}, name)
    return op.outputs[0]


def convert_to_tensor(value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None,
                      as_ref=False):  # fmt: skip
    """A Tensor for a tensor, a variable (its value; `as_ref`: the variable itself), or a constant.

    dtype_hint, by its older name preferred_dtype: a constant's dtype, if it can be that.
    ValueError when a tensor has another dtype than the one asked for.
    """
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
    if hasattr(value, "_as_tensor"):
        value = value._as_tensor(as_ref)
    if isinstance(value, Operation):
        raise TypeError(f"{value!r} is no tensor")
    if isinstance(value, Tensor):
        if dtype is not None and value.dtype != dtype:
            raise ValueError(
                f"expected a tensor of dtype {dtype.name}, {value.name} is {value.dtype.name}"
            )
        return value
    if isinstance(value, (list, tuple)) and _holds_tensor(value):
        return _pack(value, dtype)
    hint = preferred_dtype if dtype_hint is None else dtype_hint
    if dtype is None and hint is not None and not hasattr(value, "dtype"):
        kind = np.asarray(value).dtype.kind
        hint = dtypes.as_dtype(hint)
        dtype = hint if kind in "iu" or kind == "f" and hint.is_floating else None
    return constant(value, dtype, name=name or "Const")


def _holds_tensor(values):
    return any(
        isinstance(v, Tensor) or hasattr(v, "_as_tensor")
        or isinstance(v, (list, tuple)) and _holds_tensor(v)
        for v in values
    )  # fmt: skip


def _pack(values, dtype):
    if dtype is None:
        for value in values:
            if isinstance(value, Tensor):
                dtype = value.dtype
    parts = [convert_to_tensor(v, dtype) for v in values]
    attrs = {"N": len(parts), "T": int(parts[0].dtype)}
    return get_default_graph().create_op("Pack", parts, attrs, "packed").outputs[0]


def placeholder(dtype, shape=None, name=None):
    """A tensor whose value every run must feed. `shape`: sizes, None where any is fine; None: any
    rank."""
    attrs = {"dtype": int(dtypes.as_dtype(dtype)), "shape": None if shape is None else list(shape)}
    return get_default_graph().create_op("Placeholder", [], attrs, name).outputs[0]
