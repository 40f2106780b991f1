# SPDX-License-Identifier: Apache-2.0
"""Functions that operations of data sets call: Python functions of elements, traced once."""

from .. import dtypes
from ..autograph.calls import converted as by_autograph
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import get_default_graph
from ..graph.elements import is_ref
from ..ops.functions.tracing import Body, TracedFunction, captured_by
from . import specs
from .structure import leaves
from .variants import elements_of


class _ElementBody(Body):
    """A function in the making. A reference variable is read when the data set is made, not when
    the function is called."""

    def capture(self, tensor):
        if tensor.graph is self or not is_ref(tensor):
            return super().capture(tensor)
        if tensor not in self.captures:
            inside = isinstance(self.outer, Body) and tensor.graph is not self.outer
            outside = self.outer.capture(tensor) if inside else tensor
            self.captures[tensor] = outside, self.argument(tensor.dtype, tensor.shape)
        return self.captures[tensor][1]


class ElementFunction:
    """A Python function of an element as a function of the graph.

    Args:
        func: The Python function. It takes the parts of an element that is a tuple.
        where: The function of data sets that takes it, a str such as "Dataset.map()".
        structure: The structure of its argument.
    """

    def __init__(self, func, where, structure):
        if not callable(func):
            raise ValueError(f"{where} takes a function, {func!r} is not one")
        self._func, self._where, self._argument = func, where, structure
        self._graph = get_default_graph()
        self._traced = TracedFunction(
            self._graph, self._body, specs.flat_specs(structure),
            [None] * len(leaves(structure)), _ElementBody,
        )  # fmt: skip
        self._name = None
        self._keys, self.captured = captured_by([self._traced])

    def _body(self, *tensors):
        element = specs.from_tensors(self._argument, tensors)
        func = by_autograph(self._func)
        result = func(*element) if type(element) is tuple else func(element)
        if isinstance(result, list):
            result = tuple(result)
        try:
            self.structure = specs.spec_of(result)
        except TypeError as e:
            raise TypeError(
                f"Unsupported return value from function passed to {self._where}: {result}. {e}"
            ) from None
        return specs.to_tensors(self.structure, result)

    @property
    def name(self):
        """Its name in the graph, which it gets when it is first asked for."""
        if self._name is None:
            called = "_".join(part for part in _words(self._where, self._func) if part)
            self._name = self._traced.add_to(self._graph, called, self._keys)
        return self._name

    def reads_reference(self):
        """Whether what it uses from outside follows from a reference variable."""
        seen, todo = set(), list(self.captured)
        while todo:
            tensor = todo.pop()
            if is_ref(tensor):
                return True
            if tensor.op not in seen:
                seen.add(tensor.op)
                todo += tensor.op.inputs
        return False


def _words(where, func):
    """The words of a function's name in the graph."""
    called = getattr(func, "__name__", type(func).__name__)
    text = f"{where.removesuffix('()')}_{called}"
    return "".join(c if c.isalnum() and c.isascii() else "_" for c in text).split("_")


def predicate(func, where, structure):
    """An ElementFunction that gives a bool. ValueError: it gives something else."""
    made = ElementFunction(func, where, structure)
    if not specs.is_scalar_of(made.structure, dtypes.bool_):
        raise ValueError(
            "`predicate` return type must be convertible to a scalar boolean tensor. Was"
            f" {made.structure} in {where}"
        )
    return made


def integer(func, where, structure, argument="key_func", convert=True):
    """An ElementFunction that gives an int64. ValueError: it gives something else."""

    def converted(*args):
        return convert_to_tensor(by_autograph(func)(*args), dtypes.int64)

    made = ElementFunction(converted if convert else func, where, structure)
    if not specs.is_scalar_of(made.structure, dtypes.int64):
        raise ValueError(
            f"`{argument}` must return a single tf.int64 {'scalar ' if convert else ''}tensor. Got"
            f" type={specs.legacy(made.structure, 0)} and"
            f" shape={specs.legacy(made.structure, 1)} in {where}"
        )
    return made


def of_data_sets(func, where, structure, argument="map_func"):
    """An ElementFunction that gives a data set, and the structure of that one's elements.
    TypeError: it gives something else."""
    made = ElementFunction(func, where, structure)
    element = elements_of(made.structure)
    if element is None:
        raise TypeError(
            f"`{argument}` must return a `Dataset` object. Got {made.structure} in {where}"
        )
    return made, element


def of_states(func, where, initial, element, state_of=lambda structure: structure):
    """A function of (state, element) that gives a new state, traced so that the state's structure
    includes every state.

    Args:
        func: The Python function.
        where: The function of data sets that takes it, a str.
        initial: The structure of the first state.
        element: The structure of elements.
        state_of: A function that gives the state's part of the result's structure.

    Returns:
        A tuple: the ElementFunction, and the structure of states.

    Raises:
        TypeError: The new state has other classes or dtypes.
    """
    state = initial
    while True:
        made = ElementFunction(func, where, (state, element))
        new = state_of(made.structure)
        for what, words in ((2, "classes"), (0, "types")):
            one, other = specs.legacy(state, what), specs.legacy(new, what)
            if list(leaves(one)) != list(leaves(other)):
                raise TypeError(
                    f"The element {words} for the new state must match the initial state."
                    f" Expected {one}; got {other}, in {where}"
                )
        both = specs.weakened(state, new)
        if all(map(_as_wide, leaves(state), leaves(both))):
            return made, state
        state = both


def _as_wide(spec, other):
    """Whether the shape of `spec` is unknown or that of `other`."""
    if not hasattr(spec, "shape"):
        return True
    return spec.shape.ndims is None or repr(spec.shape) == repr(other.shape)
