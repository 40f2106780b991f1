# SPDX-License-Identifier: Apache-2.0
"""Layers that change the shape or single elements, and layers of functions."""

import numpy as np

from ... import dtypes, math, nest, nn
from ...graph.convert import placeholder
from ...graph.graph import Graph
from ...graph.tensor_shape import TensorShape
from ...layers.input_spec import InputSpec
from ...ops import array as arrays
from ..base import activations, constraints, initializers, regularizers, settings
from ..base.functions import described_function, function_of_code
from ..engine.documents import described
from ..engine.layer import Layer
from ..engine.node import set_mask


@described("A layer that applies a function.")
class Activation(Layer):
    supports_masking = True

    def __init__(self, activation, **kwargs):
        super().__init__(**kwargs)
        self.activation = activations.get(activation)

    def call(self, inputs):
        return self.activation(inputs)

    def compute_output_shape(self, input_shape):
        return input_shape


@described("A layer that reshapes examples.")
class Reshape(Layer):
    def __init__(self, target_shape, **kwargs):
        super().__init__(**kwargs)
        self.target_shape = tuple(target_shape)

    def call(self, inputs):
        return arrays.reshape(inputs, [arrays.shape(inputs)[0], *self.target_shape])

    def compute_output_shape(self, input_shape):
        batch, *sizes = TensorShape(input_shape).as_list()
        target = list(self.target_shape)
        if -1 in target:
            known = -int(np.prod(target))
            whole = None if None in sizes else int(np.prod(sizes, dtype=int))
            if whole is not None and (known == 0 or whole % known):
                raise ValueError(f"{sizes} cannot be reshaped to {target}")
            target[target.index(-1)] = None if whole is None else whole // known
        elif None not in sizes and np.prod(sizes, dtype=int) != np.prod(target, dtype=int):
            raise ValueError("total size of new array must be unchanged")
        return TensorShape([batch, *target])


@described("A layer that changes the order of dimensions.")
class Permute(Layer):
    def __init__(self, dims, **kwargs):
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        if sorted(dims) != list(range(1, len(dims) + 1)):
            raise ValueError(
                f"Invalid permutation `dims` for Permute Layer: {dims}. The set of indices in "
                "`dims` must be consecutive and start from 1."
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs):
        return arrays.transpose(inputs, perm=(0, *self.dims))

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        return TensorShape([sizes[0], *(sizes[d] for d in self.dims)])


@described("A layer that repeats a vector: [batch, size] becomes [batch, n, size].")
class RepeatVector(Layer):
    def __init__(self, n, **kwargs):
        super().__init__(**kwargs)
        self.n = n
        self.input_spec = InputSpec(ndim=2)

    def call(self, inputs):
        return arrays.tile(arrays.expand_dims(inputs, 1), arrays.stack([1, self.n, 1]))

    def compute_output_shape(self, input_shape):
        batch, size = TensorShape(input_shape).as_list()
        return TensorShape([batch, self.n, size])


@described("A layer of a function of the program.")
class Lambda(Layer):
    def __init__(self, function, output_shape=None, mask=None, arguments=None, **kwargs):
        super().__init__(**kwargs)
        if not callable(function):
            raise TypeError("unsupported callable", function)
        self.function, self.arguments = function, dict(arguments or {})
        self.supports_masking = self.supports_masking or mask is not None
        self.mask, self._given_shape = mask, output_shape

    def call(self, inputs, mask=None, training=None):
        given = dict(self.arguments)
        names = self.function.__code__.co_varnames if hasattr(self.function, "__code__") else ()
        for name, value in (("mask", mask), ("training", training)):
            if name in names[: getattr(self.function.__code__, "co_argcount", 0)] if names else ():
                given[name] = value
        return self.function(inputs, **given)

    def compute_mask(self, inputs, mask=None):
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def compute_output_shape(self, input_shape):
        if self._given_shape is None:
            return self._tried_shape(input_shape)
        if callable(self._given_shape):
            return TensorShape(self._given_shape(input_shape))
        return TensorShape([TensorShape(input_shape).as_list()[0], *self._given_shape])

    def _tried_shape(self, input_shape):
        """The shape of what the function makes, in a graph of its own, of inputs of a shape."""
        several = isinstance(input_shape, list) and any(
            isinstance(part, (TensorShape, tuple, list)) for part in input_shape
        )
        dtype = self.dtype or settings.floatx()
        with Graph().as_default():
            shapes = input_shape if several else [input_shape]
            inputs = [placeholder(dtype, TensorShape(shape)) for shape in shapes]
            outputs = self.call(inputs if several else inputs[0], training=False)
            return nest.map_structure(lambda tensor: tensor.shape, outputs)

    def get_config(self):
        config = {"name": self._name, "trainable": self.trainable}
        if self.batch_input_shape is not None:
            config["batch_input_shape"] = self.batch_input_shape
        config["dtype"] = self.dtype
        for key, value in self._functions_in_config():
            code, kind, module = described_function(value)
            config.update({key: code, f"{key}_type": kind, _module_key(key): module})
        config["arguments"] = self.arguments
        return config

    def _functions_in_config(self):
        given = [("function", self.function), ("output_shape", self._given_shape)]
        return given if self.mask is None else [*given, ("mask", self.mask)]

    @classmethod
    def from_config(cls, config, custom_objects=None):
        config = dict(config)
        for key in ("function", "output_shape", "mask"):
            module = config.pop(_module_key(key), None)
            if key in config:
                kind = config.pop(f"{key}_type", "raw")
                config[key] = function_of_code(config[key], kind, custom_objects, module)
        config["arguments"] = {
            name: np.array(value["value"]) if _is_array(value) else value
            for name, value in (config.get("arguments") or {}).items()
        }
        return cls(**config)


def _module_key(key):
    return "module" if key == "function" else f"{key}_module"


def _is_array(value):
    """Whether an argument is an array that was saved as a list."""
    return isinstance(value, dict) and value.get("type") == "ndarray"


@described("A layer that masks the steps whose elements all have one value.")
class Masking(Layer):
    supports_masking = True

    def __init__(self, mask_value=0.0, **kwargs):
        super().__init__(**kwargs)
        self.mask_value = mask_value

    def compute_mask(self, inputs, mask=None):
        return math.reduce_any(math.not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs):
        kept = math.reduce_any(math.not_equal(inputs, self.mask_value), axis=-1, keepdims=True)
        outputs = inputs * arrays.cast(kept, inputs.dtype)
        set_mask(outputs, arrays.squeeze(kept, axis=[-1]))
        return outputs

    def compute_output_shape(self, input_shape):
        return input_shape


@described("A layer that looks indices up in a table of rows.")
class Embedding(Layer):
    def __init__(self, input_dim, output_dim, embeddings_initializer="uniform",
                 embeddings_regularizer=None, activity_regularizer=None,
                 embeddings_constraint=None, mask_zero=False, input_length=None,
                 **kwargs):  # fmt: skip
        if "input_shape" not in kwargs and "batch_input_shape" not in kwargs:
            length = [None] if input_length is None else nest.flatten(input_length)
            kwargs["input_shape"] = tuple(length)
        kwargs.setdefault("dtype", "float32")
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.input_dim, self.output_dim = input_dim, output_dim
        self.embeddings_initializer = initializers.get(embeddings_initializer)
        self.embeddings_regularizer = regularizers.get(embeddings_regularizer)
        self.embeddings_constraint = constraints.get(embeddings_constraint)
        self.mask_zero, self.input_length = mask_zero, input_length
        self.supports_masking = mask_zero

    def build(self, input_shape):
        self.embeddings = self.add_weight(
            "embeddings", [self.input_dim, self.output_dim], self._dtype,
            self.embeddings_initializer, self.embeddings_regularizer,
            constraint=self.embeddings_constraint,
        )  # fmt: skip
        self.built = True

    def compute_mask(self, inputs, mask=None):
        return math.not_equal(inputs, 0) if self.mask_zero else None

    def call(self, inputs):
        if inputs.dtype not in (dtypes.int32, dtypes.int64):
            inputs = arrays.cast(inputs, dtypes.int32)
        return nn.embedding_lookup(self.embeddings, inputs)

    def compute_output_shape(self, input_shape):
        batch, *lengths = shape = TensorShape(input_shape).as_list()
        if self.input_length is not None:
            given = nest.flatten(self.input_length)
            pairs = list(zip(given, lengths))
            if len(given) != len(lengths) or any(None not in p and p[0] != p[1] for p in pairs):
                raise ValueError(
                    f'"input_length" is {self.input_length}, but received input has shape '
                    f"{tuple(shape)}"
                )
            lengths = [own if own is not None else length for own, length in pairs]
        return TensorShape([batch, *lengths, self.output_dim])


@described("A layer that returns its input and adds a loss of it.")
class ActivityRegularization(Layer):
    supports_masking = True

    def __init__(self, l1=0.0, l2=0.0, **kwargs):
        super().__init__(activity_regularizer=regularizers.L1L2(l1, l2), **kwargs)
        self.l1, self.l2 = l1, l2

    def compute_output_shape(self, input_shape):
        return TensorShape(input_shape)


__all__ = [
    name for name, thing in list(globals().items())
    if isinstance(thing, type) and issubclass(thing, Layer) and thing is not Layer
]  # fmt: skip
