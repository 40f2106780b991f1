# SPDX-License-Identifier: Apache-2.0
"""`for` over data sets and their iterators in converted code (autograph)."""

from ..autograph.iterables import run_loops_of
from ..graph.convert import convert_to_tensor
from ..ops.array import identity
from ..ops.functions.cond_and_while import cond, while_loop
from ..ops.functions.structures import flatten, pack_as
from .batching import take_while
from .dataset import Dataset
from .optional import get_next_as_optional
from .states import scan
from .step_iterator import StepIterator


def _reduce(dataset, test, body, state):
    """The loop over a data set, a reduction of its elements: see Loops."""
    start = state.start()
    # The first part does nothing: a state has one tensor at least.
    first = (convert_to_tensor(0), *map(identity, flatten(start)))

    def enter(parts):
        state.enter(pack_as(start, iter(parts[1:])))

    def step(parts, element):
        enter(parts)
        body(element)
        return (parts[0], *flatten(state.leave(check_shapes=False)))

    def step_if(parts, element):
        enter(parts)
        goes_on = test()
        after = cond(goes_on, lambda: list(step(parts, element)), lambda: list(parts), strict=True)
        return tuple(after), (tuple(after), goes_on)

    if test is None:
        enter(dataset.reduce(first, step))
        return
    steps = dataset.apply(scan(first, step_if)).apply(take_while(lambda parts, goes_on: goes_on))
    enter(steps.reduce(first, lambda parts, made: made[0]))


def loop_over(following, test, body, state):
    """Runs a loop over elements that a function takes one by one.

    Args:
        following: A function that returns whether there is one more element, a bool scalar, and
            a function that makes it.
        test, body, state: As those of Loops.run.
    """
    start = state.start()
    first = [convert_to_tensor(0), *map(identity, flatten(start))]

    def enter(parts):
        state.enter(pack_as(start, iter(parts[1:])))

    def goes_on(more, *parts):
        enter(parts)
        return more if test is None else cond(more, test, lambda: False)

    def step(_, *parts):
        more, element = following()

        def taken():
            enter(parts)
            body(element())
            return [parts[0], *flatten(state.leave())]

        return [more, *cond(more, taken, lambda: list(parts), strict=True)]

    enter(while_loop(goes_on, step, [convert_to_tensor(True), *first], parallel_iterations=1)[1:])


def _iterate(iterator, test, body, state):
    """The loop over what is left of an iterator: see Loops."""

    def following():
        element = get_next_as_optional(iterator)
        return element.has_value(), element.get_value

    loop_over(following, test, body, state)


run_loops_of(Dataset, _reduce, Dataset.enumerate, Dataset.zip)
run_loops_of(StepIterator, _iterate)
