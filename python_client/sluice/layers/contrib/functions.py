# SPDX-License-Identifier: Apache-2.0
"""Layers as functions: a variable scope, a layer, a normaliser and an activation."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...ops import array as arrays
from ...ops.nn.activations import relu
from ...ops.nn.activations import softmax as softmax_of
from ...ops.nn.layers import bias_add as added
from ...ops.nn.sampling import embedding_lookup
from ...ops.state.initializers import zeros
from ...ops.state.variable_scope import variable_scope
from ..convolution import Conv1D, Conv2D, Conv3D
from ..dense import Dense
from ..pooling import AveragePooling2D, MaxPooling2D
from ..separable import SeparableConv2D
from ..shaping import Dropout
from ..shaping import flatten as flattened
from ..transposed import Conv2DTranspose
from .depthwise import depthwise_convolution
from .describing import layer
from .initializers import xavier_initializer
from .scopes import add_arg_scope
from .variables import (
    collect_output,
    collect_variable,
    collections_of,
    layer_scope,
    model_variable,
)

_WEIGHTS = xavier_initializer()
_NAMES = {"bias": "biases", "kernel": "weights"}


def _format(data_format):
    return "channels_first" if data_format and data_format.startswith("NC") else "channels_last"


def _check_format(data_format):
    if data_format not in ("NHWC", "NCHW"):
        raise ValueError(f'data_format is "NHWC" or "NCHW", not {data_format!r}')


def _applied(made, inputs, opened, kernels, after):
    """The output of a layer, normalised and activated, and its variables in their collections."""
    variables_collections, outputs_collections, normalizer_fn, params, activation_fn = after
    outputs = made(inputs)
    for kernel in kernels:
        collect_variable(getattr(made, kernel), variables_collections, "weights")
    if made.bias is not None:
        collect_variable(made.bias, variables_collections, "biases")
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(params or {}))
    outputs = outputs if activation_fn is None else activation_fn(outputs)
    return collect_output(outputs, outputs_collections, opened.name)


@add_arg_scope
@layer(
    "Computes activation_fn(inputs * weights + biases) over the last dimension.",
    """
>>> x = sl.placeholder(sl.float32, [None, 3])
>>> y = sl.contrib.layers.fully_connected(x, 2)
>>> [v.name for v in sl.contrib.framework.get_model_variables()]
['fully_connected/weights:0', 'fully_connected/biases:0']
""",
)
def fully_connected(inputs, num_outputs, activation_fn=relu, normalizer_fn=None,
                    normalizer_params=None, weights_initializer=_WEIGHTS,
                    weights_regularizer=None, biases_initializer=zeros, biases_regularizer=None,
                    reuse=None, variables_collections=None, outputs_collections=None,
                    trainable=True, scope=None):  # fmt: skip
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs must be an int, not {num_outputs!r}")
    with layer_scope(scope, "fully_connected", reuse, **_NAMES) as opened:
        inputs = convert_to_tensor(inputs)
        made = Dense(
            num_outputs, use_bias=not normalizer_fn and biases_initializer is not None,
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
            trainable=trainable, name=opened.name, dtype=inputs.dtype, _scope=opened,
            _reuse=reuse,
        )  # fmt: skip
        return _applied(made, inputs, opened, ["kernel"], (
            variables_collections, outputs_collections, normalizer_fn, normalizer_params,
            activation_fn,
        ))  # fmt: skip


@add_arg_scope
@layer("Convolves sequences, images or volumes, as the rank of the input says.")
def convolution(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format=None,
                rate=1, activation_fn=relu, normalizer_fn=None, normalizer_params=None,
                weights_initializer=_WEIGHTS, weights_regularizer=None,
                biases_initializer=zeros, biases_regularizer=None, reuse=None,
                variables_collections=None, outputs_collections=None, trainable=True,
                scope=None):  # fmt: skip
    if data_format not in (None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW"):
        raise ValueError(f"there is no data_format {data_format!r}")
    with layer_scope(scope, "Conv", reuse, **_NAMES) as opened:
        inputs = convert_to_tensor(inputs)
        classes = {3: Conv1D, 4: Conv2D, 5: Conv3D}
        if inputs.shape.ndims not in classes:
            raise ValueError(f"the input must have rank 3, 4 or 5: its shape is {inputs.shape}")
        made = classes[inputs.shape.ndims](
            num_outputs, kernel_size, stride, padding, _format(data_format), rate,
            use_bias=not normalizer_fn and biases_initializer is not None,
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
            trainable=trainable, name=opened.name, dtype=inputs.dtype, _scope=opened,
            _reuse=reuse,
        )  # fmt: skip
        return _applied(made, inputs, opened, ["kernel"], (
            variables_collections, outputs_collections, normalizer_fn, normalizer_params,
            activation_fn,
        ))  # fmt: skip


@add_arg_scope
@layer("Convolves images.")
def convolution2d(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format=None,
                  rate=1, activation_fn=relu, normalizer_fn=None, normalizer_params=None,
                  weights_initializer=_WEIGHTS, weights_regularizer=None,
                  biases_initializer=zeros, biases_regularizer=None, reuse=None,
                  variables_collections=None, outputs_collections=None, trainable=True,
                  scope=None):  # fmt: skip
    inputs = convert_to_tensor(inputs)
    if inputs.shape.ndims != 4:
        raise ValueError(f"images have rank 4, but the shape is {inputs.shape}")
    return convolution(
        inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn,
        normalizer_fn, normalizer_params, weights_initializer, weights_regularizer,
        biases_initializer, biases_regularizer, reuse, variables_collections,
        outputs_collections, trainable, scope,
    )  # fmt: skip


@add_arg_scope
@layer("Computes the transpose of a convolution of images.")
def convolution2d_transpose(inputs, num_outputs, kernel_size, stride=1, padding="SAME",
                            data_format="NHWC", activation_fn=relu, normalizer_fn=None,
                            normalizer_params=None, weights_initializer=_WEIGHTS,
                            weights_regularizer=None, biases_initializer=zeros,
                            biases_regularizer=None, reuse=None, variables_collections=None,
                            outputs_collections=None, trainable=True, scope=None):  # fmt: skip
    _check_format(data_format)
    with layer_scope(scope, "Conv2d_transpose", reuse, **_NAMES) as opened:
        inputs = convert_to_tensor(inputs)
        made = Conv2DTranspose(
            num_outputs, kernel_size, stride, padding, _format(data_format),
            use_bias=not normalizer_fn and biases_initializer is not None,
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
            trainable=trainable, name=opened.name, dtype=inputs.dtype, _scope=opened,
            _reuse=reuse,
        )  # fmt: skip
        return _applied(made, inputs, opened, ["kernel"], (
            variables_collections, outputs_collections, normalizer_fn, normalizer_params,
            activation_fn,
        ))  # fmt: skip


@add_arg_scope
@layer(
    "Convolves each channel of images by itself, then mixes the channels. Without num_outputs, it"
    " does not mix them."
)
def separable_convolution2d(inputs, num_outputs, kernel_size, depth_multiplier=1, stride=1,
                            padding="SAME", data_format="NHWC", rate=1, activation_fn=relu,
                            normalizer_fn=None, normalizer_params=None,
                            weights_initializer=_WEIGHTS, pointwise_initializer=None,
                            weights_regularizer=None, biases_initializer=zeros,
                            biases_regularizer=None, reuse=None, variables_collections=None,
                            outputs_collections=None, trainable=True, scope=None):  # fmt: skip
    _check_format(data_format)
    names = {
        "bias": "biases", "depthwise_kernel": "depthwise_weights",
        "pointwise_kernel": "pointwise_weights",
    }  # fmt: skip
    with layer_scope(scope, "SeparableConv2d", reuse, **names) as opened:
        inputs = convert_to_tensor(inputs)
        if num_outputs is None:
            return depthwise_convolution(
                inputs, (kernel_size, depth_multiplier, stride, padding, data_format, rate),
                {"initializer": weights_initializer, "regularizer": weights_regularizer,
                 "trainable": trainable},
                {"initializer": biases_initializer, "regularizer": biases_regularizer,
                 "trainable": trainable},
                (normalizer_fn, normalizer_params), activation_fn, opened,
                (variables_collections, outputs_collections),
            )  # fmt: skip
        made = SeparableConv2D(
            num_outputs, kernel_size, stride, padding, _format(data_format), rate,
            depth_multiplier, use_bias=not normalizer_fn and biases_initializer is not None,
            depthwise_initializer=weights_initializer,
            pointwise_initializer=pointwise_initializer or weights_initializer,
            bias_initializer=biases_initializer, depthwise_regularizer=weights_regularizer,
            pointwise_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
            trainable=trainable, name=opened.name, dtype=inputs.dtype, _scope=opened,
            _reuse=reuse,
        )  # fmt: skip
        return _applied(made, inputs, opened, ["depthwise_kernel", "pointwise_kernel"], (
            variables_collections, outputs_collections, normalizer_fn, normalizer_params,
            activation_fn,
        ))  # fmt: skip


def _pooled(cls, default, inputs, kernel_size, stride, padding, data_format, collections, scope):
    _check_format(data_format)
    with name_scope(scope, default) as opened:
        inputs = convert_to_tensor(inputs)
        made = cls(kernel_size, stride, padding, _format(data_format), _scope=opened)
        return collect_output(made(inputs), collections, opened)


@add_arg_scope
@layer("Computes the mean of each window of images.")
def avg_pool2d(inputs, kernel_size, stride=2, padding="VALID", data_format="NHWC",
               outputs_collections=None, scope=None):  # fmt: skip
    return _pooled(AveragePooling2D, "AvgPool2D", inputs, kernel_size, stride, padding,
                   data_format, outputs_collections, scope)  # fmt: skip


@add_arg_scope
@layer("Returns the largest element of each window of images.")
def max_pool2d(inputs, kernel_size, stride=2, padding="VALID", data_format="NHWC",
               outputs_collections=None, scope=None):  # fmt: skip
    return _pooled(MaxPooling2D, "MaxPool2D", inputs, kernel_size, stride, padding, data_format,
                   outputs_collections, scope)  # fmt: skip


@add_arg_scope
@layer("Adds a bias to each channel.")
def bias_add(inputs, activation_fn=None, initializer=zeros, regularizer=None, reuse=None,
             variables_collections=None, outputs_collections=None, trainable=True,
             data_format="NHWC", scope=None):  # fmt: skip
    _check_format(data_format)
    with variable_scope(scope, "BiasAdd", reuse=reuse) as opened:
        inputs = convert_to_tensor(inputs)
        rank = inputs.shape.ndims
        if rank is None or rank != 4 and data_format == "NCHW":
            raise ValueError(f"bias_add() is not for {data_format} of shape {inputs.shape}")
        size = inputs.shape.as_list()[1 if data_format == "NCHW" else -1]
        if size is None:
            raise ValueError(f"the number of channels must be known: {inputs.shape}")
        biases = model_variable(
            "biases", [size], inputs.dtype, initializer, regularizer, trainable,
            collections_of(variables_collections, "biases"),
        )  # fmt: skip
        outputs = added(inputs, biases, data_format)
        outputs = outputs if activation_fn is None else activation_fn(outputs)
        return collect_output(outputs, outputs_collections, opened.name)


@add_arg_scope
@layer("Sets elements to zero at random while it is training.")
def dropout(inputs, keep_prob=0.5, noise_shape=None, is_training=True, outputs_collections=None,
            scope=None, seed=None):  # fmt: skip
    with layer_scope(scope, "Dropout", None) as opened:
        inputs = convert_to_tensor(inputs)
        made = Dropout(1 - keep_prob, noise_shape, seed, opened.name, _scope=opened)
        outputs = made(inputs, training=is_training)
        return collect_output(outputs, outputs_collections, opened.name)


@add_arg_scope
@layer("Flattens all dimensions but the first.")
def flatten(inputs, outputs_collections=None, scope=None):
    with name_scope(scope, "Flatten") as opened:
        outputs = flattened(convert_to_tensor(inputs))
        return collect_output(outputs, outputs_collections, opened)


@add_arg_scope
def one_hot_encoding(labels, num_classes, on_value=1.0, off_value=0.0, outputs_collections=None,
                     scope=None):  # fmt: skip
    """Makes one-hot vectors of labels.

    Args:
        labels: An integer tensor [...].
        num_classes: Size of the new last dimension, an int.
        on_value: The value at the label, a number.
        off_value: The value elsewhere, a number.
        outputs_collections: Collections that get the output, a list of str.
        scope: Name of the operations, a str. None: a default name.

    Returns:
        A tensor [..., num_classes].
    """
    with name_scope(scope, "OneHotEncoding") as opened:
        labels = convert_to_tensor(labels)
        labels = arrays.cast(labels, "int64") if labels.dtype.name == "int32" else labels
        outputs = arrays.one_hot(labels, num_classes, on_value, off_value)
        return collect_output(outputs, outputs_collections, opened)


@add_arg_scope
def softmax(logits, scope=None):
    """Computes softmax over the last dimension of logits of any rank.

    Args:
        logits: A tensor of any floating-point dtype.
        scope: Name of the variable scope, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of logits.
    """
    with variable_scope(scope, "softmax"):
        size = logits.shape.as_list()[-1]
        found = softmax_of(arrays.reshape(logits, [-1, size]))
        found = arrays.reshape(found, arrays.shape(logits))
        found.set_shape(logits.shape)
        return found


def _name_of(function, default):
    return getattr(function, "__name__", None) or getattr(
        getattr(function, "func", None), "__name__", default
    )


@add_arg_scope
def repeat(inputs, repetitions, layer, *args, **kwargs):
    """Applies a layer several times.

    Args:
        inputs: The input, a tensor.
        repetitions: How often, an int.
        layer: A function of the input and of `scope`.
        *args: Further arguments of it.
        **kwargs: Further ones; scope: name of the variable scope, a str.

    Returns:
        A tensor.
    """
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Repeat"):
        outputs = convert_to_tensor(inputs)
        scope = scope if scope is not None else _name_of(layer, "repeat")
        for i in range(repetitions):
            outputs = layer(outputs, *args, **{**kwargs, "scope": f"{scope}_{i + 1}"})
        return outputs


@add_arg_scope
def stack(inputs, layer, stack_args, **kwargs):
    """Applies a layer several times with other arguments.

    Args:
        inputs: The input, a tensor.
        layer: A function of the input, of arguments, and of `scope`.
        stack_args: A list, of each call the argument, or a list of them.
        **kwargs: Arguments of all calls; scope: name of the variable scope, a str.

    Returns:
        A tensor.

    Raises:
        ValueError: stack_args is not a list.
    """
    scope = kwargs.pop("scope", None)
    if not isinstance(stack_args, (list, tuple)):
        raise ValueError(f"stack_args must be a list, not {stack_args!r}")
    with variable_scope(scope, "Stack"):
        outputs = convert_to_tensor(inputs)
        scope = scope if scope is not None else _name_of(layer, "stack")
        for i, given in enumerate(stack_args):
            given = given if isinstance(given, (list, tuple)) else [given]
            outputs = layer(outputs, *given, **{**kwargs, "scope": f"{scope}_{i + 1}"})
        return outputs


def embed_sequence(ids, vocab_size=None, embed_dim=None, unique=False, initializer=None,
                   regularizer=None, trainable=True, scope=None, reuse=None):  # fmt: skip
    """Takes the rows of a trained table for the ids of sequences.

    Args:
        ids: An int32 or int64 tensor [batch, steps].
        vocab_size: How many ids there are, an int.
        embed_dim: Size of a row, an int.
        unique: Whether each row is read once only. A bool.
        initializer: A function of (shape, dtype). None: that of the scope.
        regularizer: A function of the table that returns a loss. None: no loss.
        trainable: Whether optimizers change the table. A bool.
        scope: Name of the variable scope, a str. None: a default name.
        reuse: Whether the table is found, not made. A bool.

    Returns:
        A tensor [batch, steps, embed_dim].

    Raises:
        ValueError: A size is missing, and the table is not reused.
    """
    if not (reuse or vocab_size and embed_dim):
        raise ValueError(f"vocab_size ({vocab_size}) and embed_dim ({embed_dim}) must be given")
    with variable_scope(scope, "EmbedSequence", reuse=reuse):
        sizes = [vocab_size, embed_dim]
        table = model_variable(
            "embeddings", None if None in sizes else sizes, initializer=initializer,
            regularizer=regularizer, trainable=trainable,
        )  # fmt: skip
        return _rows_once(table, ids) if unique else embedding_lookup(table, ids)


def _rows_once(table, ids):
    with name_scope("EmbeddingLookupUnique"):
        ids = convert_to_tensor(ids)
        rows, places = arrays.unique(arrays.reshape(ids, [-1]))
        found = arrays.gather(embedding_lookup(table, rows), places)
        sizes = arrays.concat([arrays.shape(ids), arrays.shape(found)[1:]], 0)
        result = arrays.reshape(found, sizes)
        result.set_shape([*ids.shape.as_list(), *found.shape.as_list()[1:]])
        return result


@add_arg_scope
@layer("Computes inputs * weights + biases over the last dimension.")
def linear(inputs, num_outputs, normalizer_fn=None, normalizer_params=None,
           weights_initializer=_WEIGHTS, weights_regularizer=None, biases_initializer=zeros,
           biases_regularizer=None, reuse=None, variables_collections=None,
           outputs_collections=None, trainable=True, scope=None):  # fmt: skip
    return fully_connected(
        inputs, num_outputs, None, normalizer_fn, normalizer_params, weights_initializer,
        weights_regularizer, biases_initializer, biases_regularizer, reuse,
        variables_collections, outputs_collections, trainable, scope,
    )  # fmt: skip


conv2d, conv2d_transpose = convolution2d, convolution2d_transpose
separable_conv2d = separable_convolution2d
