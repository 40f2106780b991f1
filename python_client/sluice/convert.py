"""Values become tensors; feeds are values of placeholders."""

import numpy as np

from . import _sluice, dtypes
from .graph import Operation, Tensor, get_default_graph


def constant(value, dtype=None, shape=None, name="Const", verify_shape=False):
    """Makes a tensor with a constant value.

    Args:
        value: A number, a string, a nested list of them, or an array. Floats of Python become
            float32, ints int32.
        dtype: Dtype of the tensor. None: it follows from the value.
        shape: Shape of the tensor, a list of ints. None: that of the value. A single element is
            repeated.
        name: Name of the operation, a str.
        verify_shape: Whether a value of another shape is refused, instead of repeated or reshaped.
            A bool.

    Returns:
        A tensor.

    Raises:
        TypeError: The value has no element type, or verify_shape is set and the shape differs.
        ValueError: The value cannot have the shape.

    Example:
        >>> c = sl.constant([[1.0, 2.0], [3.0, 4.0]])
        >>> c
        <sluice.Tensor 'Const:0' shape=(2, 2) dtype=float32>
        >>> sl.Session().run(c)
        array([[1., 2.],
               [3., 4.]], dtype=float32)
    """
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
    """Converts a value to a tensor.

    Args:
        value: A tensor, a variable, a number, a string, an array, or a nested list of them.
        dtype: Dtype of the tensor. None: it follows from the value.
        name: Name of the operation if one is made, a str.
        preferred_dtype: Older name of dtype_hint.
        dtype_hint: Dtype of a constant, if it can have it. None: it follows from the value.
        as_ref: Whether a variable gives its reference instead of its value. A bool.

    Returns:
        A tensor: the value itself if it is one.

    Raises:
        ValueError: A tensor has another dtype.
        TypeError: The value cannot be a tensor.

    Example:
        >>> sl.convert_to_tensor([1, 2]).dtype
        sluice.int32
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
        return _pack(value, dtype, name)
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


def _pack(values, dtype, name=None):
    if dtype is None:
        for value in values:
            if isinstance(value, Tensor):
                dtype = value.dtype
    with get_default_graph().name_scope(name or "packed") as scope:
        parts = [convert_to_tensor(v, dtype, str(i)) for i, v in enumerate(values)]
        attrs = {"N": len(parts), "T": int(parts[0].dtype)}
        return get_default_graph().create_op("Pack", parts, attrs, scope).outputs[0]


def placeholder(dtype, shape=None, name=None):
    """Makes a tensor whose value every run must feed.

    Args:
        dtype: Dtype of the tensor.
        shape: Sizes, None where any is fine; None: a shape of any rank.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor.

    Raises:
        TypeError: dtype is not an element type.

    Example:
        >>> x = sl.placeholder(sl.float32, [None])
        >>> sl.Session().run(x * 2, {x: [1, 2, 3]})
        array([2., 4., 6.], dtype=float32)
    """
    attrs = {"dtype": int(dtypes.as_dtype(dtype)), "shape": None if shape is None else list(shape)}
    return get_default_graph().create_op("Placeholder", [], attrs, name).outputs[0]
