# SPDX-License-Identifier: Apache-2.0
"""What layers of all ranks share: programs derive layers of their own from these."""

from ... import layers as plain
from ...layers import convolution, pooling, separable
from ..base.arguments import resolved
from ..engine.documents import described
from ..engine.layer import Layer


def _resolved(options):
    return {name: resolved(name, value) for name, value in options.items()}


@described("A layer that convolves sequences, images or volumes.",
           rank="How many spatial dimensions there are, an int.")  # fmt: skip
class Conv(convolution.Convolution, Layer):
    arguments = (
        "filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate",
        "activation", "use_bias", "kernel_initializer", "bias_initializer", "kernel_regularizer",
        "bias_regularizer", "activity_regularizer", "kernel_constraint", "bias_constraint",
    )  # fmt: skip

    def __init__(self, rank, filters, kernel_size, strides=1, padding="valid", data_format=None,
                 dilation_rate=1, activation=None, use_bias=True,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros",
                 kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, bias_constraint=None, trainable=True, name=None,
                 **kwargs):  # fmt: skip
        data_format = resolved("data_format", data_format)
        options = _resolved({
            "activation": activation, "kernel_initializer": kernel_initializer,
            "bias_initializer": bias_initializer, "kernel_regularizer": kernel_regularizer,
            "bias_regularizer": bias_regularizer, "activity_regularizer": activity_regularizer,
            "kernel_constraint": kernel_constraint, "bias_constraint": bias_constraint,
        })  # fmt: skip
        super().__init__(
            rank, filters, kernel_size, strides, padding, data_format, dilation_rate,
            use_bias=use_bias, trainable=trainable, name=name, **options, **kwargs,
        )  # fmt: skip

    def _convolve(self, inputs):
        own = plain.Conv1D if self.rank == 1 else convolution.Convolution
        return own._convolve(self, inputs)

    def _biased(self, outputs):
        own = plain.Conv1D if self.rank == 1 else convolution.Convolution
        return own._biased(self, outputs)


@described("A layer that convolves each channel by itself, then mixes the channels.",
           rank="How many spatial dimensions there are, an int.")  # fmt: skip
class SeparableConv(separable.SeparableConvolution, Conv):
    arguments = (
        *(name for name in Conv.arguments if not name.startswith("kernel_") or name[-1] == "e"),
        "depth_multiplier", "depthwise_initializer", "pointwise_initializer",
        "depthwise_regularizer", "pointwise_regularizer", "depthwise_constraint",
        "pointwise_constraint",
    )  # fmt: skip

    def __init__(self, rank, filters, kernel_size, strides=1, padding="valid", data_format=None,
                 dilation_rate=1, depth_multiplier=1, activation=None, use_bias=True,
                 depthwise_initializer="glorot_uniform", pointwise_initializer="glorot_uniform",
                 bias_initializer="zeros", depthwise_regularizer=None, pointwise_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, depthwise_constraint=None,
                 pointwise_constraint=None, bias_constraint=None, trainable=True, name=None,
                 **kwargs):  # fmt: skip
        options = _resolved({
            "depthwise_initializer": depthwise_initializer,
            "pointwise_initializer": pointwise_initializer,
            "depthwise_regularizer": depthwise_regularizer,
            "pointwise_regularizer": pointwise_regularizer,
            "depthwise_constraint": depthwise_constraint,
            "pointwise_constraint": pointwise_constraint,
        })  # fmt: skip
        super().__init__(
            rank, filters, kernel_size, strides, padding, data_format, dilation_rate,
            depth_multiplier, activation=activation, use_bias=use_bias,
            bias_initializer=bias_initializer, bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer, bias_constraint=bias_constraint,
            trainable=trainable, name=name, **options, **kwargs,
        )  # fmt: skip


class Pooling1D(pooling.Pooling1D, Layer):
    """A layer that pools windows of sequences. The arguments are those of Pooling2D."""


class Pooling2D(pooling.Pooling2D, Layer):
    """A layer that pools windows of images.

    Args:
        pool_function: A function of images and, by name, the lists `ksize` and `strides` and the
            strings `padding` and `data_format`.
        pool_size: Size of the window, an int or a list of ints.
        strides: Steps of the window, an int or a list of ints. None: its size.
        padding: "valid" or "same".
        data_format: "channels_last" or "channels_first". None: the default one.
        name: Name of the layer, a str. None: the class's name.
        **kwargs: dtype, input_shape, batch_size: as of Layer.
    """

    def __init__(self, pool_function, pool_size, strides, padding="valid", data_format=None,
                 name=None, **kwargs):  # fmt: skip
        data_format = resolved("data_format", data_format)
        super().__init__(pool_function, pool_size, strides, padding, data_format, name, **kwargs)


class Pooling3D(pooling.Pooling3D, Layer):
    """A layer that pools windows of volumes. The arguments are those of Pooling2D."""
