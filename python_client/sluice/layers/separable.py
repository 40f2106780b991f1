# SPDX-License-Identifier: Apache-2.0
"""Layers that convolve each channel by itself, then mix the channels."""

from ..graph.default_graph import name_scope
from ..graph.seeds import count_more_nodes
from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.nn.layers import bias_add
from ..ops.nn.windows import window_sizes
from ..ops.state.initializers import glorot_uniform, zeros
from .arguments import described as in_config
from .arguments import keep
from .convolution import Convolution
from .words import arguments_of, described, function_of


class SeparableConvolution(Convolution):
    """What the layers of both ranks share.

    Args:
        rank: How many spatial dimensions there are, an int.
        filters: How many channels the output has, an int.
        kernel_size: Size of the window, an int or a list of ints.
        strides: Steps of the window, an int or a list of ints.
        padding: A str.
        data_format: A str.
        dilation_rate: Distance of the kernel's elements, an int or a list of ints.
        depth_multiplier: How many filters each channel has, an int.
        **options: The other arguments of the layers.
    """

    def __init__(self, rank, filters, kernel_size, strides, padding, data_format, dilation_rate,
                 depth_multiplier, **options):  # fmt: skip
        for part in ("depthwise", "pointwise"):
            for what in ("initializer", "regularizer", "constraint"):
                keep(self, **{f"{part}_{what}": options.pop(f"{part}_{what}")})
        options.setdefault("kernel_initializer", glorot_uniform())
        self.depth_multiplier = depth_multiplier
        super().__init__(
            rank, filters, kernel_size, strides, padding, data_format, dilation_rate, **options
        )
        self.depthwise_kernel = self.pointwise_kernel = None

    def build(self, input_shape):
        """Makes the kernels and the bias.

        Args:
            input_shape: Shape of the input, a TensorShape.

        Raises:
            ValueError: The number of channels is not known.
        """
        channels = self._take_channels(input_shape)
        self.depthwise_kernel = self.add_weight(
            "depthwise_kernel", [*self.kernel_size, channels, self.depth_multiplier], self._dtype,
            self.depthwise_initializer, self.depthwise_regularizer,
            constraint=self.depthwise_constraint,
        )  # fmt: skip
        deep = channels * self.depth_multiplier
        self.pointwise_kernel = self.add_weight(
            "pointwise_kernel", [*[1] * self.rank, deep, self.filters], self._dtype,
            self.pointwise_initializer, self.pointwise_regularizer,
            constraint=self.pointwise_constraint,
        )  # fmt: skip
        self._add_bias()
        self.built = True

    def get_config(self):
        """Returns the arguments that make an equal layer.

        Returns:
            A dict. It has what a kernel would have if there were one, as that of TensorFlow.
        """
        more = ("kernel_initializer", "kernel_regularizer", "kernel_constraint")
        more = {name: in_config(name, getattr(self, name)) for name in more}
        return {**super().get_config(), **more}

    def _separable(self, inputs, depthwise, pointwise, strides, dilations, padding):
        """Of images: sequences are images of height 1."""
        data_format = "NCHW" if self.data_format == "channels_first" else "NHWC"
        count_more_nodes(2 if max(dilations) == 1 else 12)
        with name_scope("separable_conv2d") as scope:
            deep = raw_ops.DepthwiseConv2dNative(
                input=inputs, filter=depthwise, strides=window_sizes(strides, data_format),
                padding=padding.upper(), data_format=data_format,
                dilations=window_sizes(dilations, data_format), name="depthwise",
            )  # fmt: skip
            return raw_ops.Conv2D(
                input=deep, filter=pointwise, strides=[1] * 4, padding="VALID",
                data_format=data_format, name=scope,
            )  # fmt: skip

    def _more_nodes(self, inputs):
        del inputs
        return 0  # _separable() has counted

    def _biased(self, outputs):
        first = self.data_format == "channels_first"
        return bias_add(outputs, self.bias, "NCHW" if first else "NHWC")


@described("A layer that convolves each channel of sequences by itself, then mixes the channels.")
class SeparableConv1D(SeparableConvolution):
    def __init__(self, filters, kernel_size, strides=1, padding="valid",
                 data_format="channels_last", dilation_rate=1, depth_multiplier=1, activation=None,
                 use_bias=True, depthwise_initializer=None, pointwise_initializer=None,
                 bias_initializer=zeros, depthwise_regularizer=None, pointwise_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, depthwise_constraint=None,
                 pointwise_constraint=None, bias_constraint=None, trainable=True, name=None,
                 **kwargs):  # fmt: skip
        super().__init__(
            1, filters, kernel_size, strides, padding, data_format, dilation_rate,
            depth_multiplier, activation=activation, use_bias=use_bias,
            depthwise_initializer=depthwise_initializer,
            pointwise_initializer=pointwise_initializer, bias_initializer=bias_initializer,
            depthwise_regularizer=depthwise_regularizer,
            pointwise_regularizer=pointwise_regularizer, bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer, depthwise_constraint=depthwise_constraint,
            pointwise_constraint=pointwise_constraint, bias_constraint=bias_constraint,
            trainable=trainable, name=name, **kwargs,
        )  # fmt: skip

    def call(self, inputs):
        """Computes the output.

        Args:
            inputs: A tensor [batch, steps, channels].

        Returns:
            A tensor [batch, steps, filters].
        """
        axis = 2 if self.data_format == "channels_first" else 1
        padding = self.padding
        if padding == "causal":
            before = [(self.kernel_size[0] - 1) * self.dilation_rate[0], 0]
            pads = [[0, 0], [0, 0], before] if axis == 2 else [[0, 0], before, [0, 0]]
            inputs, padding = arrays.pad(inputs, pads), "valid"
        inputs = arrays.expand_dims(inputs, axis)
        depthwise = arrays.expand_dims(self.depthwise_kernel, 0)
        pointwise = arrays.expand_dims(self.pointwise_kernel, 0)
        # Kernels take equal steps in both dimensions; there is one row.
        outputs = self._separable(
            inputs, depthwise, pointwise, self.strides * 2, self.dilation_rate * 2, padding
        )
        if self.bias is not None:
            outputs = self._biased(outputs)
        outputs = arrays.squeeze(outputs, [axis])
        return outputs if self.activation is None else self.activation(outputs)


@described("A layer that convolves each channel of images by itself, then mixes the channels.")
class SeparableConv2D(SeparableConvolution):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid",
                 data_format="channels_last", dilation_rate=(1, 1), depth_multiplier=1,
                 activation=None, use_bias=True, depthwise_initializer=None,
                 pointwise_initializer=None, bias_initializer=zeros, depthwise_regularizer=None,
                 pointwise_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 depthwise_constraint=None, pointwise_constraint=None, bias_constraint=None,
                 trainable=True, name=None, **kwargs):  # fmt: skip
        super().__init__(
            2, filters, kernel_size, strides, padding, data_format, dilation_rate,
            depth_multiplier, activation=activation, use_bias=use_bias,
            depthwise_initializer=depthwise_initializer,
            pointwise_initializer=pointwise_initializer, bias_initializer=bias_initializer,
            depthwise_regularizer=depthwise_regularizer,
            pointwise_regularizer=pointwise_regularizer, bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer, depthwise_constraint=depthwise_constraint,
            pointwise_constraint=pointwise_constraint, bias_constraint=bias_constraint,
            trainable=trainable, name=name, **kwargs,
        )  # fmt: skip

    def _convolve(self, inputs):
        return self._separable(
            inputs, self.depthwise_kernel, self.pointwise_kernel, self.strides,
            self.dilation_rate, self.padding,
        )  # fmt: skip


separable_conv1d = function_of(
    SeparableConv1D, "separable_conv1d", arguments_of(SeparableConv1D, "reuse"),
    "Convolves each channel of sequences by itself, then mixes the channels.",
)  # fmt: skip
separable_conv2d = function_of(
    SeparableConv2D, "separable_conv2d", arguments_of(SeparableConv2D, "reuse"),
    "Convolves each channel of images by itself, then mixes the channels.",
)  # fmt: skip
