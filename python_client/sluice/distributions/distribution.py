# SPDX-License-Identifier: Apache-2.0
"""The base class of distributions."""

import contextlib

import numpy as np

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..graph.elements import Tensor
from ..graph.static_values import static_value
from ..graph.tensor_shape import TensorShape, as_shape
from ..ops import array as arrays
from ..ops import math
from ..ops.docstrings import add_shared_arguments
from .divergence import kl_divergence

_SHARED = {
    "dtype": "Dtype of the samples.",
    "validate_args": "Whether parameters and values are checked when a step runs. A bool.",
    "allow_nan_stats": "Whether what is not defined is NaN, instead of an error. A bool.",
    "name": "Name of the distribution, a str.",
}


class ReparameterizationType:
    """Whether gradients go through the samples of a distribution.

    Args:
        rep_type: What the type is called, a str.
    """

    def __init__(self, rep_type):
        self._rep_type = rep_type

    def __repr__(self):
        return f"<Reparameteriation Type: {self._rep_type}>"


FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")


class Distribution:
    """A probability distribution, or a batch of them.

    The shape of a sample is the sample shape, then the batch shape, then the shape of one event.

    A class that derives from this one defines what it can compute of: _batch_shape(),
    _batch_shape_tensor(), _event_shape(), _event_shape_tensor(), _sample_n(n, seed), _prob(value),
    _log_prob(value), _cdf(value), _log_cdf(value), _survival_function(value),
    _log_survival_function(value), _quantile(value), _mean(), _variance(), _stddev(),
    _covariance(), _mode(), _entropy() and, as a staticmethod, _param_shapes(sample_shape). Of a
    function and its logarithm, and of variance and deviation, one is enough.

    Args:
        dtype: Dtype of the samples.
        reparameterization_type: FULLY_REPARAMETERIZED if gradients go through samples, else
            NOT_REPARAMETERIZED.
        validate_args: Whether parameters and values are checked when a step runs. A bool.
        allow_nan_stats: Whether what is not defined is NaN, instead of an error. A bool.
        parameters: A dict: argument of the constructor -> its value, for copy(). None: there are
            none.
        graph_parents: The tensors that the distribution is made of, a list. None: none.
        name: Name of the distribution, a str. None: the name of the class.

    Example:
        >>> normal = sl.distributions.Normal(loc=0.0, scale=2.0)
        >>> sl.Session().run(normal.log_prob([0.0, 2.0]))
        array([-1.6120857, -2.1120858], dtype=float32)
    """

    def __init_subclass__(cls, **more):
        """Adds the arguments that all have to the docstrings of classes."""
        super().__init_subclass__(**more)
        if cls.__module__.startswith(__package__):
            add_shared_arguments(cls, _SHARED)

    def __init__(self, dtype, reparameterization_type, validate_args, allow_nan_stats,
                 parameters=None, graph_parents=None, name=None):  # fmt: skip
        self._graph_parents = list(graph_parents or [])
        for i, parent in enumerate(self._graph_parents):
            if not isinstance(parent, Tensor):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {parent}.")
        if not name or not name.endswith("/"):  # else it is the scope of the parameters
            with name_scope(name or type(self).__name__) as name:
                pass
        self._name = name
        self._dtype = dtype
        self._reparameterization_type = reparameterization_type
        self._validate_args, self._allow_nan_stats = validate_args, allow_nan_stats
        self._parameters = {
            key: value
            for key, value in (parameters or {}).items()
            if not key.startswith("__") and key != "self"
        }

    # ---- what is known of it

    @property
    def name(self):
        """The prefix of its operations, a str."""
        return self._name

    @property
    def dtype(self):
        """The DType of the samples."""
        return self._dtype

    @property
    def parameters(self):
        """The arguments of the constructor, a dict."""
        return dict(self._parameters)

    @property
    def reparameterization_type(self):
        """FULLY_REPARAMETERIZED if gradients go through samples, else NOT_REPARAMETERIZED."""
        return self._reparameterization_type

    @property
    def allow_nan_stats(self):
        """Whether what is not defined is NaN, instead of an error. A bool."""
        return self._allow_nan_stats

    @property
    def validate_args(self):
        """Whether parameters and values are checked when a step runs. A bool."""
        return self._validate_args

    def copy(self, **override_parameters_kwargs):
        """Makes a distribution of the same class.

        Args:
            **override_parameters_kwargs: Arguments of the constructor that change.

        Returns:
            A Distribution.
        """
        return type(self)(**{**self._parameters, **override_parameters_kwargs})

    def __repr__(self):
        return (
            f"<tfp.distributions.{type(self).__name__} '{self.name}'"
            f" batch_shape={self.batch_shape} event_shape={self.event_shape}"
            f" dtype={self.dtype.name}>"
        )

    def __str__(self):
        shapes = {"batch_shape": self.batch_shape, "event_shape": self.event_shape}
        known = [f", {k}={v}" for k, v in shapes.items() if v.ndims is not None]
        return (
            f'tfp.distributions.{type(self).__name__}("{self.name}"{"".join(known)},'
            f" dtype={self.dtype.name})"
        )

    @contextlib.contextmanager
    def _scope(self, name):
        with name_scope(self.name), name_scope(name):
            yield

    def _call(self, what, *args):
        """The result of the method _<what> of the class."""
        method = getattr(self, "_" + what, None)
        if method is None:
            raise NotImplementedError(f"{what} is not implemented: {type(self).__name__}")
        return method(*args)

    def _call_either(self, what, other, convert, *args):
        """The same, or else what convert() makes of the result of another method."""
        try:
            return self._call(what, *args)
        except NotImplementedError as error:
            try:
                return convert(self._call(other, *args))
            except NotImplementedError:
                raise error from None

    # ---- shapes

    @classmethod
    def param_shapes(cls, sample_shape, name="DistributionParamShapes"):
        """Computes the shapes that parameters have, for samples of a shape.

        Args:
            sample_shape: The shape of a sample, a list of ints or an int32 vector.
            name: Name of the operation, a str.

        Returns:
            A dict: parameter -> its shape, an int32 vector.

        Raises:
            NotImplementedError: The class does not say.
        """
        with name_scope(name):
            if not hasattr(cls, "_param_shapes"):
                raise NotImplementedError("_param_shapes not implemented")
            return cls._param_shapes(sample_shape)

    @classmethod
    def param_static_shapes(cls, sample_shape):
        """Returns the shapes that parameters have, for samples of a shape.

        Args:
            sample_shape: The shape of a sample, a list of ints or a TensorShape.

        Returns:
            A dict: parameter -> its TensorShape.

        Raises:
            ValueError: The shape is not fully known.
            NotImplementedError: The class does not say.
        """
        if isinstance(sample_shape, TensorShape):
            if not sample_shape.is_fully_defined():
                raise ValueError("TensorShape sample_shape must be fully defined")
            sample_shape = sample_shape.as_list()
        found = {}
        for key, shape in cls.param_shapes(sample_shape).items():
            value = static_value(shape)
            if value is None:
                raise ValueError(
                    "sample_shape must be a fully-defined TensorShape or list/tuple"
                )
            found[key] = TensorShape([int(size) for size in value])
        return found

    def _static_shape(self, what):
        try:
            return as_shape(self._call(what))
        except NotImplementedError:
            return TensorShape(None)

    def _shape_tensor(self, what, static):
        if static.is_fully_defined():
            return convert_to_tensor(static.as_list(), dtypes.int32)
        return self._call(what)

    @property
    def batch_shape(self):
        """The static TensorShape of the batch."""
        return self._static_shape("batch_shape")

    @property
    def event_shape(self):
        """The static TensorShape of one event."""
        return self._static_shape("event_shape")

    def batch_shape_tensor(self, name="batch_shape_tensor"):
        """Computes the shape of the batch.

        Args:
            name: Name of the operation, a str.

        Returns:
            An int32 vector.
        """
        with self._scope(name):
            return self._shape_tensor("batch_shape_tensor", self.batch_shape)

    def event_shape_tensor(self, name="event_shape_tensor"):
        """Computes the shape of one event.

        Args:
            name: Name of the operation, a str.

        Returns:
            An int32 vector.
        """
        with self._scope(name):
            return self._shape_tensor("event_shape_tensor", self.event_shape)

    def _is_scalar(self, static, shape_tensor):
        if static.ndims is not None:
            return convert_to_tensor(static.ndims == 0)
        return math.equal(arrays.size(shape_tensor()), 0)

    def is_scalar_event(self, name="is_scalar_event"):
        """Tests whether an event is one number.

        Args:
            name: Name of the operation, a str.

        Returns:
            A bool scalar.
        """
        with self._scope(name):
            return self._is_scalar(self.event_shape, self.event_shape_tensor)

    def is_scalar_batch(self, name="is_scalar_batch"):
        """Tests whether the batch is one distribution.

        Args:
            name: Name of the operation, a str.

        Returns:
            A bool scalar.
        """
        with self._scope(name):
            return self._is_scalar(self.batch_shape, self.batch_shape_tensor)

    # ---- samples and probabilities

    def sample(self, sample_shape=(), seed=None, name="sample"):
        """Draws samples.

        Args:
            sample_shape: How many, an int; or the shape of the samples, a list of ints or a vector.
            seed: Seed of the operation, an int. None: see set_random_seed().
            name: Name of the operation, a str.

        Returns:
            A tensor: the sample shape, the batch shape, the event shape.

        Raises:
            NotImplementedError: The class does not define it.
        """
        with self._scope(name):
            shape = convert_to_tensor(sample_shape, dtypes.int32)
            static = static_value(shape)
            if shape.shape.ndims not in (0, 1):
                raise ValueError("Input is neither scalar nor vector.")
            if shape.shape.ndims == 0:
                shape = arrays.reshape(shape, [1])
            if static is None:
                drawn = self._call("sample_n", math.reduce_prod(shape), seed)
                known = TensorShape([None] * (shape.shape[0].value or 0))
                known = known if shape.shape.is_fully_defined() else TensorShape(None)
            else:
                drawn = self._call("sample_n", int(np.prod(static)), seed)
                known = TensorShape([int(size) for size in np.atleast_1d(static)])
            drawn = arrays.reshape(drawn, arrays.concat([shape, arrays.shape(drawn)[1:]], 0))
            drawn.set_shape(known.concatenate(self.batch_shape).concatenate(self.event_shape))
            return drawn

    def _of_value(self, name, value, what, other, convert):
        with self._scope(name):
            value = convert_to_tensor(value, name="value", dtype_hint=self.dtype)
            return self._call_either(what, other, convert, value)

    def log_prob(self, value, name="log_prob"):
        """Computes the logarithm of the probability, or of its density.

        Args:
            value: The events, a tensor of the distribution's dtype.
            name: Name of the operation, a str.

        Returns:
            A tensor: the sample shape of the events, then the batch shape.

        Raises:
            NotImplementedError: The class does not define it.
        """
        return self._of_value(name, value, "log_prob", "prob", math.log)

    def prob(self, value, name="prob"):
        """Computes the probability, or its density.

        Args:
            value: The events, a tensor of the distribution's dtype.
            name: Name of the operation, a str.

        Returns:
            A tensor: the sample shape of the events, then the batch shape.

        Raises:
            NotImplementedError: The class does not define it.
        """
        return self._of_value(name, value, "prob", "log_prob", math.exp)

    def log_cdf(self, value, name="log_cdf"):
        """Computes the logarithm of the cumulative distribution function.

        Args:
            value: The events, a tensor of the distribution's dtype.
            name: Name of the operation, a str.

        Returns:
            A tensor: the sample shape of the events, then the batch shape.

        Raises:
            NotImplementedError: The class does not define it.
        """
        return self._of_value(name, value, "log_cdf", "cdf", math.log)

    def cdf(self, value, name="cdf"):
        """Computes the cumulative distribution function: the probability of at most `value`.

        Args:
            value: The events, a tensor of the distribution's dtype.
            name: Name of the operation, a str.

        Returns:
            A tensor: the sample shape of the events, then the batch shape.

        Raises:
            NotImplementedError: The class does not define it.
        """
        return self._of_value(name, value, "cdf", "log_cdf", math.exp)

    def survival_function(self, value, name="survival_function"):
        """Computes the probability of more than `value`.

        Args:
            value: The events, a tensor of the distribution's dtype.
            name: Name of the operation, a str.

        Returns:
            A tensor: the sample shape of the events, then the batch shape.

        Raises:
            NotImplementedError: The class does not define it.
        """
        if not hasattr(self, "_survival_function"):
            return 1.0 - self.cdf(value, name)
        return self._of_value(name, value, "survival_function", "", None)

    def log_survival_function(self, value, name="log_survival_function"):
        """Computes the logarithm of the probability of more than `value`.

        Args:
            value: The events, a tensor of the distribution's dtype.
            name: Name of the operation, a str.

        Returns:
            A tensor: the sample shape of the events, then the batch shape.

        Raises:
            NotImplementedError: The class does not define it.
        """
        if not hasattr(self, "_log_survival_function"):
            return math.log1p(-self.cdf(value, name))
        return self._of_value(name, value, "log_survival_function", "", None)

    def quantile(self, value, name="quantile"):
        """Computes the inverse of the cumulative distribution function.

        Args:
            value: Probabilities, a tensor of the distribution's dtype.
            name: Name of the operation, a str.

        Returns:
            A tensor: the sample shape of the events, then the batch shape.

        Raises:
            NotImplementedError: The class does not define it.
        """
        return self._of_value(name, value, "quantile", "", None)

    # ---- statistics

    def _statistic(self, name, what, other="", convert=None):
        with self._scope(name):
            return self._call_either(what, other, convert)

    def entropy(self, name="entropy"):
        """Computes Shannon's entropy, in nats.

        Args:
            name: Name of the operation, a str.

        Returns:
            A tensor of the batch shape.

        Raises:
            NotImplementedError: The class does not define it.
        """
        return self._statistic(name, "entropy")

    def mean(self, name="mean"):
        """Computes the mean.

        Args:
            name: Name of the operation, a str.

        Returns:
            A tensor: the batch shape, then the event shape.

        Raises:
            NotImplementedError: The class does not define it.
        """
        return self._statistic(name, "mean")

    def variance(self, name="variance"):
        """Computes the variance of each element of an event.

        Args:
            name: Name of the operation, a str.

        Returns:
            A tensor: the batch shape, then the event shape.

        Raises:
            NotImplementedError: The class does not define it.
        """
        return self._statistic(name, "variance", "stddev", math.square)

    def stddev(self, name="stddev"):
        """Computes the standard deviation of each element of an event.

        Args:
            name: Name of the operation, a str.

        Returns:
            A tensor: the batch shape, then the event shape.

        Raises:
            NotImplementedError: The class does not define it.
        """
        return self._statistic(name, "stddev", "variance", math.sqrt)

    def covariance(self, name="covariance"):
        """Computes the covariances of the elements of an event.

        Args:
            name: Name of the operation, a str.

        Returns:
            A tensor: the batch shape, then [n, n] for events of n numbers.

        Raises:
            NotImplementedError: The class does not define it.
        """
        return self._statistic(name, "covariance")

    def mode(self, name="mode"):
        """Computes the most probable event.

        Args:
            name: Name of the operation, a str.

        Returns:
            A tensor: the batch shape, then the event shape.

        Raises:
            NotImplementedError: The class does not define it.
        """
        return self._statistic(name, "mode")

    def cross_entropy(self, other, name="cross_entropy"):
        """Computes the cross entropy with another distribution: the entropy and the divergence.

        Args:
            other: A Distribution.
            name: Name of the operation, a str.

        Returns:
            A tensor of the batch shape.

        Raises:
            NotImplementedError: No divergence is registered for the two classes.
        """
        with self._scope(name):
            return self.entropy() + kl_divergence(self, other, self.allow_nan_stats)

    def kl_divergence(self, other, name="kl_divergence"):
        """Computes the Kullback-Leibler divergence from another distribution.

        Args:
            other: A Distribution.
            name: Name of the operation, a str.

        Returns:
            A tensor of the batch shape.

        Raises:
            NotImplementedError: No divergence is registered for the two classes.
        """
        with self._scope(name):
            return kl_divergence(self, other, self.allow_nan_stats)
