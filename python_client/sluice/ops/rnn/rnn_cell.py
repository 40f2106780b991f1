# SPDX-License-Identifier: Apache-2.0
"""Recurrent cells: each gives (output, new state) of (inputs, state)."""

from ...graph.tensor_shape import TensorShape
from ...layers.input_spec import InputSpec
from .. import array as arrays
from .. import math
from ..math.products import matmul
from ..nn import activations
from ..nn.layers import bias_add
from ..state import initializers
from ..state.partitioned import fixed_size_partitioner
from .around import DeviceWrapper, DropoutWrapper, MultiRNNCell, ResidualWrapper  # noqa: F401
from .cells import LayerRNNCell, LSTMStateTuple, RNNCell  # noqa: F401

_NAMED = {
    "elu": activations.elu, "linear": arrays.identity, "relu": activations.relu,
    "selu": activations.selu, "sigmoid": math.sigmoid, "softmax": activations.softmax,
    "softplus": math.softplus, "softsign": math.softsign, "tanh": math.tanh,
}  # fmt: skip


class _BuiltInCell(LayerRNNCell):
    """What the cells below have in common."""

    def __init__(self, units, activation, reuse, name, dtype, more):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **more)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = units
        self._activation = _NAMED.get(activation, activation) or math.tanh

    @property
    def state_size(self):
        """The size of the state."""
        return self._num_units

    @property
    def output_size(self):
        """The size of the output, an int."""
        return self._num_units

    def _depth(self, shape):
        depth = TensorShape(shape).as_list()[-1]
        if depth is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {shape}")
        return depth

    def _pair(self, prefix, depth, size, kernel=None, bias=None):
        """A kernel [depth, size] and a bias [size], which is zeros if no initializer is given."""
        return (
            self.add_variable(prefix + "kernel", [depth, size], initializer=kernel),
            self.add_variable(
                prefix + "bias", [size], initializer=bias or initializers.zeros(self.dtype)
            ),
        )

    def get_config(self):
        """Returns the arguments that make an equal cell.

        Returns:
            A dict.
        """
        names = {function: name for name, function in _NAMED.items()}
        return {
            "name": self.name, "trainable": self.trainable,
            "dtype": self.dtype and self.dtype.name, "num_units": self._num_units,
            "activation": names.get(self._activation, self._activation), "reuse": self._reuse,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config):
        """Makes a cell of what get_config() returned.

        Args:
            config: The dict.

        Returns:
            A cell.
        """
        return cls(**config)


def _linear(parts, kernel, bias):
    """The parts side by side times a kernel, and a bias."""
    return bias_add(matmul(arrays.concat(parts, 1), kernel), bias)


class BasicRNNCell(_BuiltInCell):
    """A simple cell: activation(W [inputs, state] + b).

    Args:
        num_units: Size of the state, an int.
        activation: The activation, a function of a tensor, or its name. None: tanh.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        name: Name of the variable scope, a str. None: the class's name.
        dtype: Dtype of the variables. None: that of the inputs.
        **kwargs: trainable: as of Layer.

    Example:
        >>> cell = sl.nn.rnn_cell.BasicRNNCell(4)
        >>> output, state = cell(sl.zeros([2, 3]), cell.zero_state(2, sl.float32))
        >>> output.shape.as_list()
        [2, 4]
    """

    def __init__(self, num_units, activation=None, reuse=None, name=None, dtype=None, **kwargs):
        super().__init__(num_units, activation, reuse, name, dtype, kwargs)

    def build(self, inputs_shape):
        """Makes the variables.

        Args:
            inputs_shape: Shape of the input.

        Raises:
            ValueError: The size of the last dimension is not known.
        """
        depth = self._depth(inputs_shape) + self._num_units
        self._kernel, self._bias = self._pair("", depth, self._num_units)
        self.built = True

    def call(self, inputs, state):
        output = self._activation(_linear([inputs, state], self._kernel, self._bias))
        return output, output


class GRUCell(_BuiltInCell):
    """A gated recurrent unit (Cho et al., 2014).

    Args:
        num_units: Size of the state, an int.
        activation: The activation, a function of a tensor, or its name. None: tanh.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        kernel_initializer: Initializer of the weights. None: the default one.
        bias_initializer: Initializer of the biases. None: ones for the gates, zeros for the
            candidate.
        name: Name of the variable scope, a str. None: the class's name.
        dtype: Dtype of the variables. None: that of the inputs.
        **kwargs: trainable: as of Layer.
    """

    def __init__(self, num_units, activation=None, reuse=None, kernel_initializer=None,
                 bias_initializer=None, name=None, dtype=None, **kwargs):  # fmt: skip
        super().__init__(num_units, activation, reuse, name, dtype, kwargs)
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    def build(self, inputs_shape):
        """Makes the variables.

        Args:
            inputs_shape: Shape of the input.

        Raises:
            ValueError: The size of the last dimension is not known.
        """
        depth, units = self._depth(inputs_shape) + self._num_units, self._num_units
        kernel, bias = self._kernel_initializer, self._bias_initializer
        ones = bias or initializers.constant(1.0, dtype=self.dtype)
        self._gate_kernel, self._gate_bias = self._pair("gates/", depth, 2 * units, kernel, ones)
        self._candidate_kernel, self._candidate_bias = self._pair(
            "candidate/", depth, units, kernel, bias
        )
        self.built = True

    def call(self, inputs, state):
        gates = math.sigmoid(_linear([inputs, state], self._gate_kernel, self._gate_bias))
        r, u = arrays.split(gates, 2, axis=1)
        candidate = _linear([inputs, r * state], self._candidate_kernel, self._candidate_bias)
        state = u * state + (1 - u) * self._activation(candidate)
        return state, state


class BasicLSTMCell(_BuiltInCell):
    """A long short-term memory cell without peepholes, bounds and projection.

    Args:
        num_units: Size of the state, an int.
        forget_bias: Added to the forget gate, a float.
        state_is_tuple: Whether the state is a tuple. A bool.
        activation: The activation, a function of a tensor, or its name. None: tanh.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        name: Name of the variable scope, a str. None: the class's name.
        dtype: Dtype of the variables. None: that of the inputs.
        **kwargs: trainable: as of Layer.
    """

    def __init__(self, num_units, forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None,
                 name=None, dtype=None, **kwargs):  # fmt: skip
        super().__init__(num_units, activation, reuse, name, dtype, kwargs)
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple

    @property
    def state_size(self):
        """The size of the state: an LSTMStateTuple, or an int."""
        units = self._num_units
        return LSTMStateTuple(units, units) if self._state_is_tuple else 2 * units

    def build(self, inputs_shape):
        """Makes the variables.

        Args:
            inputs_shape: Shape of the input.

        Raises:
            ValueError: The size of the last dimension is not known.
        """
        depth = self._depth(inputs_shape) + self._num_units
        self._kernel, self._bias = self._pair("", depth, 4 * self._num_units)
        self.built = True

    def call(self, inputs, state):
        c, h = state if self._state_is_tuple else arrays.split(state, 2, axis=1)
        i, j, f, o = arrays.split(_linear([inputs, h], self._kernel, self._bias), 4, axis=1)
        c = c * math.sigmoid(f + self._forget_bias) + math.sigmoid(i) * self._activation(j)
        h = self._activation(c) * math.sigmoid(o)
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else arrays.concat([c, h], 1)


class LSTMCell(_BuiltInCell):
    """A long short-term memory cell (Hochreiter and Schmidhuber, 1997).

    Args:
        num_units: Size of the state, an int.
        use_peepholes: Whether gates see the state of the cell. A bool.
        cell_clip: The state is moved to within this bound, a float. None: no bound.
        initializer: Initializer of the weights. None: the default one.
        num_proj: Size of the output after a projection, an int. None: no projection.
        proj_clip: The projected output is moved to within this bound, a float. None: no bound.
        num_unit_shards: In how many parts the weights are cut, an int. None: one.
        num_proj_shards: In how many parts the weights of the projection are cut, an int. None: one.
        forget_bias: Added to the forget gate, a float.
        state_is_tuple: Whether the state is a tuple. A bool.
        activation: The activation, a function of a tensor, or its name. None: tanh.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        name: Name of the variable scope, a str. None: the class's name.
        dtype: Dtype of the variables. None: that of the inputs.
        **kwargs: trainable: as of Layer.
    """

    def __init__(self, num_units, use_peepholes=False, cell_clip=None, initializer=None,
                 num_proj=None, proj_clip=None, num_unit_shards=None, num_proj_shards=None,
                 forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None, name=None,
                 dtype=None, **kwargs):  # fmt: skip
        super().__init__(num_units, activation, reuse, name, dtype, kwargs)
        self._use_peepholes, self._cell_clip, self._initializer = (
            use_peepholes, cell_clip, initializer
        )  # fmt: skip
        self._num_proj, self._proj_clip = num_proj, proj_clip
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple

    @property
    def state_size(self):
        """The size of the state: an LSTMStateTuple, or an int."""
        sizes = LSTMStateTuple(self._num_units, self.output_size)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self):
        """The size of the output, an int."""
        return self._num_proj or self._num_units

    def build(self, inputs_shape):
        """Makes the variables.

        Args:
            inputs_shape: Shape of the input.

        Raises:
            ValueError: The size of the last dimension is not known.
        """
        depth, units = self._depth(inputs_shape) + self.output_size, self._num_units
        self._kernel = self._cut("kernel", [depth, 4 * units], self._num_unit_shards)
        self._bias = self.add_variable(
            "bias", [4 * units], initializer=initializers.zeros(self.dtype)
        )
        if self._use_peepholes:
            self._w_f_diag, self._w_i_diag, self._w_o_diag = (
                self.add_variable(f"w_{gate}_diag", [units], initializer=self._initializer)
                for gate in "fio"
            )
        if self._num_proj is not None:
            self._proj_kernel = self._cut(
                "projection/kernel", [units, self._num_proj], self._num_proj_shards
            )
        self.built = True

    def _cut(self, name, shape, shards):
        partitioner = fixed_size_partitioner(shards) if shards is not None else None
        return self.add_variable(
            name, shape, initializer=self._initializer, partitioner=partitioner
        )

    def call(self, inputs, state):
        c, h = (
            state if self._state_is_tuple
            else arrays.split(state, [self._num_units, self.output_size], 1)
        )  # fmt: skip
        i, j, f, o = arrays.split(_linear([inputs, h], self._kernel, self._bias), 4, axis=1)
        f = f + self._forget_bias
        if self._use_peepholes:
            f, i = f + self._w_f_diag * c, i + self._w_i_diag * c
        c = math.sigmoid(f) * c + math.sigmoid(i) * self._activation(j)
        if self._cell_clip is not None:
            c = math.clip_by_value(c, -self._cell_clip, self._cell_clip)
        if self._use_peepholes:
            o = o + self._w_o_diag * c
        h = math.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            h = matmul(h, self._proj_kernel)
            if self._proj_clip is not None:
                h = math.clip_by_value(h, -self._proj_clip, self._proj_clip)
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else arrays.concat([c, h], 1)


__all__ = [
    "BasicLSTMCell", "BasicRNNCell", "DeviceWrapper", "DropoutWrapper", "GRUCell", "LSTMCell",
    "LSTMStateTuple", "MultiRNNCell", "RNNCell", "ResidualWrapper",
]  # fmt: skip
