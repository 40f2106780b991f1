# SPDX-License-Identifier: Apache-2.0
"""Layers that take the largest element, or the mean, of each window."""

from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.nn.windows import window_sizes
from .input_spec import InputSpec
from .layer import Layer
from .sizes import format_of, joined_shape, padding_of, sizes_of, split_shape, window_length
from .words import arguments_of, described, function_of


class Pooling(Layer):
    """What the layers of all ranks share.

    Args:
        rank: How many spatial dimensions there are, an int.
        op: "Max" or "Avg".
        pool_size: Size of the window, an int or a list of ints.
        strides: Steps of the window, an int or a list of ints. None: its size.
        padding: A str.
        data_format: A str.
        name: Name of the layer, a str.
        **kwargs: dtype.
    """

    def __init__(self, rank, op, pool_size, strides, padding, data_format, name, **kwargs):
        super().__init__(name=name, **kwargs)
        self._rank, self._op = rank, f"{op}Pool" + "3D" * (rank == 3)
        self.pool_size = sizes_of(pool_size, rank, "pool_size")
        strides = self.pool_size if strides is None else strides
        self.strides = sizes_of(strides, rank, "strides")
        self.padding, self.data_format = padding_of(padding), format_of(data_format)
        self.input_spec = InputSpec(ndim=rank + 2)

    def call(self, inputs):
        """Computes the output.

        Args:
            inputs: A tensor [batch, spatial..., channels].

        Returns:
            A tensor [batch, spatial..., channels].
        """
        first = self.data_format == "channels_first"
        if self._rank == 2:
            return self._pool(inputs, self.pool_size, self.strides, "NCHW" if first else "NHWC")
        if self._rank == 3:
            if not first:
                return self._pool(inputs, self.pool_size, self.strides, "NDHWC")
            outputs = self._pool(
                arrays.transpose(inputs, [0, 2, 3, 4, 1]), self.pool_size, self.strides, "NDHWC"
            )
            return arrays.transpose(outputs, [0, 4, 1, 2, 3])
        images = arrays.expand_dims(inputs, 3 if first else 2)
        images = arrays.transpose(images, [0, 2, 3, 1]) if first else images
        outputs = self._pool(images, [*self.pool_size, 1], [*self.strides, 1], "NHWC")
        outputs = arrays.transpose(outputs, [0, 3, 1, 2]) if first else outputs
        return arrays.squeeze(outputs, [3 if first else 2])

    def _pool(self, inputs, sizes, strides, data_format):
        dims = len(sizes)
        return raw_ops.apply_op(
            self._op, ksize=window_sizes(list(sizes), data_format, dims),
            strides=window_sizes(list(strides), data_format, dims), padding=self.padding.upper(),
            data_format=data_format, **{"value" if self._op == "AvgPool" else "input": inputs},
        )  # fmt: skip

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


@described("A layer that computes the mean of each window of sequences.")
class AveragePooling1D(Pooling):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None,
                 **kwargs):  # fmt: skip
        super().__init__(1, "Avg", pool_size, strides, padding, data_format, name, **kwargs)


@described("A layer that returns the largest element of each window of sequences.")
class MaxPooling1D(Pooling):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None,
                 **kwargs):  # fmt: skip
        super().__init__(1, "Max", pool_size, strides, padding, data_format, name, **kwargs)


@described("A layer that computes the mean of each window of images.")
class AveragePooling2D(Pooling):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None,
                 **kwargs):  # fmt: skip
        super().__init__(2, "Avg", pool_size, strides, padding, data_format, name, **kwargs)


@described("A layer that returns the largest element of each window of images.")
class MaxPooling2D(Pooling):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None,
                 **kwargs):  # fmt: skip
        super().__init__(2, "Max", pool_size, strides, padding, data_format, name, **kwargs)


@described("A layer that computes the mean of each window of volumes.")
class AveragePooling3D(Pooling):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None,
                 **kwargs):  # fmt: skip
        super().__init__(3, "Avg", pool_size, strides, padding, data_format, name, **kwargs)


@described("A layer that returns the largest element of each window of volumes.")
class MaxPooling3D(Pooling):
    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None,
                 **kwargs):  # fmt: skip
        super().__init__(3, "Max", pool_size, strides, padding, data_format, name, **kwargs)


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
