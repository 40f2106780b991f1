# SPDX-License-Identifier: Apache-2.0
"""Layers that take the largest element, or the mean, of each window."""

from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.nn.windows import window_sizes
from .input_spec import InputSpec
from .layer import Layer
from .sizes import format_of, joined_shape, padding_of, sizes_of, split_shape, window_length
from .words import arguments_of, described, function_of


def _pool(op):
    """The operation of a name as a function of windows of images."""
    value = "value" if op == "AvgPool" else "input"

    def pool(inputs, ksize, strides, padding, data_format):
        sizes = (window_sizes(list(v), data_format) for v in (ksize, strides))
        return raw_ops.apply_op(
            op, **dict(zip(("ksize", "strides"), sizes)), padding=padding,
            data_format=data_format, **{value: inputs},
        )  # fmt: skip

    return pool


def _pool_steps(op):
    """The operation of a name as a function of windows of images of Keras's formats."""
    pool_images = _pool(op)

    def pool(inputs, ksize, strides, padding, data_format):
        first = data_format == "channels_first"
        inputs = arrays.transpose(inputs, [0, 2, 3, 1]) if first else inputs
        outputs = pool_images(inputs, ksize, strides, padding.upper(), "NHWC")
        return arrays.transpose(outputs, [0, 3, 1, 2]) if first else outputs

    return pool


def _pool_volumes(op):
    """The operation of a name as a function of windows of volumes."""

    def pool(inputs, ksize, strides, padding):
        return raw_ops.apply_op(
            op, input=inputs, ksize=list(ksize), strides=list(strides), padding=padding,
            data_format="NDHWC",
        )  # fmt: skip

    return pool


class Pooling(Layer):
    """What the layers of all ranks share.

    Args:
        pool_function: A function that pools windows.
        pool_size: Size of the window, an int or a list of ints.
        strides: Steps of the window, an int or a list of ints. None: its size.
        padding: A str.
        data_format: A str.
        name: Name of the layer, a str.
        **kwargs: dtype.
    """

    rank = 2  # how many spatial dimensions there are

    def __init__(self, pool_function, pool_size, strides, padding="valid",
                 data_format="channels_last", name=None, **kwargs):  # fmt: skip
        super().__init__(name=name, **kwargs)
        self.pool_function = pool_function
        self.pool_size = sizes_of(pool_size, self.rank, "pool_size")
        strides = self.pool_size if strides is None else strides
        self.strides = sizes_of(strides, self.rank, "strides")
        self.padding, self.data_format = padding_of(padding), format_of(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def compute_output_shape(self, input_shape):
        """Returns the shape of the output.

        Args:
            input_shape: Shape of the input.

        Returns:
            A TensorShape.
        """
        batch, spatial, channels = split_shape(input_shape, self.data_format)
        spatial = [
            window_length(length, window, self.padding, stride)
            for length, window, stride in zip(spatial, self.pool_size, self.strides)
        ]
        return joined_shape(batch, spatial, channels, self.data_format)


class Pooling1D(Pooling):
    """What the layers of sequences share: see Pooling."""

    rank = 1
    arguments = ("strides", "pool_size", "padding", "data_format")

    def call(self, inputs):
        """Computes the output.

        Args:
            inputs: A tensor [batch, steps, channels].

        Returns:
            A tensor [batch, steps, channels].
        """
        axis = 3 if self.data_format == "channels_first" else 2
        outputs = self.pool_function(
            arrays.expand_dims(inputs, axis), (*self.pool_size, 1), strides=(*self.strides, 1),
            padding=self.padding, data_format=self.data_format,
        )  # fmt: skip
        return arrays.squeeze(outputs, [axis])


class Pooling2D(Pooling):
    """What the layers of images share: see Pooling."""

    arguments = ("pool_size", "padding", "strides", "data_format")

    def call(self, inputs):
        """Computes the output.

        Args:
            inputs: A tensor [batch, height, width, channels].

        Returns:
            A tensor [batch, height, width, channels].
        """
        data_format = "NCHW" if self.data_format == "channels_first" else "NHWC"
        return self.pool_function(
            inputs, ksize=tuple(window_sizes(self.pool_size, data_format)),
            strides=tuple(window_sizes(self.strides, data_format)), padding=self.padding.upper(),
            data_format=data_format,
        )  # fmt: skip


class Pooling3D(Pooling):
    """What the layers of volumes share: see Pooling."""

    rank = 3
    arguments = ("pool_size", "padding", "strides", "data_format")

    def call(self, inputs):
        """Computes the output.

        Args:
            inputs: A tensor [batch, depth, height, width, channels].

        Returns:
            A tensor [batch, depth, height, width, channels].
        """
        first = self.data_format == "channels_first"
        outputs = self.pool_function(
            arrays.transpose(inputs, [0, 2, 3, 4, 1]) if first else inputs,
            ksize=(1, *self.pool_size, 1), strides=(1, *self.strides, 1),
            padding=self.padding.upper(),
        )  # fmt: skip
        return arrays.transpose(outputs, [0, 4, 1, 2, 3]) if first else outputs


@described("A layer that computes the mean of each window of sequences.")
class AveragePooling1D(Pooling1D):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None,
                 **kwargs):  # fmt: skip
        pool = _pool_steps("AvgPool")
        super().__init__(pool, pool_size, strides, padding, data_format, name, **kwargs)


@described("A layer that returns the largest element of each window of sequences.")
class MaxPooling1D(Pooling1D):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None,
                 **kwargs):  # fmt: skip
        pool = _pool_steps("MaxPool")
        super().__init__(pool, pool_size, strides, padding, data_format, name, **kwargs)


@described("A layer that computes the mean of each window of images.")
class AveragePooling2D(Pooling2D):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None,
                 **kwargs):  # fmt: skip
        super().__init__(_pool("AvgPool"), pool_size, strides, padding, data_format, name, **kwargs)


@described("A layer that returns the largest element of each window of images.")
class MaxPooling2D(Pooling2D):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None,
                 **kwargs):  # fmt: skip
        super().__init__(_pool("MaxPool"), pool_size, strides, padding, data_format, name, **kwargs)


@described("A layer that computes the mean of each window of volumes.")
class AveragePooling3D(Pooling3D):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None,
                 **kwargs):  # fmt: skip
        pool = _pool_volumes("AvgPool3D")
        super().__init__(pool, pool_size, strides, padding, data_format, name, **kwargs)


@described("A layer that returns the largest element of each window of volumes.")
class MaxPooling3D(Pooling3D):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None,
                 **kwargs):  # fmt: skip
        pool = _pool_volumes("MaxPool3D")
        super().__init__(pool, pool_size, strides, padding, data_format, name, **kwargs)


_MEAN, _LARGEST = "Computes the mean", "Returns the largest element"
average_pooling1d = function_of(
    AveragePooling1D, "average_pooling1d", arguments_of(AveragePooling1D),
    f"{_MEAN} of each window of sequences.",
)  # fmt: skip
max_pooling1d = function_of(
    MaxPooling1D, "max_pooling1d", arguments_of(MaxPooling1D),
    f"{_LARGEST} of each window of sequences.",
)  # fmt: skip
average_pooling2d = function_of(
    AveragePooling2D, "average_pooling2d", arguments_of(AveragePooling2D),
    f"{_MEAN} of each window of images.",
)  # fmt: skip
max_pooling2d = function_of(
    MaxPooling2D, "max_pooling2d", arguments_of(MaxPooling2D),
    f"{_LARGEST} of each window of images.",
    """
>>> x = sl.reshape(sl.range(4.0), [1, 2, 2, 1])
>>> sl.Session().run(sl.layers.max_pooling2d(x, pool_size=2, strides=2))
array([[[[3.]]]], dtype=float32)
""",
)  # fmt: skip
average_pooling3d = function_of(
    AveragePooling3D, "average_pooling3d", arguments_of(AveragePooling3D),
    f"{_MEAN} of each window of volumes.",
)  # fmt: skip
max_pooling3d = function_of(
    MaxPooling3D, "max_pooling3d", arguments_of(MaxPooling3D),
    f"{_LARGEST} of each window of volumes.",
)  # fmt: skip
