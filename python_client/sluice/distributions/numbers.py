# SPDX-License-Identifier: Apache-2.0
"""The part that distributions of numbers have in common."""

import numpy as np

from .. import dtypes
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import control_dependencies, name_scope
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops.debug.assertions import assert_same_float_dtype
from .distribution import FULLY_REPARAMETERIZED, Distribution
from .parts import broadcast_shape, broadcast_shape_tensor


class DistributionOfNumbers(Distribution):
    """A distribution whose events are numbers. Its parameters are broadcast against each other."""

    _PARAMETERS = ()

    def _set_up(self, given, dtype, reparameterization_type, tensors, scope):
        """What a constructor does once it has its parameters as tensors."""
        self._tensors = tensors
        super().__init__(
            dtype, reparameterization_type, given["validate_args"], given["allow_nan_stats"],
            given, tensors, scope,
        )  # fmt: skip

    @classmethod
    def _param_shapes(cls, sample_shape):
        if not cls._PARAMETERS:
            raise NotImplementedError("_param_shapes not implemented")
        return {name: convert_to_tensor(sample_shape, dtypes.int32) for name in cls._PARAMETERS}

    def _batch_shape(self):
        return broadcast_shape(self._tensors)

    def _batch_shape_tensor(self):
        return broadcast_shape_tensor(self._tensors)

    def _event_shape(self):
        return TensorShape([])

    def _sample_shape(self, n):
        return arrays.concat([[n], self.batch_shape_tensor()], 0)

    def _in_batch(self, x):
        """x, broadcast to the batch shape."""
        return x * arrays.ones(self.batch_shape_tensor(), x.dtype)

    def _defined_where(self, condition, value):
        """A statistic, and NaN where it is not defined."""
        nan = np.nan * arrays.ones_like(value)
        return arrays.where_v2(condition, value, nan)


class ReparameterizedNumbers(DistributionOfNumbers):
    """A distribution of real numbers through whose samples gradients go."""

    def _make(self, given, checks=()):
        """Makes tensors of the parameters, in the order of _PARAMETERS, and sets all up."""
        checked = given["validate_args"]
        with name_scope(given["name"]) as scope:
            with control_dependencies([check() for check in checks] if checked else []):
                tensors = [arrays.identity(given[name], name) for name in self._PARAMETERS]
            dtype = assert_same_float_dtype(tensors)
        self._set_up(given, dtype, FULLY_REPARAMETERIZED, tensors, scope)
        return tensors
