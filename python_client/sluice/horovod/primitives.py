# SPDX-License-Identifier: Apache-2.0
"""The collective operations of TensorFlow's graphs, one node each."""

import contextlib

from . import clients, keys, process_sets


@contextlib.contextmanager
def scope_of(kind, tensor, name=None, ignore_name_scope=False, device=""):
    """The name scope of an operation; its value is the full name of the node and "/".

    Args:
      kind: such as "Allreduce".
      tensor: what it applies to: its name makes the default name.
      name: the name that the program gave, or None.
      ignore_name_scope: whether the scopes around it are left out.
      device: a device, or "".
    """
    tf = clients.v1()
    name = keys.normal(name or f"{kind}_{tensor.name}")
    with contextlib.ExitStack() as stack:
        if device:
            stack.enter_context(tf.device(device))
        if ignore_name_scope:
            stack.enter_context(tf.name_scope(None))
        yield stack.enter_context(tf.name_scope(name))


def inner(scope, name):
    """The scope of another node of the same operation."""
    return f"{scope}{name}/"


def _attrs(graph, scope, process_set):
    process_sets.check(process_set)
    name, instance = keys.claim(graph, scope[:-1])
    return name, {
        "group_size": process_set.size(),
        "group_key": process_sets.group_key(process_set),
        "instance_key": instance,
    }


def reduce(tensor, merge_op, final_op, scope, process_set):
    """CollectiveReduce: merge_op of "Add", "Mul", "Min", "Max"; final_op "Id" or "Div"."""
    name, attrs = _attrs(tensor.graph, scope, process_set)
    attrs.update(merge_op=merge_op, final_op=final_op, subdiv_offsets=[0])
    return _as(tensor.shape, clients.current().add(
        "CollectiveReduce", name, {"input": tensor}, attrs, scope))  # fmt: skip


def gather(tensor, scope, process_set):
    """CollectiveGather: the tensors of all ranks, which have one shape, along dimension 0."""
    name, attrs = _attrs(tensor.graph, scope, process_set)
    attrs.update(shape=[0])
    return clients.current().add("CollectiveGather", name, {"input": tensor}, attrs, scope)


def broadcast(tensor, is_source, scope, process_set):
    """CollectiveBcastSend or CollectiveBcastRecv. The static shape must be fully known."""
    name, attrs = _attrs(tensor.graph, scope, process_set)
    attrs.update(shape=tensor.shape.as_list())
    if is_source:
        made = clients.current().add("CollectiveBcastSend", name, {"input": tensor}, attrs, scope)
    else:
        attrs.update(T=tensor.dtype.base_dtype)
        made = clients.current().add("CollectiveBcastRecv", name, {}, attrs, scope)
    return _as(tensor.shape, made)


def has_all_to_all():
    """Whether the client has CollectiveAllToAllV2."""
    return clients.current().has_op("CollectiveAllToAllV2")


def has_reduce_scatter():
    """Whether the client has CollectiveReduceScatterV2."""
    return clients.current().has_op("CollectiveReduceScatterV2")


def all_to_all(tensor, scope, process_set):
    """CollectiveAllToAllV2: row block i of dimension 0 goes to rank i."""
    return _with_key_tensors("CollectiveAllToAllV2", tensor, {}, scope, process_set)


def reduce_scatter(tensor, merge_op, final_op, scope, process_set):
    """CollectiveReduceScatterV2: rank i gets row block i of dimension 0 of the reduction."""
    attrs = {"merge_op": merge_op, "final_op": final_op}
    return _with_key_tensors("CollectiveReduceScatterV2", tensor, attrs, scope, process_set)


def _with_key_tensors(op_type, tensor, attrs, scope, process_set):
    """An op of 2.x, whose keys are tensors."""
    name, given = _attrs(tensor.graph, scope, process_set)
    inputs = {"input": tensor, **given, "ordering_token": []}
    return clients.current().add(op_type, name, inputs, attrs, scope)


def _as(shape, tensor):
    tensor.set_shape(shape)
    return tensor
