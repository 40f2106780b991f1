# SPDX-License-Identifier: Apache-2.0
"""Normalisation by the moments of a batch, or of each example."""

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from ...graph.default_graph import control_dependencies, get_default_graph
from ...graph.keys import GraphKeys
from ...ops import array as arrays
from ...ops.nn.normalization import batch_normalization as normalized
from ...ops.nn.normalization import fused_batch_norm, moments
from ...ops.state.initializers import ones, zeros
from ...ops.state.variable_scope import get_variable_scope, variable_scope
from ..choices import chosen, known
from ..normalization import BatchNormalization, moved, updated
from .describing import layer
from .scopes import add_arg_scope
from .variables import (
    collect_output,
    collect_variable,
    collections_of,
    layer_scope,
    model_variable,
)


@add_arg_scope
@layer(
    "Normalises each feature by its mean and variance in the batch, or, when it is not training, by"
    " moving averages of them."
)
def batch_norm(inputs, decay=0.999, center=True, scale=False, epsilon=0.001, activation_fn=None,
               param_initializers=None, param_regularizers=None,
               updates_collections=GraphKeys.UPDATE_OPS, is_training=True, reuse=None,
               variables_collections=None, outputs_collections=None, trainable=True,
               batch_weights=None, fused=None, data_format="NHWC", zero_debias_moving_mean=False,
               scope=None, renorm=False, renorm_clipping=None, renorm_decay=0.99,
               adjustment=None):  # fmt: skip
    if batch_weights is not None or zero_debias_moving_mean:
        raise NotImplementedError("batch_norm: batch_weights and zero_debias_moving_mean")
    _check_format(data_format)
    inputs = convert_to_tensor(inputs)
    fused, rank = fused is None or fused, inputs.shape.ndims
    initial, losses = param_initializers or {}, param_regularizers or {}
    can_be_fused = fused and not renorm and adjustment is None and rank in (2, 4)
    collected = updates_collections is GraphKeys.UPDATE_OPS
    if can_be_fused and (rank == 2 or not collected) or not collected:
        if renorm:
            raise ValueError("batch_norm: renorm requires the collection UPDATE_OPS")
        return _own(
            inputs, decay, (center, scale), epsilon, activation_fn, (initial, losses),
            updates_collections, is_training, reuse, variables_collections, outputs_collections,
            trainable, can_be_fused, data_format, scope,
        )  # fmt: skip
    with layer_scope(scope, "BatchNorm", reuse) as opened:
        made = BatchNormalization(
            1 if data_format == "NCHW" else -1, decay, epsilon, center, scale,
            initial.get("beta", zeros), initial.get("gamma", ones),
            initial.get("moving_mean", zeros), initial.get("moving_variance", ones),
            losses.get("beta"), losses.get("gamma"), renorm=renorm,
            renorm_clipping=renorm_clipping, renorm_momentum=renorm_decay, fused=fused,
            trainable=trainable, adjustment=adjustment, name=opened.name, _scope=opened,
            _reuse=reuse,
        )  # fmt: skip
        outputs = made(inputs, training=is_training)
        for name in ("moving_mean", "moving_variance", "beta", "gamma"):
            if getattr(made, name) is not None:
                collect_variable(getattr(made, name), variables_collections, name)
        outputs = outputs if activation_fn is None else activation_fn(outputs)
        return collect_output(outputs, outputs_collections, opened.name)


def _check_format(data_format):
    if data_format not in ("NHWC", "NCHW"):
        raise ValueError(f'data_format is "NHWC" or "NCHW", not {data_format!r}')


def _own(inputs, decay, parts, epsilon, activation_fn, given, updates_collections, is_training,
         reuse, variables_collections, outputs_collections, trainable, fused, data_format,
         scope):  # fmt: skip
    """Where updates are not in the collection UPDATE_OPS, or a matrix is normalised as images."""
    with variable_scope(scope, "BatchNorm", reuse=reuse) as opened:
        shape = inputs.shape
        if shape.ndims is None:
            raise ValueError(f"the rank of {inputs.name} must be known")
        values, first = inputs, data_format == "NCHW"
        if fused and shape.ndims == 2:
            size = shape.as_list()[-1]
            values = arrays.reshape(inputs, [-1, size, 1, 1] if first else [-1, 1, 1, size])
        channels = values.shape.as_list()[1 if first else -1]
        if channels is None:
            raise ValueError(f"the channels of {inputs.name} must be known: {shape}")
        kind = dtypes.float32 if fused else inputs.dtype
        variables = _variables([channels], kind, parts, given, variables_collections, trainable)
        outputs, mean, variance = _outputs(
            values, variables, epsilon, is_training, fused, data_format
        )
        outputs = _with_updates(
            outputs, (variables["moving_mean"], mean), (variables["moving_variance"], variance),
            decay, is_training, updates_collections,
        )  # fmt: skip
        outputs.set_shape(values.shape)
        if values is not inputs:
            outputs = arrays.reshape(outputs, arrays.shape(inputs))
        outputs = outputs if activation_fn is None else activation_fn(outputs)
        return collect_output(outputs, outputs_collections, opened.name)


def _variables(shape, kind, parts, given, variables_collections, trainable):
    (center, scale), (initial, losses) = parts, given

    def one(name, first, trained):
        return model_variable(
            name, shape, kind, initial.get(name, first()), losses.get(name), trained,
            collections_of(variables_collections, name),
        )  # fmt: skip

    found = {}
    found["beta"] = one("beta", zeros, trainable) if center else constant(0.0, kind, shape)
    found["gamma"] = one("gamma", ones, trainable) if scale else constant(1.0, kind, shape)
    with variable_scope(get_variable_scope()) as inner:
        inner.set_partitioner(None)
        found["moving_mean"] = one("moving_mean", zeros, False)
        found["moving_variance"] = one("moving_variance", ones, False)
    return found


def _outputs(values, variables, epsilon, is_training, fused, data_format):
    """(outputs, mean, variance)."""
    beta, gamma = variables["beta"], variables["gamma"]
    averages = variables["moving_mean"], variables["moving_variance"]
    if fused:
        more = {"epsilon": epsilon, "data_format": data_format}
        return chosen(
            is_training,
            lambda: fused_batch_norm(values, gamma, beta, **more),
            lambda: fused_batch_norm(values, gamma, beta, *averages, is_training=False, **more),
        )
    rank = values.shape.ndims
    over = [0, *range(2, rank)] if data_format == "NCHW" else list(range(rank - 1))
    wide = [1, -1, *[1] * (rank - 2)] if data_format == "NCHW" else None

    def along(value):
        return value if wide is None else arrays.reshape(value, wide)

    def with_moments(mean, variance):
        outputs = normalized(
            values, along(mean), along(variance), along(beta), along(gamma), epsilon
        )
        return outputs, convert_to_tensor(mean), convert_to_tensor(variance)

    return chosen(
        is_training, lambda: with_moments(*moments(values, over)), lambda: with_moments(*averages)
    )


def _with_updates(outputs, mean, variance, decay, is_training, updates_collections):
    if known(is_training) is False:
        return outputs
    pairs = mean, variance
    if updates_collections is None:

        def after_updates():
            updates = [moved(average, value, decay) for average, value in pairs]
            with control_dependencies(updates):
                return arrays.identity(outputs)

        return chosen(is_training, after_updates, lambda: outputs)
    for average, value in pairs:
        update = updated(is_training, average, value, decay)
        get_default_graph().add_to_collections(updates_collections, update)
    return outputs


@add_arg_scope
@layer("Normalises each example by its own mean and variance (Ba et al., 2016).")
def layer_norm(inputs, center=True, scale=True, activation_fn=None, reuse=None,
               variables_collections=None, outputs_collections=None, trainable=True,
               begin_norm_axis=1, begin_params_axis=-1, scope=None):  # fmt: skip
    with variable_scope(scope, "LayerNorm", reuse=reuse) as opened:
        inputs = convert_to_tensor(inputs)
        rank = inputs.shape.ndims
        if rank is None:
            raise ValueError(f"the rank of {inputs.name} must be known")
        first = begin_norm_axis + rank if begin_norm_axis < 0 else begin_norm_axis
        if begin_params_axis >= rank or first >= rank:
            raise ValueError(f"axes {begin_params_axis} and {first} must be below the rank {rank}")
        shape = inputs.shape.as_list()[begin_params_axis:]
        if None in shape:
            raise ValueError(f"the sizes from axis {begin_params_axis} on must be known: {shape}")

        def one(name, initializer):
            return model_variable(
                name, shape, inputs.dtype, initializer(), trainable=trainable,
                collections=collections_of(variables_collections, name),
            )  # fmt: skip

        beta = one("beta", zeros) if center else None
        gamma = one("gamma", ones) if scale else None
        mean, variance = moments(inputs, list(range(first, rank)), keepdims=True)
        epsilon = 1e-3 if inputs.dtype == dtypes.float16 else 1e-12
        outputs = normalized(inputs, mean, variance, beta, gamma, epsilon)
        outputs.set_shape(inputs.shape)
        outputs = outputs if activation_fn is None else activation_fn(outputs)
        return collect_output(outputs, outputs_collections, opened.name)
