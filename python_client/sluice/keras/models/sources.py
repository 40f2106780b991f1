# SPDX-License-Identifier: Apache-2.0
"""Where batches come from: arrays, Python's generators, sequences, data sets."""

import itertools
import math
import random

import numpy as np

from ... import data, logging, nest
from ...data.states import cardinality
from ...errors import OutOfRangeError
from ...graph.elements import Tensor
from ...ops.functions.functions import TensorSpec
from ...ops.state.variables import Variable
from ..base.sequences import Sequence
from ..base.state import get_session

_OUT_OF_DATA = (
    "Your dataset ran out of data; interrupting training. Make sure that your dataset can generate "
    "at least `%s * epochs` batches (in this case, %d batches). You may need to use the repeat() "
    "function when building your dataset."
)
_ITERATOR_OUT_OF_DATA = (
    "Your dataset iterator ran out of data; interrupting training. Make sure that your iterator "
    "can generate at least `%s * epochs` batches (in this case, %d batches). You may need touse "
    "the repeat() function when building your dataset."
)


class Arrays:
    """Batches of arrays.

    Args:
        arrays: The arrays, a list: what is fed, in order. None stands for what is not fed.
        batch_size: Size of a batch, an int.
        shuffle: Whether examples come in another order each time: a bool, or "batch".
        steps: How many batches make an epoch. None: all.
        random: What orders them, a RandomState. None: NumPy's own.
        equal: Whether arrays must be of one length. If not, the first says how many samples
            there are. A bool.
        whole: Whether each batch has all examples. A bool.
    """

    sized = False

    def __init__(self, arrays, batch_size, shuffle=False, steps=None, random=None, equal=True,
                 whole=False):  # fmt: skip
        self._whole = whole or all(a is None for a in arrays)
        self._random = random or np.random
        sizes = [len(a) for a in arrays if a is not None]
        if equal and len(set(sizes)) > 1:
            sizes = sorted(set(sizes))
            raise ValueError(f"arrays must have the same number of samples, not {sizes}")
        self._arrays, self._shuffle = arrays, shuffle
        self.samples = sizes[0] if sizes else 0
        self.batch_size = batch_size or 32
        self.by_steps, self._limit = steps is not None, steps
        self.steps = steps

    def batches(self, training):
        """Yields (what is fed, size) of each batch."""
        del training
        if self._whole:
            for _ in range(math.ceil(self._limit or 0)):
                yield list(self._arrays), 1
            return
        order = np.arange(self.samples)
        if self._shuffle == "batch":
            order = shuffled_batches(order, self.batch_size, self._random)
        elif self._shuffle:
            self._random.shuffle(order)
        starts = range(0, self.samples, self.batch_size)
        for number, start in enumerate(starts):
            if self._limit is not None and number >= self._limit:
                return
            chosen = order[start : start + self.batch_size]
            span = slice(start, start + len(chosen))
            mixed = self._shuffle and len(starts) > 1  # a single batch keeps its order
            yield [a[chosen] if mixed else a[span] for a in self._arrays], len(chosen)

    def has_partial_batch(self):
        """Tests whether the last batch of an epoch has fewer examples than the others, and more
        than one batch is made.

        Returns:
            A bool.
        """
        if self._whole or self.by_steps or any(a is None for a in self._arrays):
            return False
        return self.samples > self.batch_size and self.samples % self.batch_size > 0

    def finished(self, count, name, epochs):
        """Returns False: an epoch is known before."""
        return False


def shuffled_batches(order, batch_size, random):
    """Puts batches in another order; what does not fill a batch stays at the end.

    Args:
        order: Indices, an array.
        batch_size: Size of a batch, an int.
        random: What shuffles: np.random, or a RandomState.

    Returns:
        An array.
    """
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
        of_data_set: Whether the batches are those of a data set. A bool.
    """

    by_steps, samples, batch_size = True, None, None

    def __init__(self, following, prepare, steps, anew, sized, of_data_set=False):
        self._following, self._prepare, self._anew = following, prepare, anew
        self.sized, self._of_data_set = sized, of_data_set
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
            if isinstance(self._iterator, _Passes):
                self._iterator.used()

    def finished(self, count, name, epochs):
        """Keeps how many batches there were, if that was not known.

        Args:
            count: How many batches there were, an int.
            name: Name of the argument that says how many there should be, a str.
            epochs: How many epochs there are, an int.

        Returns:
            Whether there were less than wanted. A bool.
        """
        self.steps = count if self.steps is None else self.steps
        if count < self.steps:
            text = _OUT_OF_DATA if self._of_data_set else _ITERATOR_OUT_OF_DATA
            logging.warning(text, name, self.steps * epochs)
        return count < self.steps


def across_epochs(arrays, batch_size, epochs, shuffle, random=None):
    """Batches of arrays, of which one may have the last examples of an epoch and the first ones of
    the next: strategies take them so where the size of a batch does not divide the examples.

    Args:
        arrays: The arrays, a list: what is fed, in order.
        batch_size: Size of a batch, an int.
        epochs: How often all examples come, an int.
        shuffle: Whether they come in another order each time. A bool.
        random: What orders them, a RandomState. None: NumPy's own.

    Returns:
        A Steps.
    """
    count, random = len(arrays[0]), random or np.random

    def following():
        passes = range(epochs)
        order = np.concatenate([
            random.permutation(count) if shuffle else np.arange(count) for _ in passes
        ])  # fmt: skip
        for start in range(0, len(order), batch_size):
            chosen = order[start : start + batch_size]
            yield [a[chosen] for a in arrays]

    made = Steps(following, lambda feeds: feeds, -(-count // batch_size), False, False, True)
    made.batch_size = batch_size
    return made


def is_symbolic(x):
    """Whether x is a tensor or variable of a graph."""
    return isinstance(x, (Tensor, Variable))


class Tensors:
    """Batches that tensors of the graph compute.

    Args:
        x: The inputs, a tensor or a list or dict of tensors.
        y: The targets, the same. None: there are none.
        sample_weight: How much each example counts, a tensor. None: all the same.
    """

    def __init__(self, x, y=None, sample_weight=None):
        self.element = (x, y, sample_weight)[: 1 + (y is not None) + (sample_weight is not None)]

    def elements(self):
        """Yields batches until the tensors have no more."""
        session = get_session(nest.flatten(self.element))
        while True:
            try:
                yield session.run(self.element)
            except OutOfRangeError:
                return


def joined(x, y, sample_weight, steps, name):
    """Makes one stream of tensors that compute the inputs, targets and weights of a batch.

    Args:
        x: The inputs, as programs give them.
        y: The targets.
        sample_weight: The weights.
        steps: How many batches are taken, or None.
        name: Name of that argument, a str.

    Returns:
        A triple: the stream, None, None; or, if the inputs are not tensors, what was given.

    Raises:
        ValueError: The number of steps is not given.
    """
    leaves = nest.flatten(x)
    symbolic = bool(leaves) and all(is_symbolic(t) for t in leaves)
    if steps is None and (x is None or isinstance(x, list) and not x or symbolic):
        raise ValueError(
            "When using data tensors as input to a model, you should specify the "
            f"`{name}` argument."
        )
    if x is None or not symbolic:
        return x, y, sample_weight
    return Tensors(x, y, sample_weight), None, None


def computed(*given):
    """The arrays of one batch, for what is given as tensors."""
    tensors = [t for t in nest.flatten(given) if is_symbolic(t)]
    if not tensors:
        return given
    known = dict(zip(map(id, tensors), get_session(tensors).run(tensors)))
    return nest.map_structure(lambda leaf: known.get(id(leaf), leaf), given)


class _Passes:
    """The batches of a Sequence, pass after pass, without end.

    Args:
        sequence: The Sequence.
        shuffle: Whether Python's random numbers order the batches of a pass. A bool.
    """

    def __init__(self, sequence, shuffle):
        self._sequence, self._shuffle = sequence, shuffle
        self._order, self._left = list(range(len(sequence))), []

    def __next__(self):
        if not self._left:
            if self._shuffle:
                random.shuffle(self._order)
            self._left = self._order[::-1]
        return self._sequence[self._left.pop()]

    def used(self):
        """Tells the Sequence of the end of a pass, if the last batch of one was used."""
        if not self._left:
            self._sequence.on_epoch_end()


def is_stream(x):
    """Whether x gives batches by itself."""
    return isinstance(x, (data.Dataset, Sequence, Tensors)) or hasattr(x, "__next__") or (
        hasattr(x, "get_next")
    )  # fmt: skip


def check(x, steps, name, **given):
    """Checks what is given beside a stream, which has targets, weights and batches of its own.

    Args:
        x: The stream.
        steps: How many batches are taken, or None.
        name: Name of that argument, a str.
        **given: batch_size, y, sample_weight, validation_split: further arguments. None: not given.

    Raises:
        ValueError: One is given; a generator, or a data set without end, comes without the number
            of steps.
    """
    if given.get("batch_size") is not None and not isinstance(x, Tensors):
        raise ValueError(
            "The `batch_size` argument must not be specified for the given input type. Received "
            f"input: {x}, batch_size: {given['batch_size']}"
        )
    of_data_set = isinstance(x, data.Dataset) or hasattr(x, "get_next")
    if of_data_set and given.get("y") is not None:
        raise ValueError(
            f"You passed a dataset or dataset iterator ({x}) as input `x` to your model. In that "
            "case, you should not specify a target (`y`) argument, since the dataset or dataset "
            "iterator generates both input data and target data."
        )
    if isinstance(x, Tensors) and given.get("validation_split") is not None:
        raise ValueError(
            "If your data is in the form of symbolic tensors, you cannot use `validation_split`."
        )
    for key, value in given.items():
        if key != "batch_size" and value is not None:
            raise ValueError(_unsupported(key, x, value, of_data_set))
    if steps is None and not of_data_set and not isinstance(x, (Sequence, Tensors)):
        via = "" if name == "validation_steps" else "number of steps via the "
        raise ValueError(f"Please specify the {via}`{name}` argument.")
    if isinstance(x, data.Dataset) and steps is None and _count(x) == -1:
        raise ValueError(
            f"When passing an infinitely repeating dataset, you must specify the `{name}` argument."
        )
    if steps is None and hasattr(x, "get_next"):
        raise ValueError(f"When passing an iterator, you should specify the `{name}` argument.")


def _unsupported(key, x, value, of_data_set):
    """What is said of an argument that a stream has in its elements."""
    if of_data_set:
        instead = (
            " Instead, youcan provide sample_weight as the third element  of yourdataset, i.e. "
            "(inputs, targets, sample_weight)." if key == "sample_weight" else ""
        )  # fmt: skip
        return (
            f"`{key}` argument is not supported when input `x` is a dataset or a dataset iterator."
            f"{instead} Received: x={x}, {key}={value}"
        )
    if key == "validation_split":
        return (
            "If your data is in the form of a Python generator, you cannot use `validation_split`."
        )
    what, place = ("targets", "second") if key == "y" else ("sample weights", "third")
    return (
        f"`{key}` argument is not supported when data isa generator or Sequence instance. Instead "
        f"pass {what} as the {place} element of the generator."
    )


def batch_of(x, y=None, sample_weight=None):
    """The inputs, targets and weights of one batch.

    Args:
        x: The inputs; or a data set, whose first element they are in.
        y: The targets, or None.
        sample_weight: The weights, or None.

    Returns:
        A triple.

    Raises:
        ValueError: Targets or weights are given beside a data set.
    """
    if not isinstance(x, data.Dataset):
        return x, y, sample_weight
    check(x, 1, "steps", y=y, sample_weight=sample_weight)
    element = next(_elements(_iterator(x)))
    return (*element, None, None)[:3] if isinstance(element, tuple) else (element, None, None)


def _count(data_set):
    """How many elements a data set has: -1: without end, -2: not known."""
    return int(get_session().run(cardinality(data_set)))


def first_of(x):
    """Finds what the inputs of a stream are like.

    Args:
        x: The stream.

    Returns:
        A pair: the inputs of the first batch, arrays or TensorSpecs in a structure; and the stream,
        which still has that batch.
    """
    if isinstance(x, data.Dataset) or hasattr(x, "get_next"):
        shapes, kinds = data.get_output_shapes(x), data.get_output_types(x)
        element = nest.map_structure(TensorSpec, shapes, kinds)
    elif isinstance(x, Tensors):
        element = nest.map_structure(lambda t: TensorSpec(t.shape, t.dtype), x.element)
    elif isinstance(x, Sequence):
        element = x[0]
    else:
        element = next(x)
        x = itertools.chain([element], x)
    return element[0] if isinstance(element, tuple) else element, x


def stream(x, prepare, steps, shuffle=False, workers=1):
    """The Steps of a generator, a Sequence, a data set or an iterator of one.

    Args:
        x: The generator, the Sequence, the data set or the iterator.
        prepare: A function of an element that returns what is fed, a list of arrays.
        steps: How many batches make an epoch, an int. None: all.
        shuffle: Whether each pass of a Sequence has another order. A bool.
        workers: Of a Sequence, 0: each pass has its own order, as its iterator gives it, and no
            pass ends.
    """
    if isinstance(x, Sequence):
        following = (lambda: _Passes(x, shuffle)) if workers else (lambda: _endless(x))
        return Steps(following, prepare, steps or len(x), False, True)
    if isinstance(x, Tensors):
        return Steps(x.elements, prepare, steps, False, False)
    if isinstance(x, data.Dataset):
        anew = steps is None
        if anew:
            count = _count(x)
            steps = count if count >= 0 else None
        return Steps(lambda: _elements(_iterator(x)), prepare, steps, anew, False, True)
    if hasattr(x, "get_next"):
        return Steps(lambda: _elements(x), prepare, steps, False, False)
    return Steps(lambda: x, prepare, steps, False, True)


def _endless(sequence):
    while True:
        yield from sequence


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
