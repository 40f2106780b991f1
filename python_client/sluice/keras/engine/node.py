# SPDX-License-Identifier: Apache-2.0
"""The record of layers' calls: a Node for each, which models are made of."""

import collections

from ... import nest
from ...graph.elements import Operation, Tensor
from ...ops.ragged.ragged_tensor import RaggedTensor
from ...ops.sparse.sparse_tensor import SparseTensor
from ...ops.state.variables import Variable
from ..base.ragged_rows import op_of

# Where a tensor comes from: `layer`, the number of the call, and of the output of that call.
KerasHistory = collections.namedtuple("KerasHistory", "layer node_index tensor_index")


class Node:
    """One call of a layer.

    Args:
        layer: The layer.
        inputs: What it was called with, a structure of tensors that have a history.
        outputs: What it returned, a structure of tensors.
        arguments: The further arguments of the call, a dict. Those that other layers made are
            sources too.
    """

    def __init__(self, layer, inputs, outputs, arguments=None):
        self.layer, self.arguments = layer, arguments or {}
        self.input_tensors, self.output_tensors = inputs, outputs
        self.sources = [history_of(t) for t in nest.flatten(inputs)]
        layer.inbound_nodes.append(self)
        for source in self.sources:
            source.layer.outbound_nodes.append(self)
        for index, tensor in enumerate(nest.flatten(outputs)):
            tensor._keras_history = KerasHistory(layer, len(layer.inbound_nodes) - 1, index)

    @property
    def outbound_layer(self):
        """The layer that was called."""
        return self.layer

    @property
    def inbound_layers(self):
        """The layers that made the inputs, a structure of layers. Of an input: none."""
        if not self.sources:
            return []
        return nest.map_structure(lambda t: history_of(t).layer, self.input_tensors)

    def source_nodes(self):
        """The calls that made the inputs and further arguments, a list."""
        given = [history_of(value) for value in nest.flatten(self.arguments)]
        return [
            source.layer.inbound_nodes[source.node_index]
            for source in (*self.sources, *given) if source is not None
        ]  # fmt: skip

    def arguments_for(self, known):
        """The further arguments with other tensors in the place of those that layers made.

        Args:
            known: A dict: id of a tensor -> the one in its place.

        Returns:
            A dict.
        """
        return nest.map_structure(lambda value: known.get(id(value), value), self.arguments)

    @property
    def input_shapes(self):
        """The shapes of the inputs, a structure of tuples."""
        return shapes_of(self.input_tensors)

    @property
    def output_shapes(self):
        """The shapes of the outputs, a structure of tuples."""
        return shapes_of(self.output_tensors)


class OwnCall:
    """The first call of a network: that which made its outputs of its inputs."""

    def __init__(self, inputs, outputs):
        self.input_tensors, self.output_tensors, self.sources = inputs, outputs, []
        self.input_shapes, self.output_shapes = shapes_of(inputs), shapes_of(outputs)


def shapes_of(tensors):
    """The shapes of a structure of tensors, as tuples."""
    return nest.map_structure(
        lambda t: None if t.shape.ndims is None else tuple(t.shape.as_list()), tensors
    )


def history_of(tensor):
    """The KerasHistory of a tensor; None if no layer made it."""
    return getattr(tensor, "_keras_history", None)


def is_derived(tensor):
    """Tests whether a tensor is, or depends on, the output of a layer.

    Args:
        tensor: A tensor of a graph.

    Returns:
        A bool.
    """
    found, stack = [], [tensor]
    met = set()
    while stack:
        top = stack.pop()
        if history_of(top) is not None:
            return True
        if id(top) in met or getattr(top, "_keras_free", False):
            continue
        met.add(id(top))
        found.append(top)
        stack += op_of(top).inputs
    for free in found:  # a graph only grows: what was free of layers stays so
        free._keras_free = True
    return False


def set_mask(tensor, mask):
    """Gives a tensor a mask."""
    tensor._keras_mask = mask


def is_keras_tensor(x):
    """Tests whether a layer of Keras made a tensor.

    Args:
        x: The tensor.

    Returns:
        A bool.

    Raises:
        ValueError: It is not a tensor.
    """
    if not isinstance(x, (Tensor, Variable, SparseTensor, RaggedTensor)):
        raise ValueError(
            f"Unexpectedly found an instance of type `{type(x)}`. Expected a symbolic tensor "
            "instance."
        )
    return history_of(x) is not None


def reachable(ends, inputs):
    """Those of some tensors and operations that depend on inputs.

    Args:
        ends: The tensors and operations, a list.
        inputs: Tensors, a list.
    """
    starts, known = {op_of(t) for t in inputs}, {}

    def depends(op):
        stack = [op]
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            if top in starts:
                known[top] = True
                continue
            before = [t.op for t in top.inputs] + list(top.control_inputs)
            unknown = [b for b in before if b not in known]
            if unknown:
                stack.append(unknown[0])
            else:
                known[top] = any(known[b] for b in before)
        return known[op]

    return [end for end in ends if depends(end if isinstance(end, Operation) else op_of(end))]
