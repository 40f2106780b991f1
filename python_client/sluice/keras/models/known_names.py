# SPDX-License-Identifier: Apache-2.0
"""What programs use of TensorFlow's models although TensorFlow does not publish it."""

from ..engine.node import history_of


class _Read:
    """An attribute that is computed. Unlike a property, a program's class can set it anew."""

    def __init__(self, function):
        self._function, self.__doc__ = function, function.__doc__

    def __get__(self, model, kind=None):
        return self if model is None else self._function(model)


class KnownNames:
    """Names of TensorFlow's models that programs use, as they are in TensorFlow 1.15."""

    def _make_train_function(self):
        """Makes the function of a step of training, before threads share the model."""
        self.train_function()

    def _make_test_function(self):
        """Makes the function of a step of evaluate(), before threads share the model."""
        self.test_function()

    def _make_predict_function(self):
        """Makes the function of a step of predict(), before threads share the model."""
        self.predict_function()

    @_Read
    def run_eagerly(self):
        """Whether the model runs without a graph. False."""
        return False

    @_Read
    def loss_functions(self):
        """The Loss of each output, a list. None: the output has none."""
        return [output.loss for output in self._of_outputs]

    @_Read
    def _loss_weights_list(self):
        return [output.weight for output in self._of_outputs]

    @_Read
    def _targets(self):
        return [output.target for output in self._trained()]

    @_Read
    def _feed_targets(self):
        return self._fed()[1]

    @_Read
    def _feed_inputs(self):
        return self._fed()[0]

    @_Read
    def _feed_input_names(self):
        return [history_of(tensor).layer.name for tensor in self._fed()[0]]

    @_Read
    def _feed_input_shapes(self):
        return [tuple(tensor.shape.as_list()) for tensor in self._fed()[0]]

    @_Read
    def _compile_metrics(self):
        return (self._compiled or {}).get("metrics") or []

    @_Read
    def _collected_trainable_weights(self):
        return self.compiled_weights()

    @_Read
    def _is_graph_network(self):
        return self.is_functional

    @_Read
    def _input_layers(self):
        return [history_of(tensor).layer for tensor in self.inputs]

    @_Read
    def _output_layers(self):
        return [history_of(tensor).layer for tensor in self.outputs]
