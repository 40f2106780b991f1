# SPDX-License-Identifier: Apache-2.0
"""Values become tensors; feeds are values of placeholders."""

import numpy as np

from .. import _sluice, dtypes
from .default_graph import get_default_graph
from .elements import IndexedSlices, Operation, Tensor, id_of
from .state import state_of
from .tensor_shape import TensorShape
from .values import constant_array

_conversions = {}  # a class of variables -> the function that gives the tensor
_variables = ()  # those classes


def convert_by(cls, function):
    """Registers how instances of a class become tensors.

    Args:
        cls: A class of variables.
        function: A function of the instance, and of whether its reference is wanted instead of its
            value.
    """
    global _variables
    _conversions[cls] = function
    _variables = tuple(_conversions)


def _tensor_in(value, as_ref):
    convert = _conversions.get(value.__class__)
    if convert is None:  # of a class that derives from one of them
        convert = next(f for cls, f in _conversions.items() if isinstance(value, cls))
    return convert(value, as_ref)


def is_resource_variable(value):
    """Whether a value is a variable that the runtime keeps as a resource."""
    handle = getattr(value, "handle", None) if isinstance(value, _variables) else None
    return handle is not None and handle.dtype == dtypes.resource


def constant(value, dtype=None, shape=None, name="Const", verify_shape=False):
    """Makes a tensor with a constant value.

    Args:
        value: A number, a string, a nested list of them, or an array. Floats of Python become
            float32, ints int32, or int64 where they are larger.
        dtype: Dtype of the tensor. None: it follows from the value. An array is cast to it; a
            value of Python must be of its kind.
        shape: Shape of the tensor, a list of ints. None: that of the value. Missing elements are
            copies of the last one.
        name: Name of the operation, a str.
        verify_shape: Whether a value of another shape is refused, instead of completed or
            reshaped. A bool.

    Returns:
        A tensor.

    Raises:
        TypeError: The value is not of the dtype's kind (1.5 for int32), or verify_shape is set
            and the shape differs.
        ValueError: The value is None, has lists of unequal lengths, has too many elements for
            the shape, or takes 2 GiB or more: no graph can hold it.

    Example:
        >>> c = sl.constant([[1.0, 2.0], [3.0, 4.0]])
        >>> c
        <sluice.Tensor 'Const:0' shape=(2, 2) dtype=float32>
        >>> sl.Session().run(c)
        array([[1., 2.],
               [3., 4.]], dtype=float32)
    """
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype).base_dtype
    if verify_shape and shape is not None and list(np.shape(value)) != list(shape):
        raise TypeError(f"the value has shape {list(np.shape(value))}, not {list(shape)}")
    if isinstance(value, np.ndarray):
        _check_fits(value, name)
    array, dtype = constant_array(value, dtype, shape)
    kind = dtype.as_datatype_enum
    attrs = {"value": _sluice.tensor(array, kind), "dtype": kind}
    return get_default_graph().create_op("Const", [], attrs, name).outputs[0]


def number(value, dtype, shape=None, name="Const"):
    """A constant of a number in a dtype that may be any of numbers or bool, where constant() would
    refuse 0 for bool."""
    kind = dtypes.as_dtype(dtype).as_numpy_dtype
    array = np.asarray(value) if kind is None else np.array(value, kind)
    return constant(array, dtype, shape, name)


def _check_fits(array, name):
    """ValueError for an array that no message holds. One value repeated is sent as that value."""
    if array.dtype != object and array.nbytes >= 2**31:
        raise ValueError(
            f"the constant {name!r} takes {array.nbytes} bytes, but a graph holds at most 2 GiB: "
            "feed it through a placeholder, or read it from a file"
        )


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
        dtype = dtypes.as_dtype(dtype).base_dtype
    if value.__class__ is not Tensor:
        if isinstance(value, _variables):
            value = _tensor_in(value, as_ref)
        if isinstance(value, Operation):
            raise TypeError(f"{value!r} is not a tensor")
        if isinstance(value, IndexedSlices):
            value = _whole(value, name)
    if isinstance(value, Tensor):
        if dtype is not None and value.dtype.base_dtype is not dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype"
                f" {value.dtype.name}: {value}"
            )
        return value
    if isinstance(value, TensorShape):
        hint = preferred_dtype if dtype_hint is None else dtype_hint
        value, dtype = _sizes_of_shape(value, dtype, hint)
        return constant(value, dtype, name=name or "shape_as_tensor")
    for _, types, function in _of_programs:
        if isinstance(value, types):
            made = function(value, dtype=dtype, name=name, as_ref=as_ref)
            if made is not NotImplemented:
                return made
    if isinstance(value, (list, tuple)) and _holds_tensor(value):
        return _pack(value, dtype, name)
    hint = preferred_dtype if dtype_hint is None else dtype_hint
    if dtype is None and hint is not None:
        try:
            return _implied(value, hint, name)
        except (TypeError, ValueError):
            pass  # the hint is only that
    return _implied(value, dtype, name)


def _sizes_of_shape(shape, dtype, hint):
    """The sizes of a shape, a list, and the dtype of a tensor that has them."""
    if not shape.is_fully_defined():
        raise ValueError(f"Cannot convert a partially known TensorShape to a Tensor: {shape}")
    sizes, kinds = shape.as_list(), (dtypes.int32, dtypes.int64)
    if dtype is None and hint is not None and dtypes.as_dtype(hint) in kinds:
        dtype = dtypes.as_dtype(hint)
    if dtype is None:
        dtype = dtypes.int32 if all(size < 2**31 for size in sizes) else dtypes.int64
    if dtype not in kinds:
        raise TypeError(f"Cannot convert a TensorShape to dtype: <dtype: '{dtype.name}'>")
    return sizes, dtype


def _implied(value, dtype, name):
    made = constant(value, dtype, name=name or "Const")
    state_of(made.graph).implied.add(id_of(made.op))
    return made


_of_programs = []  # (priority, types, function) in the order in which they are tried


def register_tensor_conversion_function(base_type, conversion_func, priority=100):
    """Lets objects of a class stand for tensors, wherever a tensor can be given.

    Args:
        base_type: The class, or a tuple of classes. Tensors and variables stay what they are.
        conversion_func: A function of the object with the arguments dtype, name and as_ref, that
            returns a tensor, or NotImplemented.
        priority: Functions with lower numbers are tried first, an int.

    Raises:
        TypeError: base_type is not a class, or conversion_func not a function.
    """
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    if not all(isinstance(one, type) for one in types):
        raise TypeError("base_type must be a type or a tuple of types.")
    if not callable(conversion_func):
        raise TypeError("conversion_func must be callable.")
    _of_programs.append((priority, types, conversion_func))
    _of_programs.sort(key=lambda row: row[0])


def _whole(slices, name):
    """The tensor that IndexedSlices stand for: the sum of the rows, 0 where there are none."""
    if slices.dense_shape is None:
        raise ValueError(f"{slices!r} cannot become a tensor: its dense_shape is not known")
    graph, sums = get_default_graph(), "UnsortedSegmentSum"
    parts = [slices.values, slices.indices, slices.dense_shape[0]]
    with graph.name_scope(name or sums) as scope:
        names = ("T", "Tindices", "Tnumsegments")
        attrs = {name: int(part.dtype.base_dtype) for name, part in zip(names, parts)}
        return graph.create_op(sums, parts, attrs, scope).outputs[0]


def _holds_tensor(values):
    return any(_is_one(v) or isinstance(v, (list, tuple)) and _holds_tensor(v) for v in values)


def _pack(values, dtype, name=None):
    """One tensor of a nested list with tensors in it; they decide the dtype, or are cast to the one
    asked for."""
    tensors = list(_tensors_of(values))
    first, have = tensors[0], tensors[0].dtype.base_dtype
    for tensor in tensors:
        if tensor.dtype.base_dtype != have:
            raise TypeError(
                f"a list of tensors must have one dtype: {first.name} is {first.dtype.name}, "
                f"{tensor.name} is {tensor.dtype.name}"
            )
    return _pack_level(values, dtype or have, name or "packed")


def _pack_level(values, dtype, name):
    graph = get_default_graph()
    with graph.name_scope(name) as scope:
        parts = []
        for i, value in enumerate(values):
            if isinstance(value, (list, tuple)) and _holds_tensor(value):
                parts.append(_pack_level(value, dtype, str(i)))
            else:
                part = convert_to_tensor(value, None if _is_one(value) else dtype, str(i))
                parts.append(_cast(part, dtype))
        attrs = {"N": len(parts), "T": int(dtype)}
        return graph.create_op("Pack", parts, attrs, scope).outputs[0]


def _cast(tensor, dtype):
    have = tensor.dtype.base_dtype
    if have == dtype:
        return tensor
    attrs = {"SrcT": int(have), "DstT": int(dtype)}
    return get_default_graph().create_op("Cast", [tensor], attrs, "Cast").outputs[0]


def _is_one(value):
    return isinstance(value, Tensor) or isinstance(value, _variables)


def _tensors_of(values):
    """Tensors and variables among nested lists."""
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _tensors_of(value)
        elif _is_one(value):
            yield value


def _sizes(shape):
    """A placeholder's shape, checked: -1 is an unknown size."""
    sizes = shape.as_list() if hasattr(shape, "as_list") and shape.ndims is not None else shape
    if hasattr(sizes, "ndims") and not hasattr(sizes, "dtype"):
        return None
    if isinstance(sizes, (str, bytes)):
        raise TypeError(f"the shape of a placeholder is a list of sizes, not {sizes!r}")
    if isinstance(sizes, (int, np.integer)):
        sizes = [sizes]
    for size in sizes:
        value = getattr(size, "value", size)
        if value is not None and not isinstance(value, (int, np.integer)) or (value or 0) < -1:
            raise ValueError(f"{size!r} is not a size of a dimension, in the shape {shape!r}")
    return list(sizes)


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
        ValueError: shape has what is not a size.

    Example:
        >>> x = sl.placeholder(sl.float32, [None])
        >>> sl.Session().run(x * 2, {x: [1, 2, 3]})
        array([2., 4., 6.], dtype=float32)
    """
    dtype = int(dtypes.as_dtype(dtype).base_dtype)
    attrs = {"dtype": dtype, "shape": None if shape is None else _sizes(shape)}
    return get_default_graph().create_op("Placeholder", [], attrs, name).outputs[0]
