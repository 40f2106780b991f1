# SPDX-License-Identifier: Apache-2.0
"""Elements left out so that classes appear with given frequencies."""

import numpy as np

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.elements import attr_of
from ..ops import array as arrays
from ..ops import math, raw_ops
from ..ops.functions.cond_and_while import cond
from ..ops.random import random
from .choosing import sample_from_datasets
from .dataset import Dataset
from .states import scan

_ESTIMATED_AT_ONCE = 32  # elements
_SEEN_BEFORE = 10  # elements of each class that an estimate begins with


def rejection_resample(class_func, target_dist, initial_dist=None, seed=None):
    """Leaves out elements at random so that classes appear with the wanted frequencies.

    An element of class i is kept with a probability in proportion to target[i] / initial[i]. Where
    a part of the input may pass unchanged, it does.

    Args:
        class_func: A function of an element that returns its class, an int32 scalar.
        target_dist: The wanted frequencies of the classes, a float vector.
        initial_dist: Those of the data set, a float vector. None: they are estimated.
        seed: Seed of the choice, an int.

    Returns:
        A function for Dataset.apply(). Elements become pairs: class, element.
    """

    def apply(dataset):
        target = convert_to_tensor(target_dist, name="target_dist")
        classes = dataset.map(class_func)
        if initial_dist is None:
            initial = _estimated(target, classes)
            both = initial.map(lambda now: _acceptance(now, target))
            acceptance = both.map(lambda accepted, _: accepted)
            unchanged = both.map(lambda _, part: part)
            static = None
        else:
            given = convert_to_tensor(initial_dist, name="initial_dist")
            initial, acceptance, unchanged = (
                Dataset.from_tensors(t).repeat() for t in (given, *_acceptance(given, target))
            )
            static = _static_part(given, target)
        kept = _kept(dataset, acceptance, initial, classes, seed).prefetch(3)
        if static == 1:
            return Dataset.zip((classes, dataset))
        if static == 0:
            return kept
        return sample_from_datasets(
            [Dataset.zip((classes, dataset)), kept],
            weights=unchanged.map(lambda part: [(part, 1.0 - part)]), seed=seed,
        )  # fmt: skip

    return apply


def _static_part(initial, target):
    """The part of the input that passes unchanged, where both are constants."""
    if initial.op.type != "Const" or target.op.type != "Const":
        return None
    return np.min(attr_of(target.op, "value") / attr_of(initial.op, "value"))


def _acceptance(initial, target):
    """With which probability an element of each class is kept, after a part of the input passed
    unchanged; and that part."""
    tiny = np.finfo(initial.dtype.as_numpy_dtype).tiny
    ratio = target / (initial + tiny)
    most, least = math.reduce_max(ratio), math.reduce_min(ratio)
    return (ratio - least) / (most - least), least


def _kept(dataset, acceptance, initial, classes, seed):
    def warned(accepted, frequencies):
        lost = math.reduce_sum((1 - accepted) * frequencies)
        return cond(
            math.less(lost, 0.5),
            lambda: accepted,
            lambda: raw_ops.Print(
                input=accepted, data=[lost, frequencies, accepted], first_n=10, summarize=100,
                message="rejection_resample() leaves out most elements: ",
            ),
        )  # fmt: skip

    acceptance = Dataset.zip((acceptance, initial)).map(warned)
    rows = Dataset.zip((classes, acceptance, dataset)).map(
        lambda cls, accepted, element: (cls, arrays.gather(accepted, cls), element)
    )
    drawn = rows.filter(lambda _, p, element: random.uniform([], seed=seed) < p)
    return drawn.map(lambda cls, _, element: (cls, element))


def _estimated(target, classes):
    """The frequencies of the classes, estimated from the elements so far."""
    count = target.shape[0].value or arrays.shape(target)[0]
    before = arrays.fill([count], np.int64(_SEEN_BEFORE))

    def counted(seen, some):
        size = seen.shape[0].value
        new = math.reduce_sum(arrays.one_hot(some, size, dtype=dtypes.int64), 0)
        seen = math.add(seen, new)
        found = arrays.cast(math.truediv(seen, math.reduce_sum(seen)), dtypes.float32)
        return seen, arrays.tile(arrays.expand_dims(found, 0), [_ESTIMATED_AT_ONCE, 1])

    return classes.batch(_ESTIMATED_AT_ONCE).apply(scan(before, counted)).unbatch()
