# SPDX-License-Identifier: Apache-2.0
"""Layers that convolve sequences, images and volumes."""

from .. import dtypes
from ..graph.convert import constant
from ..graph.default_graph import name_scope
from ..graph.seeds import count_more_nodes
from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.nn.layers import bias_add
from ..ops.nn.windows import window_sizes
from ..ops.state.initializers import zeros
from .arguments import keep
from .input_spec import InputSpec
from .layer import Layer
from .sizes import (
    channels_of,
    format_of,
    joined_shape,
    op_format,
    padding_of,
    sizes_of,
    split_shape,
    window_length,
)
from .words import arguments_of, described, function_of


class Convolution(Layer):
    """What the layers of all ranks share.

    Args:
        rank: How many spatial dimensions there are, an int.
        filters: How many channels the output has, an int.
        kernel_size: Size of the window, an int or a list of ints.
        strides: Steps of the window, an int or a list of ints.
        padding: A str.
        data_format: A str.
        dilation_rate: Distance of the kernel's elements, an int or a list of ints.
        **options: The other arguments of the layers.
    """

    def __init__(self, rank, filters, kernel_size, strides, padding, data_format, dilation_rate,
                 **options):  # fmt: skip
        take = options.pop
        self.rank, self.filters = rank, filters
        self.kernel_size = sizes_of(kernel_size, rank, "kernel_size")
        self.strides = sizes_of(strides, rank, "strides")
        self.padding, self.data_format = padding_of(padding), format_of(data_format)
        if self.padding == "causal" and rank != 1:
            raise ValueError("Causal padding is only supported for `Conv1D`and ``SeparableConv1D`.")
        self.dilation_rate = sizes_of(dilation_rate, rank, "dilation_rate")
        own = "activation use_bias bias_initializer bias_regularizer bias_constraint".split()
        keep(self, **{name: take(name) for name in own})
        own = "kernel_initializer kernel_regularizer kernel_constraint".split()
        keep(self, **{name: take(name, None) for name in own})
        super().__init__(take("trainable"), take("name"), **options)
        self.input_spec = InputSpec(ndim=rank + 2)
        self.kernel = self.bias = None

    def build(self, input_shape):
        """Makes the kernel and the bias.

        Args:
            input_shape: Shape of the input, a TensorShape.

        Raises:
            ValueError: The number of channels is not known.
        """
        channels = self._take_channels(input_shape)
        self.kernel = self._add_kernel([*self.kernel_size, channels, self.filters])
        self._add_bias()
        constant(list(self.dilation_rate), dtypes.int32, name="dilation_rate")
        super().build(input_shape)

    def _take_channels(self, input_shape):
        channels = channels_of(input_shape, self.data_format)
        axis = 1 if self.data_format == "channels_first" else -1
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: channels})
        return channels

    def _add_kernel(self, shape):
        return self.add_weight(
            "kernel", shape, self._dtype, self.kernel_initializer, self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )  # fmt: skip

    def _add_bias(self):
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", [self.filters], self._dtype, self.bias_initializer, self.bias_regularizer,
                constraint=self.bias_constraint,
            )  # fmt: skip

    def call(self, inputs):
        """Computes the output.

        Args:
            inputs: A tensor [batch, spatial..., channels].

        Returns:
            A tensor [batch, spatial..., filters].
        """
        outputs = self._finish(self._convolve(inputs))
        count_more_nodes(self._more_nodes(inputs))
        return outputs

    def _more_nodes(self, inputs):
        """How many more nodes TensorFlow has, which decide seeds: measured, to two dimensions."""
        if max(self.dilation_rate) == 1:
            return 0
        _, spatial, _ = split_shape(inputs.shape, self.data_format)
        known = None not in spatial
        return (10 if known else 54 if self.rank == 1 else 73) + (self.padding == "same")

    def _convolve(self, inputs):
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise ValueError("strides > 1 not supported in conjunction with dilation_rate > 1")
        more = {"padding": self.padding.upper(), "data_format": self._format()}
        more["strides"] = window_sizes(self.strides, more["data_format"], self.rank)
        more["dilations"] = window_sizes(self.dilation_rate, more["data_format"], self.rank)
        op = raw_ops.Conv2D if self.rank == 2 else raw_ops.Conv3D
        return op(input=inputs, filter=self.kernel, **more)

    def _format(self):
        return op_format(self.data_format, self.rank)

    def _finish(self, outputs):
        if self.bias is not None:
            outputs = self._biased(outputs)
        return outputs if self.activation is None else self.activation(outputs)

    def _biased(self, outputs):
        first = self.data_format == "channels_first"
        return bias_add(outputs, self.bias, "NCHW" if first else "NHWC")

    def compute_output_shape(self, input_shape):
        """Returns the shape of the output.

        Args:
            input_shape: Shape of the input.

        Returns:
            A TensorShape.
        """
        batch, spatial, _ = split_shape(input_shape, self.data_format)
        windows = zip(spatial, self.kernel_size, self.strides, self.dilation_rate)
        spatial = [
            window_length(length, window, self.padding, stride, dilation)
            for length, window, stride, dilation in windows
        ]
        return joined_shape(batch, spatial, self.filters, self.data_format)


@described("A layer that convolves sequences [batch, steps, channels].")
class Conv1D(Convolution):
    def __init__(self, filters, kernel_size, strides=1, padding="valid",
                 data_format="channels_last", dilation_rate=1, activation=None, use_bias=True,
                 kernel_initializer=None, bias_initializer=zeros, kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **kwargs):  # fmt: skip
        super().__init__(
            1, filters, kernel_size, strides, padding, data_format, dilation_rate,
            activation=activation, use_bias=use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint,
            trainable=trainable, name=name, **kwargs,
        )  # fmt: skip

    def _convolve(self, inputs):
        padding, first = self.padding, self.data_format == "channels_first"
        if padding == "causal":
            before = [(self.kernel_size[0] - 1) * self.dilation_rate[0], 0]
            pads = [[0, 0], [0, 0], before] if first else [[0, 0], before, [0, 0]]
            inputs, padding = arrays.pad(inputs, pads), "valid"
        axis = 2 if first else 1
        data_format = "NCHW" if first else "NHWC"
        with name_scope("conv1d") as scope:
            outputs = raw_ops.Conv2D(
                input=arrays.expand_dims(inputs, axis), filter=arrays.expand_dims(self.kernel, 0),
                strides=window_sizes([1, *self.strides], data_format), padding=padding.upper(),
                data_format=data_format,
                dilations=window_sizes([1, *self.dilation_rate], data_format), name=scope,
            )  # fmt: skip
            return arrays.squeeze(outputs, [axis])

    def _biased(self, outputs):
        if self.data_format == "channels_first":
            return outputs + arrays.reshape(self.bias, [1, self.filters, 1])
        return bias_add(outputs, self.bias, "NHWC")


@described("A layer that convolves images [batch, height, width, channels].")
class Conv2D(Convolution):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid",
                 data_format="channels_last", dilation_rate=(1, 1), activation=None, use_bias=True,
                 kernel_initializer=None, bias_initializer=zeros, kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **kwargs):  # fmt: skip
        super().__init__(
            2, filters, kernel_size, strides, padding, data_format, dilation_rate,
            activation=activation, use_bias=use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint,
            trainable=trainable, name=name, **kwargs,
        )  # fmt: skip


@described("A layer that convolves volumes [batch, depth, height, width, channels].")
class Conv3D(Convolution):
    def __init__(self, filters, kernel_size, strides=(1, 1, 1), padding="valid",
                 data_format="channels_last", dilation_rate=(1, 1, 1), activation=None,
                 use_bias=True, kernel_initializer=None, bias_initializer=zeros,
                 kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, bias_constraint=None, trainable=True, name=None,
                 **kwargs):  # fmt: skip
        super().__init__(
            3, filters, kernel_size, strides, padding, data_format, dilation_rate,
            activation=activation, use_bias=use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint,
            trainable=trainable, name=name, **kwargs,
        )  # fmt: skip


_EXAMPLE = """
>>> images = sl.placeholder(sl.float32, [None, 8, 8, 3])
>>> y = sl.layers.conv2d(images, filters=4, kernel_size=3, padding="same", activation=sl.nn.relu)
>>> y.shape.as_list(), [v.name for v in sl.trainable_variables()]
([None, 8, 8, 4], ['conv2d/kernel:0', 'conv2d/bias:0'])
"""
conv1d = function_of(
    Conv1D, "conv1d", arguments_of(Conv1D, "reuse"),
    "Convolves sequences [batch, steps, channels].",
)  # fmt: skip
conv2d = function_of(
    Conv2D, "conv2d", arguments_of(Conv2D, "reuse"),
    "Convolves images [batch, height, width, channels].", _EXAMPLE,
)  # fmt: skip
conv3d = function_of(
    Conv3D, "conv3d", arguments_of(Conv3D, "reuse"),
    "Convolves volumes [batch, depth, height, width, channels].",
)  # fmt: skip
