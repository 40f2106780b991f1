# SPDX-License-Identifier: Apache-2.0
"""How many nodes TensorFlow 1.15 makes of gradients.

An operation without a seed of its own takes the number of nodes before it as its seed: the weights
of a network that is made behind the training step of another one follow from it. The runtime makes
other nodes. Where an operation on the way is not known here, nothing is counted.
"""

import weakref

from ..graph.elements import id_of
from ..graph.static_values import static_value

# How many nodes, whatever the shapes are, and how many inputs get a gradient. They were measured.
_FIXED = {
    **dict.fromkeys(("Identity", "ReadVariableOp", "PreventGradient"), (0, 1)),
    **dict.fromkeys(("StopGradient", "ZerosLike", "Shape", "Rank", "Size"), (0, 0)),
    **dict.fromkeys(
        ("Relu", "Relu6", "Elu", "Selu", "Cumsum", "Softsign", "LeakyRelu", "Tanh", "Sigmoid",
         "Sqrt", "Rsqrt", "Neg", "Reciprocal", "Exp", "L2Loss", "MaxPool", "LRN"), (1, 1)
    ),
    **dict.fromkeys(
        ("Log", "Abs", "Sin", "Transpose", "Reshape", "ExpandDims", "Squeeze", "StridedSlice",
         "AvgPool", "Softplus"), (2, 1)
    ),
    "Merge": (1, 2), "Switch": (6, 1),  # of a conditional; zeros of the other branch, and a Merge
    "Square": (3, 1), "Cos": (3, 1), "Log1p": (4, 1), "Softmax": (5, 1), "LogSoftmax": (5, 1),
    "MatMul": (2, 2), "BatchMatMul": (2, 2), "BiasAdd": (1, 2), "RealDiv": (12, 2),
    "DivNoNan": (12, 2), "Maximum": (13, 2), "Minimum": (13, 2), "Conv2D": (3, 2),
    "Conv2DBackpropInput": (3, 2), "DepthwiseConv2dNative": (4, 2), "Select": (3, 2),
    "SparseSoftmaxCrossEntropyWithLogits": (4, 1), "Max": (19, 1), "Min": (19, 1),
    "Prod": (49, 1), "Tile": (12, 1), "Pad": (9, 1),
}  # fmt: skip
# Nodes if the shapes are known and equal, and else. The gradients of both inputs.
_BROADCAST = {"Add": (0, 7), "AddV2": (0, 7), "Sub": (1, 8), "Mul": (2, 9), "Pow": (23, 23),
              "SquaredDifference": (5, 12)}  # fmt: skip
_SEEN = -3  # fewer if the graph had the gradient of two such known shapes before
# Of a sum of all elements; of some, whose shape is known, the first time and later; of others.
_SUM, _KNOWN_SUM, _KNOWN_SUM_AGAIN, _PARTIAL_SUM = 4, 21, 4, 16
_KNOWN_MEAN, _MEAN = 2, 11  # more of a mean
_GATHERED = 13
_FLATTENED = 2  # what reshapes logits, labels and losses around a cross entropy
_more = weakref.WeakKeyDictionary()  # a graph -> what count_more_of() was told of operations


class _UnknownError(Exception):
    """An operation whose gradients were not counted."""


def nodes_of(ys, xs, without_gradient, gated):
    """Counts the nodes.

    Args:
        ys: Tensors.
        xs: Tensors, of the same graph.
        without_gradient: How many of the ys get ones as their gradient, an int.
        gated: Whether the gradients of an operation wait for each other. A bool.

    Returns:
        An int; None if it is not known.
    """
    inputs = _behind({y.op for y in ys})
    sources, reached = set(xs), set()
    for op in sorted(inputs, key=id_of):
        if sources.intersection(op.outputs) or _continues(inputs[op], sources, reached):
            reached.add(op)
    try:
        return 3 * without_gradient + _of_all(ys, sources, reached, inputs, gated)
    except _UnknownError:
        return None


def count_more_of(op, number):
    """Lets nodes_of() count more nodes: TensorFlow makes the operation of several.

    Args:
        op: The Operation.
        number: How many nodes more its gradient has, an int.
    """
    _more.setdefault(op.graph, {})[id_of(op)] = number


def _behind(ops):
    """The operations that these follow from, and their inputs."""
    inputs, todo = {}, set(ops)
    while todo:
        op = todo.pop()
        inputs[op] = op.inputs
        todo.update(t.op for t in inputs[op] if t.op not in inputs)
    return inputs


def _of_all(ys, sources, reached, inputs, gated):
    number, flows, sparse = 0, {}, set()
    for y in ys:
        flows[y] = flows.get(y, 0) + 1
    for op in sorted(reached, key=id_of, reverse=True):
        came = [flows.get(t, 0) for t in op.outputs]
        if sparse.intersection(t for n, t in zip(came, op.outputs) if n > 1):
            raise _UnknownError(op.type)  # rows are joined
        number += sum(n > 1 for n in came)  # they are added
        if not any(came) or not _continues(inputs[op], sources, reached):
            continue
        nodes, passed = _of_op(op, inputs[op], reached, sources)
        number += nodes + _more.get(op.graph, {}).get(id_of(op), 0)
        if op.type != "Switch":  # there are zeros for outputs that nothing uses
            number += sum(not n and t.dtype.is_floating for n, t in zip(came, op.outputs))
        number += passed + 1 if gated and passed > 1 else 0
        for tensor in _that_get_one(op, inputs[op]):
            flows[tensor] = flows.get(tensor, 0) + 1
            if op.type == "GatherV2" or sparse.intersection(op.outputs):
                sparse.add(tensor)
    return number


def _is_reached(tensor, sources, reached):
    return tensor in sources or tensor.op in reached and _flows(tensor)


def _continues(inputs, sources, reached):
    return any(_is_reached(tensor, sources, reached) for tensor in inputs)


def _flows(tensor):
    dtype = tensor.dtype
    return dtype.is_floating or dtype.is_complex or dtype.name in ("resource", "variant")


def _that_get_one(op, inputs):
    if op.type in ("StopGradient", "ZerosLike", "Shape", "Rank", "Size"):
        return []
    return [t for t in inputs if _flows(t)]


def _of_op(op, inputs, reached, sources):
    """(how many nodes, how many inputs get a gradient)."""
    if op.type in _FIXED:
        return _FIXED[op.type]
    if op.type in _BROADCAST:
        known = all(t.shape.is_fully_defined() for t in inputs)
        if known and inputs[0].shape == inputs[1].shape:
            return _BROADCAST[op.type][0], 2
        seen = known and _seen(op.graph, *(tuple(t.shape.as_list()) for t in inputs))
        return _BROADCAST[op.type][1] + seen * _SEEN, 2
    if op.type not in _FUNCTIONS:
        raise _UnknownError(op.type)
    return _FUNCTIONS[op.type](op, inputs, reached, sources)


def _of_sum(op, inputs, *_):
    del op
    shape, axes = inputs[0].shape, static_value(inputs[1])
    if shape.ndims is None or axes is None:
        raise _UnknownError("Sum")
    axes = tuple(int(a) for a in axes.ravel())
    if axes == tuple(range(shape.ndims)):
        return _SUM, 1
    if not shape.is_fully_defined():
        return _PARTIAL_SUM, 1
    again = _seen(inputs[0].graph, "Sum", tuple(shape.as_list()), axes)
    return _KNOWN_SUM_AGAIN if again else _KNOWN_SUM, 1


def _seen(graph, *kind):
    """Whether a graph had such gradients before, whose constants TensorFlow then has."""
    kinds = _kinds.setdefault(graph, set())
    again = kind in kinds
    kinds.add(kind)
    return again


def _of_mean(op, inputs, *rest):
    known = inputs[0].shape.is_fully_defined() and op.outputs[0].shape.is_fully_defined()
    return _of_sum(op, inputs, *rest)[0] + (_KNOWN_MEAN if known else _MEAN), 1


def _of_cross_entropy(op, inputs, reached, sources):
    del op
    labels = _is_reached(inputs[1], sources, reached)
    return 8 + (2 + labels) * _FLATTENED, 2


def _of_concat(op, inputs, *_):
    del op
    parts = inputs[:-1]
    known = [t.shape.is_fully_defined() for t in parts]
    shapes = len(parts) if all(known) else known.index(False) + 2
    return 3 + shapes + len(parts), len(parts)


def _of_cast(op, inputs, *_):
    floats = inputs[0].dtype.is_floating and op.outputs[0].dtype.is_floating
    return int(floats), int(floats)


def _of_batches(op, inputs, *_):
    del op
    known = all(t.shape.is_fully_defined() for t in inputs)
    return 2 if known and inputs[0].shape == inputs[1].shape else 17, 2


def _of_gather(op, inputs, *_):
    del op
    if inputs[0].op.type not in _OF_VARIABLES:
        raise _UnknownError("GatherV2")  # the rows are added up there
    return _GATHERED, 1


_OF_VARIABLES = frozenset({"Identity", "ReadVariableOp", "VariableV2", "Variable", "Placeholder"})
_kinds = weakref.WeakKeyDictionary()  # a graph -> what it had gradients of
_FUNCTIONS = {
    "Sum": _of_sum, "Mean": _of_mean, "SoftmaxCrossEntropyWithLogits": _of_cross_entropy,
    "ConcatV2": _of_concat, "Cast": _of_cast, "BatchMatMulV2": _of_batches,
    "GatherV2": _of_gather,
    "FusedBatchNormV3": lambda op, *_: (1, 5 if op.get_attr("is_training") else 3),
    "AddN": lambda op, inputs, *_: (0, len(inputs)),
    "Pack": lambda op, inputs, *_: (1, len(inputs)), "Unpack": lambda *_: (1, 1),
    "Split": lambda *_: (1, 1), "SplitV": lambda *_: (1, 1),
}  # fmt: skip
