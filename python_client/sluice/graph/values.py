# SPDX-License-Identifier: Apache-2.0
"""Python values as the arrays that tensors are made of, by the rules of TensorFlow 1.15.

A constant takes numbers of its own kind only: a float is not a value of an int32 tensor. An array
is cast to the tensor's dtype, whatever its own is. A feed takes what NumPy can convert, except
numbers that the dtype cannot hold and None.
"""

import math
import numbers

import numpy as np

from .. import dtypes
from .elements import known_sizes

_INTEGERS = (numbers.Integral, np.integer)
_REALS = (numbers.Real, np.integer, np.floating)
_TEXTS = (bytes, str)
_NUMBERS = (int, float)  # and no bool


def constant_array(value, dtype=None, shape=None):
    """The array of a constant.

    Args:
        value: a number, a string, a nested list of them, or an array.
        dtype: its DType; None: that of an array; Python's floats become float32, its integers
            int32 where they fit and else int64.
        shape: its sizes. Too few elements are completed by the last one.
    Returns:
        An array of dtype.as_numpy_dtype, and the DType.
    Raises:
        TypeError: an element is not of the dtype's kind.
        ValueError: None; lists of unequal lengths; too many elements for the shape.
    """
    # Nearly every constant of a program:
    if shape is None and value.__class__ in _NUMBERS:
        quick = _quick(value, dtype)
        if quick is not None:
            return quick
    elif value.__class__ is list and dtype in (None, dtypes.int32) and _are_sizes(value, shape):
        return np.array(value, np.int32), dtypes.int32
    if is_array_like(value):
        array = np.asarray(value)
        if dtype is not None:
            array = _cast(array, dtype)
    else:
        if value is None:
            raise ValueError("None values not supported.")
        if shape is not None and 0 in shape:
            array = np.empty(shape, np.float32 if dtype is None else dtype.as_numpy_dtype)
        else:
            array = _of_list(value, dtype)
    dtype = dtypes.as_dtype(array.dtype) if dtype is None else dtype
    if shape is not None:
        array = _in_shape(array, tuple(int(d) for d in shape))
    if dtype == dtypes.string:
        _check_texts(array, value)
    return array, dtype


_FLOATS = {d: d.as_numpy_dtype for d in (dtypes.float32, dtypes.float64, dtypes.float16)}


def _quick(value, dtype):
    """constant_array() of a small number without a dtype, or with an ordinary one; None for
    others."""
    if not -1e4 < value < 1e4:
        return None
    if dtype is None:
        if isinstance(value, float):
            return np.array(value, np.float32), dtypes.float32
        return np.array(value, np.int32), dtypes.int32
    if dtype in _FLOATS:
        return np.array(value, _FLOATS[dtype]), dtype
    if isinstance(value, int) and dtype == dtypes.int32:
        return np.array(value, np.int32), dtype
    return None


def _are_sizes(value, shape):
    """Are these small integers, one or more, and a vector of the shape?"""
    if not value or shape is not None and shape != [len(value)]:
        return False
    return all(number.__class__ is int and -1e9 < number < 1e9 for number in value)


def is_array_like(value):
    """Is it an array, a NumPy scalar, or another object with the interface of arrays or buffers?"""
    if hasattr(value, "graph"):
        return False
    if callable(getattr(value, "__array__", None)):
        return True
    if isinstance(getattr(value, "__array_interface__", None), dict):
        return True
    return isinstance(value, (bytearray, memoryview)) or hasattr(value, "buffer_info")


def _cast(array, dtype):
    if dtype.as_numpy_dtype is None:
        raise TypeError(f"an array of {array.dtype} cannot become a tensor of {dtype.name}")
    if dtype == dtypes.string and array.dtype.kind in "OSU" or array.dtype == dtype.as_numpy_dtype:
        return array
    with np.errstate(all="ignore"):
        return array.astype(dtype.as_numpy_dtype)


def _of_list(value, dtype):
    """The array of a Python value whose elements must be of the dtype's kind."""
    if dtype is None and not _first(value, _TEXTS):
        return _own_type(_natural(value), value)
    if dtype is None or dtype == dtypes.string:
        _check_kind(value, dtypes.string, None if dtype else value)
        return np.array(value, object)
    if dtype in _QUANTISED:
        return np.array(_quantised(value, dtype), dtype.as_numpy_dtype)
    array = _natural(value)
    if array.dtype.kind not in _KINDS.get(dtype.name, _kinds(dtype)) or array.size == 0:
        _check_kind(value, dtype, None)
        if array.dtype.kind not in "biufc":
            return np.array(value, dtype.as_numpy_dtype)
        if dtype.is_integer and array.dtype.kind == "f" and array.size:  # 2**63 beside 1
            array = np.array(value, object)
    if dtype.is_integer and dtype not in _UNSIGNED and array.dtype.kind in "uO":
        _check_64_bits(array, dtype)
    return _cast(array, dtype)


def _check_64_bits(array, dtype):
    """Smaller integers are cut to the dtype's bits; of larger ones NumPy takes none."""
    for number in array.flat:
        if not -(2**63) <= int(number) < 2**63:
            raise OverflowError(f"{dtype.name} cannot hold {number}")


def _natural(value):
    """The array that NumPy makes of a value when no dtype is asked for."""
    try:
        return np.asarray(value)
    except NotImplementedError as e:
        raise TypeError(f"List of Tensors when single Tensor expected: {_short(value)}") from e
    except ValueError as e:
        raise ValueError(f"lists of unequal lengths are not a tensor: {_short(value)}: {e}") from e


def _own_type(array, value):
    kind = array.dtype.kind
    if kind not in "biufc":
        if kind == "O" and array.ndim == 0 or not _ragged(value):
            raise TypeError(
                f"Failed to convert object of type {type(value)} to Tensor. Contents:"
                f" {_short(value)}. Consider casting elements to a supported type:"
                f" {_culprit(value)} is none."
            )
        raise ValueError(f"lists of unequal lengths are not a tensor: {_short(value)}")
    if array.dtype == np.float64:
        with np.errstate(all="ignore"):
            return array.astype(np.float32)
    if array.dtype == np.int64:
        narrow = array.astype(np.int32)
        return narrow if (narrow == array).all() else array
    return array


# The kinds of NumPy that hold only what is an element of a dtype.
_KINDS = {"bool": "b"}
_UNSIGNED = (dtypes.uint32, dtypes.uint64)
_QUANTISED = (dtypes.qint8, dtypes.quint8, dtypes.qint16, dtypes.quint16, dtypes.qint32)


def _kinds(dtype):
    return "biufc" if dtype.is_complex else "biuf" if dtype.is_floating else "biu"


def _accepted(dtype):
    if dtype == dtypes.bool_:
        return (bool,)
    if dtype == dtypes.string:
        return _TEXTS
    if dtype.is_complex:
        return (numbers.Complex, np.number)
    return _REALS if dtype.is_floating else _INTEGERS


def _leaves(value):
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, np.ndarray):
        yield from value.flat
    else:
        yield value


def _first(value, classes):
    return any(isinstance(leaf, classes) for leaf in _leaves(value))


def _check_kind(value, dtype, whole):
    """TypeError for the first element that is not of the dtype's kind; `whole`: without a dtype
    asked for."""
    if dtype.as_numpy_dtype is None:
        raise TypeError(f"{_short(value)} cannot become a tensor of {dtype.name}")
    accepted = _accepted(dtype)
    for leaf in _leaves(value):
        if not isinstance(leaf, accepted):
            if whole is not None:
                raise TypeError(
                    f"Failed to convert object of type {type(whole)} to Tensor. Contents:"
                    f" {_short(whole)}. Consider casting elements to a supported type: {leaf!r} is"
                    " of another kind."
                )
            raise TypeError(
                f"Expected {dtype.name}, got {leaf!r} of type {type(leaf).__name__!r} instead."
            )


def _check_texts(array, value):
    for item in array.flat:
        if not isinstance(item, _TEXTS):
            raise TypeError(
                f"expected bytes or str in a string tensor, got {item!r} of type "
                f"{type(item).__name__}" + ("" if item is value else f" in {_short(value)}")
            )


def _quantised(value, dtype):
    """Nested lists whose elements are tuples of one integer, without the tuples."""
    if isinstance(value, tuple) and all(isinstance(v, _INTEGERS) for v in value):
        if len(value) != 1:
            raise ValueError(f"an element of {dtype.name} is a tuple of one int, not {value!r}")
        return value[0]
    if not isinstance(value, list):
        raise TypeError(f"expected {dtype.name}: an array, or tuples of one int, got {value!r}")
    return [_quantised(item, dtype) for item in value]


def _first_is_tuple(value):
    while isinstance(value, list) and value:
        value = value[0]
    return isinstance(value, tuple)


def _in_shape(array, shape):
    size = math.prod(shape)
    if array.size > size:
        raise ValueError(f"{array.size} elements are too many for the shape {list(shape)}")
    if array.size == size:
        return array.reshape(shape)
    if array.size == 1:
        filled = np.empty(shape, array.dtype)
        filled[...] = array.reshape(())
        return filled
    if array.size == 0:
        return np.full(shape, b"" if array.dtype.kind == "O" else 0, array.dtype)
    flat = array.ravel()
    return np.concatenate([flat, np.repeat(flat[-1:], size - array.size)]).reshape(shape)


def _ragged(value):
    """Whether it has lists of unequal lengths, or lists beside other values."""
    if not isinstance(value, (list, tuple)):
        return False
    nested = [isinstance(v, (list, tuple)) for v in value]
    if not any(nested):
        return False
    return not all(nested) or len({len(v) for v in value}) > 1 or any(map(_ragged, value))


def _culprit(value):
    for leaf in _leaves(value):
        if not isinstance(leaf, (numbers.Complex, np.number)):
            return f"{leaf!r} of type {type(leaf).__name__}"
    return _short(value)


def _short(value):
    text = repr(value)
    return text if len(text) <= 100 else text[:97] + "..."


# ---- feeds


def fed_array(tensor, value, any_shape=False):
    """The array of a value fed for a tensor; any_shape: its shape may differ from the tensor's.

    Raises:
        TypeError: None, or a number that the tensor's dtype cannot hold.
        OverflowError: such a number in a list.
        ValueError: another shape than the tensor's, or lists of unequal lengths.
    """
    dtype = tensor.dtype
    wanted = dtype.as_numpy_dtype
    if isinstance(value, np.ndarray) and value.dtype == wanted and wanted is not np.object_:
        array = value
    else:
        array = _convert_fed(tensor, value, dtype, wanted)
    if any_shape:
        return array
    known, given = known_sizes(tensor), array.shape
    if not (known is None or tuple(known) == given or _fit(known, given)):
        raise ValueError(
            f"Cannot feed value of shape {given} for Tensor '{tensor.name}', which has shape"
            f" '{tensor.shape}'"
        )
    return array


def _fit(known, given):
    """Whether an array's sizes are those of a tensor, of which -1 stands for any."""
    return len(known) == len(given) and all(k in (-1, g) for k, g in zip(known, given))


def _convert_fed(tensor, value, dtype, wanted):
    if value is None:
        raise TypeError(f"None cannot be fed for {tensor.name}: feed a number or an array")
    if wanted is None:
        return np.asarray(value)
    if isinstance(value, int) and not _holds(dtype, value):
        most = 2**64 if dtype in _UNSIGNED else 2**63
        large = dtype.is_integer and not -(2**63) <= value < most
        raise (OverflowError if large else TypeError)(
            f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type"
            f" {dtype.as_numpy_dtype}. Try explicitly setting the type of the feed tensor"
            f" {tensor.name} to a larger type (e.g. int64)."
        )
    try:
        if isinstance(value, (list, tuple)):
            if dtype in _QUANTISED and _first_is_tuple(value):
                value = _quantised(value, dtype)
            return _convert_list(tensor, value, dtype, wanted)
        array = np.asarray(value, wanted)
    except (TypeError, ValueError, OverflowError) as e:
        raise type(e)(f"{_short(value)} cannot be fed for {tensor.name} ({dtype.name}): {e}") from e
    except NotImplementedError as e:
        raise ValueError(
            f"{_short(value)} cannot be fed for {tensor.name}: it has tensors, feed numbers"
        ) from e
    if getattr(value, "dtype", None) == np.object_:
        _refuse_none(tensor, array if wanted is np.object_ else np.asarray(value))
    return _only_texts(tensor, array) if wanted is np.object_ else array


def _convert_list(tensor, value, dtype, wanted):
    if wanted is np.object_:
        array = np.asarray(value, wanted)
        _refuse_none(tensor, array)
        return _only_texts(tensor, array)
    if dtype in _FLOATS:
        array = np.asarray(value, wanted)
        if array.size and np.isnan(array).any():  # None is nan for NumPy
            _refuse_none(tensor, np.asarray(value, object))
        return array
    array = np.asarray(value)
    if array.dtype == np.object_:
        _refuse_none(tensor, array)
    elif array.dtype.kind in "iu" and dtype.is_integer and array.size:
        limits = np.iinfo(wanted)
        for number in (int(array.min()), int(array.max())):
            if not limits.min <= number <= limits.max:
                raise OverflowError(f"{dtype.name} cannot hold {number}")
    elif array.dtype.kind == "f" and dtype.is_integer:
        return np.asarray(value, wanted)  # integers above 2**63 are floats here
    with np.errstate(all="ignore"):
        return array.astype(wanted, copy=False) if array.dtype.kind in "biuf" else np.asarray(
            value, wanted)  # fmt: skip


def _only_texts(tensor, array):
    for item in array.flat:
        if not isinstance(item, _TEXTS):
            raise TypeError(f"a {type(item).__name__}: feed str or bytes")
    return array


def _refuse_none(tensor, array):
    for i, item in enumerate(array.flat):
        if item is None:
            raise TypeError(f"None cannot be fed for {tensor.name}, as element {i} of the value is")


def _holds(dtype, number):
    """Is an int one of the dtype's numbers?"""
    if dtype.is_integer:
        limits = np.iinfo(dtype.as_numpy_dtype)
        return limits.min <= number <= limits.max
    if dtype == dtypes.string:
        return False
    if dtype == dtypes.bfloat16:
        return _holds(dtypes.float32, number) and _bfloat16(number) == number
    try:
        with np.errstate(all="ignore"):
            return bool(dtype.as_numpy_dtype(number) == number)
    except OverflowError:
        return False


def _bfloat16(number):
    bits = np.float32(number).view(np.uint32)
    bits = (int(bits) + 0x7FFF + (int(bits) >> 16 & 1)) & 0xFFFF0000
    return float(np.uint32(bits).view(np.float32))
