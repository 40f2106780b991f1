# SPDX-License-Identifier: Apache-2.0
"""Layers that pool all of an image, repeat, pad or cut it, and convolve each channel by itself."""

from ... import math
from ...graph.convert import constant
from ...graph.tensor_shape import TensorShape
from ...layers.convolution import Convolution
from ...layers.input_spec import InputSpec
from ...layers.sizes import (
    format_of,
    joined_shape,
    op_format,
    sizes_of,
    split_shape,
    window_length,
)
from ...ops import array as arrays
from ...ops import raw_ops
from ...ops.nn.windows import window_sizes
from ..base import activations, constraints, initializers, regularizers, settings
from ..engine.documents import described
from ..engine.layer import Layer
from .adopted import Conv2D


def _format(data_format):
    return format_of(data_format or settings.image_data_format())


class GlobalPooling(Layer):
    """What the layers that pool all of a sequence, an image or a volume share.

    Args:
        data_format: "channels_last" or "channels_first". None: the default one.
        **kwargs: name, dtype, input_shape, batch_size: as of Layer.
    """

    rank, pooled, arguments = 2, None, ("data_format",)

    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format = _format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)
        first = self.data_format == "channels_first"
        self._axes = list(range(2, self.rank + 2) if first else range(1, self.rank + 1))

    def call(self, inputs):
        if self.pooled is None:
            raise NotImplementedError
        # Of a sequence the dimension is a number, of images a list, as in TensorFlow's graphs.
        axes = self._axes[0] if self.rank == 1 else self._axes
        return type(self).pooled(inputs, axis=axes)

    def compute_output_shape(self, input_shape):
        batch, _, channels = split_shape(input_shape, self.data_format)
        return TensorShape([batch, channels])


class GlobalPooling1D(GlobalPooling):
    """What the layers of sequences share. The arguments are those of GlobalPooling."""

    rank = 1

    def __init__(self, data_format="channels_last", **kwargs):
        super().__init__(data_format, **kwargs)


class GlobalPooling2D(GlobalPooling):
    """What the layers of images share. The arguments are those of GlobalPooling."""


class GlobalPooling3D(GlobalPooling):
    """What the layers of volumes share. The arguments are those of GlobalPooling."""

    rank = 3


_GLOBAL = {1: (GlobalPooling1D, "sequences"), 2: (GlobalPooling2D, "images"),
           3: (GlobalPooling3D, "volumes")}  # fmt: skip


def _global(name, rank, pooled, what):
    """A class of layers that pool everything."""
    base, things = _GLOBAL[rank]
    members = {"pooled": staticmethod(pooled), "__module__": __name__}
    cls = type(name, (base,), members)
    return described(f"A layer that takes the {what} of each channel over whole {things}.")(cls)


GlobalMaxPooling1D = GlobalMaxPool1D = _global("GlobalMaxPooling1D", 1, math.reduce_max, "maximum")
GlobalMaxPooling2D = GlobalMaxPool2D = _global("GlobalMaxPooling2D", 2, math.reduce_max, "maximum")
GlobalMaxPooling3D = GlobalMaxPool3D = _global("GlobalMaxPooling3D", 3, math.reduce_max, "maximum")
GlobalAveragePooling2D = GlobalAvgPool2D = _global(
    "GlobalAveragePooling2D", 2, math.reduce_mean, "mean"
)
GlobalAveragePooling3D = GlobalAvgPool3D = _global(
    "GlobalAveragePooling3D", 3, math.reduce_mean, "mean"
)


@described(
    "A layer that takes the mean of each channel over whole sequences, without masked steps."
)
class GlobalAveragePooling1D(GlobalPooling1D):
    pooled, supports_masking = staticmethod(math.reduce_mean), True

    def call(self, inputs, mask=None):
        if mask is None:
            return super().call(inputs)
        mask = arrays.cast(mask, inputs.dtype)
        mask = arrays.expand_dims(mask, 2 if self.data_format == "channels_last" else 1)
        axis = self._axes[0]
        return math.reduce_sum(inputs * mask, axis) / math.reduce_sum(mask, axis)

    def compute_mask(self, inputs, mask=None):
        return None


GlobalAvgPool1D = GlobalAveragePooling1D


def _spatial(rank, data_format):
    return range(2, rank + 2) if data_format == "channels_first" else range(1, rank + 1)


def _repeated(x, times, axis):
    """Each element several times in a row along a dimension."""
    parts = arrays.split(x, x.shape.as_list()[axis], axis)
    return arrays.concat([part for part in parts for _ in range(times)], axis)


@described("A layer that repeats each step of a sequence.")
class UpSampling1D(Layer):
    def __init__(self, size=2, **kwargs):
        super().__init__(**kwargs)
        self.size = int(size)
        self.input_spec = InputSpec(ndim=3)

    def call(self, inputs):
        return _repeated(inputs, self.size, 1)

    def compute_output_shape(self, input_shape):
        batch, steps, channels = TensorShape(input_shape).as_list()
        return TensorShape([batch, None if steps is None else steps * self.size, channels])


@described("A layer that makes images larger.")
class UpSampling2D(Layer):
    def __init__(self, size=(2, 2), data_format=None, interpolation="nearest", **kwargs):
        super().__init__(**kwargs)
        self.data_format, self.size = _format(data_format), sizes_of(size, 2, "size")
        if interpolation not in ("nearest", "bilinear"):
            raise ValueError(
                '`interpolation` argument should be one of `"nearest"` or `"bilinear"`.'
            )
        self.interpolation = interpolation
        self.input_spec = InputSpec(ndim=4)

    def call(self, inputs):
        first = self.data_format == "channels_first"
        images = arrays.transpose(inputs, [0, 2, 3, 1]) if first else inputs
        sizes = arrays.shape(images)[1:3] * constant(list(self.size))
        nearest = self.interpolation == "nearest"
        op = raw_ops.ResizeNearestNeighbor if nearest else raw_ops.ResizeBilinear
        outputs = op(images=images, size=sizes, half_pixel_centers=True)
        outputs = arrays.transpose(outputs, [0, 3, 1, 2]) if first else outputs
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def compute_output_shape(self, input_shape):
        batch, spatial, channels = split_shape(input_shape, self.data_format)
        spatial = [None if n is None else n * s for n, s in zip(spatial, self.size)]
        return joined_shape(batch, spatial, channels, self.data_format)


@described("A layer that repeats each element of a volume.")
class UpSampling3D(Layer):
    def __init__(self, size=(2, 2, 2), data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.data_format, self.size = _format(data_format), sizes_of(size, 3, "size")
        self.input_spec = InputSpec(ndim=5)

    def call(self, inputs):
        for axis, times in zip(_spatial(3, self.data_format), self.size):
            inputs = _repeated(inputs, times, axis)
        return inputs

    def compute_output_shape(self, input_shape):
        batch, spatial, channels = split_shape(input_shape, self.data_format)
        spatial = [None if n is None else n * s for n, s in zip(spatial, self.size)]
        return joined_shape(batch, spatial, channels, self.data_format)


def _pairs(value, rank, name):
    """A pair of ints for each dimension."""
    if isinstance(value, int):
        return ((value, value),) * rank
    count = {2: "two"}.get(rank, rank)
    if not hasattr(value, "__len__") or len(value) != rank:
        raise ValueError(f"`{name}` should have {count} elements. Found: {value}")
    if rank == 1:
        return (sizes_of(value[0], 2, name),)
    places = ("1st", "2nd", "3rd")
    return tuple(sizes_of(v, 2, f"{place} entry of {name}") for v, place in zip(value, places))


class _Edges(Layer):
    """What the layers that pad or cut share."""

    rank = 2

    def _keep_pairs(self, value, name, data_format):
        self.data_format = _format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)
        pairs = _pairs(value, self.rank, name)
        setattr(self, name, pairs[0] if self.rank == 1 else pairs)
        self._edges = [(0, 0)] * (self.rank + 2)
        for axis, pair in zip(_spatial(self.rank, self.data_format), pairs):
            self._edges[axis] = pair


class _Padding(_Edges):
    """What the layers that pad with zeros share."""

    def call(self, inputs):
        return arrays.pad(inputs, self._edges)

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        return TensorShape(
            [None if n is None else n + sum(edge) for n, edge in zip(sizes, self._edges)]
        )


class _Cropping(_Edges):
    """What the layers that cut share."""

    def call(self, inputs):
        return inputs[tuple(slice(a, -b if b else None) for a, b in self._edges)]

    def compute_output_shape(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        return TensorShape(
            [None if n is None else n - sum(edge) for n, edge in zip(sizes, self._edges)]
        )


def _one_pair(value):
    return (tuple(value),) if isinstance(value, (tuple, list)) else value


@described("A layer that adds zeros before and after sequences.",
           padding="How many, an int or a pair of ints.")  # fmt: skip
class ZeroPadding1D(_Padding):
    rank = 1

    def __init__(self, padding=1, **kwargs):
        super().__init__(**kwargs)
        self._keep_pairs(_one_pair(padding), "padding", "channels_last")


@described("A layer that adds zeros around images.",
           padding="How many, an int, or for each dimension an int or a pair.")  # fmt: skip
class ZeroPadding2D(_Padding):
    def __init__(self, padding=(1, 1), data_format=None, **kwargs):
        super().__init__(**kwargs)
        self._keep_pairs(padding, "padding", data_format)


@described("A layer that adds zeros around volumes.",
           padding="How many, an int, or for each dimension an int or a pair.")  # fmt: skip
class ZeroPadding3D(_Padding):
    rank = 3

    def __init__(self, padding=(1, 1, 1), data_format=None, **kwargs):
        super().__init__(**kwargs)
        self._keep_pairs(padding, "padding", data_format)


@described("A layer that leaves out steps before and after.")
class Cropping1D(_Cropping):
    rank = 1

    def __init__(self, cropping=(1, 1), **kwargs):
        super().__init__(**kwargs)
        self._keep_pairs(_one_pair(cropping), "cropping", "channels_last")


@described("A layer that leaves out the edges of images.")
class Cropping2D(_Cropping):
    def __init__(self, cropping=((0, 0), (0, 0)), data_format=None, **kwargs):
        super().__init__(**kwargs)
        self._keep_pairs(cropping, "cropping", data_format)


@described("A layer that leaves out the edges of volumes.")
class Cropping3D(_Cropping):
    rank = 3

    def __init__(self, cropping=((1, 1), (1, 1), (1, 1)), data_format=None, **kwargs):
        super().__init__(**kwargs)
        self._keep_pairs(cropping, "cropping", data_format)


@described("A layer that convolves each channel of an image by itself.")
class DepthwiseConv2D(Conv2D):
    def __init__(self, kernel_size, strides=(1, 1), padding="valid", depth_multiplier=1,
                 data_format=None, activation=None, use_bias=True,
                 depthwise_initializer="glorot_uniform", bias_initializer="zeros",
                 depthwise_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 depthwise_constraint=None, bias_constraint=None, **kwargs):  # fmt: skip
        Convolution.__init__(
            self, 2, None, kernel_size, strides, padding, _format(data_format),
            kwargs.pop("dilation_rate", 1),
            activation=activations.get(activation), use_bias=use_bias,
            bias_initializer=initializers.get(bias_initializer),
            trainable=kwargs.pop("trainable", True),
            bias_regularizer=regularizers.get(bias_regularizer),
            bias_constraint=constraints.get(bias_constraint), name=kwargs.pop("name", None),
            activity_regularizer=activity_regularizer, **kwargs,
        )  # fmt: skip
        self.depth_multiplier = depth_multiplier
        self.depthwise_initializer = initializers.get(depthwise_initializer)
        self.depthwise_regularizer = regularizers.get(depthwise_regularizer)
        self.depthwise_constraint = constraints.get(depthwise_constraint)

    def get_config(self):
        return {**super().get_config(), "dilation_rate": self.dilation_rate}

    def build(self, input_shape):
        channels = self._take_channels(input_shape)
        self.depthwise_kernel = self.add_weight(
            "depthwise_kernel", [*self.kernel_size, channels, self.depth_multiplier], self._dtype,
            self.depthwise_initializer, self.depthwise_regularizer,
            constraint=self.depthwise_constraint,
        )  # fmt: skip
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", [channels * self.depth_multiplier], self._dtype, self.bias_initializer,
                self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def _convolve(self, inputs):
        data_format = op_format(self.data_format, 2)
        return raw_ops.DepthwiseConv2dNative(
            input=inputs, filter=self.depthwise_kernel, padding=self.padding.upper(),
            strides=window_sizes(self.strides, data_format), data_format=data_format,
            dilations=window_sizes(self.dilation_rate, data_format), name="depthwise",
        )  # fmt: skip

    def _more_nodes(self, inputs):
        del inputs
        return 2 if max(self.dilation_rate) == 1 else 12

    def compute_output_shape(self, input_shape):
        batch, spatial, channels = split_shape(input_shape, self.data_format)
        windows = zip(spatial, self.kernel_size, self.strides, self.dilation_rate)
        spatial = [
            window_length(length, window, self.padding, stride, dilation)
            for length, window, stride, dilation in windows
        ]
        deep = channels * self.depth_multiplier
        return joined_shape(batch, spatial, deep, self.data_format)


__all__ = [
    name for name, thing in list(globals().items()) if not name.startswith("_")
    and isinstance(thing, type) and issubclass(thing, Layer) and thing.__module__ == __name__
    and not name.startswith("GlobalPooling")
]  # fmt: skip
