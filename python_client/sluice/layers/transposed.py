# SPDX-License-Identifier: Apache-2.0
"""Layers that go the other way than a convolution: from few places to many."""

from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.nn.windows import window_sizes
from ..ops.state.initializers import zeros
from .convolution import Convolution
from .sizes import joined_shape, op_format, split_shape, transposed_length
from .words import arguments_of, described, function_of


class TransposedConvolution(Convolution):
    """What the layers of both ranks share.

    Args:
        rank: How many spatial dimensions there are, an int.
        filters: How many channels the output has, an int.
        kernel_size: Size of the window, an int or a list of ints.
        strides: Steps of the window, an int or a list of ints.
        padding: A str.
        data_format: A str.
        **options: The other arguments of the layers.
    """

    def __init__(self, rank, filters, kernel_size, strides, padding, data_format, **options):
        super().__init__(rank, filters, kernel_size, strides, padding, data_format, 1, **options)

    def build(self, input_shape):
        """Makes the kernel and the bias.

        Args:
            input_shape: Shape of the input, a TensorShape.

        Raises:
            ValueError: The number of channels is not known.
        """
        channels = self._take_channels(input_shape)
        self.kernel = self._add_kernel([*self.kernel_size, self.filters, channels])
        self._add_bias()
        self.built = True

    def _convolve(self, inputs):
        sizes = arrays.shape(inputs)
        first = self.data_format == "channels_first"
        batch = sizes[0]
        lengths = [sizes[i + (2 if first else 1)] for i in range(self.rank)]
        lengths = [
            transposed_length(length, window, self.padding, stride)
            for length, window, stride in zip(lengths, self.kernel_size, self.strides)
        ]
        around = [self.filters, *lengths] if first else [*lengths, self.filters]
        data_format = op_format(self.data_format, self.rank)
        op = raw_ops.Conv2DBackpropInput if self.rank == 2 else raw_ops.Conv3DBackpropInputV2
        outputs = op(
            input_sizes=arrays.stack([batch, *around]), filter=self.kernel, out_backprop=inputs,
            strides=window_sizes(self.strides, data_format, self.rank),
            padding=self.padding.upper(), data_format=data_format,
            name=f"conv{self.rank}d_transpose",
        )  # fmt: skip
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def _more_nodes(self, inputs):
        del inputs
        return 4 if self.rank == 2 else 0

    def compute_output_shape(self, input_shape):
        """Returns the shape of the output.

        Args:
            input_shape: Shape of the input.

        Returns:
            A TensorShape.
        """
        batch, spatial, _ = split_shape(input_shape, self.data_format)
        spatial = [
            transposed_length(length, window, self.padding, stride)
            for length, window, stride in zip(spatial, self.kernel_size, self.strides)
        ]
        return joined_shape(batch, spatial, self.filters, self.data_format)


@described("A layer that computes the transpose of a convolution of images.")
class Conv2DTranspose(TransposedConvolution):
    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid",
                 data_format="channels_last", activation=None, use_bias=True,
                 kernel_initializer=None, bias_initializer=zeros, kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **kwargs):  # fmt: skip
        super().__init__(
            2, filters, kernel_size, strides, padding, data_format, activation=activation,
            use_bias=use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint,
            trainable=trainable, name=name, **kwargs,
        )  # fmt: skip


@described("A layer that computes the transpose of a convolution of volumes.")
class Conv3DTranspose(TransposedConvolution):
    def __init__(self, filters, kernel_size, strides=(1, 1, 1), padding="valid",
                 data_format="channels_last", activation=None, use_bias=True,
                 kernel_initializer=None, bias_initializer=zeros, kernel_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 bias_constraint=None, trainable=True, name=None, **kwargs):  # fmt: skip
        super().__init__(
            3, filters, kernel_size, strides, padding, data_format, activation=activation,
            use_bias=use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint,
            trainable=trainable, name=name, **kwargs,
        )  # fmt: skip


conv2d_transpose = function_of(
    Conv2DTranspose, "conv2d_transpose", arguments_of(Conv2DTranspose, "reuse"),
    "Computes the transpose of a convolution of images [batch, height, width, channels].",
)  # fmt: skip
conv3d_transpose = function_of(
    Conv3DTranspose, "conv3d_transpose", arguments_of(Conv3DTranspose, "reuse"),
    "Computes the transpose of a convolution of volumes [batch, depth, height, width, channels].",
)  # fmt: skip
