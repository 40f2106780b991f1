# SPDX-License-Identifier: Apache-2.0
"""Convolutions that have a kernel for each place of the output."""

from ...layers.input_spec import InputSpec
from ...layers.sizes import format_of, joined_shape, sizes_of, split_shape, window_length
from ...ops import array as arrays
from ..base import settings
from ..base.arguments import resolved
from ..base.images import local_conv
from ..engine.documents import described
from ..engine.layer import Layer


class _Local(Layer):
    """What the layers share. The kernel is [places, window * channels, filters]."""

    rank = 1

    def keep(self, given):
        """Keeps the constructor's arguments.

        Args:
            given: A dict of them, of which names stand for functions.

        Raises:
            ValueError: The padding or the implementation is not supported.
        """
        if given["padding"].lower() != "valid" or given["implementation"] != 1:
            raise ValueError(
                f"Invalid border mode for {type(self).__name__} (only \"valid\" is supported if "
                f"implementation is 1): {given['padding']}"
            )
        for name, value in given.items():
            if name not in ("self", "kwargs", "__class__", "activity_regularizer"):
                setattr(self, name, resolved(name, value))
        self.data_format = format_of(given["data_format"] or settings.image_data_format())
        self.kernel_size = sizes_of(given["kernel_size"], self.rank, "kernel_size")
        self.strides = sizes_of(given["strides"], self.rank, "strides")
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _places(self, spatial):
        return [
            window_length(n, k, "valid", s)
            for n, k, s in zip(spatial, self.kernel_size, self.strides)
        ]

    def build(self, input_shape):
        _, spatial, channels = split_shape(input_shape, self.data_format)
        if None in (*spatial, channels):
            raise ValueError(f"{type(self).__name__} needs inputs of known sizes")
        self._sizes = self._places(spatial)
        count, window = 1, channels
        for places, size in zip(self._sizes, self.kernel_size):
            count, window = count * places, window * size
        self.kernel = self.add_weight(
            "kernel", [count, window, self.filters], None, self.kernel_initializer,
            self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", [*self._sizes, self.filters], None, self.bias_initializer,
                self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def call(self, inputs):
        outputs = local_conv(
            inputs, self.kernel, self.kernel_size, self.strides, self._sizes, self.data_format
        )
        if self.bias is not None:
            bias = self.bias.value()
            if self.data_format == "channels_first":
                bias = arrays.transpose(bias, [self.rank, *range(self.rank)])
            outputs = outputs + arrays.expand_dims(bias, 0)
        return self.activation(outputs)

    def compute_output_shape(self, input_shape):
        batch, spatial, _ = split_shape(input_shape, self.data_format)
        return joined_shape(batch, self._places(spatial), self.filters, self.data_format)


@described("A convolution of sequences with a kernel for each step.")
class LocallyConnected1D(_Local):
    def __init__(self, filters, kernel_size, strides=1, padding="valid", data_format=None,
                 activation=None, use_bias=True, kernel_initializer="glorot_uniform",
                 bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 implementation=1, **kwargs):  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.keep(locals())


@described("A convolution of images with a kernel for each place.")
class LocallyConnected2D(_Local):
    rank = 2

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None,
                 activation=None, use_bias=True, kernel_initializer="glorot_uniform",
                 bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None,
                 activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
                 implementation=1, **kwargs):  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.keep(locals())


__all__ = ["LocallyConnected1D", "LocallyConnected2D"]
