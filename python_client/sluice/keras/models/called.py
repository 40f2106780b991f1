# SPDX-License-Identifier: Apache-2.0
"""The inputs and outputs of a model whose class defines call(): those of its first call."""

from ... import nest
from ...graph.elements import Tensor
from ...ops.functions.specs import TensorSpec
from ..base import state
from . import feeding


class Called:
    """A model that has the inputs and outputs of its first call with tensors, if it was not made of
    some."""

    def __call__(self, *args, **kwargs):
        if self.is_functional or self.inputs:
            return super().__call__(*args, **kwargs)
        inputs, args, kwargs = self._split(args, kwargs)
        outputs = super().__call__(inputs, *args, **kwargs)
        flat = [*nest.flatten(inputs), *nest.flatten(outputs)]
        if not self.inputs and all(isinstance(t, Tensor) for t in flat):
            self._keep_inputs(inputs, outputs)
        return outputs

    def _set_inputs(self, inputs, outputs=None, training=None):
        """Gives the model its inputs, of tensors or arrays. Programs call it before they save one.

        Args:
            inputs: The tensors, or arrays for whose kind placeholders are made.
            outputs: The result of a call with these tensors. None: the model is called.
            training: The argument of that call. None: the learning phase.
        """
        if not all(isinstance(t, Tensor) for t in nest.flatten(inputs)):
            inputs = feeding.placeholders_of(inputs)
        if outputs is None:
            training = state.learning_phase() if training is None else training
            outputs = self(inputs, **({"training": training} if self.takes("training") else {}))
        self._keep_inputs(inputs, outputs)

    def _keep_inputs(self, inputs, outputs):
        self.nested_inputs, self.nested_outputs = inputs, outputs
        self.inputs, self.outputs = nest.flatten(inputs), nest.flatten(outputs)
        self.input_names = sorted(inputs) if isinstance(inputs, dict) else [
            f"input_{i + 1}" for i in range(len(self.inputs))
        ]  # fmt: skip
        self.output_names = [f"output_{i + 1}" for i in range(len(self.outputs))]

    def _ensure_inputs(self, x):
        """Makes the inputs of the first data, if no call came before."""
        if not self.outputs:
            self._set_inputs(x)
            self._restore_made()
        if self._compiled is not None and not self._of_outputs:
            self._prepare()


def for_any_batch(model):
    """Calls a model once more if its inputs have a batch of a fixed size.

    Args:
        model: The model, which has inputs.

    Returns:
        A pair of lists: inputs that take batches of any size, and the outputs for them.
    """
    if model.is_functional or not any(_is_of_fixed_batch(tensor) for tensor in model.inputs):
        return model.inputs, model.outputs
    specs = [
        TensorSpec([None, *tensor.shape.as_list()[1:]], tensor.dtype) for tensor in model.inputs
    ]
    inputs = feeding.placeholders_of(nest.pack_sequence_as(model.nested_inputs, specs))
    with state.learning_phase_scope(0):
        return nest.flatten(inputs), nest.flatten(model(inputs))


def _is_of_fixed_batch(tensor):
    return bool(tensor.shape.ndims) and tensor.shape.as_list()[0] is not None
