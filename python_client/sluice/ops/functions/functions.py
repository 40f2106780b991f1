# SPDX-License-Identifier: Apache-2.0
"""Functions of the graph: a Python function, traced once for each kind of arguments, and called as
one operation."""

import inspect
import types
import weakref

import numpy as np

from ... import dtypes
from ...autograph.calls import converted, disabled, enabled
from ...autograph.iterables import loops_of
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import get_default_graph, name_scope
from ...graph.elements import Tensor
from ...graph.tensor_shape import TensorShape
from .structures import flatten, pack_as, without_operations
from .tracing import TracedFunction, awaited_by, captured_by


class TensorSpec:
    """The shape and dtype of an argument of function().

    Args:
        shape: The shape, or None for any.
        dtype: The dtype.
        name: Name of the argument, a str.

    Example:
        >>> sl.TensorSpec([None, 2], sl.float32)
        TensorSpec(shape=(?, 2), dtype=float32, name=None)
    """

    def __init__(self, shape, dtype=dtypes.float32, name=None):
        self.shape, self.dtype, self.name = TensorShape(shape), dtypes.as_dtype(dtype), name

    def __eq__(self, other):
        if not isinstance(other, TensorSpec):
            return NotImplemented
        return self.dtype == other.dtype and repr(self.shape) == repr(other.shape)

    def __hash__(self):
        return hash((self.dtype, repr(self.shape)))

    def __repr__(self):
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype.name}, name={self.name!r})"


def function(func=None, input_signature=None, autograph=True, experimental_autograph_options=None,
             experimental_relax_shapes=False, experimental_compile=None):  # fmt: skip
    """Makes a Python function a function of the graph: a call is one operation.

    The function is traced once for each kind of arguments. Tensors and arrays among the arguments
    are arguments of the graph's function; other values are part of it. Operations that use one
    resource run in the order in which they were made. Python's `if`, `while` and `for` on tensors
    become conditionals and loops of the graph (autograph). Gradients flow through calls.

    Args:
        func: The Python function. None: a decorator is returned.
        input_signature: A list of TensorSpecs: the function is traced for these only. None: for
            any.
        autograph: Whether control flow on tensors is converted. A bool.
        experimental_autograph_options: An autograph.experimental.Feature, or several. None: none.
        experimental_relax_shapes: Accepted. It has no effect.
        experimental_compile: Accepted. It has no effect.

    Returns:
        A callable that takes the function's arguments, and returns tensors in the structure of its
        result. In a class it is a method.

    Example:
        >>> @sl.function
        ... def twice(x):
        ...     return x + x
        >>> sl.Session().run(twice(sl.constant(4)))
        8
    """
    del experimental_relax_shapes, experimental_compile
    if func is None:
        return lambda f: function(f, input_signature, autograph, experimental_autograph_options)
    options = (experimental_autograph_options,) if autograph else None
    name = getattr(func, "__name__", type(func).__name__).strip("<>")  # "<lambda>" is not a scope
    return Traced(func, input_signature, name, in_order=True, autograph=options)


class Traced:
    """The result of function() and Defun(): a callable that adds calls."""

    def __init__(self, func, signature, name, in_order=False, autograph=None):
        self._func, self._signature, self._in_order = func, signature, in_order
        self._autograph = autograph  # (its options,), or None if the function is not converted
        self.name = self.__name__ = name
        self.__doc__, self.__wrapped__ = func.__doc__, func
        self._made = weakref.WeakKeyDictionary()  # graph -> kind of arguments -> what was traced

    @property
    def input_signature(self):
        """The TensorSpecs of its arguments; None if it is traced for each kind of arguments."""
        return self._signature

    def __get__(self, instance, kind=None):
        """As a method it is a function of its own for each instance."""
        if instance is None or not hasattr(instance, "__dict__"):
            return self
        known = vars(instance).setdefault("_functions_of_graph", {})
        if self not in known:
            method = types.MethodType(self._func, instance)
            known[self] = Traced(
                method, self._signature, self.name, self._in_order, self._autograph
            )
        return known[self]

    def __call__(self, *args, **kwargs):
        takes_name = "name" in kwargs and "name" in inspect.signature(self._func).parameters
        name = None if takes_name else kwargs.pop("name", None)
        if self._signature is not None:
            args = self._as_said(self._in_place(args, kwargs))
            kwargs = {}
        args = args, kwargs
        graph = get_default_graph()
        leaves = flatten(args, composites=True)
        tensors = [convert_to_tensor(leaf) for leaf in leaves if _is_data(leaf)]
        made = self._made.setdefault(graph, {})
        key = None
        if self._signature is None:
            key = _kind(args), tuple((t.dtype, repr(t.shape)) for t in tensors)
        if key not in made:
            made[key] = self._trace(graph, args, tensors)
        traced, function_name, captured = made[key]
        stateful = traced.body.stateful()
        waits = graph.control_dependencies(awaited_by([traced]))
        with name_scope(name, self.name) as scope, waits:
            op = graph.create_op(
                "StatefulPartitionedCall" if stateful else "PartitionedCall",
                [*tensors, *captured],
                {"Tout": [int(t.dtype.base_dtype) for t in traced.tensors], "f": function_name},
                scope,
            )
        for output, inside in zip(op.outputs, traced.tensors):
            output.set_shape(inside.shape)
        if not op.outputs:
            return op
        result, outputs = without_operations(traced.result), iter(op.outputs)
        # None is part of a result, but not an output of the operation.
        leaves = flatten(result, composites=True)
        leaves = [None if leaf is None else next(outputs) for leaf in leaves]
        return pack_as(result, iter(leaves), composites=True)

    def _in_place(self, args, kwargs):
        """The arguments in the order of the Python function."""
        return inspect.signature(self._func).bind(*args, **kwargs).args if kwargs else args

    def _as_said(self, args):
        """The arguments as tensors of the signature."""
        if len(args) != len(self._signature):
            raise ValueError(
                f"{self.name} takes {len(self._signature)} arguments, {len(args)} were given"
            )
        tensors = [convert_to_tensor(a, spec.dtype) for a, spec in zip(args, self._signature)]
        for tensor, spec in zip(tensors, self._signature):
            if not tensor.shape.is_compatible_with(spec.shape):
                raise ValueError(f"{self.name}: {tensor.name} has shape {tensor.shape}, not {spec}")
        return tensors

    def _trace(self, graph, args, tensors):
        """(the function as it was traced, its name in the graph, what it uses of the graph).

        args: A pair of the arguments in order, and of those by name.
        """
        leaves = flatten(args, composites=True)

        def body(*given):
            rest = iter(given)
            values = iter([next(rest) if _is_data(leaf) else leaf for leaf in leaves])
            in_order, named = pack_as(args, values, composites=True)
            if self._autograph is None:
                with disabled():
                    return self._func(*in_order, **named)
            with enabled():
                return converted(self._func, *self._autograph)(*in_order, **named)

        shapes = [t.shape for t in tensors]
        if self._signature is not None:
            shapes = [spec.shape for spec in self._signature]
        given = [(t.dtype, s) for t, s in zip(tensors, shapes)]
        traced = TracedFunction(graph, body, given, [None] * len(given), in_order=self._in_order)
        keys, captured = captured_by([traced])
        return traced, traced.add_to(graph, self.name, keys), captured


def _is_data(leaf):
    return isinstance(leaf, (Tensor, np.ndarray))


def _kind(structure):
    """The values that tell arguments apart, besides the dtypes and shapes of their tensors."""
    if isinstance(structure, dict):
        return tuple((key, _kind(structure[key])) for key in sorted(structure))
    if isinstance(structure, (list, tuple)):
        return (type(structure).__name__, *map(_kind, structure))
    if _is_data(structure):
        return "tensor"
    # Two data sets may look the same.
    return structure if loops_of(structure) else (type(structure).__name__, repr(structure))


__all__ = ["TensorSpec", "function"]
