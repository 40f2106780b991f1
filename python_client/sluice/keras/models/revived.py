# SPDX-License-Identifier: Apache-2.0
"""Models of SavedModels whose class is not known here: they run the graph that was saved."""

from ... import nest
from ...files.graph_io import import_graph_def
from ...graph.convert import convert_to_tensor
from ..base import state
from .model import Model

_PHASE = "keras_learning_phase"


class RevivedModel(Model):
    """A model that runs the graph of a SavedModel. Its variables can be read, set and trained. It
    has no layers, losses of regularizers, and updates such as those of moving averages.

    Args:
        saved_graph: The SavedGraph.
    """

    def __init__(self, saved_graph):
        super().__init__()
        made = {
            node: self.add_weight(node, value.shape, value.dtype, "zeros", trainable=trainable)
            for node, value, trainable in saved_graph.variables
        }
        vars(self).update(saved_graph=saved_graph, _of_nodes=made)  # not as parts of the model
        values = {id(made[saved.node]): saved.value for saved in saved_graph.variables}
        self.set_weights([values[id(variable)] for variable in self.weights])

    def call(self, inputs, training=None):
        saved = self.saved_graph
        operations = {node.name: node.op for node in saved.graph_def.node}
        given = self._given_names(inputs)
        if _PHASE in operations:
            phase = state.learning_phase() if training is None else training
            given[f"{_PHASE}:0"] = convert_to_tensor(phase, "bool")
        for node, variable in self._of_nodes.items():
            by_handle = operations.get(node) == "VarHandleOp"
            given[f"{node}:0"] = variable.handle if by_handle else variable.value()
        used = {name: t for name, t in given.items() if name.partition(":")[0] in operations}
        outputs = import_graph_def(saved.graph_def, used, saved.outputs, name="")
        return outputs[0] if len(outputs) == 1 else outputs

    def _given_names(self, inputs):
        """The inputs, by the names of the tensors whose place they take."""
        names = self.saved_graph.inputs
        if isinstance(inputs, dict) and set(inputs) == set(names):
            return {names[key]: inputs[key] for key in inputs}
        tensors = nest.flatten(inputs)
        if len(tensors) != len(names):
            raise ValueError(
                f"Layer {self.name} expects {len(names)} inputs, but it received "
                f"{len(tensors)} input tensors. Inputs received: {tensors}"
            )
        return dict(zip(names.values(), tensors))


def revive(saved_graph, class_name):
    """Makes a model that runs the graph of a SavedModel.

    Args:
        saved_graph: The SavedGraph.
        class_name: Name of the class that it had, a str.

    Returns:
        A RevivedModel, of a subclass with this name.
    """
    return type(str(class_name), (RevivedModel,), {})(saved_graph)
