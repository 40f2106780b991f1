# SPDX-License-Identifier: Apache-2.0
"""Python functions as operations. They run in the process of the program: in sessions without a
target, and in servers that the program itself starts."""

import atexit
import itertools
import os
import traceback
import weakref

import numpy as np

from ... import _sluice, dtypes, errors
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import get_default_graph, name_scope
from ...graph.state import state_of
from .tracing import outermost

# Functions whose graph is there, by the name that operations call them by. The name has a part of
# this process: a graph of another one finds none of its functions here.
_functions = weakref.WeakValueDictionary()
_numbers = itertools.count()
_PROCESS = os.urandom(4).hex()
_SECONDS_AT_EXIT = 2.0

_CODES = (
    (StopIteration, errors.OUT_OF_RANGE),
    ((ValueError, TypeError), errors.INVALID_ARGUMENT),
    (MemoryError, errors.RESOURCE_EXHAUSTED),
    (NotImplementedError, errors.UNIMPLEMENTED),
)


class _Entry:
    """A function that steps call. Weak references to it are possible."""

    def __init__(self, func):
        self.func = func


class _Refusal(Exception):  # noqa: N818, it never leaves this file
    """A status code and its text."""


# ---- calls


def _serve(token, args, type_numbers):
    """The call of a step: (0, "", arrays), or the code and the text of an error."""
    types = [dtypes.BY_NUMBER[number] for number in type_numbers]
    try:
        return 0, "", _call(token, args, types)
    except _Refusal as e:
        return (*e.args, [])
    except BaseException as e:  # pylint: disable=broad-except
        code = next((code for cls, code in _CODES if isinstance(e, cls)), errors.UNKNOWN)
        lines = traceback.format_exception(type(e), e, e.__traceback__)
        text = f"{type(e).__name__}: {e}\n" + "\n".join(lines)
        return code, text.encode("utf-8", "replace").decode(), []


def _call(token, args, types):
    entry = _functions.get(token)
    if entry is None:
        raise ValueError(f"callback {token} is not found")
    found = entry.func(*args)
    if found is None:
        arrays = []
    elif isinstance(found, (list, tuple)):
        arrays = [as_array(value) for value in found]
    else:
        arrays = [as_array(found)]
    if len(arrays) != len(types):
        raise _Refusal(
            errors.INVALID_ARGUMENT,
            f"{token} returns {len(arrays)} values, but expects to see {len(types)} values.",
        )
    for i, (array, dtype) in enumerate(zip(arrays, types)):
        found = dtype_of(array)
        if found != dtype and not (dtype == dtypes.bfloat16 and found == dtypes.float32):
            raise _Refusal(
                errors.INVALID_ARGUMENT,
                f"{i}-th value returned by {token} is {_name(found)}, but expects {_name(dtype)}",
            )
    return arrays


def as_array(value, dtype=None):
    """The array of a value. Texts become objects: NumPy's own texts lose zeros at their ends.

    Args:
        value: An array, a number, text, or nested lists.
        dtype: The dtype of NumPy. None: the value's own.

    Returns:
        An array.
    """
    array = np.asarray(value, dtype, order="C")
    if array.dtype.kind == "U":
        if array is value:
            return array.astype(np.bytes_)
        flat = [item.encode() for item in np.asarray(value, object).ravel()]
        return np.array([*flat, None], object)[:-1].reshape(array.shape)
    if array.dtype.kind == "S" and array is not value:
        return np.asarray(value, object)
    return array


def dtype_of(array):
    """The dtype of an array that a function takes or gives."""
    if array.dtype.kind in "SU":
        return dtypes.string
    if array.dtype.kind == "O":
        for item in array.ravel():
            if not isinstance(item, (str, bytes)):
                raise _Refusal(errors.INTERNAL, f"Unsupported object type {type(item).__name__}")
        return dtypes.string
    try:
        return dtypes.as_dtype(array.dtype)
    except TypeError:
        raise _Refusal(errors.INTERNAL, f"Unsupported numpy type: {array.dtype}") from None


def _name(dtype):
    """The name of a dtype in errors of the runtime."""
    return {"float32": "float", "float64": "double", "float16": "half"}.get(dtype.name, dtype.name)


_sluice.serve_functions(_serve)
# Later calls would run while the interpreter ends.
atexit.register(_sluice.close_functions, _SECONDS_AT_EXIT)


# ---- operations


def add_call(op_type, func, inp, types, name):
    """Adds an operation that calls a function of arrays.

    Args:
        op_type: The op, a str.
        func: The function, as of py_func().
        inp: A list of tensors.
        types: The dtypes of the results, a list; or one dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        What py_func() returns.
    """
    if not callable(func):
        raise ValueError(f"func must be callable, it is of type {type(func)}")
    if not isinstance(inp, (list, tuple)):
        raise TypeError(f"inp must be a list of tensors, not {inp!r}")
    several = isinstance(types, (list, tuple))
    types = [dtypes.as_dtype(t).base_dtype for t in (types if several else [types])]
    token = f"pyfunc_{next(_numbers)}_{_PROCESS}"
    graph = get_default_graph()
    with name_scope(name, op_type) as scope:
        inputs = [convert_to_tensor(v, name=f"input_{i}") for i, v in enumerate(inp)]
        attrs = {"token": token, "Tin": [int(t.dtype.base_dtype) for t in inputs]}
        attrs["Tout"] = [int(t) for t in types]
        op = graph.create_op(op_type, inputs, attrs, scope)
    entry = _functions[token] = _Entry(func)
    state_of(outermost(graph)).python_functions.append(entry)
    if not op.outputs:
        return op
    return list(op.outputs) if several else op.outputs[0]


def py_func(func, inp, Tout, stateful=True, name=None):  # noqa: N803
    """Calls a Python function of arrays in each step.

    The function runs in the process of the program, so that the operation must be there too: in a
    session without a target, or on a server that the program itself starts. On other servers the
    step fails. The function lives as long as the graph, and is not part of a GraphDef. Its
    exception ends the step with an error that has its text.

    Args:
        func: A function that takes as many arrays as `inp` has tensors. It returns an array or a
            list of arrays.
        inp: A list of tensors.
        Tout: The dtypes of the results, a list; or one dtype.
        stateful: Whether the function may give other results for the same arguments, or has
            effects. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A list of tensors of unknown shape; of one dtype, a tensor; the Operation without results.

    Raises:
        ValueError: func is not a function.
        TypeError: inp is not a list.

    Example:
        >>> y = sl.py_func(lambda x: x[::-1], [sl.constant([1.0, 2.0])], sl.float32)
        >>> sl.Session().run(y).tolist()
        [2.0, 1.0]
    """
    return add_call("PyFunc" if stateful else "PyFuncStateless", func, inp, Tout, name)


def numpy_function(func, inp, Tout, name=None):  # noqa: N803
    """Calls a Python function of arrays in each step: py_func() with effects.

    Args:
        func: A function that takes as many arrays as `inp` has tensors. It returns an array or a
            list of arrays.
        inp: A list of tensors.
        Tout: The dtypes of the results, a list; or one dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A list of tensors of unknown shape; of one dtype, a tensor; the Operation without results.
    """
    return py_func(func, inp, Tout, True, name)


__all__ = ["numpy_function", "py_func"]
