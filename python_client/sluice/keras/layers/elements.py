# SPDX-License-Identifier: Apache-2.0
"""Activations with arguments or variables, noise, and normalisation of examples."""

from numbers import Integral

import numpy as np

from ... import math, nn
from ...graph.tensor_shape import TensorShape
from ...layers.choices import chosen
from ...layers.input_spec import InputSpec
from ...ops import array as arrays
from ...ops.random import random
from ..base import activations, constraints, initializers, regularizers, settings
from ..base.arguments import drawn_seed
from ..engine.documents import described
from ..engine.layer import Layer
from .adopted import Dropout, phase_of


class _Same(Layer):
    """Layers whose outputs have the shape and the mask of their inputs."""

    supports_masking = True

    def compute_output_shape(self, input_shape):
        return TensorShape(input_shape)


@described("The layer x where it is positive, else alpha * x.")
class LeakyReLU(_Same):
    def __init__(self, alpha=0.3, **kwargs):
        super().__init__(**kwargs)
        self.alpha = np.float32(alpha)

    def call(self, inputs):
        return activations.relu(inputs, alpha=self.alpha)

    def get_config(self):
        return {**super().get_config(), "alpha": float(self.alpha)}


@described("The layer x where it is positive, else a slope that is learned times x.")
class PReLU(_Same):
    def __init__(self, alpha_initializer="zeros", alpha_regularizer=None, alpha_constraint=None,
                 shared_axes=None, **kwargs):  # fmt: skip
        super().__init__(**kwargs)
        self.alpha_initializer = initializers.get(alpha_initializer)
        self.alpha_regularizer = regularizers.get(alpha_regularizer)
        self.alpha_constraint = constraints.get(alpha_constraint)
        shared = [shared_axes] if isinstance(shared_axes, Integral) else shared_axes
        self.shared_axes = None if shared is None else list(shared)

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()[1:]
        for axis in self.shared_axes or ():
            sizes[axis - 1] = 1
        self.alpha = self.add_weight(
            "alpha", sizes, None, self.alpha_initializer, self.alpha_regularizer,
            constraint=self.alpha_constraint,
        )  # fmt: skip
        rank = len(sizes) + 1
        axes = {i: n for i, n in enumerate(sizes, 1) if i not in (self.shared_axes or ())}
        self.input_spec = InputSpec(ndim=rank, axes=axes)
        self.built = True

    def call(self, inputs):
        positive = nn.relu(inputs)
        return positive + -self.alpha * nn.relu(-inputs)


@described("The layer x where it is positive, else alpha * (exp(x) - 1).")
class ELU(_Same):
    def __init__(self, alpha=1.0, **kwargs):
        super().__init__(**kwargs)
        self.alpha = np.float32(alpha)

    def call(self, inputs):
        return activations.elu(inputs, self.alpha)

    def get_config(self):
        return {**super().get_config(), "alpha": float(self.alpha)}


@described("The layer x where it is above a threshold, else 0.")
class ThresholdedReLU(_Same):
    def __init__(self, theta=1.0, **kwargs):
        super().__init__(**kwargs)
        self.theta = np.float32(theta)

    def call(self, inputs):
        return inputs * arrays.cast(math.greater(inputs, self.theta), inputs.dtype)

    def get_config(self):
        return {**super().get_config(), "theta": float(self.theta)}


@described("The layer softmax(x).")
class Softmax(_Same):
    def __init__(self, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.axis = axis

    def call(self, inputs):
        return activations.softmax(inputs, axis=self.axis)


@described("The layer relu(x).")
class ReLU(_Same):
    def __init__(self, max_value=None, negative_slope=0, threshold=0, **kwargs):
        super().__init__(**kwargs)
        if max_value is not None and max_value < 0:
            raise ValueError(f"max_value of Relu layer cannot be negative value: {max_value}")
        if negative_slope < 0:
            raise ValueError(
                f"negative_slope of Relu layer cannot be negative value: {negative_slope}"
            )
        self.max_value = None if max_value is None else np.float32(max_value)
        self.negative_slope, self.threshold = np.float32(negative_slope), np.float32(threshold)

    def call(self, inputs):
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)

    def get_config(self):
        limit = None if self.max_value is None else float(self.max_value)
        more = {"negative_slope": float(self.negative_slope), "threshold": float(self.threshold)}
        return {**super().get_config(), "max_value": limit, **more}


def _noise(inputs, mean, stddev):
    """Normal numbers in the shape of the inputs, with a seed that NumPy draws."""
    return random.normal(arrays.shape(inputs), mean, stddev, inputs.dtype, seed=drawn_seed())


@described("A layer that adds normal noise while it is training.")
class GaussianNoise(_Same):
    def __init__(self, stddev, **kwargs):
        super().__init__(**kwargs)
        self.stddev = stddev

    def call(self, inputs, training=None):
        return chosen(
            phase_of(training),
            lambda: inputs + _noise(inputs, 0.0, self.stddev),
            lambda: inputs,
        )


@described("A layer that multiplies by normal noise around 1 while it is training.")
class GaussianDropout(_Same):
    def __init__(self, rate, **kwargs):
        super().__init__(**kwargs)
        self.rate = rate

    def call(self, inputs, training=None):
        if not 0 < self.rate < 1:
            return inputs
        deviation = np.sqrt(self.rate / (1.0 - self.rate))
        return chosen(
            phase_of(training),
            lambda: inputs * _noise(inputs, 1.0, deviation),
            lambda: inputs,
        )


@described(
    "A layer that sets elements to the lowest value of selu() at random while it is training."
)
class AlphaDropout(_Same):
    arguments = ("rate",)

    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        super().__init__(**kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs, training=None):
        if not 0 < self.rate < 1:
            return inputs
        shape = arrays.shape(inputs) if self.noise_shape is None else self.noise_shape
        return chosen(phase_of(training), lambda: self._dropped(inputs, shape), lambda: inputs)

    def _dropped(self, inputs, shape):
        lowest = -1.6732632423543772848170429916717 * 1.0507009873554804934193349852946
        kept = math.greater_equal(random.uniform(shape, seed=drawn_seed(self.seed)), self.rate)
        kept = arrays.cast(kept, inputs.dtype)
        scale = ((1 - self.rate) * (1 + self.rate * lowest**2)) ** -0.5
        return scale * (inputs * kept + lowest * (1 - kept)) - scale * lowest * self.rate


class _SpatialDropout(Dropout):
    """What the layers that drop whole channels share."""

    rank = 2

    def __init__(self, rate, data_format=None, **kwargs):
        super().__init__(rate, **kwargs)
        self.data_format = data_format or settings.image_data_format()
        if self.data_format not in ("channels_last", "channels_first"):
            raise ValueError('data_format must be in {"channels_last", "channels_first"}')
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _noise_shape(self, inputs):
        sizes = arrays.shape(inputs)
        ones = [1] * self.rank
        if self.data_format == "channels_first":
            return arrays.stack([sizes[0], sizes[1], *ones])
        return arrays.stack([sizes[0], *ones, sizes[-1]])


@described("A layer that drops whole channels of sequences while it is training.")
class SpatialDropout1D(_SpatialDropout):
    arguments, rank = Dropout.arguments, 1

    def __init__(self, rate, **kwargs):
        super().__init__(rate, "channels_last", **kwargs)


@described("A layer that drops whole channels of images while it is training.")
class SpatialDropout2D(_SpatialDropout):
    arguments, rank = Dropout.arguments, 2


@described("A layer that drops whole channels of volumes while it is training.")
class SpatialDropout3D(_SpatialDropout):
    arguments, rank = Dropout.arguments, 3


@described("A layer that normalises each example by its mean and variance (Ba et al., 2016).")
class LayerNormalization(_Same):
    _casts_variables = False

    def __init__(self, axis=-1, epsilon=0.001, center=True, scale=True, beta_initializer="zeros",
                 gamma_initializer="ones", beta_regularizer=None, gamma_regularizer=None,
                 beta_constraint=None, gamma_constraint=None, trainable=True, name=None,
                 **kwargs):  # fmt: skip
        super().__init__(name=name, trainable=trainable, **kwargs)
        if not isinstance(axis, (int, list, tuple)):
            raise ValueError(
                "Expected an int or a list/tuple of ints for the argument 'axis', but received "
                f"instead: {axis}"
            )
        self.axis = list(axis) if isinstance(axis, (list, tuple)) else axis
        self.epsilon, self.center, self.scale = epsilon, center, scale
        self.beta_initializer = initializers.get(beta_initializer)
        self.gamma_initializer = initializers.get(gamma_initializer)
        self.beta_regularizer = regularizers.get(beta_regularizer)
        self.gamma_regularizer = regularizers.get(gamma_regularizer)
        self.beta_constraint = constraints.get(beta_constraint)
        self.gamma_constraint = constraints.get(gamma_constraint)

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        axes = [self.axis] if isinstance(self.axis, int) else self.axis
        for axis in axes:
            if not -len(sizes) <= axis < len(sizes):
                raise ValueError(f"Invalid axis: {axis}")
        self.axis = [axis % len(sizes) for axis in axes]
        shape = [sizes[axis] for axis in self.axis]
        self.gamma = self.beta = None
        if self.scale:
            self.gamma = self.add_weight(
                "gamma", shape, None, self.gamma_initializer, self.gamma_regularizer,
                constraint=self.gamma_constraint,
            )  # fmt: skip
        if self.center:
            self.beta = self.add_weight(
                "beta", shape, None, self.beta_initializer, self.beta_regularizer,
                constraint=self.beta_constraint,
            )  # fmt: skip
        self.built = True

    def call(self, inputs):
        sizes = inputs.shape.as_list()
        mean, variance = nn.moments(inputs, self.axis, keep_dims=True)
        shape = [sizes[axis] if axis in self.axis else 1 for axis in range(len(sizes))]

        def along(value):
            plain = value is None or self.axis == [len(sizes) - 1]
            return value if plain else arrays.reshape(value, shape)

        outputs = nn.batch_normalization(
            inputs, mean, variance, along(self.beta), along(self.gamma), self.epsilon
        )
        outputs.set_shape(inputs.shape)
        return outputs


__all__ = """
    AlphaDropout ELU GaussianDropout GaussianNoise LayerNormalization LeakyReLU PReLU ReLU Softmax
    SpatialDropout1D SpatialDropout2D SpatialDropout3D ThresholdedReLU
""".split()
