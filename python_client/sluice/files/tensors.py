# SPDX-License-Identifier: Apache-2.0
"""Arrays as TensorProtos, and TensorProtos as arrays."""

import numpy as np

from .. import dtypes, messages
from ..graph.elements import set_tensor_proto
from ..graph.values import constant_array
from ..messages import TensorProto
from . import varints

# The field of each dtype, unless tensor_content has all elements.
_FIELDS = {
    dtypes.float32: "float_val", dtypes.float64: "double_val", dtypes.int32: "int_val",
    dtypes.uint8: "int_val", dtypes.uint16: "int_val", dtypes.int16: "int_val",
    dtypes.int8: "int_val", dtypes.int64: "int64_val", dtypes.bool_: "bool_val",
    dtypes.string: "string_val", dtypes.uint32: "uint32_val", dtypes.uint64: "uint64_val",
    dtypes.complex64: "scomplex_val", dtypes.complex128: "dcomplex_val",
    dtypes.float16: "half_val", dtypes.bfloat16: "half_val", dtypes.qint8: "int_val",
    dtypes.quint8: "int_val", dtypes.qint16: "int_val", dtypes.quint16: "int_val",
    dtypes.qint32: "int_val",
}  # fmt: skip
_HALVES = (dtypes.float16, dtypes.bfloat16)


def tensor_proto(values, dtype=None, shape=None):
    """The TensorProto of what a constant takes."""
    array, dtype = constant_array(values, dtype, shape)
    made = TensorProto(dtype=dtype.as_datatype_enum)
    made.tensor_shape.SetInParent()
    for size in array.shape:
        made.tensor_shape.dim.add(size=size)
    if dtype == dtypes.string:
        made.string_val.extend(_bytes(v) for v in array.ravel().tolist())
    elif array.size > 1 and array.dtype.kind in "iuf" and dtype not in _HALVES:
        made.tensor_content = np.ascontiguousarray(array).tobytes()
    else:
        getattr(made, _FIELDS[dtype]).extend(_numbers(array, dtype))
    return made


def _bytes(text):
    return text.encode() if isinstance(text, str) else bytes(text)


def _numbers(array, dtype):
    flat = array.ravel()
    if dtype in _HALVES:
        return flat.view(np.uint16).tolist()
    if array.dtype.kind == "c":
        return flat.view(flat.real.dtype).tolist()
    return flat.tolist()


def make_tensor_proto(values, dtype=None, shape=None, verify_shape=False, allow_broadcast=False):
    """Converts a value to a protocol message.

    Args:
        values: A number, a str, an array, or a nested list of them.
        dtype: Dtype of the tensor. None: it follows from the value.
        shape: Shape of the tensor, a list of ints. None: that of the value.
        verify_shape: Whether the value must have the shape. A bool.
        allow_broadcast: Whether a value must have one element or all. Else the last of too few
            stands for the rest. A bool.

    Returns:
        A TensorProto.

    Raises:
        TypeError: The value does not fit the dtype, or the shape where it must have it.
        ValueError: The value does not fit the shape.
    """
    if isinstance(values, TensorProto):
        return values
    dtype = None if dtype is None else dtypes.as_dtype(dtype)
    if shape is None:
        return tensor_proto(values, dtype)
    shape, have = tuple(int(d) for d in shape), np.shape(values)
    if verify_shape and have != shape:
        raise TypeError(f"Expected Tensor's shape: {shape}, got {have}.")
    count, wanted = int(np.prod(have, dtype=int)), int(np.prod(shape, dtype=int))
    if allow_broadcast and count not in (1, wanted):
        raise TypeError(f"Expected Tensor's shape: {shape}, got {have}.")
    if count > wanted:
        raise ValueError(
            f"Too many elements provided. Needed at most {wanted}, but received {count}"
        )
    made = tensor_proto(values, dtype, None if count == wanted else (count,))
    if count < wanted and made.tensor_content:  # which has all elements
        kept = np.frombuffer(made.tensor_content, dtypes.as_dtype(made.dtype).as_numpy_dtype)
        getattr(made, _FIELDS[dtypes.as_dtype(made.dtype)]).extend(kept.tolist())
        made.ClearField("tensor_content")
    del made.tensor_shape.dim[:]
    for size in shape:
        made.tensor_shape.dim.add(size=size)
    return made


def _strings(content, count):
    """The strings of a tensor_content: the length of each as a varint, then all bytes."""
    at, sizes = 0, []
    for _ in range(count):
        size, at = varints.decode(content, at)
        sizes.append(size)
    ends = at + np.cumsum(sizes, dtype=np.int64)
    return [content[end - size : end] for end, size in zip(ends, sizes)]


def make_ndarray(tensor):
    """Converts a TensorProto to an array.

    Args:
        tensor: The TensorProto; or an array, which get_attr() of an operation returns.

    Returns:
        An array; of bytes objects for strings.

    Raises:
        TypeError: The dtype has no arrays.
        ValueError: The message has too many elements, or none.
    """
    if isinstance(tensor, np.ndarray):
        return tensor.copy()
    tensor = messages.take(TensorProto, tensor)
    dtype = dtypes.as_dtype(tensor.dtype)
    shape = [d.size for d in tensor.tensor_shape.dim]
    count = int(np.prod(shape, dtype=np.int64))
    kind = dtype.as_numpy_dtype
    if tensor.tensor_content and dtype == dtypes.string:
        return np.array(_strings(tensor.tensor_content, count), object).reshape(shape)
    if tensor.tensor_content:
        return np.frombuffer(tensor.tensor_content, kind).copy().reshape(shape)
    if dtype not in _FIELDS:
        raise TypeError(f"a tensor of dtype {dtype.name} has no array")
    values = list(getattr(tensor, _FIELDS[dtype]))
    if dtype == dtypes.string:
        found = np.array(values, object)
    elif dtype in _HALVES:
        found = np.array(values, np.uint16).view(kind)
    elif dtype.is_complex:
        found = np.array(values[::2], kind) + 1j * np.array(values[1::2], kind)
        found = found.astype(kind)
    else:
        found = np.array(values).astype(kind)
    if len(found) == count:
        return found.reshape(shape)
    if not len(found) or len(found) > count:
        raise ValueError(f"a tensor of shape {shape} has {count} elements, not {len(found)}")
    return np.concatenate([found, np.repeat(found[-1:], count - len(found))]).reshape(shape)


__all__ = ["make_ndarray", "make_tensor_proto"]


set_tensor_proto(tensor_proto)
