# SPDX-License-Identifier: Apache-2.0
"""Convolutions that have a kernel for each place of the output."""

import numpy as np

from ... import linalg
from ...layers.input_spec import InputSpec
from ...layers.sizes import format_of, joined_shape, sizes_of, split_shape, window_length
from ...ops import array as arrays
from ...ops.sparse.arithmetic import sparse_dense_matmul
from ...ops.sparse.sparse_tensor import SparseTensor
from ..base import settings
from ..base.arguments import resolved
from ..base.images import local_conv
from ..engine.documents import described
from ..engine.layer import Layer


def _seen(size, kernel, stride, padding, count):
    """Which elements of a dimension each place of the output sees, bools [size, count]."""
    before = kernel // 2
    centers = np.arange(count) * stride + (before if padding == "valid" else 0)
    elements = np.arange(size)[:, None]
    return (elements >= centers - before) & (elements < centers - before + kernel)


class _Local(Layer):
    """What the layers share.

    The kernel is [places, window * channels, filters] in implementation 1, from every element of
    the input to every one of the output in 2, and only the elements of that one which count in 3.
    """

    rank = 1

    def keep(self, given):
        """Keeps the constructor's arguments.

        Args:
            given: A dict of them, of which names stand for functions.

        Raises:
            ValueError: The padding or the implementation is not supported.
        """
        if given["padding"].lower() != "valid" and given["implementation"] == 1:
            raise ValueError(
                f"Invalid border mode for {type(self).__name__} (only \"valid\" is supported if "
                f"implementation is 1): {given['padding']}"
            )
        if given["implementation"] not in (1, 2, 3):
            raise ValueError("Unrecognized implementation mode: %d." % given["implementation"])
        for name, value in given.items():
            if name not in ("self", "kwargs", "__class__", "activity_regularizer"):
                setattr(self, name, resolved(name, value))
        self.padding = given["padding"].lower()
        self.data_format = format_of(given["data_format"] or settings.image_data_format())
        self.kernel_size = sizes_of(given["kernel_size"], self.rank, "kernel_size")
        self.strides = sizes_of(given["strides"], self.rank, "strides")
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _places(self, spatial):
        return [
            window_length(n, k, self.padding, s)
            for n, k, s in zip(spatial, self.kernel_size, self.strides)
        ]

    def build(self, input_shape):
        _, spatial, channels = split_shape(input_shape, self.data_format)
        if None in (*spatial, channels):
            raise ValueError(f"{type(self).__name__} needs inputs of known sizes")
        self._sizes = self._places(spatial)
        self.kernel = self.add_weight(
            "kernel", self._kernel_shape(spatial, channels), None, self.kernel_initializer,
            self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", [*self._sizes, self.filters], None, self.bias_initializer,
                self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def _kernel_shape(self, spatial, channels):
        if self.implementation == 1:
            window = int(np.prod(self.kernel_size)) * channels
            return [int(np.prod(self._sizes)), window, self.filters]
        mask = self._mask(spatial)
        if self.data_format == "channels_first":
            shape = [channels, *spatial, self.filters, *self._sizes]
            mask = np.expand_dims(np.expand_dims(mask, 0), self.rank + 1)
        else:
            shape = [*spatial, channels, *self._sizes, self.filters]
            mask = np.expand_dims(np.expand_dims(mask, self.rank), -1)
        if self.implementation == 2:
            self._counted = mask.astype(self.dtype)
            return shape
        size = int(np.prod(shape[: self.rank + 1]))
        mask = np.broadcast_to(mask, shape).reshape(size, -1)
        self._counted = np.argwhere(mask.T)
        return [len(self._counted)]

    def _mask(self, spatial):
        """Which elements of the input each place of the output sees: bools [input, output]."""
        dimensions = zip(spatial, self.kernel_size, self.strides, self._sizes)
        mask = np.ones([1] * 2 * self.rank, bool)
        for axis, (size, kernel, stride, count) in enumerate(dimensions):
            shape = [1] * 2 * self.rank
            shape[axis], shape[axis + self.rank] = size, count
            mask = mask & _seen(size, kernel, stride, self.padding, count).reshape(shape)
        return mask

    def _outputs(self, inputs):
        if self.implementation == 1:
            return local_conv(
                inputs, self.kernel, self.kernel_size, self.strides, self._sizes, self.data_format
            )
        size = int(np.prod(inputs.shape.as_list()[1:]))
        width = int(np.prod(self._sizes)) * self.filters
        flat = arrays.reshape(inputs, [-1, size])
        if self.implementation == 2:
            kernel = arrays.reshape(self.kernel * self._counted, [size, width])
            outputs = linalg.matmul(flat, kernel)
        else:
            kernel = SparseTensor(self._counted, self.kernel, [width, size])
            outputs = arrays.transpose(sparse_dense_matmul(kernel, flat, adjoint_b=True))
        shape = self.compute_output_shape(inputs.shape).as_list()[1:]
        return arrays.reshape(outputs, [-1, *shape])

    def call(self, inputs):
        outputs = self._outputs(inputs)
        if self.bias is not None:
            bias = self.bias.value()
            if self.data_format == "channels_first":
                bias = arrays.reshape(bias, [self.filters, *self._sizes])  # as Keras does
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
