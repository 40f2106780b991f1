# SPDX-License-Identifier: Apache-2.0
"""Functions of the graph: a Python function, traced once for each kind of arguments, and called as
one operation."""

import inspect
import types
import weakref

from ...autograph.calls import converted, disabled, enabled
from ...autograph.iterables import loops_of
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import get_default_graph
from .concrete import ConcreteFunction, add_call, is_data, named_specs
from .specs import TensorSpec
from .structures import flatten, pack_as
from .tracing import TracedFunction, captured_by


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
        leaves = flatten((args, kwargs), composites=True)
        tensors = [convert_to_tensor(leaf) for leaf in leaves if is_data(leaf)]
        return add_call(self._made_for(args, kwargs, tensors), tensors, name or self.name)

    def get_concrete_function(self, *args, **kwargs):
        """Traces the function for one kind of arguments.

        Args:
            *args: The arguments. A TensorSpec stands for a tensor. None with an input_signature:
                those of the signature.
            **kwargs: Arguments by their names.

        Returns:
            A ConcreteFunction.
        """
        if self._signature is not None:
            args, kwargs = args or tuple(self._signature), {}
            if len(args) != len(self._signature):
                raise ValueError(self._wrong_count(args))
        bound = inspect.signature(self._func).bind(*args, **kwargs)
        bound.apply_defaults()
        specs = named_specs(bound.arguments)
        by_name, arguments = iter(specs), (bound.args, bound.kwargs)
        leaves = flatten(arguments, composites=True)
        leaves = [next(by_name) if is_data(leaf) else leaf for leaf in leaves]
        structure = pack_as(arguments, iter(leaves), composites=True)
        made = self._made_for(*structure, specs)
        return ConcreteFunction(get_default_graph(), made, specs, structure, self.name)

    def _made_for(self, args, kwargs, tensors):
        """What _trace() returns for such arguments, of the first call with this kind of them.

        tensors: The tensors among the arguments, or TensorSpecs in place of them.
        """
        args, key = (args, kwargs), None
        made = self._made.setdefault(get_default_graph(), {})
        if self._signature is None:
            key = _kind(args), tuple((t.dtype, repr(t.shape)) for t in tensors)
        if key not in made:
            made[key] = self._trace(get_default_graph(), args, tensors)
        return made[key]

    def _in_place(self, args, kwargs):
        """The arguments in the order of the Python function."""
        return inspect.signature(self._func).bind(*args, **kwargs).args if kwargs else args

    def _as_said(self, args):
        """The arguments as tensors of the signature."""
        if len(args) != len(self._signature):
            raise ValueError(self._wrong_count(args))
        tensors = [convert_to_tensor(a, spec.dtype) for a, spec in zip(args, self._signature)]
        for tensor, spec in zip(tensors, self._signature):
            if not tensor.shape.is_compatible_with(spec.shape):
                raise ValueError(f"{self.name}: {tensor.name} has shape {tensor.shape}, not {spec}")
        return tensors

    def _wrong_count(self, args):
        return f"{self.name} takes {len(self._signature)} arguments, {len(args)} were given"

    def _trace(self, graph, args, tensors):
        """(the function as it was traced, its name in the graph, what it uses of the graph).

        args: A pair of the arguments in order, and of those by name.
        """
        leaves = flatten(args, composites=True)

        def body(*given):
            rest = iter(given)
            values = iter([next(rest) if is_data(leaf) else leaf for leaf in leaves])
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


def _kind(structure):
    """The values that tell arguments apart, besides the dtypes and shapes of their tensors."""
    if isinstance(structure, dict):
        return tuple((key, _kind(structure[key])) for key in sorted(structure))
    if isinstance(structure, (list, tuple)):
        return (type(structure).__name__, *map(_kind, structure))
    if is_data(structure):
        return "tensor"
    # Two data sets may look the same.
    return structure if loops_of(structure) else (type(structure).__name__, repr(structure))


__all__ = ["TensorSpec", "function"]
