# SPDX-License-Identifier: Apache-2.0
"""The gradients of the collective operations, as horovod.tensorflow 0.28 defines them.

All ranks must build the gradient, with equal names, for it is a collective operation too.
"""

from . import clients, primitives
from .gathers import allgather, alltoall
from .reductions import Average, Sum, allreduce, reducescatter


def _named(name):
    return {"name": name + "_grad", "ignore_name_scope": True}


def _times(gradient, factor):
    return gradient if factor == 1.0 else gradient * clients.v1().constant(factor, gradient.dtype)


def _reduce_op(op):
    """Average or Sum."""
    if op.get_attr("merge_op") not in (b"Add", "Add"):
        raise LookupError(
            f"{op.name} has no gradient: only reductions with Average and Sum have one"
        )
    return Average if op.get_attr("final_op") in (b"Div", "Div") else Sum


@primitives.differentiates("CollectiveReduce")
def _of_reduce(op, gradient):
    name, (process_set, factor) = primitives.made(op)
    reduced = allreduce(gradient, op=_reduce_op(op), process_set=process_set, **_named(name))
    return _times(reduced, factor)


@primitives.differentiates("CollectiveGather")
def _of_gather(op, gradient):
    name, (process_set, factor) = primitives.made(op)
    own = reducescatter(gradient, op=Average, name=name + "_grad", process_set=process_set)
    own.set_shape(op.inputs[0].shape)
    return _times(own, factor)


@primitives.differentiates("CollectiveBcastSend")
def _of_send(op, gradient):
    name, (process_set, _) = primitives.made(op)
    return allreduce(gradient, op=Average, process_set=process_set, **_named(name))


@primitives.differentiates("IdentityN")
def _of_receive(op, gradient, _):
    return [None, 0 * _of_send(op.inputs[0].op, gradient)]


@primitives.differentiates("CollectiveAllToAllV2")
def _of_all_to_all(op, gradient):
    name, (process_set, _) = primitives.made(op)
    found = alltoall(gradient, process_set=process_set, **_named(name))
    found.set_shape(op.inputs[0].shape)
    return [found, *[None] * (len(op.inputs) - 1)]


@primitives.differentiates("CollectiveReduceScatterV2")
def _of_reduce_scatter(op, gradient):
    name, (process_set, _) = primitives.made(op)
    if _reduce_op(op) is Sum:
        gradient = _times(gradient, float(process_set.size()))
    found = allgather(gradient, process_set=process_set, **_named(name))
    found.set_shape(op.inputs[0].shape)
    return [found, *[None] * (len(op.inputs) - 1)]
