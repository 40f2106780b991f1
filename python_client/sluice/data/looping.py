# SPDX-License-Identifier: Apache-2.0
"""`for element in dataset` in converted code (autograph): a reduction over the elements."""

from ..autograph.iterables import run_loops_of
from ..graph.convert import convert_to_tensor
from ..ops.array import identity
from ..ops.functions.cond_and_while import cond
from ..ops.functions.structures import flatten, pack_as
from .batching import take_while
from .dataset import Dataset
from .states import scan


def _run(dataset, test, body, state):
    """Runs a loop: see run_loops_of()."""
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


run_loops_of(Dataset, _run)
