# SPDX-License-Identifier: Apache-2.0
"""A recurrent cell whose input gate is one minus its forget gate."""

from ...ops import array as arrays
from ...ops import math
from ...ops.math.products import matmul
from ...ops.math.rounding import clip_by_value
from ...ops.nn.layers import bias_add
from ...ops.rnn.cells import LSTMStateTuple, RNNCell
from ...ops.state import initializers
from ...ops.state.variable_scope import get_variable
from .normalized import normalized


def _sharded(name, shape, dtype, count):
    """A variable that is made in `count` parts of rows."""
    if count > shape[0]:
        raise ValueError(f"Too many shards: shape={shape}, num_shards={count}")
    size, more = divmod(shape[0], count)
    parts = [
        get_variable(f"{name}_{i}", [size + (i < more), *shape[1:]], dtype) for i in range(count)
    ]
    return parts[0] if count == 1 else arrays.concat(parts, 0)


class CoupledInputForgetGateLSTMCell(RNNCell):
    """A long short-term memory cell with coupled gates (Greff et al., 2015).

    Args:
        num_units: Size of the state, an int.
        use_peepholes: Whether gates see the state of the cell. A bool.
        initializer: Accepted. It has no effect: weights have the initializer of the scope.
        num_proj: Size of the output after a projection, an int. None: no projection.
        proj_clip: The projected output is moved to within this bound, a float. None: no bound.
        num_unit_shards: In how many parts the weights are made, an int.
        num_proj_shards: In how many parts the weights of the projection are made, an int.
        forget_bias: Added to the forget gate, a float.
        state_is_tuple: Whether the state is a tuple. A bool.
        activation: The activation, a function of a tensor.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        layer_norm: Whether gates are normalised. A bool.
        norm_gain: First value of the normalisation's factor, a float.
        norm_shift: First value of what the normalisation adds, a float.
    """

    def __init__(self, num_units, use_peepholes=False, initializer=None, num_proj=None,
                 proj_clip=None, num_unit_shards=1, num_proj_shards=1, forget_bias=1.0,
                 state_is_tuple=True, activation=math.tanh, reuse=None, layer_norm=False,
                 norm_gain=1.0, norm_shift=0.0):  # fmt: skip
        super().__init__(_reuse=reuse)
        del initializer
        self._num_units, self._use_peepholes = num_units, use_peepholes
        self._num_proj, self._proj_clip = num_proj, proj_clip
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple
        self._activation, self._layer_norm = activation, layer_norm
        self._norm_gain, self._norm_shift = norm_gain, norm_shift

    @property
    def state_size(self):
        """The size of the state: an LSTMStateTuple, or an int."""
        sizes = LSTMStateTuple(self._num_units, self.output_size)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self):
        """The size of the output, an int."""
        return self._num_proj or self._num_units

    def _norm(self, value, scope):
        if not self._layer_norm:
            return value
        return normalized(value, scope, self._norm_gain, self._norm_shift)

    def _gates(self, inputs, h):
        depth = inputs.shape.with_rank(2)[1].value
        if depth is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        shape, dtype = [depth + self.output_size, 3 * self._num_units], inputs.dtype
        kernel = _sharded("W", shape, dtype, self._num_unit_shards)
        bias = get_variable("B", shape[1:], dtype, initializer=initializers.zeros())
        gates = matmul(arrays.concat([inputs, h], 1), kernel)
        gates = gates if self._layer_norm else bias_add(gates, bias)
        names = ("transform", "forget", "output")
        return [self._norm(*pair) for pair in zip(arrays.split(gates, 3, axis=1), names)]

    def call(self, inputs, state):
        c, h = (
            state if self._state_is_tuple
            else arrays.split(state, [self._num_units, self.output_size], 1)
        )  # fmt: skip
        j, f, o = self._gates(inputs, h)
        f = f + self._forget_bias
        if self._use_peepholes:
            f_diagonal, o_diagonal = (
                get_variable(f"W_{gate}_diag", [self._num_units], inputs.dtype) for gate in "FO"
            )
            f = f + f_diagonal * c
        f = math.sigmoid(f)
        c = self._norm(f * c + (1 - f) * self._activation(j), "state")
        if self._use_peepholes:
            o = o + o_diagonal * c
        h = math.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            shape = [self._num_units, self._num_proj]
            h = matmul(h, _sharded("W_P", shape, inputs.dtype, self._num_proj_shards))
            if self._proj_clip is not None:
                h = clip_by_value(h, -self._proj_clip, self._proj_clip)
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else arrays.concat([c, h], 1)
