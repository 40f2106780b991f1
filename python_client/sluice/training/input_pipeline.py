# SPDX-License-Identifier: Apache-2.0
"""Input by queues: producers of file names and numbers, and batches of what was read."""

from .. import dtypes
from ..graph.convert import constant, convert_to_tensor
from ..graph.default_graph import control_dependencies, name_scope
from ..graph.keys import GraphKeys
from ..graph.static_values import static_value
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops import math, raw_ops
from ..ops.control_flow.grouping import no_op
from ..ops.data_flow.queues import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from ..ops.debug.checks import Assert
from ..ops.random.random import shuffle as random_shuffle
from ..ops.sparse.sparse_tensor import SparseTensor
from ..ops.state.variables import Variable
from . import summary
from .queue_runner import QueueRunner, add_queue_runner


def match_filenames_once(pattern, name=None):
    """Makes a local variable with the names of the files that a pattern matches when it is
    initialised.

    Args:
        pattern: A pattern, or a list of them.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The variable.
    """
    with name_scope(name, "matching_filenames", [pattern]) as scope:
        return Variable(
            raw_ops.MatchingFiles(pattern=pattern), trainable=False, validate_shape=False,
            collections=[GraphKeys.LOCAL_VARIABLES], name=scope,
        )  # fmt: skip


def limit_epochs(tensor, num_epochs=None, name=None):
    """Returns a tensor that can be read a limited number of times. A local variable counts.

    Args:
        tensor: The tensor.
        num_epochs: How often each element is returned, an int. Then: OutOfRangeError. None: for
            ever.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor with the same value.
    """
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    with name_scope(name, "limit_epochs", [tensor]) as scope:
        epochs = Variable(
            constant(0, dtypes.int64), trainable=False, name="epochs",
            collections=[GraphKeys.LOCAL_VARIABLES],
        )  # fmt: skip
        with control_dependencies([epochs.count_up_to(num_epochs)]):
            return arrays.identity(tensor, scope)


def input_producer(input_tensor, element_shape=None, num_epochs=None, shuffle=True, seed=None,
                   capacity=32, shared_name=None, summary_name=None, name=None,
                   cancel_op=None):  # fmt: skip
    """Puts the rows of a tensor in a queue, which a queue runner fills.

    Args:
        input_tensor: A tensor [n, ...].
        element_shape: Shape of a row. None: that of the tensor.
        num_epochs: How often each element is returned, an int. Then: OutOfRangeError. None: for
            ever.
        shuffle: Whether the order changes with each epoch. A bool.
        seed: Seed of the operation, an int. None: see set_random_seed().
        capacity: The most elements in the queue, an int.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        summary_name: Name of a summary of how full the queue is, a str. None: no summary.
        name: Name of the operation, a str. None: a default name.
        cancel_op: Operation that cancels the queue. None: its close().

    Returns:
        A queue.
    """
    with name_scope(name, "input_producer", [input_tensor]):
        rows = convert_to_tensor(input_tensor, name="input_tensor")
        shape = rows.shape.with_rank_at_least(1)[1:].merge_with(element_shape)
        if not shape.is_fully_defined():
            raise ValueError(
                "Either `input_tensor` must have a fully defined shape or `element_shape` must be"
                " specified"
            )
        if shuffle:
            rows = random_shuffle(rows, seed=seed)
        rows = limit_epochs(rows, num_epochs)
        queue = FIFOQueue(
            capacity, rows.dtype, [shape], shared_name=shared_name, name=name or "FIFOQueueV2"
        )
        _fill(queue, [queue.enqueue_many([rows])], cancel_op)
        if summary_name is not None:
            _show_fullness(queue, summary_name, capacity)
        return queue


def string_input_producer(string_tensor, num_epochs=None, shuffle=True, seed=None, capacity=32,
                          shared_name=None, name=None, cancel_op=None):  # fmt: skip
    """Puts strings, such as names of files, in a queue, which a queue runner fills.

    Args:
        string_tensor: A string vector or a list of str.
        num_epochs: How often each element is returned, an int. Then: OutOfRangeError. None: for
            ever.
        shuffle: Whether the order changes with each epoch. A bool.
        seed: Seed of the operation, an int. None: see set_random_seed().
        capacity: The most elements in the queue, an int.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        name: Name of the operation, a str. None: a default name.
        cancel_op: Operation that cancels the queue. None: its close().

    Returns:
        A queue.

    Raises:
        ValueError: There are no strings.
    """
    missing = "string_input_producer requires a non-null input tensor"
    if not hasattr(string_tensor, "dtype") and not string_tensor:
        raise ValueError(missing)
    with name_scope(name, "input_producer", [string_tensor]) as scope:
        strings = convert_to_tensor(string_tensor, dtypes.string)
        check = Assert(math.greater(arrays.size(strings), 0), [missing])
        with control_dependencies([check]):
            strings = arrays.identity(strings)
        return input_producer(
            strings, [], num_epochs, shuffle, seed, capacity, shared_name,
            f"fraction_of_{capacity}_full", scope, cancel_op,
        )  # fmt: skip


def range_input_producer(limit, num_epochs=None, shuffle=True, seed=None, capacity=32,
                         shared_name=None, name=None):  # fmt: skip
    """Puts the numbers from 0 to limit - 1 in a queue, which a queue runner fills.

    Args:
        limit: How many numbers, an int or an int32 scalar.
        num_epochs: How often each element is returned, an int. Then: OutOfRangeError. None: for
            ever.
        shuffle: Whether the order changes with each epoch. A bool.
        seed: Seed of the operation, an int. None: see set_random_seed().
        capacity: The most elements in the queue, an int.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A queue.
    """
    with name_scope(name, "input_producer", [limit]) as scope:
        return input_producer(
            arrays.range(limit), [], num_epochs, shuffle, seed, capacity, shared_name,
            f"fraction_of_{capacity}_full", scope,
        )  # fmt: skip


def slice_input_producer(tensor_list, num_epochs=None, shuffle=True, seed=None, capacity=32,
                         shared_name=None, name=None):  # fmt: skip
    """Returns one row of each tensor, the same of all. A queue runner fills a queue.

    Args:
        tensor_list: A list of tensors [n, ...].
        num_epochs: How often each element is returned, an int. Then: OutOfRangeError. None: for
            ever.
        shuffle: Whether the order changes with each epoch. A bool.
        seed: Seed of the operation, an int. None: see set_random_seed().
        capacity: The most elements in the queue, an int.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A list of tensors.
    """
    with name_scope(name, "input_producer", tensor_list):
        tensors = [convert_to_tensor(t) for t in tensor_list]
        if not tensors:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        rows = arrays.shape(tensors[0])[0]
        queue = range_input_producer(rows, num_epochs, shuffle, seed, capacity, shared_name)
        index = queue.dequeue()
        return [arrays.gather(t, index) for t in tensors]


# ---- batches


class _Element:
    """The parts of one element of a batch: tensors, some under names, some sparse."""

    def __init__(self, tensors):
        self.names = sorted(tensors, key=str) if isinstance(tensors, dict) else None
        values = [tensors[k] for k in self.names] if self.names is not None else tensors
        values = list(values) if isinstance(values, (list, tuple)) else [values]
        if not values:
            raise ValueError("Expected at least one tensor in batch().")
        self.sparse = [isinstance(v, SparseTensor) for v in values]
        self.values = [v if isinstance(v, SparseTensor) else convert_to_tensor(v) for v in values]

    def stored(self, enqueue_many):
        """The tensors that go into the queue: a SparseTensor as a row of three strings."""
        op = raw_ops.SerializeManySparse if enqueue_many else raw_ops.SerializeSparse
        return [
            op(sparse_indices=v.indices, sparse_values=v.values, sparse_shape=v.dense_shape)
            if isinstance(v, SparseTensor)
            else v
            for v in self.values
        ]

    def restored(self, batches):
        """Batches from the queue in the form of what was given."""
        batches = [
            SparseTensor(*raw_ops.DeserializeManySparse(serialized_sparse=b, dtype=v.dtype))
            if sparse
            else b
            for b, v, sparse in zip(batches, self.values, self.sparse)
        ]
        if self.names is not None:
            return dict(zip(self.names, batches))
        return batches[0] if len(batches) == 1 else batches


def _batches(elements, make_queue, enqueue_many, keep_input, batch_size, smaller_final, shapes,
             summary_name, name):  # fmt: skip
    """The batches that a queue of the elements gives. elements: of one structure, a thread
    each."""
    keep_input = _checked_keep(keep_input, enqueue_many)
    stored = [e.stored(enqueue_many) for e in elements]
    types = [t.dtype for t in stored[0]]
    for other in stored[1:]:
        found = [t.dtype for t in other]
        if found != types:
            names = [", ".join(t.name for t in kinds) for kinds in (types, found)]
            raise TypeError(f"Expected types to be consistent: {names[0]} vs. {names[1]}.")
    shapes = _shapes(stored, shapes, enqueue_many)
    queue = make_queue(types, shapes)
    made = {}  # each element is put by one operation, however many threads run it
    for tensors, element in zip(stored, elements):
        if id(element) not in made:
            made[id(element)] = _enqueue(queue, tensors, enqueue_many, keep_input)
    _fill(queue, [made[id(element)] for element in elements])
    _show_fullness(queue, *summary_name)
    dequeue = queue.dequeue_up_to if smaller_final else queue.dequeue_many
    batches = dequeue(batch_size, name=name)
    return elements[0].restored(batches if isinstance(batches, list) else [batches])


def _shapes(stored, shapes, enqueue_many):
    """Of the parts of an element: as given, else those of the first list."""
    if shapes is not None:
        return [TensorShape(s) for s in shapes]
    for tensor in (t for tensors in stored for t in tensors):
        if tensor.shape.ndims is None:
            raise ValueError(f"Cannot infer Tensor's rank: {tensor}")
    common = []
    for tensors in zip(*stored):
        known = [t.shape.with_rank_at_least(1)[1:] if enqueue_many else t.shape for t in tensors]
        for other in known[1:]:
            known[0].merge_with(other)  # for its error
        common.append(known[0])
    return common


def _checked_keep(keep_input, enqueue_many):
    keep = convert_to_tensor(keep_input, dtypes.bool_)
    rank = keep.shape.ndims
    if rank is None:
        raise ValueError("`keep_input` dimensions must be known at graph construction.")
    if rank == 1 and not enqueue_many:
        raise ValueError("`keep_input` cannot be a vector when `enqueue_many=False`.")
    if rank > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions.")
    return keep


def _enqueue(queue, tensors, enqueue_many, keep):
    if keep.shape.ndims == 1:
        part = arrays.cast(keep, dtypes.int32)
        parts = [arrays.dynamic_partition(t, part, 2)[1] for t in tensors]
        return queue.enqueue_many(parts)
    known = static_value(keep)
    if known is None:
        if not enqueue_many:
            tensors = [arrays.expand_dims(t, 0) for t in tensors]
        mask = arrays.fill(arrays.shape(tensors[0])[:1], keep)
        return queue.enqueue_many([arrays.boolean_mask(t, mask) for t in tensors])
    if not known:
        return no_op()
    return queue.enqueue_many(tensors) if enqueue_many else queue.enqueue(tensors)


def _fill(queue, enqueue_ops, cancel_op=None):
    add_queue_runner(QueueRunner(queue, enqueue_ops, cancel_op=cancel_op))


def _show_fullness(queue, name, capacity, least=None):
    over = queue.size() if least is None else math.maximum(0, queue.size() - least)
    summary.scalar(name, arrays.cast(over, dtypes.float32) * (1.0 / capacity))


def _fifo(capacity, dynamic_pad, shared_name):
    kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
    return lambda types, shapes: kind(capacity, types, shapes, shared_name=shared_name)


def _shuffling(capacity, min_after_dequeue, seed, shared_name):
    return lambda types, shapes: RandomShuffleQueue(
        capacity, min_after_dequeue, types, shapes, seed=seed, shared_name=shared_name
    )


def _one_many(tensors, num_threads):
    return [_Element(tensors)] * num_threads


def _one_each(tensors_list):
    if not tensors_list:
        raise ValueError("Expected at least one set of tensors")
    first = tensors_list[0]
    if isinstance(first, dict) and any(set(t) != set(first) for t in tensors_list):
        raise ValueError("All dictionaries in tensors_list must have the same keys")
    return [_Element(t) for t in tensors_list]


def batch(tensors, batch_size, num_threads=1, capacity=32, enqueue_many=False, shapes=None,
          dynamic_pad=False, allow_smaller_final_batch=False, shared_name=None,
          name=None):  # fmt: skip
    """Groups elements into batches. A queue runner fills a queue.

    Args:
        tensors: A tensor, or a list or dict of tensors.
        batch_size: How many elements a batch has, an int.
        num_threads: How many threads fill the queue, an int.
        capacity: The most elements in the queue, an int.
        enqueue_many: Whether each tensor has many elements along its first dimension. A bool.
        shapes: Shapes of an element's tensors. None: those of the tensors.
        dynamic_pad: Whether elements of different sizes are padded. A bool.
        allow_smaller_final_batch: Whether the last batch may have fewer elements. A bool.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        name: Name of the operation, a str. None: a default name.

    Returns:
        Tensors [batch_size, ...] in the structure of tensors.

    Raises:
        ValueError: A shape is not known, and dynamic_pad is not set.
    """
    return maybe_batch(tensors, True, batch_size, num_threads, capacity, enqueue_many, shapes,
                       dynamic_pad, allow_smaller_final_batch, shared_name, name)  # fmt: skip


def maybe_batch(tensors, keep_input, batch_size, num_threads=1, capacity=32, enqueue_many=False,
                shapes=None, dynamic_pad=False, allow_smaller_final_batch=False, shared_name=None,
                name=None):  # fmt: skip
    """Groups elements for which keep_input holds into batches.

    Args:
        tensors: A tensor, or a list or dict of tensors.
        keep_input: A bool scalar, or with enqueue_many a bool vector: whether elements are kept.
        batch_size: How many elements a batch has, an int.
        num_threads: How many threads fill the queue, an int.
        capacity: The most elements in the queue, an int.
        enqueue_many: Whether each tensor has many elements along its first dimension. A bool.
        shapes: Shapes of an element's tensors. None: those of the tensors.
        dynamic_pad: Whether elements of different sizes are padded. A bool.
        allow_smaller_final_batch: Whether the last batch may have fewer elements. A bool.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        name: Name of the operation, a str. None: a default name.

    Returns:
        Tensors [batch_size, ...] in the structure of tensors.
    """
    with name_scope(name, "batch") as scope:
        return _batches(
            _one_many(tensors, num_threads), _fifo(capacity, dynamic_pad, shared_name),
            enqueue_many, keep_input, batch_size, allow_smaller_final_batch, shapes,
            (f"fraction_of_{capacity}_full", capacity), scope,
        )  # fmt: skip


def batch_join(tensors_list, batch_size, capacity=32, enqueue_many=False, shapes=None,
               dynamic_pad=False, allow_smaller_final_batch=False, shared_name=None,
               name=None):  # fmt: skip
    """Groups elements of several readers into batches. A queue runner fills a queue.

    Args:
        tensors_list: A list with the tensors of each reader. Each reader has a thread.
        batch_size: How many elements a batch has, an int.
        capacity: The most elements in the queue, an int.
        enqueue_many: Whether each tensor has many elements along its first dimension. A bool.
        shapes: Shapes of an element's tensors. None: those of the tensors.
        dynamic_pad: Whether elements of different sizes are padded. A bool.
        allow_smaller_final_batch: Whether the last batch may have fewer elements. A bool.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        name: Name of the operation, a str. None: a default name.

    Returns:
        Tensors [batch_size, ...] in the structure of one reader.
    """
    return maybe_batch_join(tensors_list, True, batch_size, capacity, enqueue_many, shapes,
                            dynamic_pad, allow_smaller_final_batch, shared_name, name)  # fmt: skip


def maybe_batch_join(tensors_list, keep_input, batch_size, capacity=32, enqueue_many=False,
                     shapes=None, dynamic_pad=False, allow_smaller_final_batch=False,
                     shared_name=None, name=None):  # fmt: skip
    """Groups elements of several readers for which keep_input holds into batches.

    Args:
        tensors_list: A list with the tensors of each reader. Each reader has a thread.
        keep_input: A bool scalar, or with enqueue_many a bool vector: whether elements are kept.
        batch_size: How many elements a batch has, an int.
        capacity: The most elements in the queue, an int.
        enqueue_many: Whether each tensor has many elements along its first dimension. A bool.
        shapes: Shapes of an element's tensors. None: those of the tensors.
        dynamic_pad: Whether elements of different sizes are padded. A bool.
        allow_smaller_final_batch: Whether the last batch may have fewer elements. A bool.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        name: Name of the operation, a str. None: a default name.

    Returns:
        Tensors [batch_size, ...] in the structure of one reader.
    """
    with name_scope(name, "batch_join") as scope:
        return _batches(
            _one_each(tensors_list), _fifo(capacity, dynamic_pad, shared_name),
            enqueue_many, keep_input, batch_size, allow_smaller_final_batch, shapes,
            (f"fraction_of_{capacity}_full", capacity), scope,
        )  # fmt: skip


def shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, num_threads=1, seed=None,
                  enqueue_many=False, shapes=None, allow_smaller_final_batch=False,
                  shared_name=None, name=None):  # fmt: skip
    """Groups elements into batches, in random order. A queue runner fills a queue.

    Args:
        tensors: A tensor, or a list or dict of tensors.
        batch_size: How many elements a batch has, an int.
        capacity: The most elements in the queue, an int.
        min_after_dequeue: How many elements stay in the queue, so that the order is random; an int.
        num_threads: How many threads fill the queue, an int.
        seed: Seed of the operation, an int. None: see set_random_seed().
        enqueue_many: Whether each tensor has many elements along its first dimension. A bool.
        shapes: Shapes of an element's tensors. None: those of the tensors.
        allow_smaller_final_batch: Whether the last batch may have fewer elements. A bool.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        name: Name of the operation, a str. None: a default name.

    Returns:
        Tensors [batch_size, ...] in the structure of tensors.
    """
    return maybe_shuffle_batch(
        tensors, batch_size, capacity, min_after_dequeue, True, num_threads, seed, enqueue_many,
        shapes, allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


def maybe_shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, keep_input,
                        num_threads=1, seed=None, enqueue_many=False, shapes=None,
                        allow_smaller_final_batch=False, shared_name=None,
                        name=None):  # fmt: skip
    """Groups elements for which keep_input holds into batches, in random order.

    Args:
        tensors: A tensor, or a list or dict of tensors.
        batch_size: How many elements a batch has, an int.
        capacity: The most elements in the queue, an int.
        min_after_dequeue: How many elements stay in the queue, so that the order is random; an int.
        keep_input: A bool scalar, or with enqueue_many a bool vector: whether elements are kept.
        num_threads: How many threads fill the queue, an int.
        seed: Seed of the operation, an int. None: see set_random_seed().
        enqueue_many: Whether each tensor has many elements along its first dimension. A bool.
        shapes: Shapes of an element's tensors. None: those of the tensors.
        allow_smaller_final_batch: Whether the last batch may have fewer elements. A bool.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        name: Name of the operation, a str. None: a default name.

    Returns:
        Tensors [batch_size, ...] in the structure of tensors.
    """
    with name_scope(name, "shuffle_batch") as scope:
        return _batches(
            _one_many(tensors, num_threads),
            _shuffling(capacity, min_after_dequeue, seed, shared_name), enqueue_many, keep_input,
            batch_size, allow_smaller_final_batch, shapes,
            _over(capacity, min_after_dequeue), scope,
        )  # fmt: skip


def shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, seed=None,
                       enqueue_many=False, shapes=None, allow_smaller_final_batch=False,
                       shared_name=None, name=None):  # fmt: skip
    """Groups elements of several readers into batches, in random order.

    Args:
        tensors_list: A list with the tensors of each reader. Each reader has a thread.
        batch_size: How many elements a batch has, an int.
        capacity: The most elements in the queue, an int.
        min_after_dequeue: How many elements stay in the queue, so that the order is random; an int.
        seed: Seed of the operation, an int. None: see set_random_seed().
        enqueue_many: Whether each tensor has many elements along its first dimension. A bool.
        shapes: Shapes of an element's tensors. None: those of the tensors.
        allow_smaller_final_batch: Whether the last batch may have fewer elements. A bool.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        name: Name of the operation, a str. None: a default name.

    Returns:
        Tensors [batch_size, ...] in the structure of one reader.
    """
    return maybe_shuffle_batch_join(
        tensors_list, batch_size, capacity, min_after_dequeue, True, seed, enqueue_many, shapes,
        allow_smaller_final_batch, shared_name, name,
    )  # fmt: skip


def maybe_shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, keep_input,
                             seed=None, enqueue_many=False, shapes=None,
                             allow_smaller_final_batch=False, shared_name=None,
                             name=None):  # fmt: skip
    """Groups elements of several readers for which keep_input holds into batches, in random order.

    Args:
        tensors_list: A list with the tensors of each reader. Each reader has a thread.
        batch_size: How many elements a batch has, an int.
        capacity: The most elements in the queue, an int.
        min_after_dequeue: How many elements stay in the queue, so that the order is random; an int.
        keep_input: A bool scalar, or with enqueue_many a bool vector: whether elements are kept.
        seed: Seed of the operation, an int. None: see set_random_seed().
        enqueue_many: Whether each tensor has many elements along its first dimension. A bool.
        shapes: Shapes of an element's tensors. None: those of the tensors.
        allow_smaller_final_batch: Whether the last batch may have fewer elements. A bool.
        shared_name: Name under which sessions of a cluster share the resource, a str. None: not
            shared.
        name: Name of the operation, a str. None: a default name.

    Returns:
        Tensors [batch_size, ...] in the structure of one reader.
    """
    with name_scope(name, "shuffle_batch_join") as scope:
        return _batches(
            _one_each(tensors_list),
            _shuffling(capacity, min_after_dequeue, seed, shared_name), enqueue_many, keep_input,
            batch_size, allow_smaller_final_batch, shapes,
            _over(capacity, min_after_dequeue), scope,
        )  # fmt: skip


def _over(capacity, least):
    if capacity <= least:
        raise ValueError(
            f"capacity {capacity} must be bigger than min_after_dequeue {least}."
        )
    return f"fraction_over_{least}_of_{capacity - least}_full", capacity - least, least


__all__ = [
    "batch", "batch_join", "input_producer", "limit_epochs", "match_filenames_once", "maybe_batch",
    "maybe_batch_join", "maybe_shuffle_batch", "maybe_shuffle_batch_join", "range_input_producer",
    "shuffle_batch", "shuffle_batch_join", "slice_input_producer", "string_input_producer",
]  # fmt: skip
