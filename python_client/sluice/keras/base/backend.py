# SPDX-License-Identifier: Apache-2.0
"""Functions of tensors that custom layers and losses use."""

# ruff: noqa: F401

import numpy as np

from ... import dtypes, linalg, math, nn
from ...graph.convert import constant as _constant
from ...graph.convert import convert_to_tensor
from ...graph.convert import placeholder as _placeholder
from ...graph.default_graph import name_scope
from ...graph.tensor_shape import TensorShape
from ...layers.choices import chosen
from ...ops import array as arrays
from ...ops.differentiate import gradients as _gradients
from ...ops.functions.cond_and_while import cond
from ...ops.math.rounding import clip_by_value
from ...ops.random import random
from ...ops.sparse.arithmetic import sparse_dense_matmul as _sparse_dense_matmul
from ...ops.sparse.sparse_tensor import SparseTensor as _SparseTensor
from ...ops.sparse.sparse_tensor import placeholder as _sparse_placeholder
from ...ops.sparse.sparse_tensor import to_dense as _dense
from ...ops.state.variables import Variable
from . import activations, settings, state
from .arguments import drawn_seed as _drawn_seed
from .callables import function
from .crossentropy import (
    binary_crossentropy,
    categorical_crossentropy,
    sparse_categorical_crossentropy,
)
from .ragged_rows import ragged_input as _ragged_input
from .rows import Rows
from .settings import (
    epsilon,
    floatx,
    image_data_format,
    set_epsilon,
    set_floatx,
    set_image_data_format,
)
from .state import (
    backend,
    clear_session,
    get_session,
    get_uid,
    learning_phase,
    learning_phase_scope,
    manual_variable_initialization,
    reset_uids,
    set_learning_phase,
    set_session,
)
from .values import batch_get_value, batch_set_value, get_value, set_value

_SHARED = [
    "batch_get_value", "batch_set_value", "backend", "binary_crossentropy",
    "categorical_crossentropy", "clear_session", "epsilon", "floatx", "function", "get_session",
    "get_uid", "get_value", "image_data_format", "learning_phase", "learning_phase_scope",
    "manual_variable_initialization", "name_scope", "reset_uids", "set_epsilon", "set_floatx",
    "set_image_data_format", "set_learning_phase", "set_session", "set_value",
    "sparse_categorical_crossentropy",
]  # fmt: skip

_row = Rows(globals())


def _kind(dtype):
    return dtypes.as_dtype(dtype or settings.floatx())


def _float(x):
    return arrays.cast(x, settings.floatx()) if x.dtype == dtypes.bool_ else x


def _variable(value, dtype, name, constraint=None):
    if hasattr(value, "tocoo"):
        return _sparse_variable(value.tocoo(), _kind(dtype))
    value = np.asarray(value, _kind(dtype).as_numpy_dtype) if not hasattr(value, "graph") else value
    made = Variable(value, name=name, dtype=_kind(dtype), constraint=constraint, use_resource=True)
    state.track_variable(made)
    return made


def _filled(make):
    """zeros() or ones(): a variable; a tensor where the shape is known in a step only."""

    def made(shape, dtype, name):
        first = make(shape, _kind(dtype), name)
        known = None not in (first.shape.as_list() if first.shape.ndims is not None else [None])
        return _variable(first, dtype, name) if known else first

    return made


def _sparse_variable(matrix, dtype):
    """A matrix of SciPy as a SparseTensor."""
    places = np.stack([matrix.row, matrix.col], 1).astype(np.int64)
    return _SparseTensor(places, _constant(matrix.data, dtype), np.asarray(matrix.shape, np.int64))


def _of(value):
    return value() if callable(value) else value


def _in_phase(x, alt, training):
    training = state.learning_phase() if training is None else training
    return chosen(training, lambda: _of(x), lambda: _of(alt))


def _dot(x, y):
    if isinstance(x, _SparseTensor):
        return _sparse_dense_matmul(x, y)
    if x.shape.ndims == y.shape.ndims == 2:
        return linalg.matmul(x, y)
    axis = y.shape.ndims - 2 if y.shape.ndims > 1 else 0  # max() is a function of this module
    return linalg.tensordot(x, y, [[x.shape.ndims - 1], [axis]])


def _switch(condition, then_expression, else_expression):
    if condition.dtype != dtypes.bool_:
        condition = arrays.cast(condition, "bool")
    if condition.shape.ndims == 0:
        return cond(condition, lambda: _of(then_expression), lambda: _of(else_expression))
    then, other = convert_to_tensor(_of(then_expression)), convert_to_tensor(_of(else_expression))
    for _ in range(then.shape.ndims - condition.shape.ndims):
        condition = arrays.expand_dims(condition, -1)
    return arrays.where_v2(condition, then, other)


def _placeholder_of(shape, ndim, dtype, sparse, name, ragged):
    if sparse and ragged:
        raise ValueError("Cannot set both sparse and ragged to True when creating a placeholder.")
    shape = [None] * ndim if shape is None and ndim else shape
    if ragged:
        return _ragged_input(_kind(dtype), shape, name)
    if sparse:
        return _sparse_placeholder(_kind(dtype), shape, name)
    return _placeholder(_kind(dtype), shape, name)


def _arange(start, stop, step, dtype):
    if stop is None and not hasattr(start, "graph") and start < 0:
        start = 0
    made = arrays.range(start, delta=step) if stop is None else arrays.range(start, stop, step)
    return made if dtype == "int32" else arrays.cast(made, dtype)


def _value_of(x):
    if hasattr(x, "dense_shape"):
        x = _dense(x)
    return get_value(x)


def _shape_of(x):
    """The shape of a tensor or an array, a tuple; None where the rank is not known."""
    if isinstance(x.shape, tuple):
        return x.shape
    return None if x.shape.ndims is None else tuple(TensorShape(x.shape).as_list())


def _clip(x, low, high):
    if high is None:
        high = np.inf
    elif not hasattr(low, "graph") and not hasattr(high, "graph") and high < low:
        high = low
    return clip_by_value(x, low, high)


def _moved(x, value, momentum):
    """Corrected for the start at 0, whatever the first value of x: as 1.15's has it."""
    name = x.op.name
    biased = _variable(np.zeros(x.shape.as_list()), x.dtype, name + "/biased")
    steps = _variable(0.0, x.dtype, name + "/local_step")
    with name_scope("AssignMovingAvg"):
        rate = 1.0 - momentum
        moved = biased.assign_sub((biased.value() - value) * rate)
        count = steps.assign_add(1.0)
        return x.assign(moved / (1.0 - math.pow(1.0 - rate, count)))


def _flatten_batch(x):
    return arrays.reshape(x, arrays.stack([-1, math.reduce_prod(arrays.shape(x)[1:])]))


def _bias_add(x, bias, data_format):
    data_format = settings.image_data_format() if data_format is None else data_format
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"Unknown data_format: {data_format}")
    rank, sizes = x.shape.ndims, bias.shape.as_list()
    if len(sizes) not in (1, rank - 1):
        raise ValueError(
            f"Unexpected bias dimensions {len(sizes)}, expect to be 1 or {rank} dimensions"
        )
    first = data_format == "channels_first" and rank > 2
    if len(sizes) == 1:
        return nn.bias_add(x, bias, "NCHW" if first else "NHWC")
    return x + arrays.reshape(bias, [1, *(sizes[-1:] + sizes[:-1] if first else sizes)])


def _repeat_elements(x, rep, axis):
    if x.shape.as_list()[axis] is None:
        sizes, repeats = arrays.shape(x), np.ones(x.shape.ndims + 1, np.int32)
        repeats[axis + 1] = rep
        many = arrays.tile(arrays.expand_dims(x, axis + 1), repeats)
        merged = arrays.reshape(many, sizes * np.delete(repeats, axis))
        merged.set_shape(x.shape)
        return merged
    parts = arrays.split(x, x.shape.as_list()[axis], axis)
    return arrays.concat([part for part in parts for _ in range(rep)], axis)


for _name, _call, _text in (
    ("abs", math.abs, "Computes the absolute value."), ("cos", math.cos, "Computes the cosine."),
    ("exp", math.exp, "Computes e^x."), ("log", math.log, "Computes the natural logarithm."),
    ("round", math.round, "Rounds to whole numbers."), ("sin", math.sin, "Computes the sine."),
    ("sigmoid", math.sigmoid, "Computes 1 / (1 + exp(-x))."),
    ("sign", math.sign, "Computes the sign."), ("tanh", math.tanh, "Computes the tangent."),
    ("softplus", nn.softplus, "Computes log(exp(x) + 1)."),
    ("softsign", nn.softsign, "Computes x / (abs(x) + 1)."),
    ("square", math.square, "Computes x^2."), ("shape", arrays.shape, "Returns the shape."),
    ("transpose", arrays.transpose, "Reverses the order of dimensions."),
    ("hard_sigmoid", activations.hard_sigmoid, "Computes 0.2 * x + 0.5, within 0 and 1."),
    ("flatten", lambda x: arrays.reshape(x, [-1]), "Makes a vector."),
    ("batch_flatten", _flatten_batch, "Makes a vector of each example."),
    ("sqrt", lambda x: math.sqrt(math.maximum(x, 0.0)), "Computes the root; of negatives 0."),
):  # fmt: skip
    _row(_name, "x", _call, _text)
for _name, _text in (
    ("equal", "Tests where x = y."), ("greater", "Tests where x > y."),
    ("greater_equal", "Tests where x >= y."), ("less", "Tests where x < y."),
    ("less_equal", "Tests where x <= y."), ("maximum", "Computes the larger of both."),
    ("minimum", "Computes the smaller of both."), ("not_equal", "Tests where x is not y."),
):  # fmt: skip
    _row(_name, "x y", getattr(math, _name), _text)
for _name, _call, _text in (
    ("sum", math.reduce_sum, "Adds elements up."),
    ("prod", math.reduce_prod, "Multiplies elements."),
    ("max", math.reduce_max, "Computes the maximum."),
    ("min", math.reduce_min, "Computes the minimum."),
    ("mean", lambda x, axis, keep: math.reduce_mean(_float(x), axis, keep), "Computes the mean."),
    ("var", lambda x, *a: math.reduce_variance(_float(x), *a), "Computes the variance."),
    ("std", lambda x, *a: math.reduce_std(_float(x), *a), "Computes the standard deviation."),
    ("any", lambda x, *a: math.reduce_any(arrays.cast(x, "bool"), *a), "Tests for any True."),
    ("all", lambda x, *a: math.reduce_all(arrays.cast(x, "bool"), *a), "Tests for all True."),
):  # fmt: skip
    _row(_name, "x axis=None keepdims=False", _call, _text)
_row("argmax", "x axis=-1", math.argmax, "Finds the largest element.")
_row("argmin", "x axis=-1", math.argmin, "Finds the smallest element.")
_row("softmax", "x axis=-1", nn.softmax, "Computes exp(x) / sum(exp(x)).")
_row("l2_normalize", "x axis=None", nn.l2_normalize, "Makes norms 1.")
_row("cumsum", "x axis=0", math.cumsum, "Adds up along a dimension.")
_row("cumprod", "x axis=0", math.cumprod, "Multiplies along a dimension.")
_row("elu", "x alpha=1.0", activations.elu, "Computes the exponential linear unit.")
_row("relu", "x alpha=0.0 max_value=None threshold=0", activations.relu, "Computes max(x, 0).")
_row("pow", "x a", math.pow, "Computes x^a.")
_row("clip", "x min_value max_value", _clip, "Moves elements into a range.")
_row("cast", "x dtype", arrays.cast, "Converts to another dtype.")
_row("cast_to_floatx", "x", lambda x: np.asarray(x, settings.floatx()) if not hasattr(
    x, "graph") else arrays.cast(x, settings.floatx()),
    "Converts to the default dtype.")  # fmt: skip
_row("concatenate", "tensors axis=-1", arrays.concat, "Puts tensors one after another.")
_row("stack", "x axis=0", arrays.stack, "Makes a tensor with a dimension more.")
_row("reshape", "x shape", arrays.reshape, "Reshapes.")
_row("permute_dimensions", "x pattern", arrays.transpose, "Changes the order of dimensions.")
_row("expand_dims", "x axis=-1", arrays.expand_dims, "Adds a dimension of size 1.")
_row("squeeze", "x axis", lambda x, axis: arrays.squeeze(x, [axis]), "Removes a dimension.")
_row("tile", "x n", lambda x, n: arrays.tile(x, [n] if isinstance(n, int) else n),
     "Repeats a tensor.")  # fmt: skip
_row("repeat_elements", "x rep axis", _repeat_elements, "Repeats each element.")
_row("repeat", "x n", lambda x, n: arrays.tile(arrays.expand_dims(x, 1), [1, n, 1]),
     "Repeats vectors: [batch, size] becomes [batch, n, size].")  # fmt: skip
_row("reverse", "x axes", lambda x, axes: arrays.reverse(
    x, [axes] if isinstance(axes, int) else axes), "Reverses dimensions.")  # fmt: skip
_row("gather", "reference indices", nn.embedding_lookup, "Looks rows up.")
_row("one_hot", "indices num_classes", arrays.one_hot, "Makes one-hot vectors.")
_row("in_top_k", "predictions targets k", nn.in_top_k, "Tests for the k largest.")
_row("dot", "x y", _dot, "Multiplies matrices.")
_row("bias_add", "x bias data_format=None", _bias_add, "Adds a bias.")
_row("dropout", "x level noise_shape=None seed=None", lambda x, level, noise_shape, seed: (
    nn.dropout(x, noise_shape=noise_shape, seed=_drawn_seed(seed), rate=level)),
    "Sets elements to zero at random.")  # fmt: skip
_row("switch", "condition then_expression else_expression", _switch, "Chooses one of two.")
_row("in_train_phase", "x alt training=None", _in_phase, "Returns x while it is training.")
_row("in_test_phase", "x alt training=None", lambda x, alt, training: _in_phase(alt, x, training),
     "Returns x while it is not training.")  # fmt: skip
_row("gradients", "loss variables", _gradients, "Computes gradients.", "A list of tensors.")
_row("stop_gradient", "variables", lambda v: [arrays.stop_gradient(x) for x in v] if isinstance(
    v, (list, tuple)) else arrays.stop_gradient(v), "Lets gradients see constants.")  # fmt: skip
_row("constant", "value dtype=None shape=None name=None", lambda v, d, s, n: _constant(
    v, _kind(d), s, n or "Const"), "Makes a constant.")  # fmt: skip
_row("placeholder", "shape=None ndim=None dtype=None sparse=False name=None ragged=False",
     _placeholder_of, "Makes a placeholder.")  # fmt: skip
_row("variable", "value dtype=None name=None constraint=None", _variable, "Makes a variable.",
     "A Variable.")  # fmt: skip
_row("zeros", "shape dtype=None name=None", _filled(arrays.zeros), "Makes a variable of zeros.",
     "A Variable.")  # fmt: skip
_row("ones", "shape dtype=None name=None", _filled(arrays.ones), "Makes a variable of ones.",
     "A Variable.")  # fmt: skip
_row("eye", "size dtype=None name=None", lambda size, d, n: _variable(np.eye(size), d, n),
     "Makes a variable that is the identity.", "A Variable.")  # fmt: skip
_row("zeros_like", "x dtype=None name=None", lambda x, d, n: arrays.zeros_like(x, d, n),
     "Makes zeros.")  # fmt: skip
_row(
    "ones_like", "x dtype=None name=None", lambda x, d, n: arrays.ones_like(x, d, n), "Makes ones."
)
_row("arange", "start stop=None step=1 dtype='int32'", _arange, "Makes numbers in a row.")
_row("random_normal", "shape mean=0.0 stddev=1.0 dtype=None seed=None",
     lambda s, m, d, k, seed: random.normal(s, m, d, _kind(k), _drawn_seed(seed)),
     "Draws from a normal distribution.")  # fmt: skip
_row("random_uniform", "shape minval=0.0 maxval=1.0 dtype=None seed=None",
     lambda s, a, b, k, seed: random.uniform(s, a, b, _kind(k), _drawn_seed(seed)),
     "Draws numbers evenly.")  # fmt: skip
_row("truncated_normal", "shape mean=0.0 stddev=1.0 dtype=None seed=None",
     lambda s, m, d, k, seed: random.truncated_normal(s, m, d, _kind(k), _drawn_seed(seed)),
     "Draws from a normal distribution within two deviations.")  # fmt: skip
_row("random_binomial", "shape p=0.0 dtype=None seed=None", lambda s, p, k, seed: arrays.cast(
    random.uniform(s, 0.0, 1.0, _kind(k), _drawn_seed(seed)) <= p, _kind(k)),
    "Draws 0 or 1.")  # fmt: skip
_row("update", "x new_x", lambda x, new_x: x.assign(new_x), "Sets a variable.")
_row("update_add", "x increment", lambda x, i: x.assign_add(i), "Adds to a variable.")
_row("update_sub", "x decrement", lambda x, d: x.assign_sub(d), "Subtracts from a variable.")
_row("moving_average_update", "x value momentum", _moved, "Moves an average towards a value.")
_row("eval", "x", _value_of, "Computes a tensor.", "An array.")
_row("dtype", "x", lambda x: x.dtype.base_dtype.name, "Returns the name of the dtype.", "A str.")
_row("ndim", "x", lambda x: x.shape.ndims, "Returns the rank.", "An int, or None.")
_row("int_shape", "x", _shape_of, "Returns the shape.", "A tuple of ints and None.")
_row("count_params", "x", lambda x: np.prod(x.shape.as_list()), "Counts elements.", "An int.")
_row("is_sparse", "tensor", lambda t: hasattr(t, "dense_shape"), "Tests for a SparseTensor.",
     "A bool.")  # fmt: skip
__all__ = [*_SHARED, *_row.names]
