# SPDX-License-Identifier: Apache-2.0
"""Distributions of vectors: normal ones of independent numbers, and batches as events."""

import math as numbers

from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..graph.tensor_shape import TensorShape
from ..linear_operators.diagonal import LinearOperatorDiag
from ..ops import array as arrays
from ..ops import math
from ..ops.array.diagonals import diag as diagonal_matrix
from ..ops.random import random
from .distribution import FULLY_REPARAMETERIZED, Distribution
from .divergence import RegisterKL, kl_divergence


class MultivariateNormalDiag(Distribution):
    """Normal distributions of vectors whose numbers are independent.

    Args:
        loc: The means, a tensor [..., k] of any floating-point dtype. None: zeros.
        scale_diag: The standard deviations, a tensor [..., k]. None: ones.
        scale_identity_multiplier: What is added to scale_diag, a tensor [...]. Without scale_diag
            it is the standard deviation of all. None: nothing.

    Raises:
        ValueError: Neither loc nor scale_diag is given.
    """

    def __init__(self, loc=None, scale_diag=None, scale_identity_multiplier=None,
                 validate_args=False, allow_nan_stats=True,
                 name="MultivariateNormalDiag"):  # fmt: skip
        given = dict(locals())
        if loc is None and scale_diag is None:
            raise ValueError("Must specify loc or scale_diag: the size of events is not known.")
        with name_scope(name) as scope:
            loc = None if loc is None else convert_to_tensor(loc, name="loc")
            diag = None if scale_diag is None else convert_to_tensor(scale_diag, name="scale_diag")
            if scale_identity_multiplier is not None:
                more = convert_to_tensor(scale_identity_multiplier)[..., None]
                diag = (arrays.zeros_like(loc) if diag is None else diag) + more
            elif diag is None:
                diag = arrays.ones_like(loc)
            loc = arrays.zeros_like(diag) if loc is None else loc
            self._loc, self._diag = loc + arrays.zeros_like(diag), diag
        super().__init__(
            self._loc.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given,
            [self._loc, self._diag], scope,
        )  # fmt: skip

    @property
    def loc(self):
        """The means, a tensor."""
        return self._loc

    @property
    def scale(self):
        """The matrices that standard normal vectors are multiplied by, a LinearOperatorDiag."""
        return LinearOperatorDiag(self._diag)

    def _batch_shape(self):
        return self._loc.shape[:-1]

    def _batch_shape_tensor(self):
        return arrays.shape(self._loc)[:-1]

    def _event_shape(self):
        return self._loc.shape[-1:]

    def _event_shape_tensor(self):
        return arrays.shape(self._loc)[-1:]

    def _sample_n(self, n, seed=None):
        shape = arrays.concat([[n], arrays.shape(self._loc)], 0)
        return random.normal(shape, dtype=self.dtype, seed=seed) * self._diag + self._loc

    def _size(self):
        return arrays.cast(self.event_shape_tensor()[0], self.dtype)

    def _log_scales(self):
        return math.reduce_sum(math.log(math.abs(self._diag)), -1)

    def _log_prob(self, x):
        squares = math.reduce_sum(math.square((x - self._loc) / self._diag), -1)
        constant = 0.5 * numbers.log(2 * numbers.pi) * self._size()
        return -0.5 * squares - constant - self._log_scales()

    def _entropy(self):
        of_batch = arrays.zeros(self.batch_shape_tensor(), self.dtype) + self._log_scales()
        return 0.5 * (1 + numbers.log(2 * numbers.pi)) * self._size() + of_batch

    def _mean(self):
        return arrays.identity(self._loc)

    _mode = _mean

    def _stddev(self):
        return math.abs(self._diag)

    def _variance(self):
        return math.square(self._diag)

    def _covariance(self):
        return diagonal_matrix(math.square(self._diag))


@RegisterKL(MultivariateNormalDiag, MultivariateNormalDiag)
def _kl_normal(a, b, name=None):
    with name_scope(name, "kl_mvn"):
        first, second = a.variance(), b.variance()
        distance = math.squared_difference(a.loc, b.loc) / second
        terms = first / second - 1 - math.log(first / second) + distance
        return 0.5 * math.reduce_sum(terms, -1)


class Independent(Distribution):
    """Distributions whose events are batches of another one.

    Args:
        distribution: The other one, a Distribution.
        reinterpreted_batch_ndims: How many dimensions of its batch are an event's, an int. None:
            all but the first.
    """

    def __init__(self, distribution, reinterpreted_batch_ndims=None, validate_args=False,
                 name=None):  # fmt: skip
        given = dict(locals())
        self._inner = distribution
        if reinterpreted_batch_ndims is None:
            reinterpreted_batch_ndims = max(0, distribution.batch_shape.ndims - 1)
        self._count = int(reinterpreted_batch_ndims)
        super().__init__(
            distribution.dtype, distribution.reparameterization_type, validate_args,
            distribution.allow_nan_stats, given, [], name or "Independent" + distribution.name,
        )  # fmt: skip

    @property
    def distribution(self):
        """The other Distribution."""
        return self._inner

    @property
    def reinterpreted_batch_ndims(self):
        """How many dimensions of its batch are an event's, an int."""
        return self._count

    def _batch_shape(self):
        shape = self._inner.batch_shape
        return TensorShape(None) if shape.ndims is None else shape[: shape.ndims - self._count]

    def _batch_shape_tensor(self):
        shape = self._inner.batch_shape_tensor()
        return shape[: arrays.shape(shape)[0] - self._count]

    def _event_shape(self):
        shape = self._inner.batch_shape
        if shape.ndims is None:
            return TensorShape(None)
        return shape[shape.ndims - self._count :].concatenate(self._inner.event_shape)

    def _event_shape_tensor(self):
        shape = self._inner.batch_shape_tensor()
        last = shape[arrays.shape(shape)[0] - self._count :]
        return arrays.concat([last, self._inner.event_shape_tensor()], 0)

    def _sum(self, values):
        return math.reduce_sum(values, list(range(-self._count, 0))) if self._count else values

    def _sample_n(self, n, seed=None):
        return self._inner.sample(n, seed=seed)

    def _log_prob(self, x):
        return self._sum(self._inner.log_prob(x))

    def _entropy(self):
        return self._sum(self._inner.entropy())

    def _mean(self):
        return self._inner.mean()

    def _variance(self):
        return self._inner.variance()

    def _stddev(self):
        return self._inner.stddev()

    def _mode(self):
        return self._inner.mode()


@RegisterKL(Independent, Independent)
def _kl_independent(a, b, name=None):
    with name_scope(name, "kl_independent"):
        divergence = kl_divergence(a.distribution, b.distribution)
        axes = list(range(-a.reinterpreted_batch_ndims, 0))
        return math.reduce_sum(divergence, axes) if axes else divergence
