# SPDX-License-Identifier: Apache-2.0
"""`for` over the data sets of replicas in converted code (autograph)."""

from .. import nest
from ..autograph.iterables import loops_of, run_loops_of
from ..data.looping import loop_over
from ..data.optional import get_next_as_optional
from ..graph.tensor_shape import dims_of
from ..ops import array as arrays
from ..ops.functions.cond_and_while import cond
from . import values
from .inputs import DistributedDataset, parts_of, source_of


class _Joined:
    """Distributed data sets whose elements a loop reads together.

    Args:
        dataset: The Dataset of what it reads.
        parts: The function that divides an element of it.
    """

    def __init__(self, dataset, parts):
        self.dataset, self.parts = dataset, parts

    def run(self, test, body, state):
        inner = loops_of(self.dataset)
        inner.run(self.dataset, test, lambda element: body(self.parts(element)), state)


def _joined(dataset):
    """A DistributedDataset that is divided by element, as a _Joined."""
    extended, inner, whole = source_of(dataset)
    if not whole and len(extended.worker_devices) > 1:
        raise NotImplementedError(
            "enumerate() and zip() of the data sets of an input function with several replicas are"
            " not there: count in the loop"
        )
    return _Joined(inner, lambda element: parts_of(element, extended))


def _run(dataset, test, body, state):
    extended, inner, whole = source_of(dataset)
    count = len(extended.worker_devices)
    if whole or count == 1:
        _joined(dataset).run(test, body, state)
        return
    iterator = iter(inner)

    def following():
        found = [get_next_as_optional(iterator) for _ in range(count)]
        some = [one.has_value() for one in found]

        def element():
            rows = zip(some, found)
            return values.regroup([_element_or_none(has, one) for has, one in rows])

        return some[0], element

    loop_over(following, test, body, state)


def _element_or_none(has_value, optional):
    """The element of an Optional, or one without rows: the last batches may be too few."""

    def empty(spec):
        dims = [d or 0 for d in dims_of(spec.shape) or []]
        if all(dims):  # nothing says which dimension is that of the rows: the first
            dims[:1] = [0 for _ in dims[:1]]
        return arrays.zeros(dims, spec.dtype)

    return cond(
        has_value,
        optional.get_value,
        lambda: nest.map_structure(empty, optional.value_structure),
        strict=True,
    )


def _enumerated(dataset, start):
    inner = _joined(dataset)
    return _Joined(inner.dataset.enumerate(start), lambda row: (row[0], inner.parts(row[1])))


def _zipped(datasets):
    inner = list(map(_joined, datasets))
    zipped = loops_of(inner[0].dataset).zipped(tuple(one.dataset for one in inner))
    return _Joined(zipped, lambda row: tuple(one.parts(part) for one, part in zip(inner, row)))


run_loops_of(DistributedDataset, _run, _enumerated, _zipped)
run_loops_of(_Joined, _Joined.run)
