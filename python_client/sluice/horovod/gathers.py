# SPDX-License-Identifier: Apache-2.0
"""Operations that move tensors between ranks."""

from . import carriers, clients, primitives
from .process_sets import check, check_root, global_process_set, is_own


def allgather(tensor, name=None, ignore_name_scope=False, process_set=global_process_set):
    """Joins the tensors of all ranks along dimension 0, in the order of the ranks.

    The first dimensions may differ. The sizes are gathered first.

    Args:
        tensor: A tensor with at least one dimension, of the same dtype and other dimensions on all
            ranks.
        name: Name of the operation, a str. None: it follows from the name of the tensor.
        ignore_name_scope: Whether the name has no prefix of the scopes around. A bool.
        process_set: The ProcessSet whose ranks take part.

    Returns:
        A tensor.

    Raises:
        TypeError: Its dtype cannot be gathered.
        ValueError: It is a scalar, or the process set was not added.
    """
    tf = clients.v1()
    tensor = _with_rows(tensor, "allgather()")
    check(process_set)
    with primitives.scope_of("Allgather", tensor, name, ignore_name_scope) as scope:
        if not process_set.included():
            return primitives.outside(tensor, "allgather()", process_set)
        note = carriers.note(tensor)
        carried, restore = carriers.moved(tensor, "allgather()")
        if process_set.size() == 1:
            return restore(tf.identity(carried))
        own = tf.shape(carried, out_type=tf.int64)[:1]
        sizes = primitives.gather(own, primitives.inner(scope, "sizes"), process_set)
        sizes.set_shape([process_set.size()])
        most = tf.reduce_max(sizes)
        joined = primitives.gather(_padded(carried, most), scope, process_set, note=note)
        rows = [joined[i * most : i * most + sizes[i]] for i in range(process_set.size())]
        return _with_shape_of(restore(tf.concat(rows, 0)), tensor)


def grouped_allgather(tensors, name=None, ignore_name_scope=False, process_set=global_process_set):
    """Joins each of several tensors, as allgather() does.

    Args:
        tensors: Tensors with at least one dimension, a list.
        name: Name of the operations, a str, which "_0", "_1", ... follow. None: they follow from
            the names of the tensors.
        ignore_name_scope: Whether the names have no prefix of the scopes around. A bool.
        process_set: The ProcessSet whose ranks take part.

    Returns:
        A list of tensors.
    """
    return [
        allgather(t, None if name is None else f"{name}_{i}", ignore_name_scope, process_set)
        for i, t in enumerate(tensors)
    ]


def broadcast(tensor, root_rank, name=None, ignore_name_scope=False,
              process_set=global_process_set):  # fmt: skip
    """Gives all ranks the tensor of one rank.

    Args:
        tensor: A tensor, of the same shape and dtype on all ranks.
        root_rank: The rank that has the value, an int; a rank of all, not a position in the process
            set.
        name: Name of the operation, a str. None: it follows from the name of the tensor.
        ignore_name_scope: Whether the name has no prefix of the scopes around. A bool.
        process_set: The ProcessSet whose ranks take part.

    Returns:
        A tensor.

    Raises:
        TypeError: Its dtype cannot be broadcast.
        ValueError: The root is not in the process set, or the set was not added.
    """
    tf = clients.v1()
    return broadcast_of(lambda: tf.convert_to_tensor(tensor), None, None, root_rank, name,
                        ignore_name_scope, process_set)  # fmt: skip


def broadcast_of(read, shape, dtype, root_rank, name, ignore_name_scope, process_set):
    """As broadcast(). Where shape and dtype are given, only the root reads the value.

    Args:
      read: a function that returns the tensor.
      shape, dtype: of the tensor, if they are known.
    """
    tf = clients.v1()
    check(process_set)
    check_root(root_rank, process_set)
    is_source = process_set.included() and is_own(root_rank, process_set)
    known = shape is not None and shape.is_fully_defined()
    # Zeros stand for the shape and the dtype. No operation that runs takes them.
    tensor = read() if is_source or not known else tf.zeros(shape, dtype)
    with primitives.scope_of("Broadcast", tensor, name, ignore_name_scope) as scope:
        if not process_set.included():
            return primitives.outside(tensor, "broadcast()", process_set)
        note = carriers.note(tensor)
        carried, restore = carriers.moved(tensor, "broadcast()")
        if process_set.size() == 1:
            return restore(tf.identity(carried))
        if carried.shape.is_fully_defined():
            # A receiver evaluates its tensor too, because the source does: it may depend on other
            # collective operations.
            with tf.control_dependencies([] if is_source or known else [carried]):
                result = primitives.broadcast(carried, root_rank, scope, process_set, note)
            if not is_source and not known and carried.dtype.is_floating:
                result = primitives.received_for(result, carried)
            return restore(result)
        rows = tf.expand_dims(carried, 0)
        joined = primitives.gather(rows, scope, process_set, root_rank=root_rank, note=note)
        return _shaped(restore(joined[process_set.ranks.index(root_rank)]), tensor.shape)


def alltoall(tensor, splits=None, name=None, ignore_name_scope=False,
             process_set=global_process_set):  # fmt: skip
    """Sends a block of rows to each rank, and joins the blocks that all ranks sent to this one.

    Args:
        tensor: A tensor with at least one dimension, of the same dtype and other dimensions on all
            ranks.
        splits: How many rows each rank gets, an integer vector. Rows after them are not sent. None:
            each the same.
        name: Name of the operation, a str. None: it follows from the name of the tensor.
        ignore_name_scope: Whether the name has no prefix of the scopes around. A bool.
        process_set: The ProcessSet whose ranks take part.

    Returns:
        A tensor; with splits a tuple (tensor, how many rows came from each rank, an int32 vector).

    Raises:
        TypeError: Its dtype cannot be sent, or the splits are not integers.
        ValueError: It is a scalar, or the process set was not added.

    A step fails with InvalidArgumentError if the splits are not one for each rank, or are more than
    the rows; without splits, if the rows cannot be divided.
    """
    tf = clients.v1()
    tensor = _with_rows(tensor, "alltoall()")
    check(process_set)
    with primitives.scope_of("Alltoall", tensor, name, ignore_name_scope) as scope:
        if not process_set.included():
            result = primitives.outside(tensor, "alltoall()", process_set)
            return result if splits is None else (result, tf.zeros([process_set.size()], tf.int32))
        size, rank = process_set.size(), process_set.rank()
        carried, restore = carriers.moved(tensor, "alltoall()")
        own = _splits(tf, tensor, splits, size)
        if size == 1:
            result, received = restore(carried[: own[0]]), own
        else:
            all_splits = primitives.gather(own, primitives.inner(scope, "splits"), process_set)
            all_splits = tf.reshape(all_splits, [size, size])  # [from, to]
            received = all_splits[:, rank]
            most = tf.reduce_max(all_splits)
            blocks = _blocks(tf, carried, own, most, size)
            note = carriers.note(tensor)
            parts = _exchanged(tf, blocks, rank, scope, process_set, note)
            result = restore(tf.concat([parts[i][: received[i]] for i in range(size)], 0))
        result = _with_shape_of(result, tensor)
        return result if splits is None else (result, tf.cast(received, tf.int32))


# The errors of Horovod, which programs may look for.
_UNEVEN = ("splits not provided, but first dimension of tensor is not an even multiple of the"
           " number of workers.")  # fmt: skip
_TOO_MANY_ROWS = "Sum of splits entries is greater than the first dimension of tensor."
_ANOTHER_NUMBER = "Number of entries in splits does not equal number of workers."


def _splits(tf, tensor, splits, size):
    """The rows for each rank, an int64 vector that is checked when it runs."""
    rows = tf.shape(tensor, out_type=tf.int64)[0]
    if splits is None:
        own = tf.fill([size], rows // size)
        fits = tf.Assert(tf.equal(rows % size, 0), [_UNEVEN, rows])
    else:
        own = tf.convert_to_tensor(splits)
        if not own.dtype.is_integer:
            raise TypeError(f"alltoall(): the splits must be integers, not {own.dtype.name}")
        one_each = tf.Assert(tf.equal(tf.size(own), size), [_ANOTHER_NUMBER, own])
        if not own.shape.is_compatible_with([size]):
            own = tf.zeros([size], tf.int64)  # not used: the step fails
        with tf.control_dependencies([one_each]):
            own = tf.reshape(tf.cast(own, tf.int64), [size])
        fits = tf.logical_and(tf.reduce_all(own >= 0), tf.reduce_sum(own) <= rows)
        fits = tf.Assert(fits, [_TOO_MANY_ROWS, own, rows])
    with tf.control_dependencies([fits]):
        own = tf.identity(own)
    own.set_shape([size])
    return own


def _blocks(tf, tensor, own, most, size):
    """[to, most, ...]: the rows for each rank, followed by zeros."""
    ends = tf.cumsum(own)
    return tf.stack([_padded(tensor[ends[i] - own[i] : ends[i]], most) for i in range(size)])


def _exchanged(tf, blocks, rank, scope, process_set, note):
    """[from, most, ...]: the rows that each rank has for this one."""
    if primitives.has_all_to_all():
        return primitives.all_to_all(blocks, scope, process_set, note)
    size = float(process_set.size())  # the gradient is a sum, as that of an exchange
    joined = primitives.gather(tf.expand_dims(blocks, 0), scope, process_set, size, note=note)
    return joined[:, rank]


def _with_rows(tensor, what):
    tensor = clients.v1().convert_to_tensor(tensor)
    if tensor.shape.ndims == 0:
        raise ValueError(f"{what} does not take a scalar: {tensor.name}")
    return tensor


def _padded(tensor, rows):
    """A tensor with zeros after its rows, so that it has `rows`, an int64 scalar."""
    tf = clients.v1()
    shape = tf.shape(tensor, out_type=tf.int64)
    zeros = tf.zeros(tf.concat([[rows - shape[0]], shape[1:]], 0), tensor.dtype)
    return tf.concat([tensor, zeros], 0)


def _with_shape_of(result, tensor):
    """The static shape of the result is that of the tensor, but for the rows."""
    if tensor.shape.ndims is not None:
        result.set_shape([None, *tensor.shape.as_list()[1:]])
    return result


def _shaped(result, shape):
    result.set_shape(shape)
    return result
