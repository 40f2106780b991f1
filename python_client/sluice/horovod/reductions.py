# SPDX-License-Identifier: Apache-2.0
"""Reductions over all ranks."""

from . import carriers, clients, primitives
from .compression import Compression
from .gathers import allgather
from .process_sets import check, global_process_set


class ReduceOp:
    """How the values of the ranks become one. Programs use Average, Sum, Min, Max and Product."""

    def __init__(self, name, merge_op, final_op="Id"):
        self._name, self.merge_op, self.final_op = name, merge_op, final_op

    def __repr__(self):
        return self._name


Average = ReduceOp("Average", "Add", "Div")
Sum = ReduceOp("Sum", "Add")
Min = ReduceOp("Min", "Min")
Max = ReduceOp("Max", "Max")
Product = ReduceOp("Product", "Mul")


def chosen_op(op, average=None):
    """The ReduceOp that the arguments op and average say."""
    if average is not None:
        if op is not None:
            raise ValueError("give op or average, not both: average is the older one")
        return Average if average else Sum
    op = Average if op is None else op
    if not isinstance(op, ReduceOp):
        raise ValueError(f"op is Average, Sum, Min, Max or Product, not {op!r}")
    return op


def allreduce(tensor, average=None, device_dense="", device_sparse="", compression=Compression.none,
              op=None, prescale_factor=1.0, postscale_factor=1.0, name=None,
              process_set=global_process_set, ignore_name_scope=False):  # fmt: skip
    """Reduces a tensor over all ranks. Ranks whose operations have the same name belong together.

    IndexedSlices are gathered: the result has the rows of all ranks, divided by their number for
    Average.

    Args:
        tensor: A tensor or IndexedSlices, of the same shape and dtype on all ranks.
        average: Older form of op: True is Average, False is Sum. A bool.
        device_dense: Device of the operation for a tensor, a str.
        device_sparse: Device of the operations for IndexedSlices, a str.
        compression: Compression.none or Compression.fp16.
        op: Average, Sum, Min, Max or Product. None: Average.
        prescale_factor: Factor before the reduction, a float.
        postscale_factor: Factor after the reduction, a float.
        name: Name of the operation, a str. None: it follows from the name of the tensor.
        process_set: The ProcessSet whose ranks take part.
        ignore_name_scope: Whether the name has no prefix of the scopes around. A bool.

    Returns:
        A tensor, or IndexedSlices.

    Raises:
        TypeError: Its dtype cannot be reduced.
        ValueError: op is another one, or the process set was not added.
        RuntimeError: TensorFlow is in eager mode.
    """
    tf, op = clients.v1(), chosen_op(op, average)
    if isinstance(tensor, tf.IndexedSlices):
        return _sparse(tensor, device_sparse, op, prescale_factor * postscale_factor, name,
                       process_set, ignore_name_scope)  # fmt: skip
    tensor = tf.convert_to_tensor(tensor)
    check(process_set)
    with primitives.scope_of("Allreduce", tensor, name, ignore_name_scope, device_dense) as scope:
        if not process_set.included():
            return primitives.outside(tensor, "allreduce()", process_set)
        compressed, context = compression.compress(_scaled(tensor, prescale_factor))
        note = carriers.note(compressed)
        carried, restore = carriers.reduced(compressed, "allreduce()")
        if process_set.size() > 1:
            compressed = restore(
                primitives.reduce(carried, op.merge_op, op.final_op, scope, process_set, note=note)
            )
        else:
            compressed = tf.identity(compressed)
        return _scaled(compression.decompress(compressed, context), postscale_factor)


def grouped_allreduce(tensors, average=None, device_dense="", device_sparse="",
                      compression=Compression.none, op=None, prescale_factor=1.0,
                      postscale_factor=1.0, process_set=global_process_set, name=None):  # fmt: skip
    """Reduces several tensors over all ranks, each by itself as allreduce() does.

    The runtime joins small reductions that do not depend on each other.

    Args:
        tensors: Tensors or IndexedSlices, a list.
        average: Older form of op: True is Average, False is Sum. A bool.
        device_dense: Device of the operations for tensors, a str.
        device_sparse: Device of the operations for IndexedSlices, a str.
        compression: Compression.none or Compression.fp16.
        op: Average, Sum, Min, Max or Product. None: Average.
        prescale_factor: Factor before the reduction, a float.
        postscale_factor: Factor after the reduction, a float.
        process_set: The ProcessSet whose ranks take part.
        name: Name of the operations, a str, which "_0", "_1", ... follow. None: they follow from
            the names of the tensors.

    Returns:
        A list of tensors.
    """
    return [
        allreduce(tensor, average, device_dense, device_sparse, compression, op, prescale_factor,
                  postscale_factor, None if name is None else f"{name}_{i}", process_set)
        for i, tensor in enumerate(tensors)
    ]  # fmt: skip


def reducescatter(tensor, device_dense="", compression=Compression.none, op=None, name=None,
                  process_set=global_process_set, prescale_factor=1.0,
                  postscale_factor=1.0):  # fmt: skip
    """Reduces a tensor over all ranks, of which each gets a block of its rows.

    If the ranks do not divide the rows, the first ranks get one row more.

    Args:
        tensor: A tensor with at least one dimension, of the same shape and dtype on all ranks.
        device_dense: Device of the operation, a str.
        compression: Compression.none or Compression.fp16.
        op: Average, Sum, Min, Max or Product. None: Average.
        name: Name of the operation, a str. None: it follows from the name of the tensor.
        process_set: The ProcessSet whose ranks take part.
        prescale_factor: Factor before the reduction, a float.
        postscale_factor: Factor after the reduction, a float.

    Returns:
        A tensor: the rows of this rank.

    Raises:
        TypeError: Its dtype cannot be reduced.
        ValueError: It is a scalar, op is another one, or the process set was not added.
    """
    tf, op = clients.v1(), chosen_op(op)
    tensor = tf.convert_to_tensor(tensor)
    if tensor.shape.ndims == 0:
        raise ValueError(f"reducescatter() does not take a scalar: {tensor.name}")
    check(process_set)
    with primitives.scope_of("Reducescatter", tensor, name, device=device_dense) as scope:
        if not process_set.included():
            return primitives.outside(tensor, "reducescatter()", process_set)
        size, rank = process_set.size(), process_set.rank()
        compressed, context = compression.compress(_scaled(tensor, prescale_factor))
        note = carriers.note(compressed)
        compressed, restore = carriers.reduced(compressed, "reducescatter()")
        rows = None if tensor.shape.ndims is None else tensor.shape.as_list()[0]
        if size == 1:
            part = tf.identity(compressed)
        elif rows and rows % size == 0 and primitives.has_reduce_scatter():
            part = primitives.reduce_scatter(
                compressed, op.merge_op, op.final_op, scope, process_set, note
            )
            part.set_shape([rows // size, *tensor.shape.as_list()[1:]])
        else:
            whole = primitives.reduce(
                compressed, op.merge_op, op.final_op, scope, process_set, float(size), note
            )
            count = tf.shape(whole)[0]
            base, more = count // size, count % size
            begin = rank * base + tf.minimum(more, rank)
            part = whole[begin : begin + base + tf.cast(more > rank, tf.int32)]
        return _scaled(compression.decompress(restore(part), context), postscale_factor)


def grouped_reducescatter(tensors, device_dense="", compression=Compression.none, op=None,
                          process_set=global_process_set, prescale_factor=1.0,
                          postscale_factor=1.0, name=None):  # fmt: skip
    """Reduces several tensors over all ranks, each by itself as reducescatter() does.

    Args:
        tensors: Tensors with at least one dimension, a list.
        device_dense: Device of the operations, a str.
        compression: Compression.none or Compression.fp16.
        op: Average, Sum, Min, Max or Product. None: Average.
        process_set: The ProcessSet whose ranks take part.
        prescale_factor: Factor before the reduction, a float.
        postscale_factor: Factor after the reduction, a float.
        name: Name of the operations, a str, which "_0", "_1", ... follow. None: they follow from
            the names of the tensors.

    Returns:
        A list of tensors.
    """
    return [
        reducescatter(tensor, device_dense, compression, op,
                      None if name is None else f"{name}_{i}", process_set, prescale_factor,
                      postscale_factor)
        for i, tensor in enumerate(tensors)
    ]  # fmt: skip


def _sparse(slices, device, op, factor, name, process_set, ignore_name_scope):
    tf = clients.v1()
    if op not in (Average, Sum):
        raise ValueError(f"IndexedSlices can be reduced with Average and Sum only, not {op}")
    check(process_set)
    name = name or f"Allreduce_{slices.values.name}"
    with tf.device(device or None):
        values = allgather(slices.values, f"{name}_values", ignore_name_scope, process_set)
        indices = allgather(slices.indices, f"{name}_indices", ignore_name_scope, process_set)
        if op is Average:
            factor /= process_set.size()
        return tf.IndexedSlices(_scaled(values, factor), indices, slices.dense_shape)


def _scaled(tensor, factor):
    if factor == 1.0:
        return tensor
    tf, dtype = clients.v1(), tensor.dtype.base_dtype
    if dtype in (tf.float32, tf.float64):
        return tensor * tf.constant(factor, dtype)
    wide = tf.float32 if dtype.is_floating else tf.float64  # one rounding, of the product
    return tf.cast(tf.cast(tensor, wide) * tf.constant(factor, wide), dtype)
