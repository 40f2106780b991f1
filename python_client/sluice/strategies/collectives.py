# SPDX-License-Identifier: Apache-2.0
"""Operations between the workers of a MultiWorkerMirroredStrategy. Each worker adds the same ones;
those of the same name belong together."""

import collections

from .. import dtypes
from ..graph.convert import constant, convert_to_tensor
from ..graph.default_graph import get_default_graph, name_scope
from ..graph.elements import IndexedSlices
from ..horovod import clients, keys
from ..ops import array as arrays

# key: of the group, an int; size: number of workers; rank: this worker among them.
Group = collections.namedtuple("Group", "key size rank")


def group_of(addresses, rank):
    """The group of the workers with these addresses."""
    return Group(keys.key_of("workers " + ",".join(addresses)), len(addresses), rank)


def _add(op_type, inputs, attrs, scope, group):
    graph = get_default_graph()
    name, instance = keys.claim(graph, scope.rstrip("/"))
    given = {
        "group_size": group.size, "group_key": group.key, "instance_key": instance,
        clients.NAME_ATTRIBUTE: name, **attrs,
    }  # fmt: skip
    return graph.create_op(op_type, inputs, given, scope).outputs[0]


def _reduce(tensor, merge_op, group, name):
    with name_scope(name) as scope:
        attrs = {"T": int(tensor.dtype.base_dtype), "merge_op": merge_op, "final_op": "Id",
                 "subdiv_offsets": [0]}  # fmt: skip
        made = _add("CollectiveReduce", [tensor], attrs, scope, group)
    made.set_shape(tensor.shape)
    return made


def total(value, group):
    """The sum over all workers of a tensor or of IndexedSlices."""
    if group.size == 1:
        return value
    if isinstance(value, IndexedSlices):
        values, indices = _joined([value.values, value.indices], group)
        return IndexedSlices(values, indices, value.dense_shape)
    return _reduce(convert_to_tensor(value), "Add", group, "CollectiveReduce")


def broadcast(value, group):
    """The value of the first worker. Its static shape must be fully known."""
    if group.size == 1:
        return value
    attrs = {"T": int(value.dtype.base_dtype), "shape": value.shape.as_list()}
    with name_scope("CollectiveBcast") as scope:
        if group.rank == 0:
            made = _add("CollectiveBcastSend", [value], attrs, scope, group)
        else:
            made = _add("CollectiveBcastRecv", [], attrs, scope, group)
    made.set_shape(value.shape)
    return made


def rows_of_all(tensor, group):
    """The rows of a tensor of all workers, in their order. They may have different numbers."""
    if group.size == 1:
        return tensor
    (joined,) = _joined([tensor], group)
    return joined


def _joined(tensors, group):
    """The rows of tensors, which have the same number, of all workers. Each worker sends as many
    rows as the one with most has, and how many of them count."""
    with name_scope("CollectiveGather"):
        count = arrays.shape(tensors[0], out_type=dtypes.int32)[:1]
        most = _reduce(count, "Max", group, "most")[0]
        counts = _gather(count, group, "counts")
        kept = arrays.reshape(arrays.sequence_mask(counts, most), [-1])
        found = []
        for number, tensor in enumerate(tensors):
            others = constant(0, dtypes.int32, [tensor.shape.ndims - 1, 2])
            paddings = arrays.concat([[[0, most - count[0]]], others], 0)
            rows = _gather(arrays.pad(tensor, paddings), group, f"rows_{number}")
            found.append(arrays.boolean_mask(rows, kept))
        return found


def _gather(tensor, group, name):
    with name_scope(name) as scope:
        attrs = {"T": int(tensor.dtype.base_dtype), "shape": [0]}
        made = _add("CollectiveGather", [tensor], attrs, scope, group)
    rank = tensor.shape.ndims
    if rank is not None:
        made.set_shape([None, *tensor.shape.as_list()[1:]])
    return made
