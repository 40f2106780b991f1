# SPDX-License-Identifier: Apache-2.0
"""Batch normalisation (Ioffe and Szegedy, 2015)."""

from .. import dtypes
from ..graph.convert import constant, convert_to_tensor, is_resource_variable
from ..graph.default_graph import colocate_with, control_dependencies, name_scope
from ..graph.elements import Operation
from ..graph.seeds import count_more_nodes
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops import math
from ..ops.nn.activations import relu
from ..ops.nn.normalization import batch_normalization as normalized
from ..ops.nn.normalization import fused_batch_norm, moments
from ..ops.state.initializers import ones, zeros
from ..ops.state.kinds import VariableAggregation, VariableSynchronization
from ..ops.state.reading import read_resource
from .arguments import keep
from .choices import chosen, known
from .input_spec import InputSpec
from .layer import Layer
from .words import arguments_of, described, function_of

_NARROW = (dtypes.float16, dtypes.bfloat16)


@described(
    "A layer that normalises each feature by its mean and variance in the batch, or, when it is not"
    " training, by moving averages of them. Steps that train must run the collection UPDATE_OPS."
)
class BatchNormalization(Layer):
    supports_masking = True
    arguments = (
        "axis", "momentum", "epsilon", "center", "scale", "beta_initializer", "gamma_initializer",
        "moving_mean_initializer", "moving_variance_initializer", "beta_regularizer",
        "gamma_regularizer", "beta_constraint", "gamma_constraint",
    )  # fmt: skip

    def __init__(self, axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True,
                 beta_initializer=zeros, gamma_initializer=ones, moving_mean_initializer=zeros,
                 moving_variance_initializer=ones, beta_regularizer=None, gamma_regularizer=None,
                 beta_constraint=None, gamma_constraint=None, renorm=False, renorm_clipping=None,
                 renorm_momentum=0.99, fused=None, trainable=True, virtual_batch_size=None,
                 adjustment=None, name=None, **kwargs):  # fmt: skip
        super().__init__(trainable, name, **kwargs)
        if not isinstance(axis, (int, list)):
            raise TypeError(f"axis must be int or list, type given: {type(axis)}")
        self.axis = list(axis) if isinstance(axis, list) else axis
        self.momentum, self.epsilon, self.center, self.scale = momentum, epsilon, center, scale
        keep(
            self, beta_initializer=beta_initializer, gamma_initializer=gamma_initializer,
            moving_mean_initializer=moving_mean_initializer,
            moving_variance_initializer=moving_variance_initializer,
            beta_regularizer=beta_regularizer, gamma_regularizer=gamma_regularizer,
            beta_constraint=beta_constraint, gamma_constraint=gamma_constraint,
        )  # fmt: skip
        self.virtual_batch_size, self.adjustment = virtual_batch_size, adjustment
        self.fused = fused is None or fused
        self.renorm, self.renorm_momentum = renorm, renorm_momentum
        self.renorm_clipping = dict(renorm_clipping or {})
        unknown = set(self.renorm_clipping) - {"rmax", "rmin", "dmax"}
        if renorm and unknown:
            raise ValueError(f'renorm_clipping has "rmax", "rmin" and "dmax", not {unknown}')
        self.gamma = self.beta = self.moving_mean = self.moving_variance = None

    def get_config(self):
        """Returns the arguments that make an equal layer.

        Returns:
            A dict.
        """
        config = super().get_config()
        if self.renorm:
            for name in ("renorm", "renorm_clipping", "renorm_momentum"):
                config[name] = getattr(self, name)
        if self.virtual_batch_size is not None:
            config["virtual_batch_size"] = self.virtual_batch_size
        return config

    # ---- variables

    def build(self, input_shape):
        """Makes the variables.

        Args:
            input_shape: Shape of the input, a TensorShape.

        Raises:
            ValueError: The rank, or a size along `axis`, is not known; axis does not fit.
        """
        shape = TensorShape(input_shape)
        if not shape.ndims:
            raise ValueError(f"the input must have a known rank above 0: its shape is {shape}")
        self._check_axis(shape.ndims)
        self._check_virtual_batches()
        sizes = {axis: shape.as_list()[axis] for axis in self.axis}
        self.fused = self.fused and shape.ndims == 4 and self._can_be_fused()
        if None in sizes.values():
            raise ValueError(f"the size along axis {self.axis} must be known: {shape}")
        self.input_spec = InputSpec(ndim=shape.ndims, axes=sizes)
        if len(sizes) == 1 and self.virtual_batch_size is None:
            of_parameters = list(sizes.values())
        else:
            of_parameters = [sizes.get(axis, 1) for axis in range(shape.ndims)]
        if self.virtual_batch_size is not None:
            of_parameters.insert(1, 1)
            self.axis = [axis + 1 for axis in self.axis]
        self._add_parameters(of_parameters)
        super().build(input_shape)

    def _check_axis(self, rank):
        axes = [self.axis] if isinstance(self.axis, int) else self.axis
        self.axis = [axis + rank if axis < 0 else axis for axis in axes]
        for axis in self.axis:
            if not 0 <= axis < rank:
                raise ValueError(f"Invalid axis: {axis}")
        if len(set(self.axis)) < len(self.axis):
            raise ValueError(f"axis {axes} has a dimension twice")

    def _check_virtual_batches(self):
        if self.virtual_batch_size is None:
            return
        if self.virtual_batch_size <= 0:
            raise ValueError(
                f"virtual_batch_size must be positive: it is {self.virtual_batch_size}"
            )
        if 0 in self.axis:
            raise ValueError("with virtual_batch_size dimension 0 is the batch, not a feature")
        if self.adjustment is not None:
            raise ValueError("virtual_batch_size and adjustment cannot both be given")

    def _can_be_fused(self):
        plain = not self.renorm and self.virtual_batch_size is None and self.adjustment is None
        return plain and self.axis in ([1], [3])

    def _add_parameters(self, shape):
        kind = dtypes.float32 if self._dtype in _NARROW else self._dtype
        self._parameters_dtype = kind
        if self.scale:
            self.gamma = self.add_weight(
                "gamma", shape, kind, self.gamma_initializer, self.gamma_regularizer,
                constraint=self.gamma_constraint,
            )  # fmt: skip
        elif self.fused:
            self._ones = constant(1.0, kind, shape)
        if self.center:
            self.beta = self.add_weight(
                "beta", shape, kind, self.beta_initializer, self.beta_regularizer,
                constraint=self.beta_constraint,
            )  # fmt: skip
        elif self.fused:
            self._zeros = constant(0.0, kind, shape)
        with self._in_one_piece():
            self._add_averages(shape, kind)

    def _add_averages(self, shape, kind):
        def average(name, initializer):
            return self.add_weight(
                name, shape, kind, initializer, trainable=False,
                synchronization=VariableSynchronization.ON_READ,
                aggregation=VariableAggregation.MEAN,
            )  # fmt: skip

        self.moving_mean = average("moving_mean", self.moving_mean_initializer)
        self.moving_variance = average("moving_variance", self.moving_variance_initializer)
        if not self.renorm:
            return
        first = self.moving_variance_initializer
        first = first() if first in (zeros, ones) else first

        def deviation(*args, **kwargs):
            return math.sqrt(first(*args, **kwargs))

        self.moving_stddev = average("moving_stddev", deviation)
        self.renorm_mean = average("renorm_mean", self.moving_mean_initializer)
        self.renorm_stddev = average("renorm_stddev", deviation)

    # ---- the output

    def call(self, inputs, training=False):
        """Computes the output.

        Args:
            inputs: A tensor of any floating-point dtype.
            training: Whether it is training: a bool, or a bool scalar.

        Returns:
            A tensor of the shape and dtype of inputs.
        """
        if self.fused:
            return self._fused(inputs, training)
        if self.virtual_batch_size is None:
            return self._plain(inputs, training)
        shape = [-1, *inputs.shape.as_list()[1:]]
        parts = arrays.reshape(inputs, [self.virtual_batch_size, *shape])
        return arrays.reshape(self._plain(parts, training), shape)

    def _fused(self, inputs, training):
        gamma = self.gamma if self.scale else self._ones
        beta = self.beta if self.center else self._zeros
        more = {"epsilon": self.epsilon, "data_format": "NCHW" if self.axis == [1] else "NHWC"}
        outputs, mean, variance = chosen(
            training,
            lambda: fused_batch_norm(inputs, gamma, beta, **more),
            lambda: fused_batch_norm(
                inputs, gamma, beta, self.moving_mean, self.moving_variance, is_training=False,
                **more,
            ),
        )  # fmt: skip
        trains = known(training)
        if trains is False:
            count_more_nodes(1)  # TensorFlow has more, which decide seeds
            return outputs
        if trains:
            momentum = convert_to_tensor(self.momentum)
        else:
            momentum = chosen(
                training, lambda: constant(float(self.momentum)), lambda: constant(1.0)
            )
        for average, value in ((self.moving_mean, mean), (self.moving_variance, variance)):
            self.add_update(moved(average, value, momentum))
        return outputs

    def _plain(self, inputs, training):
        rank = inputs.shape.ndims
        over = [axis for axis in range(rank) if axis not in self.axis]
        if self.virtual_batch_size is not None:
            del over[1]  # the parts are normalised apart
        shape = [1] * rank
        shape[self.axis[0]] = inputs.shape.as_list()[self.axis[0]]

        def along(value):
            wrong = value is not None and len(value.shape) != rank
            return (
                arrays.reshape(value, shape) if wrong and over != list(range(rank - 1)) else value
            )

        scale, offset = along(self.gamma), along(self.beta)
        if known(training) is False:
            mean, variance = self.moving_mean, self.moving_variance
        else:
            if self.adjustment is not None:
                scale, offset = self._adjusted(inputs, training, scale, offset)
            mean, variance = self._moments_in_use(inputs, over, training)
            new = self._of_batch(mean, variance)
            if self.renorm:
                r, d, *new = self._renormed(*new, training)
                r = along(arrays.stop_gradient(r, "renorm_r"))
                d = along(arrays.stop_gradient(d, "renorm_d"))
                scale, offset = _composed(r, d, scale, offset)
            self._update(*new, training)
        mean, variance, offset, scale = (
            None if v is None else arrays.cast(v, inputs.dtype)
            for v in (mean, variance, offset, scale)
        )
        outputs = normalized(inputs, along(mean), along(variance), offset, scale, self.epsilon)
        outputs.set_shape(inputs.shape)
        return outputs

    def _moments(self, inputs, reduction_axes, keep_dims):
        """The mean and the variance of a batch. Classes that derive from this one change it."""
        return moments(inputs, reduction_axes, keepdims=keep_dims)

    def _moments_in_use(self, inputs, over, training):
        keep = self.virtual_batch_size is not None or len(self.axis) > 1
        inputs = arrays.cast(inputs, self._parameters_dtype)
        mean, variance = self._moments(inputs, over, keep_dims=keep)
        return (
            chosen(training, lambda: mean, lambda: convert_to_tensor(self.moving_mean)),
            chosen(training, lambda: variance, lambda: convert_to_tensor(self.moving_variance)),
        )

    def _of_batch(self, mean, variance):
        """The moments of the whole batch, of those of its parts."""
        if self.virtual_batch_size is None:
            return mean, variance
        return math.reduce_mean(mean, 1, True), math.reduce_mean(variance, 1, True)

    def _adjusted(self, inputs, training, scale, offset):
        by, plus = self.adjustment(arrays.shape(inputs))
        by = chosen(training, lambda: by, lambda: arrays.ones_like(by))
        plus = chosen(training, lambda: plus, lambda: arrays.zeros_like(plus))
        return _composed(by, plus, scale, offset)

    def _renormed(self, mean, variance, training):
        """(r, d, mean, variance): the correction of batch renormalisation, and the moments once the
        averages are updated."""
        deviation = math.sqrt(variance + self.epsilon)
        least = math.sqrt(convert_to_tensor(self.epsilon, self._parameters_dtype))
        usual = math.maximum(self.renorm_stddev, least)
        r, d = deviation / usual, (mean - self.renorm_mean) / usual
        with control_dependencies([r, d]):
            mean, deviation = arrays.identity(mean), arrays.identity(deviation)
        bounds = self.renorm_clipping
        r = math.maximum(r, bounds["rmin"]) if bounds.get("rmin") is not None else r
        r = math.minimum(r, bounds["rmax"]) if bounds.get("rmax") is not None else r
        if bounds.get("dmax") is not None:
            d = math.minimum(math.maximum(d, -bounds["dmax"]), bounds["dmax"])
        r = chosen(training, lambda: r, lambda: arrays.ones_like(r))
        d = chosen(training, lambda: d, lambda: arrays.zeros_like(d))
        updated = [
            self._renorm_average(self.renorm_mean, mean, training),
            self._renorm_average(self.renorm_stddev, deviation, training),
        ]
        with control_dependencies(updated):
            return r, d, arrays.identity(mean), arrays.identity(variance)

    def _renorm_average(self, average, value, training):
        value = arrays.identity(value)
        return _when(training, lambda: moved(average, value, self.renorm_momentum), average)

    def _update(self, mean, variance, training):
        def of_mean():
            return moved(self.moving_mean, mean, self.momentum)

        def of_variance():
            if not self.renorm:
                return moved(self.moving_variance, variance, self.momentum)
            deviation = math.sqrt(variance + self.epsilon)
            new = moved(self.moving_stddev, deviation, self.momentum)
            new = _after(new, self.moving_stddev)
            return _replaced(self.moving_variance, relu(new * new - self.epsilon))

        self.add_update(_when(training, of_mean, self.moving_mean))
        self.add_update(_when(training, of_variance, self.moving_variance))

    def compute_output_shape(self, input_shape):
        """Returns the shape of the output.

        Args:
            input_shape: Shape of the input.

        Returns:
            A TensorShape.
        """
        return TensorShape(input_shape)


def moved(average, value, momentum):
    """Moves an average towards a value.

    Args:
        average: The variable.
        value: A tensor.
        momentum: Weight of the old value, a number or a scalar.

    Returns:
        The new average; of a resource variable the Operation.
    """
    with name_scope("AssignMovingAvg") as scope, colocate_with(average.op):
        decay = convert_to_tensor(1.0 - momentum, name="decay")
        decay = arrays.cast(decay, average.dtype)
        delta = (average - arrays.cast(value, average.dtype)) * decay
        if is_resource_variable(average):
            update = average.assign_sub(delta, read_value=False)
            _after(update, average)  # TensorFlow's graphs read the new value, too
            return update
        return average.assign_sub(delta, name=scope)


def _replaced(average, value):
    """Sets an average. What moved() returns."""
    with name_scope("AssignNewValue") as scope, colocate_with(average.op):
        if is_resource_variable(average):
            return average.assign(value, read_value=False)
        return average.assign(value, name=scope)


def updated(training, average, value, momentum):
    """The operation of moved() while it is training, else the average as it is.

    Args:
        training: A bool, or a bool scalar.
        average: The variable.
        value: What it is moved towards, a tensor.
        momentum: Weight of the old value, a number or a scalar.

    Returns:
        A tensor or an Operation.
    """
    return _when(training, lambda: moved(average, value, momentum), average)


def _after(update, average):
    """The average after an update."""
    if not isinstance(update, Operation):
        return update
    with control_dependencies([update]):
        return read_resource(average)


def _when(training, update, average):
    """The result of an update while it is training, else the average as it is."""
    if known(training):
        return update()
    if is_resource_variable(average):
        return chosen(
            training, lambda: _after(update(), average), lambda: convert_to_tensor(average)
        )
    count_more_nodes(-2)  # TensorFlow merges the references
    return chosen(training, lambda: arrays.identity(update()), lambda: arrays.identity(average))


def _composed(scale, offset, then_scale, then_offset):
    """The scale and the offset of one after another."""
    if then_scale is not None:
        scale, offset = scale * then_scale, offset * then_scale
    return scale, offset if then_offset is None else offset + then_offset


_ORDER = arguments_of(BatchNormalization)
_ORDER = [n for n in _ORDER if n not in ("trainable", "name", "renorm", "renorm_clipping",
          "renorm_momentum", "fused", "virtual_batch_size", "adjustment")]  # fmt: skip
batch_normalization = function_of(
    BatchNormalization, "batch_normalization",
    [*_ORDER, "training", "trainable", "name", "reuse", "renorm", "renorm_clipping",
     "renorm_momentum", "fused", "virtual_batch_size", "adjustment"],
    "Normalises each feature by its mean and variance in the batch, or, when it is not training, by"
    " moving averages of them. Steps that train must run the collection UPDATE_OPS.",
    """
>>> x = sl.constant([[1.0], [3.0]])
>>> y = sl.layers.batch_normalization(x, training=True, epsilon=0.0)
>>> updates = sl.get_collection(sl.GraphKeys.UPDATE_OPS)
>>> with sl.Session() as session:
...     session.run(sl.global_variables_initializer())
...     value, _ = session.run([y, updates])
...     print(value)
[[-1.]
 [ 1.]]
""",
)  # fmt: skip
