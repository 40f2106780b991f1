# SPDX-License-Identifier: Apache-2.0
"""Layers that go the other way than a convolution: from few places to many."""

from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.nn.convolution import atrous_conv2d_transpose
from ..ops.nn.windows import window_sizes
from ..ops.state.initializers import zeros
from .convolution import Convolution
from .sizes import joined_shape, op_format, sizes_of, split_shape, transposed_length
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
        output_padding: How much longer outputs are, an int or a list of ints. None: not.
        dilation_rate: Distance of the kernel's elements, an int or a list of ints.
        **options: The other arguments of the layers.

    Raises:
        ValueError: A step is not larger than its output_padding.
    """

    def __init__(self, rank, filters, kernel_size, strides, padding, data_format,
                 output_padding=None, dilation_rate=1, **options):  # fmt: skip
        Convolution.__init__(  # not that of Conv2D of Keras, of which the layers of Keras are too
            self, rank, filters, kernel_size, strides, padding, data_format, dilation_rate,
            **options,
        )  # fmt: skip
        self.output_padding = None
        if output_padding is not None:
            self.output_padding = sizes_of(output_padding, rank, "output_padding")
            if any(more >= step for more, step in zip(self.output_padding, self.strides)):
                raise ValueError(
                    f"Stride {self.strides} must be greater than output padding "
                    f"{self.output_padding}"
                )

    def get_config(self):
        """Returns the arguments that make an equal layer.

        Returns:
            A dict.
        """
        more = {"output_padding": self.output_padding}
        if self.rank == 2:
            more["dilation_rate"] = self.dilation_rate
        return {**super().get_config(), **more}

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
        lengths = self._lengths(lengths)
        around = [self.filters, *lengths] if first else [*lengths, self.filters]
        if max(self.dilation_rate) > 1:
            return self._dilated(inputs, [batch, *lengths, self.filters], first)
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

    def _lengths(self, lengths):
        more = self.output_padding or [None] * self.rank
        windows = zip(lengths, self.kernel_size, self.strides, more, self.dilation_rate)
        return [
            transposed_length(length, window, self.padding, stride, longer, dilation)
            for length, window, stride, longer, dilation in windows
        ]

    def _dilated(self, inputs, shape, first):
        """The transpose of a convolution whose kernel has gaps: of images, with steps of 1."""
        if self.rank != 2 or len(set(self.dilation_rate)) > 1:
            raise ValueError(f"dilation_rate must be the same for both: {self.dilation_rate}")
        inputs = arrays.transpose(inputs, [0, 2, 3, 1]) if first else inputs
        outputs = atrous_conv2d_transpose(
            inputs, self.kernel, arrays.stack(shape), self.dilation_rate[0], self.padding.upper()
        )
        outputs = arrays.transpose(outputs, [0, 3, 1, 2]) if first else outputs
        batch, lengths, _ = split_shape(inputs.shape, "channels_last")
        outputs.set_shape(
            joined_shape(batch, self._lengths(lengths), self.filters, self.data_format)
        )
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
        return joined_shape(batch, self._lengths(spatial), self.filters, self.data_format)


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
