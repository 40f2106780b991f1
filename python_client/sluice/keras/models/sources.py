# SPDX-License-Identifier: Apache-2.0
"""Where batches come from: arrays, Python's generators, sequences, data sets."""

import numpy as np

from ... import data
from ...errors import OutOfRangeError
from ..base.sequences import Sequence
from ..base.state import get_session


class Arrays:
    """Batches of arrays.

    Args:
        arrays: The arrays, a list: what is fed, in order. None stands for what is not fed.
        batch_size: Size of a batch, an int.
        shuffle: Whether examples come in another order each time: a bool, or "batch".
        steps: How many batches make an epoch. None: all.
        random: What orders them, a RandomState. None: NumPy's own.
    """

    sized = False

    def __init__(self, arrays, batch_size, shuffle=False, steps=None, random=None):
        self._random = random or np.random
        sizes = {len(a) for a in arrays if a is not None}
        if len(sizes) > 1:
            raise ValueError(f"arrays must have the same number of samples, not {sorted(sizes)}")
        self._arrays, self._shuffle = arrays, shuffle
        self.samples = sizes.pop() if sizes else 0
        self.batch_size = batch_size or 32
        self.by_steps, self._limit = steps is not None, steps
        self.steps = steps

    def batches(self, training):
        """Yields (what is fed, size) of each batch."""
        del training
        order = np.arange(self.samples)
        if self._shuffle == "batch":
            order = _shuffled_batches(order, self.batch_size, self._random)
        elif self._shuffle:
            self._random.shuffle(order)
        starts = range(0, self.samples, self.batch_size)
        for number, start in enumerate(starts):
            if self._limit is not None and number >= self._limit:
                return
            chosen = order[start : start + self.batch_size]
            span = slice(start, start + len(chosen))
            yield [a[chosen] if self._shuffle else a[span] for a in self._arrays], len(chosen)

    def finished(self, count):
        """Does nothing: an epoch is known before."""


def _shuffled_batches(order, batch_size, random):
    """Batches in another order; what makes no whole batch stays at the end."""
    count = len(order) // batch_size
    rest = order[count * batch_size :]
    whole = order[: count * batch_size].reshape(count, batch_size)
    random.shuffle(whole)
    return np.append(whole.flatten(), rest)


class Steps:
    """Batches that come one after another.

    Args:
        following: A function that begins anew and returns an iterator of elements.
        prepare: A function of an element that returns what is fed, a list of arrays.
        steps: How many batches make an epoch. None: all that the data has.
        anew: Whether each epoch begins anew. A bool.
        sized: Whether batches count by their size: those of Python do, those of data sets do not.
    """

    by_steps, samples, batch_size = True, None, None

    def __init__(self, following, prepare, steps, anew, sized):
        self._following, self._prepare, self._anew = following, prepare, anew
        self.sized = sized
        self.steps, self._iterator = steps, None

    def batches(self, training):
        """Yields (what is fed, size) of each batch."""
        if self._iterator is None or self._anew or not training:
            self._iterator = self._following()
        count = 0
        while self.steps is None or count < self.steps:
            try:
                element = next(self._iterator)
            except StopIteration:
                return
            count += 1
            feeds = self._prepare(element)
            yield feeds, len(feeds[0]) if self.sized else 1

    def finished(self, count):
        """Keeps how many batches there were, if that was not known."""
        if self.steps is None:
            self.steps = count


def is_stream(x):
    """Whether x gives batches by itself."""
    return isinstance(x, (data.Dataset, Sequence)) or hasattr(x, "__next__") or (
        hasattr(x, "get_next")
    )  # fmt: skip


def stream(x, prepare, steps):
    """The Steps of a generator, a Sequence, a data set or an iterator of one.

    Raises:
        ValueError: A generator has no end, and the number of steps is not given.
    """
    if isinstance(x, Sequence):
        return Steps(lambda: (x[i] for i in range(len(x))), prepare, steps or len(x), True, True)
    if isinstance(x, data.Dataset):
        return Steps(lambda: _elements(_iterator(x)), prepare, steps, steps is None, False)
    if hasattr(x, "get_next"):
        return Steps(lambda: _elements(x), prepare, steps, False, False)
    if steps is None:
        raise ValueError("the number of steps must be given for a generator")
    return Steps(lambda: x, prepare, steps, False, True)


def _iterator(data_set):
    iterator = data.make_initializable_iterator(data_set)
    get_session().run(iterator.initializer)
    return iterator


def _elements(iterator):
    following, session = iterator.get_next(), get_session()
    while True:
        try:
            yield session.run(following)
        except OutOfRangeError:
            return
