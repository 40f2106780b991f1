# SPDX-License-Identifier: Apache-2.0
"""Models of layers one after another."""

from ... import nest
from ...graph.elements import Tensor
from ...graph.tensor_shape import TensorShape
from ...layers import layer as plain
from ..base.serializing import class_name
from ..engine.input_layer import Input, InputLayer
from ..engine.layer import Layer
from ..engine.node import history_of
from ..engine.registry import deserialize
from .model import Model
from .network import refuse_plain


class Sequential(Model):
    """A model of layers one after another.

    Args:
        layers: The layers, a list. None: none yet.
        name: Name of the model, a str. None: the class's name.
    """

    def __init__(self, layers=None, name=None):
        super().__init__(name=name)
        self._built_for = self._start = None
        for layer in layers if isinstance(layers, (list, tuple)) else [layers]:
            if layer is not None:
                self.add(layer)

    @property
    def layers(self):
        """The layers without that of the input, a list."""
        layers = self._parts()
        return layers[1:] if layers and isinstance(layers[0], InputLayer) else layers

    def _numbers_layers(self):
        return True

    def _keep(self, name, value):
        if type(self).__name__ != "Sequential":  # as TensorFlow tells classes of programs from it
            super()._keep(name, value)
            return
        known = list(vars(self).get("_layers", ()))
        super()._keep(name, value)
        vars(self)["_layers"] = known  # only add() adds layers

    def add(self, layer):
        """Adds a layer.

        Args:
            layer: The layer.

        Raises:
            TypeError: It is not a layer.
            ValueError: It has several outputs.
        """
        if isinstance(layer, Tensor) and history_of(layer) is not None:
            layer = history_of(layer).layer
        if isinstance(layer, plain.Layer) and not isinstance(layer, Layer):
            refuse_plain([layer])
        if not isinstance(layer, Layer):
            raise TypeError(f"The added layer must be an instance of class Layer. Found: {layer}")
        if self._start is not None:
            self._extend(layer, layer(self.outputs[0]))
        elif isinstance(layer, InputLayer):
            self._begin(layer.inbound_nodes[-1].output_tensors[0])
        elif not self._layers and _shape_of(layer) is not None:
            start = Input(batch_shape=_shape_of(layer), dtype=_dtype_of(layer),
                          name=f"{layer.name}_input")  # fmt: skip
            self._begin(start)
            self._extend(layer, layer(start))
        else:
            if self.outputs:  # made from a batch
                self.outputs = nest.flatten(layer(self.outputs[0]))
            self._layers.append(layer)

    def _begin(self, tensor):
        self._layers.append(history_of(tensor).layer)
        self._start = tensor
        self.outputs = [tensor]

    def _extend(self, layer, outputs):
        if len(nest.flatten(outputs)) != 1:
            raise (ValueError if not self.layers else TypeError)(
                "All layers in a Sequential model should have a single output tensor. For "
                "multi-output layers, use the functional API."
            )
        self._layers.append(layer)
        self._trace(self._start, nest.flatten(outputs)[0])

    def pop(self):
        """Removes the last layer.

        Raises:
            TypeError: There is none.
        """
        if not self.layers:
            raise TypeError("There are no layers in the model.")
        layer = self._layers.pop()
        if self._start is None:
            self.outputs, self.built = [], False
            return
        layer.inbound_nodes.clear()
        if not self.layers:
            self.inputs = self.outputs = None
            self.built = False
            self._layers.clear()
        else:
            self._layers[-1].outbound_nodes.clear()
            self._trace(self._start, self._layers[-1].output)

    def build(self, input_shape=None):
        """Makes the variables.

        Args:
            input_shape: Shape of the input with the batch.
        """
        if self.is_functional:
            self.built = True
            return
        if input_shape is None:
            raise ValueError("You must provide an `input_shape` argument.")
        self._built_for = tuple(TensorShape(input_shape).as_list())
        super().build(self._built_for)

    def compute_output_shape(self, input_shape):
        if self.is_functional:
            return super().compute_output_shape(input_shape)
        for layer in self._layers:
            input_shape = layer.compute_output_shape(input_shape)
        return input_shape

    def call(self, inputs, training=None, mask=None):
        if self.is_functional:
            return super().call(inputs, training, mask)
        outputs = inputs
        for layer in self._layers:
            more = {"training": training} if layer.takes("training") else {}
            outputs = layer(outputs, **more)
        return outputs

    def _keep_inputs(self, inputs, outputs):
        super()._keep_inputs(inputs, outputs)
        if self.inputs[0].shape.ndims is not None:
            self._built_for = tuple(self.inputs[0].shape.as_list())

    def predict_proba(self, x, batch_size=32, verbose=0):
        """Computes the outputs. See predict().

        Args:
            x: The inputs.
            batch_size: Size of a batch, an int.
            verbose: 0: silent, 1: a progress bar, 2: a line at the end.

        Returns:
            An array.
        """
        return self.predict(x, batch_size, verbose)

    def predict_classes(self, x, batch_size=32, verbose=0):
        """Computes the classes of the largest outputs.

        Args:
            x: The inputs.
            batch_size: Size of a batch, an int.
            verbose: 0: silent, 1: a progress bar, 2: a line at the end.

        Returns:
            An array of ints.
        """
        found = self.predict(x, batch_size, verbose)
        return found.argmax(-1) if found.shape[-1] > 1 else (found > 0.5).astype("int32")

    def get_config(self):
        added = self.traced.added if self.traced else ()
        layers = [
            {"class_name": class_name(layer), "config": layer.get_config()}
            for layer in self.layers if layer not in added
        ]  # fmt: skip
        if self._start is not None and layers:  # an InputLayer is not in the list
            shape = tuple(self._start.shape.as_list())
            layers[0]["config"].setdefault("batch_input_shape", shape)
        config = {"name": self._name, "layers": layers}
        if self._built_for is not None:
            config["build_input_shape"] = self._built_for
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        model = cls(name=config.get("name"))
        for entry in config["layers"]:
            model.add(deserialize(entry, custom_objects))
        if not model.outputs and config.get("build_input_shape"):
            model.build(config["build_input_shape"])
        return model


def _shape_of(layer):
    """The shape of the input that a first layer says; of a model, that of its first layer."""
    while isinstance(layer, Model) and layer.layers and layer.batch_input_shape is None:
        if layer.inputs:
            return tuple(layer.inputs[0].shape.as_list())
        layer = layer.layers[0]
    return layer.batch_input_shape


def _dtype_of(layer):
    while isinstance(layer, Model) and layer.layers:
        layer = layer.layers[0]
    return layer.dtype


Sequential.build.by_calling = True
