# SPDX-License-Identifier: Apache-2.0
"""Layers without variables: dropout and flattening."""

import math

from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops.nn.layers import dropout as dropped
from .choices import chosen
from .input_spec import InputSpec
from .layer import Layer
from .sizes import format_of
from .words import described, function_of


@described("A layer that sets elements to zero at random while it is training.")
class Dropout(Layer):
    supports_masking = True

    def __init__(self, rate=0.5, noise_shape=None, seed=None, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs, training=False):
        """Computes the output.

        Args:
            inputs: A tensor of any floating-point dtype.
            training: Whether it is training: a bool, or a bool scalar.

        Returns:
            A tensor of the shape and dtype of inputs.
        """
        return chosen(
            training,
            lambda: dropped(
                inputs, noise_shape=self._noise_shape(inputs), seed=self.seed, rate=self.rate
            ),
            lambda: arrays.identity(inputs),
        )

    def _noise_shape(self, inputs):
        if self.noise_shape is None or hasattr(self.noise_shape, "graph"):
            return self.noise_shape
        sizes, known = list(self.noise_shape), inputs.shape.as_list()
        if None in sizes and len(sizes) == len(known):
            sizes = [k if s is None else s for s, k in zip(sizes, known)]
        if None in sizes:
            have = arrays.shape(inputs)
            return arrays.stack([have[i] if s is None else s for i, s in enumerate(sizes)])
        return sizes

    def compute_output_shape(self, input_shape):
        """Returns the shape of the output.

        Args:
            input_shape: Shape of the input.

        Returns:
            A TensorShape.
        """
        return TensorShape(input_shape)


@described("A layer that flattens all dimensions but the first.")
class Flatten(Layer):
    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format = format_of(data_format or "channels_last")
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs):
        """Computes the output.

        Args:
            inputs: A tensor [batch, ...].

        Returns:
            A tensor [batch, size].
        """
        rank = inputs.shape.ndims
        if self.data_format == "channels_first" and rank and rank > 1:
            inputs = arrays.transpose(inputs, [0, *range(2, rank), 1])
        batch = inputs.shape.as_list()[0]
        outputs = arrays.reshape(inputs, [batch or arrays.shape(inputs)[0], -1])
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def compute_output_shape(self, input_shape):
        """Returns the shape of the output.

        Args:
            input_shape: Shape of the input.

        Returns:
            A TensorShape.
        """
        batch, *sizes = TensorShape(input_shape).as_list()
        return TensorShape([batch, None if None in sizes else math.prod(sizes)])


dropout = function_of(
    Dropout, "dropout", "rate noise_shape seed training name".split(),
    "Sets elements to zero at random while it is training.",
)  # fmt: skip
flatten = function_of(
    Flatten, "flatten", ["name", "data_format"], "Flattens all dimensions but the first.",
    """
>>> sl.layers.flatten(sl.placeholder(sl.float32, [None, 2, 3])).shape.as_list()
[None, 6]
""",
)  # fmt: skip
