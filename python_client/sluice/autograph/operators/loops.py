# SPDX-License-Identifier: Apache-2.0
"""`while` and `for`."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.elements import Tensor, attr_of
from ...ops import math
from ...ops.functions.cond_and_while import cond, while_loop
from ...ops.functions.tracing import TracedFunction
from ...ops.list.tensor_array import TensorArray
from ..iterables import loops_of
from .builtins import length
from .conditions import truth
from .state import NOT_RETURNED, UNDEFINED, check_same, decode, encode, is_tensor, place

_TIMES = "before the loop", "after one iteration"


def while_stmt(test, body, get_state, set_state, names, options):
    """Runs a function while another one gives true. Both read and set variables.

    Args:
        test, body: Functions without arguments.
        get_state, set_state: Read and set the variables of the loop.
        names: Their names, a tuple of strs.
        options: Those of set_loop_options(), a dict. As in TensorFlow 1.15, maximum_iterations
            ends no loop.

    Raises:
        ValueError: test gives a tensor, and a variable is undefined or changes its shape.
        TypeError: An iteration changes the dtype or the structure of a variable.
    """
    before = get_state()
    # The first test says whether tensors decide. What it adds to the graph is thrown away.
    first = _isolated(test)
    if is_tensor(first):
        set_state(before)
        _run(State(get_state, set_state, names), lambda: truth(test()), body, options)
        return
    if first:
        body()
        while _as_bool(test()):
            body()


def _isolated(test):
    found = []
    TracedFunction(get_default_graph(), lambda: found.append(test()))
    return found[0]


def _as_bool(value):
    if is_tensor(value):
        raise TypeError(
            "the condition of a loop of Python becomes a tensor after an iteration: let it be a"
            f" tensor before the loop{place()}"
        )
    return value


def for_stmt(values, test, body, get_state, set_state, names, options):
    """Runs a function for each of some values.

    Args:
        values: A tensor: its rows. A data set: its elements. Else an iterable of Python.
        test: A function that says whether the loop goes on, or None.
        body: A function of a value.
        get_state, set_state, names, options: As those of while_stmt().
    """
    state = State(get_state, set_state, names)
    if is_tensor(values):
        _tensor_loop(convert_to_tensor(values), test, body, state, options)
    elif loops_of(values) is not None:
        loops_of(values).run(values, test, body, state)
    else:
        for value in values:
            body(value)
            if test is not None and not _as_bool(test()):
                break


class State:
    """The variables of a loop as tensors.

    Args:
        get_state, set_state: Read and set the variables.
        names: Their names.
    """

    def __init__(self, get_state, set_state, names):
        self._get, self._set, self._names = get_state, set_state, names
        self._first = self._encoded = None

    def check_defined(self):
        """Tests that the variables have values. ValueError: one has none."""
        values = self._get()
        missing = tuple(n for n, v in zip(self._names, values) if v is UNDEFINED)
        if missing:
            raise ValueError(
                "TensorFlow requires that the following symbols must be defined before the loop:"
                f" {missing}{place()}"
            )
        if any(v is NOT_RETURNED for v in values):
            raise ValueError(
                f"return statements are not supported within a TensorFlow loop.{place()}"
            )

    def start(self):
        """The encoded values before the loop, a tuple."""
        self.check_defined()
        self._first = self._get()
        self._encoded = tuple(encode(v) for v in self._first)
        return self._encoded

    def enter(self, encoded):
        """Sets the variables to encoded values."""
        self._set(tuple(decode(v, e) for v, e in zip(self._first, encoded)))

    def leave(self, check_shapes=True):
        """The encoded values after an iteration. TypeError, ValueError: they are of other kinds."""
        values = self._get()
        encoded = tuple(encode(v) for v in values)
        rows = zip(self._names, zip(self._first, self._encoded), zip(values, encoded))
        for name, one, other in rows:
            if other[0] is UNDEFINED:
                raise ValueError(f'"{name}" is deleted in the loop')
            check_same(name, one, other, _TIMES)
            if check_shapes and isinstance(one[1], Tensor):
                _check_shape(name, one[1].shape, other[1].shape)
        return encoded


def _check_shape(name, before, after):
    if before.ndims is None or after.ndims is None:
        return
    same = before.ndims == after.ndims
    if not same or any(None not in (a, b) and a != b for a, b in zip(before.as_list(),
                                                                     after.as_list())):  # fmt: skip
        raise ValueError(
            f'"{name}" has shape {before} before the loop, but shape {after} after one iteration.'
            f" TensorFlow control flow requires it stays the same or be more specific.{place()}"
        )


def _run(state, test, body, options):
    """A loop of the graph that sets the variables."""
    start = state.start()

    def tested(*variables):
        state.enter(variables)
        return test()

    def step(*variables):
        state.enter(variables)
        body()
        return list(state.leave())

    state.enter(_looped(tested, step, list(start), options))


def _looped(test, step, start, options):
    """while_loop() that may have no variables. A list is returned."""
    # Its first variable is one that does nothing: there must be one that is a tensor.
    _, *found = while_loop(
        lambda _, *variables: test(*variables), lambda n, *variables: [n, *step(*variables)],
        [convert_to_tensor(0), *start], None, options.get("parallel_iterations") or 10,
        return_same_structure=True,
    )  # fmt: skip
    return found


def _tensor_loop(values, test, body, state, options):
    """A loop over the rows of a tensor. Of a range, which is not made, over its numbers."""
    if values.op.type == "Range":
        start, limit, delta = values.op.inputs
        more, item = _until(limit, delta), lambda i: i
    else:
        if values.shape.ndims == 0:
            raise TypeError(f"{values.name} is a scalar: a loop cannot iterate over it")
        start, limit, delta = convert_to_tensor(0), convert_to_tensor(length(values)), 1
        rows = TensorArray(values.dtype, limit).unstack(values)
        more, item = (lambda i: math.less(i, limit)), rows.read
    first = state.start()

    def tested(i, *variables):
        state.enter(variables)
        if test is None:
            return more(i)
        return cond(more(i), lambda: truth(test()), lambda: False)

    def step(i, *variables):
        state.enter(variables)
        body(item(i))
        return [math.add(i, delta), *state.leave()]

    _, *found = while_loop(
        tested, step, [start, *first], None, options.get("parallel_iterations") or 10,
        return_same_structure=True,
    )  # fmt: skip
    state.enter(found)


def _until(limit, delta):
    """The condition of the numbers of a range."""
    if delta.op.type == "Const":
        return (lambda i: math.less(i, limit)) if attr_of(delta.op, "value") >= 0 else (
            lambda i: math.greater(i, limit))  # fmt: skip

    def more(i):
        down = math.logical_and(math.less(delta, 0), math.greater(i, limit))
        up = math.logical_and(math.greater_equal(delta, 0), math.less(i, limit))
        return math.logical_or(up, down)

    return more


__all__ = ["for_stmt", "while_stmt"]
