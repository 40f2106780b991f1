# SPDX-License-Identifier: Apache-2.0
"""Models of which the parts are given: a linear model, and one that is wide and deep."""

from ... import nn
from ...graph.default_graph import name_scope
from ..base import activations, initializers, regularizers
from ..base.serializing import serialize_keras_object
from ..engine.layer import Layer
from ..engine.registry import deserialize
from ..layers.adopted import Dense
from .model import Model


class LinearModel(Model):
    """A sum of linear functions, one of each input.

    Args:
        units: Size of the output, an int.
        activation: The function of the sum, or its name. None: none.
        use_bias: Whether a bias is added. A bool.
        kernel_initializer: Makes the first weights: an initializer, or its name.
        bias_initializer: Makes the first bias: an initializer, or its name.
        kernel_regularizer: Makes a loss of the weights: a function, or its name. None: none.
        bias_regularizer: Makes a loss of the bias: a function, or its name. None: none.
        **kwargs: Further arguments of a Model: name, dtype, ...
    """

    def __init__(self, units=1, activation=None, use_bias=True,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros",
                 kernel_regularizer=None, bias_regularizer=None, **kwargs):  # fmt: skip
        super().__init__(**kwargs)
        self.units, self.use_bias = units, use_bias
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)

    def build(self, input_shape):
        """Makes the variables.

        Args:
            input_shape: Shape of the input, or a list of shapes.
        """
        shapes = input_shape if isinstance(input_shape, list) else [input_shape]
        self.dense_layers = [
            Dense(
                self.units, use_bias=False, kernel_initializer=self.kernel_initializer,
                kernel_regularizer=self.kernel_regularizer, input_shape=shape,
            )
            for shape in shapes
        ]  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", shape=(self.units,), initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, dtype=self.dtype, trainable=True,
            )  # fmt: skip
        self.built = True

    def call(self, inputs):
        inputs = inputs if isinstance(inputs, (tuple, list)) else [inputs]
        if len(inputs) != len(self.dense_layers):
            raise ValueError(
                f"Expected {len(self.dense_layers)} inputs, but got {len(inputs)} inputs"
            )
        result = None
        for value, layer in zip(inputs, self.dense_layers):
            output = layer(value)
            result = output if result is None else result + output
        if self.use_bias:
            result = nn.bias_add(result, self.bias)
        return result if self.activation is None else self.activation(result)

    def get_config(self):
        """Returns the arguments that make an equal model.

        Returns:
            A dict.
        """
        return {
            **Layer.get_config(self),
            "units": self.units,
            "activation": activations.serialize(self.activation),
            "use_bias": self.use_bias,
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "bias_initializer": initializers.serialize(self.bias_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
            "bias_regularizer": regularizers.serialize(self.bias_regularizer),
        }

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """Makes a model of what get_config() returned.

        Args:
            config: The dict.
            custom_objects: Not used.

        Returns:
            A LinearModel.
        """
        return cls(**config)


class WideDeepModel(Model):
    """The mean of a linear model and a deep model, which are trained together (Cheng et al., 2016).

    compile() takes one optimizer for both, or a list of two: of the linear and of the deep model.

    Args:
        linear_model: A LinearModel.
        dnn_model: A Model with an output of the same shape.
        activation: The function of the mean, or its name. None: none.
        **kwargs: Further arguments of a Model: name, dtype, ...
    """

    def __init__(self, linear_model, dnn_model, activation=None, **kwargs):
        super().__init__(**kwargs)
        self.linear_model, self.dnn_model = linear_model, dnn_model
        self.activation = activations.get(activation)

    def call(self, inputs):
        is_pair = isinstance(inputs, (tuple, list)) and len(inputs) == 2
        wide, deep = inputs if is_pair else (inputs, inputs)
        output = 0.5 * (self.linear_model(wide) + self.dnn_model(deep))
        return self.activation(output) if self.activation else output

    def make_updates(self):
        """Makes the operations that train both models.

        Returns:
            A list of operations and tensors.
        """
        both = self.optimizer
        wide, deep = both[:2] if isinstance(both, (tuple, list)) else (both, both)
        with name_scope("training"):
            updates = [
                *wide.get_updates(
                    params=self.linear_model.trained_weights, loss=self.total_loss
                ),
                *deep.get_updates(params=self.dnn_model.trained_weights, loss=self.total_loss),
            ]
        return [*updates, *self.get_updates_for(None), *self.get_updates_for(self.inputs)]

    def get_config(self):
        """Returns the arguments that make an equal model.

        Returns:
            A dict.
        """
        return {
            **Layer.get_config(self),
            "linear_model": serialize_keras_object(self.linear_model),
            "dnn_model": serialize_keras_object(self.dnn_model),
            "activation": activations.serialize(self.activation),
        }

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """Makes a model of what get_config() returned.

        Args:
            config: The dict.
            custom_objects: A dict: name -> class or function, of the program. None: none.

        Returns:
            A WideDeepModel.
        """
        config = dict(config)
        models = [deserialize(config.pop(n), custom_objects) for n in ("linear_model", "dnn_model")]
        activation = activations.deserialize(config.pop("activation", None), custom_objects)
        return cls(*models, activation=activation, **config)


__all__ = ["LinearModel", "WideDeepModel"]
