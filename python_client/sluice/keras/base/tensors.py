# SPDX-License-Identifier: Apache-2.0
"""Functions of the backend for sequences, images and statistics."""

import sys

import numpy as np

from ... import initializers, linalg, math, nn, sparse
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies
from ...ops import array as arrays
from ...ops.functions.loops import foldl as _foldl
from ...ops.functions.loops import foldr as _foldr
from ...ops.functions.loops import map_fn as _map_fn
from ...ops.strings.strings import print_v2
from . import backend, images, settings
from .rows import Rows

_row = Rows(globals())


def _batch_dot(x, y, axes):
    """Products of matrices, over a dimension of each, for each example.

    The tensor of the lower rank gets dimensions of 1 at its end, which the result loses again.
    """
    ranks = x.shape.ndims, y.shape.ndims
    if axes is None:
        axes = [ranks[0] - 1, 1 if ranks[1] == 2 else ranks[1] - 2]
    axes = [axes, axes] if isinstance(axes, int) else list(axes)
    axes = [a % rank for a, rank in zip(axes, ranks)]
    if ranks == (2, 2):
        found = linalg.matmul(arrays.expand_dims(x, 1), arrays.expand_dims(y, 2))
        return arrays.squeeze(found, [2])
    rank, less = max(ranks), abs(ranks[0] - ranks[1])
    x, y = _with_rank(x, rank), _with_rank(y, rank)
    found = linalg.matmul(x, y, transpose_a=axes[0] != rank - 1, transpose_b=axes[1] == rank - 1)
    if not less:
        return found
    start = ranks[0] - 1 if ranks[0] < rank else rank + ranks[1] - 3
    found = arrays.squeeze(found, list(range(start, start + less)))
    return arrays.expand_dims(found, 1) if found.shape.ndims == 1 else found


def _with_rank(tensor, rank):
    for _ in range(rank - tensor.shape.ndims):
        tensor = arrays.expand_dims(tensor, -1)
    return tensor


def _normalized(x, mean, var, beta, gamma, axis, epsilon):
    del axis
    return nn.batch_normalization(x, mean, var, beta, gamma, epsilon)


def _normalized_in_training(x, gamma, beta, reduction_axes, epsilon):
    axes = sorted(reduction_axes)
    mean, variance = nn.moments(x, axes)
    parts = [mean, variance, beta, gamma]
    if axes != list(range(x.shape.ndims - 1)):
        shape = [1 if i in axes else n for i, n in enumerate(x.shape.as_list())]
        parts = [None if p is None else arrays.reshape(p, shape) for p in parts]
    return nn.batch_normalization(x, *parts, epsilon), mean, variance


def _drawn(initializer):
    """A variable whose first value an initializer draws, with NumPy's seed if it has none."""

    def make(shape, low, high, dtype, name, seed):
        dtype = dtype or settings.floatx()
        seed = np.random.randint(10**9) if seed is None else seed
        return backend.variable(initializer(low, high, seed, dtype)(shape), dtype, name)

    return make


def _larger_volume(x, depth, height, width, data_format):
    data_format = data_format or settings.image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"Invalid data_format: {data_format}")
    first = data_format == "channels_first"
    for axis, times in zip(range(2, 5) if first else range(1, 4), (depth, height, width)):
        x = backend.repeat_elements(x, times, axis)
    return x


def _losses_of_labels(y_true, y_pred, input_length, label_length):
    steps = arrays.cast(arrays.squeeze(input_length, axis=[-1]), "int32")
    lengths = arrays.cast(arrays.squeeze(label_length, axis=[-1]), "int32")
    labels = arrays.cast(_sparse_labels(y_true, lengths), "int32")
    logs = math.log(arrays.transpose(y_pred, [1, 0, 2]) + settings.epsilon())
    return arrays.expand_dims(nn.ctc_loss(labels, logs, steps), 1)


def _sparse_labels(labels, lengths):
    labels, lengths = convert_to_tensor(labels), convert_to_tensor(lengths)
    used = arrays.sequence_mask(lengths, arrays.shape(labels)[1])
    places = arrays.where(used)
    values = arrays.gather_nd(labels, places)
    return sparse.SparseTensor(places, values, arrays.cast(arrays.shape(labels), "int64"))


def _decoded(y_pred, input_length, greedy, beam_width, top_paths):
    logs = math.log(arrays.transpose(y_pred, [1, 0, 2]) + settings.epsilon())
    steps = arrays.cast(input_length, "int32")
    if greedy:
        found, scores = nn.ctc_greedy_decoder(logs, steps)
    else:
        found, scores = nn.ctc_beam_search_decoder(logs, steps, beam_width, top_paths)
    return [sparse.to_dense(s, -1) for s in found], scores


_row("batch_dot", "x y axes=None", _batch_dot, "Multiplies tensors, for each example.")
_row("batch_normalization", "x mean var beta gamma axis=-1 epsilon=1e-3", _normalized,
     "Normalises by a mean and a variance.")  # fmt: skip
_row("normalize_batch_in_training", "x gamma beta reduction_axes epsilon=1e-3",
     _normalized_in_training, "Normalises by the mean and the variance of the batch.",
     "A tuple: a tensor, the mean, the variance.")  # fmt: skip
_row("conv1d", "x kernel strides=1 padding='valid' data_format=None dilation_rate=1",
     images.conv1d, "Convolves sequences.")  # fmt: skip
_row("conv2d", "x kernel strides=(1,1) padding='valid' data_format=None dilation_rate=(1,1)",
     images.conv2d, "Convolves images.")  # fmt: skip
_row("conv2d_transpose", "x kernel output_shape strides=(1,1) padding='valid' data_format=None "
     "dilation_rate=(1,1)", images.conv2d_transpose,
     "Convolves images backwards.")  # fmt: skip
_row("conv3d", "x kernel strides=(1,1,1) padding='valid' data_format=None dilation_rate=(1,1,1)",
     images.conv3d, "Convolves volumes.")  # fmt: skip
_row("separable_conv2d", "x depthwise_kernel pointwise_kernel strides=(1,1) padding='valid' "
     "data_format=None dilation_rate=(1,1)", images.separable_conv2d,
     "Convolves each channel by itself, then channels.")  # fmt: skip
_row("depthwise_conv2d", "x depthwise_kernel strides=(1,1) padding='valid' data_format=None "
     "dilation_rate=(1,1)", images.depthwise_conv2d,
     "Convolves each channel by itself.")  # fmt: skip
_row("pool2d", "x pool_size strides=(1,1) padding='valid' data_format=None pool_mode='max'",
     images.pool2d, "Pools windows of images.")  # fmt: skip
_row("pool3d", "x pool_size strides=(1,1,1) padding='valid' data_format=None pool_mode='max'",
     images.pool3d, "Pools windows of volumes.")  # fmt: skip
_row("temporal_padding", "x padding=(1,1)",
     lambda x, padding: arrays.pad(x, [[0, 0], list(padding), [0, 0]]),
     "Adds zeros before and after sequences.")  # fmt: skip
_row("spatial_2d_padding", "x padding=((1,1),(1,1)) data_format=None",
     lambda x, p, f: images.padded(x, p, f, 2), "Adds zeros around images.")  # fmt: skip
_row("spatial_3d_padding", "x padding=((1,1),(1,1),(1,1)) data_format=None",
     lambda x, p, f: images.padded(x, p, f, 3), "Adds zeros around volumes.")  # fmt: skip
_row("resize_images", "x height_factor width_factor data_format interpolation='nearest'",
     images.resized, "Makes images larger.")  # fmt: skip
_row("resize_volumes", "x depth_factor height_factor width_factor data_format", _larger_volume,
     "Repeats each element of volumes.")  # fmt: skip
_row("local_conv1d", "inputs kernel kernel_size strides data_format=None",
     lambda x, kernel, size, strides, f: images.local_conv(
         x, kernel, list(size), list(strides), [kernel.shape.as_list()[0]],
         f or settings.image_data_format()),
     "Convolves sequences with a kernel for each step.")  # fmt: skip
_row("local_conv2d", "inputs kernel kernel_size strides output_shape data_format=None",
     lambda x, kernel, size, strides, shape, f: images.local_conv(
         x, kernel, list(size), list(strides), list(shape), f or settings.image_data_format()),
     "Convolves images with a kernel for each place.")  # fmt: skip
_row("map_fn", "fn elems name=None dtype=None",
     lambda fn, elems, name, dtype: _map_fn(fn, elems, dtype=dtype, name=name),
     "Applies a function to each element.")  # fmt: skip
_row("foldl", "fn elems initializer=None name=None",
     lambda fn, elems, first, name: _foldl(fn, elems, initializer=first, name=name),
     "Folds elements from the first on.")  # fmt: skip
_row("foldr", "fn elems initializer=None name=None",
     lambda fn, elems, first, name: _foldr(fn, elems, initializer=first, name=name),
     "Folds elements from the last on.")  # fmt: skip
_row("random_normal_variable", "shape mean scale dtype=None name=None seed=None",
     _drawn(initializers.random_normal),
     "Makes a variable of normal numbers.", "A Variable.")  # fmt: skip
_row("random_uniform_variable", "shape low high dtype=None name=None seed=None",
     _drawn(initializers.random_uniform),
     "Makes a variable of numbers that are drawn evenly.", "A Variable.")  # fmt: skip
_row("to_dense", "tensor",
     lambda x: sparse.to_dense(x) if hasattr(x, "dense_shape") else x,
     "Makes a sparse tensor dense.")  # fmt: skip
_row("ctc_label_dense_to_sparse", "labels label_lengths", _sparse_labels,
     "Makes labels sparse.", "A SparseTensor.")  # fmt: skip
_row("ctc_batch_cost", "y_true y_pred input_length label_length", _losses_of_labels,
     "Computes the CTC loss of each example.")  # fmt: skip
_row("ctc_decode", "y_pred input_length greedy=True beam_width=100 top_paths=1", _decoded,
     "Finds the labels of each example.", "A tuple: a list of tensors, the logarithms of their "
     "probabilities.")  # fmt: skip


def print_tensor(x, message=""):
    """Prints a tensor to stdout each time it is computed.

    Args:
        x: The tensor.
        message: What is printed before it, a str.

    Returns:
        The same tensor.
    """
    with control_dependencies([print_v2(message, x, output_stream=sys.stdout)]):
        return arrays.identity(x)


__all__ = [*_row.names, "print_tensor"]
