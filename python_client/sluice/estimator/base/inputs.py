# SPDX-License-Identifier: Apache-2.0
"""Input functions of arrays and of pandas' tables, and what input functions return."""

import collections
import random

import numpy as np

from ... import dtypes, errors
from ...data.dataset import Dataset
from ...graph.convert import placeholder
from ...graph.default_graph import name_scope
from ...ops import array as arrays
from ...ops import math
from ...ops.data_flow.queues import FIFOQueue, RandomShuffleQueue
from ...training import summary
from ...training.queue_runner import QueueRunner, add_queue_runner
from ...training.session_hooks import SessionRunHook


class IteratorHook(SessionRunHook):
    """Starts the iterator of an input function's data set in each session."""

    def __init__(self, iterator):
        self._initializer = iterator.initializer

    def after_create_session(self, session, coord):
        """Starts it."""
        session.run(self._initializer)


def features_and_labels(result):
    """Features, labels and hooks of what an input function returned: a data set, features, or a
    pair of features and labels."""
    hooks = []
    if isinstance(result, Dataset):
        iterator = result.make_initializable_iterator()
        hooks.append(IteratorHook(iterator))
        result = iterator.get_next()
    if isinstance(result, (list, tuple)):
        if len(result) != 2:
            raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
        return result[0], result[1], hooks
    return result, None, hooks


class _Feeder:
    """Feeds rows in order, from a random first one where they are shuffled; a row's number too."""

    def __init__(self, placeholders, rows, count, batch_size, random_start, num_epochs):
        self._placeholders, self._rows, self._count = placeholders, rows, count
        self._batch_size, self._num_epochs, self._epoch = batch_size, num_epochs, 0
        random.seed()
        self._next = random.randrange(count) if random_start else 0
        self._last = (self._next - 1) % count

    def __call__(self):
        if self._num_epochs and self._epoch >= self._num_epochs:
            raise errors.OutOfRangeError(f"all {self._epoch} epochs were read")
        chosen = [(self._next + i) % self._count for i in range(self._batch_size)]
        ends = [i for i, row in enumerate(chosen) if row == self._last]
        epochs = self._epoch + len(ends)
        if self._num_epochs and epochs >= self._num_epochs:
            chosen = chosen[: ends[self._num_epochs - self._epoch - 1] + 1]
        self._epoch, self._next = epochs, (chosen[-1] + 1) % self._count
        return dict(zip(self._placeholders, self._rows(np.array(chosen))))


class _FeedingRunner(QueueRunner):
    """A QueueRunner whose enqueue operations are fed, each by a function of its own."""

    def __init__(self, queue, feeds):
        super().__init__(queue, list(feeds))
        self._feeds = feeds

    def _step_of(self, sess, enqueue_op):
        return lambda: sess.run(enqueue_op, self._feeds[enqueue_op]())

    def to_proto(self, export_scope=None):
        """It has no description: its rows are in this program."""
        return None


def _filled_queue(types, shapes, rows, count, capacity, shuffle, num_threads, batch_size,
                  num_epochs):  # fmt: skip
    with name_scope("enqueue_input"):
        least = int(capacity / 4) if shuffle else 0
        if shuffle:
            queue = RandomShuffleQueue(capacity, least, types, shapes)
        else:
            queue = FIFOQueue(capacity, types, shapes)
        feeds = {}
        for _ in range(num_threads):
            placeholders = [placeholder(t) for t in types]
            enqueue = queue.enqueue_many(placeholders)
            feeds[enqueue] = _Feeder(placeholders, rows, count, batch_size, shuffle, num_epochs)
        add_queue_runner(_FeedingRunner(queue, feeds))
        more = math.maximum(0, queue.size() - least)
        full = arrays.cast(more, dtypes.float32) * (1.0 / (capacity - least))
        summary.scalar(f"queue/{queue.name}fraction_over_{least}_of_{capacity - least}_full", full)
    return queue


def numpy_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None, queue_capacity=1000,
                   num_threads=1):  # fmt: skip
    """Makes an input function of arrays.

    Args:
        x: The features, an array, or a dict: name -> array. All have as many rows.
        y: The labels, an array, or a dict: name -> array. None: none.
        batch_size: Rows of a batch, an int.
        num_epochs: How often the rows are returned, an int. None: for ever.
        shuffle: Whether the rows are shuffled. A bool, which must be given.
        queue_capacity: How many rows are read ahead, an int.
        num_threads: Threads that read them, an int. More than one shuffle them, too.

    Returns:
        A function without arguments that returns features, or features and labels.

    Raises:
        ValueError: shuffle is not given. When the function is called: an array is empty, or arrays
            differ in length.
        TypeError: When the function is called: x is neither an array nor a dict.
    """
    if not isinstance(shuffle, bool):
        raise ValueError(f"shuffle must be given as True or False, not {shuffle!r}")

    def input_fn():
        columns, single = _columns_of(x)
        targets = _targets_of(y, columns)
        values = [*columns.values(), *targets.values()]
        lengths = {len(v) for v in values}
        if len(lengths) != 1:
            raise ValueError(
                "Length of tensors in x and y is mismatched. All elements in x and y must have the"
                f" same length: {[(k, v.shape) for k, v in (*columns.items(), *targets.items())]}"
            )
        (count,) = lengths
        types = [dtypes.int64] + [dtypes.as_dtype(v.dtype) for v in values]
        shapes = [()] + [v.shape[1:] for v in values]
        queue = _filled_queue(
            types, shapes, lambda at: [at, *(v[at] for v in values)], count, queue_capacity,
            shuffle, num_threads, batch_size, num_epochs,
        )  # fmt: skip
        batch = _dequeued(queue, batch_size, num_epochs)[1:]
        features = dict(zip(columns, batch))
        features = next(iter(features.values())) if single else features
        if y is None:
            return features
        labels = batch[len(columns) :]
        return features, dict(zip(y, labels)) if isinstance(y, dict) else labels[0]

    return input_fn


def _columns_of(x):
    """Arrays by their names, sorted; and whether it was one array."""
    if isinstance(x, dict):
        if not x:
            raise ValueError("x cannot be an empty dict")
        return collections.OrderedDict(sorted(x.items())), False
    if isinstance(x, np.ndarray):
        if x.size == 0:
            raise ValueError("x cannot be an empty array")
        return collections.OrderedDict({"__direct_np_input__": x}), True
    raise TypeError(f"x must be a dict or array; got {type(x).__name__}")


def _targets_of(y, columns):
    if y is None:
        return {}
    if not isinstance(y, dict):
        return {"__target_key__": y}
    if not y:
        raise ValueError("y cannot be empty dict, use None instead.")
    twice = set(columns) & set(y)
    if twice:
        raise ValueError(f"{len(twice)} duplicate keys are found in both x and y: {twice}")
    return dict(y)


def _dequeued(queue, batch_size, num_epochs):
    found = (
        queue.dequeue_many(batch_size) if num_epochs is None else queue.dequeue_up_to(batch_size)
    )
    return found if isinstance(found, (list, tuple)) else [found]


def pandas_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None, queue_capacity=1000,
                    num_threads=1, target_column="target"):  # fmt: skip
    """Makes an input function of a table of pandas.

    Args:
        x: The features, a pandas.DataFrame.
        y: The labels, a pandas.Series or DataFrame with the index of x. None: none.
        batch_size: Rows of a batch, an int.
        num_epochs: How often the rows are returned, an int. None: for ever.
        shuffle: Whether the rows are shuffled. A bool, which must be given.
        queue_capacity: How many rows are read ahead, an int.
        num_threads: Threads that read them, an int.
        target_column: Name of the labels, a str. It is none of the columns of x.

    Returns:
        A function without arguments that returns a dict of features, or it and the labels.

    Raises:
        ValueError: shuffle is not given, or x and y do not fit.
        TypeError: target_column is not a str.
    """
    if not isinstance(shuffle, bool):
        raise ValueError(f"shuffle must be given as True or False, not {shuffle!r}")
    if not isinstance(target_column, str):
        raise TypeError("target_column must be a string type")
    if y is not None:
        if target_column in x:
            raise ValueError(f"Cannot use name {target_column} for target column: x has it")
        if list(x.index) != list(y.index):
            raise ValueError("Index for x and y are mismatched.")

    def input_fn():
        columns = {name: np.asarray(x[name]) for name in x.columns}
        labels = {}
        if y is not None and hasattr(y, "columns"):
            labels = {(target_column, name): np.asarray(y[name]) for name in y.columns}
        elif y is not None:
            labels = {target_column: np.asarray(y)}
        index = np.asarray(x.index)
        values = [index, *columns.values(), *labels.values()]
        queue = _filled_queue(
            [dtypes.as_dtype(v.dtype) for v in values], [()] * len(values),
            lambda at: [v[at] for v in values], len(index), queue_capacity, shuffle, num_threads,
            batch_size, num_epochs,
        )  # fmt: skip
        batch = _dequeued(queue, batch_size, num_epochs)[1:]
        features = dict(zip(columns, batch))
        if y is None:
            return features
        found = batch[len(columns) :]
        if hasattr(y, "columns"):
            return features, dict(zip(y.columns, found))
        return features, found[0]

    return input_fn


__all__ = ["numpy_input_fn", "pandas_input_fn"]
