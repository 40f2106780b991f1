# SPDX-License-Identifier: Apache-2.0
"""The collective operations of TensorFlow's graphs, one node each."""

import collections
import contextlib
import weakref

from . import clients, keys, process_sets, task

Made = collections.namedtuple("Made", "process_set factor")
_made = weakref.WeakKeyDictionary()  # outermost graph -> {name that is compared: (name, Made)}
_gradients = {}  # op -> its function of gradients
_entered = set()  # ops whose function the client has


def differentiates(op_type):
    """Enters the function of gradients of an op: it takes the operation and the gradients."""

    def enter(function):
        _gradients[op_type] = function
        return function

    return enter


def made(op):
    """The name of a collective operation, and its Made.

    Raises:
      LookupError: another program built its graph.
    """
    compared = op.get_attr(clients.NAME_ATTRIBUTE).decode()
    try:
        return _made[keys.outermost(op.graph)][compared]
    except KeyError:
        raise LookupError(f"the gradient of {op.name} is for the program that built it") from None


def differentiated(graph, op_type):
    """A context in which new operations of an op have the gradient of differentiates()."""
    if getattr(graph, "outer", None) is not None:  # a body, which Sluice differentiates itself
        return contextlib.ExitStack()
    name = f"SluiceHvd{op_type}"
    if op_type not in _entered:
        clients.v1().RegisterGradient(name)(_gradients[op_type])
        _entered.add(op_type)
    return graph.gradient_override_map({op_type: name})


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


def outside(tensor, what, process_set):
    """Stands for an operation where this process is not in the set: the step that runs it fails.

    Args:
      tensor: what the operation applies to.
      what: the operation, for the error.
      process_set: the ProcessSet.

    Returns:
      A tensor. Running it is an InvalidArgumentError.
    """
    tf = clients.v1()
    text = f"{what}: rank {task.numbers().rank} is not in {process_set}"
    with tf.control_dependencies([tf.Assert(tf.constant(False), [text])]):
        return tf.identity(tensor)


def inner(scope, name):
    """The scope of another node of the same operation."""
    return f"{scope}{name}/"


def _attrs(graph, scope, process_set, factor=1.0, root_rank=None, note=""):
    """What the ranks compare, and the attributes. They compare the root too, if there is one, and
    the note of carriers."""
    process_sets.check_included(process_set)
    name, instance = keys.claim(graph, scope[:-1])
    compared = (name if root_rank is None else f"{name}, root rank {root_rank}") + note
    _made.setdefault(keys.outermost(graph), {})[compared] = (name, Made(process_set, factor))
    return compared, {
        "group_size": process_set.size(),
        "group_key": process_sets.group_key(process_set),
        "instance_key": instance,
    }


def _add(op_type, tensor, name, inputs, attrs, scope):
    graph = clients.v1().get_default_graph() if clients.over_tensorflow() else tensor.graph
    with differentiated(graph, op_type):
        return clients.current().add(op_type, name, inputs, attrs, scope)


def reduce(tensor, merge_op, final_op, scope, process_set, factor=1.0, note=""):
    """CollectiveReduce: merge_op of "Add", "Mul", "Min", "Max"; final_op "Id" or "Div".

    The gradient is multiplied by `factor`. `note`: of carriers, as for all operations here.
    """
    name, attrs = _attrs(tensor.graph, scope, process_set, factor, note=note)
    attrs.update(merge_op=merge_op, final_op=final_op, subdiv_offsets=[0])
    return _as(tensor.shape, _add(
        "CollectiveReduce", tensor, name, {"input": tensor}, attrs, scope))  # fmt: skip


def gather(tensor, scope, process_set, factor=1.0, root_rank=None, note=""):
    """CollectiveGather: the tensors of all ranks, which have one shape, along dimension 0.

    The gradient is multiplied by `factor`. `root_rank`: of a broadcast that it is a part of.
    """
    name, attrs = _attrs(tensor.graph, scope, process_set, factor, root_rank, note)
    attrs.update(shape=[0])
    return _add("CollectiveGather", tensor, name, {"input": tensor}, attrs, scope)


def broadcast(tensor, root_rank, scope, process_set, note=""):
    """CollectiveBcastSend or CollectiveBcastRecv. The static shape must be fully known."""
    name, attrs = _attrs(tensor.graph, scope, process_set, root_rank=root_rank, note=note)
    attrs.update(shape=tensor.shape.as_list())
    if process_sets.is_own(root_rank, process_set):
        result = _add("CollectiveBcastSend", tensor, name, {"input": tensor}, attrs, scope)
    else:
        attrs.update(T=tensor.dtype.base_dtype)
        result = clients.current().add("CollectiveBcastRecv", name, {}, attrs, scope)
    return _as(tensor.shape, result)


def received_for(result, tensor):
    """What was received, with the gradient that it has for the tensor of this rank."""
    with differentiated(result.graph, "IdentityN"):
        return clients.v1().identity_n([result, tensor], name="received")[0]


def has_all_to_all():
    """Whether the client has CollectiveAllToAllV2."""
    return clients.current().has_op("CollectiveAllToAllV2")


def has_reduce_scatter():
    """Whether the client has CollectiveReduceScatterV2."""
    return clients.current().has_op("CollectiveReduceScatterV2")


def all_to_all(tensor, scope, process_set, note=""):
    """CollectiveAllToAllV2: row block i of dimension 0 goes to rank i."""
    return _with_key_tensors("CollectiveAllToAllV2", tensor, {}, scope, process_set, note)


def reduce_scatter(tensor, merge_op, final_op, scope, process_set, note=""):
    """CollectiveReduceScatterV2: rank i gets row block i of dimension 0 of the reduction."""
    attrs = {"merge_op": merge_op, "final_op": final_op}
    return _with_key_tensors("CollectiveReduceScatterV2", tensor, attrs, scope, process_set, note)


def _with_key_tensors(op_type, tensor, attrs, scope, process_set, note):
    """An op of 2.x, whose keys are tensors."""
    name, given = _attrs(tensor.graph, scope, process_set, note=note)
    inputs = {"input": tensor, **given, "ordering_token": []}
    return _add(op_type, tensor, name, inputs, attrs, scope)


def _as(shape, tensor):
    tensor.set_shape(shape)
    return tensor
