# SPDX-License-Identifier: Apache-2.0
"""Recurrent cells: each gives (output, new state) of (inputs, state)."""

from collections import namedtuple
from numbers import Integral

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import device
from .. import array as arrays
from .. import math
from ..math.products import matmul
from ..nn.layers import bias_add, dropout
from ..state import initializers
from ..state.variable_scope import get_variable, variable_scope


class LSTMStateTuple(namedtuple("LSTMStateTuple", "c h")):
    """The state of an LSTM cell: a tuple.

    Args:
        c: The state of the cell, a tensor [batch, size].
        h: The output, a tensor [batch, size].
    """

    @property
    def dtype(self):
        """The dtype of the state.

        Raises:
            ValueError: c and h have different dtypes.
        """
        return self.c.dtype


def _map(function, structure, *others):
    """function of the leaves of equal nested tuples and lists."""
    if not isinstance(structure, (list, tuple)):
        return function(structure, *others)
    parts = [_map(function, *group) for group in zip(structure, *others)]
    return type(structure)(*parts) if hasattr(structure, "_fields") else type(structure)(parts)


class RNNCell:
    """The base class of recurrent cells: cell(inputs, state) returns the output and the new state.

    state_size and output_size are ints, or tuples of them. The first call makes the variables.

    Args:
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        name: Name of the variable scope, a str. None: a default name.
        dtype: Dtype of the variables. None: that of the inputs.
    """

    _default_name = "rnn_cell"

    def __init__(self, reuse=None, name=None, dtype=None):
        self._reuse, self._name, self._dtype = reuse, name or self._default_name, dtype
        self._scope, self._weights = None, {}

    def __call__(self, inputs, state, scope=None):
        if self._scope is None:
            scope = self._name if scope is None and self._reuse else scope
            with variable_scope(scope, self._name, reuse=self._reuse) as own:
                self._scope = own
                return self.call(inputs, state)
        with variable_scope(self._scope, reuse=True, auxiliary_name_scope=False):
            return self.call(inputs, state)

    def call(self, inputs, state):
        """Computes a step. Subclasses define it.

        Args:
            inputs: A tensor [batch, depth].
            state: The state before the step.

        Returns:
            A tuple: the output and the new state.
        """
        raise NotImplementedError

    def _weight(self, name, shape, dtype, initializer=None):
        if name not in self._weights:
            self._weights[name] = get_variable(name, shape, dtype, initializer)
        return self._weights[name]

    @property
    def trainable_variables(self):
        """The variables of the cell, a list."""
        return list(self._weights.values())

    variables = trainable_weights = weights = trainable_variables

    def _linear(self, parts, size, prefix="", kernel=None, bias=None):
        """The parts side by side times a kernel, and a bias."""
        x = arrays.concat([convert_to_tensor(p) for p in parts], 1)
        depth = x.shape[-1].value
        if depth is None:
            raise ValueError("the depth of a cell's inputs must be known")
        weights = self._weight(prefix + "kernel", [depth, size], x.dtype, kernel)
        bias = self._weight(prefix + "bias", [size], x.dtype, bias or initializers.zeros())
        return bias_add(matmul(x, weights), bias)

    def zero_state(self, batch_size, dtype):
        """Returns a state of zeros.

        Args:
            batch_size: How many sequences, an int or an int32 scalar.
            dtype: Dtype of the state.

        Returns:
            Tensors [batch_size, size] in the structure of state_size.
        """
        return _map(lambda n: _zeros(batch_size, n, dtype), self.state_size)

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """Returns the state at the start, which is zeros.

        Args:
            inputs: A tensor [batch, ...] from which batch_size and dtype are taken. None: they are
                given.
            batch_size: How many sequences, an int or an int32 scalar.
            dtype: Dtype of the state.

        Returns:
            Tensors in the structure of state_size.

        Raises:
            ValueError: Neither inputs nor batch_size and dtype are given.
        """
        if inputs is not None:
            inputs = convert_to_tensor(inputs)
            batch_size, dtype = arrays.shape(inputs)[0], inputs.dtype
        return self.zero_state(batch_size, dtype)


def _zeros(batch_size, size, dtype):
    sizes = [size] if isinstance(size, Integral) else list(size)
    if hasattr(batch_size, "graph"):
        made = arrays.zeros(arrays.stack([batch_size, *sizes]), dtype)
        made.set_shape([None, *sizes])
        return made
    return arrays.zeros([int(batch_size), *sizes], dtype)


class BasicRNNCell(RNNCell):
    """A simple cell: activation(W [inputs, state] + b).

    Args:
        num_units: Size of the state, an int.
        activation: The activation, a function of a tensor. None: tanh.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        name: Name of the variable scope, a str. None: a default name.
        dtype: Dtype of the variables. None: that of the inputs.
        **_: Accepted. They have no effect.

    Example:
        >>> cell = sl.nn.rnn_cell.BasicRNNCell(4)
        >>> output, state = cell(sl.zeros([2, 3]), cell.zero_state(2, sl.float32))
        >>> output.shape.as_list()
        [2, 4]
    """

    _default_name = "basic_rnn_cell"

    def __init__(self, num_units, activation=None, reuse=None, name=None, dtype=None, **_):
        super().__init__(reuse, name, dtype)
        self._units, self._activation = num_units, activation or math.tanh
        self.state_size = self.output_size = num_units

    def call(self, inputs, state):
        output = self._activation(self._linear([inputs, state], self._units))
        return output, output


class GRUCell(RNNCell):
    """A gated recurrent unit (Cho et al., 2014).

    Args:
        num_units: Size of the state, an int.
        activation: The activation, a function of a tensor. None: tanh.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        kernel_initializer: Initializer of the weights. None: the default one.
        bias_initializer: Initializer of the biases. None: ones for the gates, zeros for the
            candidate.
        name: Name of the variable scope, a str. None: a default name.
        dtype: Dtype of the variables. None: that of the inputs.
        **_: Accepted. They have no effect.
    """

    _default_name = "gru_cell"

    def __init__(self, num_units, activation=None, reuse=None, kernel_initializer=None,
                 bias_initializer=None, name=None, dtype=None, **_):  # fmt: skip
        super().__init__(reuse, name, dtype)
        self._units, self._activation = num_units, activation or math.tanh
        self._kernel, self._bias = kernel_initializer, bias_initializer
        self.state_size = self.output_size = num_units

    def call(self, inputs, state):
        ones = self._bias or initializers.ones()
        gates = self._linear([inputs, state], 2 * self._units, "gates/", self._kernel, ones)
        r, u = arrays.split(math.sigmoid(gates), 2, axis=1)
        new = self._activation(self._linear(
            [inputs, r * state], self._units, "candidate/", self._kernel, self._bias
        ))  # fmt: skip
        state = u * state + (1 - u) * new
        return state, state


class LSTMCell(RNNCell):
    """A long short-term memory cell (Hochreiter and Schmidhuber, 1997).

    Args:
        num_units: Size of the state, an int.
        use_peepholes: Whether gates see the state of the cell. A bool.
        cell_clip: The state is moved to within this bound, a float. None: no bound.
        initializer: Initializer of the weights. None: the default one.
        num_proj: Size of the output after a projection, an int. None: no projection.
        proj_clip: The projected output is moved to within this bound, a float. None: no bound.
        num_unit_shards: Accepted. It has no effect.
        num_proj_shards: Accepted. It has no effect.
        forget_bias: Added to the forget gate, a float.
        state_is_tuple: Whether the state is a tuple. A bool.
        activation: The activation, a function of a tensor. None: tanh.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        name: Name of the variable scope, a str. None: a default name.
        dtype: Dtype of the variables. None: that of the inputs.
        **_: Accepted. They have no effect.
    """

    _default_name = "lstm_cell"

    def __init__(self, num_units, use_peepholes=False, cell_clip=None, initializer=None,
                 num_proj=None, proj_clip=None, num_unit_shards=None, num_proj_shards=None,
                 forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None, name=None,
                 dtype=None, **_):  # fmt: skip
        super().__init__(reuse, name, dtype)
        self._units, self._peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._initializer, self._num_proj, self._proj_clip = initializer, num_proj, proj_clip
        self._forget_bias, self._tuple = forget_bias, state_is_tuple
        self._activation = activation or math.tanh
        self.output_size = num_proj or num_units
        sizes = LSTMStateTuple(num_units, self.output_size)
        self.state_size = sizes if state_is_tuple else sum(sizes)

    def call(self, inputs, state):
        c, h = state if self._tuple else arrays.split(state, [self._units, self.output_size], 1)
        gates = self._linear([inputs, h], 4 * self._units, kernel=self._initializer)
        i, j, f, o = arrays.split(gates, 4, axis=1)
        see = self._seen if self._peepholes else lambda gate, name, c: gate
        f = see(f + self._forget_bias, "w_f_diag", c)
        i = see(i, "w_i_diag", c)
        c = math.sigmoid(f) * c + math.sigmoid(i) * self._activation(j)
        if self._cell_clip is not None:
            c = math.clip_by_value(c, -self._cell_clip, self._cell_clip)
        h = math.sigmoid(see(o, "w_o_diag", c)) * self._activation(c)
        if self._num_proj is not None:
            h = matmul(h, self._weight("projection/kernel", [self._units, self._num_proj], h.dtype,
                                       self._initializer))  # fmt: skip
            if self._proj_clip is not None:
                h = math.clip_by_value(h, -self._proj_clip, self._proj_clip)
        return h, LSTMStateTuple(c, h) if self._tuple else arrays.concat([c, h], 1)

    def _seen(self, gate, name, c):
        return gate + self._weight(name, [self._units], c.dtype, self._initializer) * c


class BasicLSTMCell(LSTMCell):
    """An LSTMCell without peepholes, bounds and projection.

    Args:
        num_units: Size of the state, an int.
        forget_bias: Added to the forget gate, a float.
        state_is_tuple: Whether the state is a tuple. A bool.
        activation: The activation, a function of a tensor. None: tanh.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
        name: Name of the variable scope, a str. None: a default name.
        dtype: Dtype of the variables. None: that of the inputs.
        **_: Accepted. They have no effect.
    """

    _default_name = "basic_lstm_cell"

    def __init__(self, num_units, forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None,
                 name=None, dtype=None, **_):  # fmt: skip
        super().__init__(
            num_units, forget_bias=forget_bias, state_is_tuple=state_is_tuple,
            activation=activation, reuse=reuse, name=name, dtype=dtype,
        )  # fmt: skip


class MultiRNNCell(RNNCell):
    """Cells on top of each other. The state is a tuple of their states.

    Args:
        cells: The cells, a list, the first one gets the inputs.
        state_is_tuple: True: nothing else is available.

    Raises:
        ValueError: There are no cells.
        NotImplementedError: state_is_tuple is False.
    """

    _default_name = "multi_rnn_cell"

    def __init__(self, cells, state_is_tuple=True):
        if not cells or not isinstance(cells, (list, tuple)):
            raise ValueError("cells must be a list of at least one cell")
        if not state_is_tuple:
            raise NotImplementedError("MultiRNNCell: state_is_tuple=True")
        super().__init__()
        self._cells = list(cells)
        self.state_size = tuple(c.state_size for c in cells)
        self.output_size = cells[-1].output_size

    @property
    def trainable_variables(self):
        """The variables of all cells, a list."""
        return [v for cell in self._cells for v in cell.trainable_variables]

    def call(self, inputs, state):
        states = []
        for i, (cell, own) in enumerate(zip(self._cells, state)):
            with variable_scope(f"cell_{i}"):
                inputs, new = cell(inputs, own)
            states.append(new)
        return inputs, tuple(states)


class _Around(RNNCell):
    """A cell around another one, whose variables have no scope of their own."""

    def __init__(self, cell):
        super().__init__()
        self._cell = cell

    @property
    def state_size(self):
        """The size of the state: that of the inner cell."""
        return self._cell.state_size

    @property
    def output_size(self):
        """The size of the output: that of the inner cell."""
        return self._cell.output_size

    @property
    def trainable_variables(self):
        """The variables of the inner cell, a list."""
        return self._cell.trainable_variables

    def zero_state(self, batch_size, dtype):
        """Returns a state of zeros.

        Args:
            batch_size: How many sequences, an int or an int32 scalar.
            dtype: Dtype of the state.

        Returns:
            Tensors [batch_size, size] in the structure of state_size.
        """
        return self._cell.zero_state(batch_size, dtype)


class DroppingCell(_Around):
    """A cell that drops parts of the inputs, outputs and state of another cell.

    Args:
        cell: The cell, an RNNCell.
        input_keep_prob: The probability that an input stays, a float or a scalar.
        output_keep_prob: The probability that an output stays, a float or a scalar.
        state_keep_prob: The probability that an element of the state stays, a float or a scalar.
        variational_recurrent: False: nothing else is available.
        input_size: Accepted. It has no effect.
        dtype: Accepted. It has no effect.
        seed: Seed of the operation, an int. None: see set_random_seed().
        dropout_state_filter_visitor: Accepted. It has no effect.

    Raises:
        NotImplementedError: variational_recurrent is set.
    """

    def __init__(self, cell, input_keep_prob=1.0, output_keep_prob=1.0, state_keep_prob=1.0,
                 variational_recurrent=False, input_size=None, dtype=None, seed=None,
                 dropout_state_filter_visitor=None):  # fmt: skip
        if variational_recurrent:
            raise NotImplementedError("DropoutWrapper: variational_recurrent")
        super().__init__(cell)
        self._input, self._output, self._state = input_keep_prob, output_keep_prob, state_keep_prob
        self._seed = seed

    def _drop(self, x, keep):
        if isinstance(keep, (int, float)) and keep == 1:
            return x
        return dropout(x, keep_prob=keep, seed=self._seed)

    def __call__(self, inputs, state, scope=None):
        output, state = self._cell(self._drop(inputs, self._input), state, scope)
        return self._drop(output, self._output), self._dropped_state(state)

    def _dropped_state(self, state):
        if isinstance(state, LSTMStateTuple):
            return LSTMStateTuple(state.c, self._drop(state.h, self._state))
        if isinstance(state, tuple):
            return tuple(self._dropped_state(s) for s in state)
        return self._drop(state, self._state)


class ResidualCell(_Around):
    """A cell that adds the inputs of another cell to its outputs.

    Args:
        cell: The cell, an RNNCell.
        residual_fn: A function of (inputs, outputs) that combines them. None: their sum.
    """

    def __init__(self, cell, residual_fn=None):
        super().__init__(cell)
        self._residual = residual_fn or (lambda inputs, outputs: inputs + outputs)

    def __call__(self, inputs, state, scope=None):
        output, state = self._cell(inputs, state, scope)
        return self._residual(inputs, output), state


class PlacedCell(_Around):
    """A cell whose operations are on a device.

    Args:
        cell: The cell, an RNNCell.
        device: The device, a str.
    """

    def __init__(self, cell, device):
        super().__init__(cell)
        self._device = device

    def __call__(self, inputs, state, scope=None):
        with device(self._device):
            return self._cell(inputs, state, scope)


DropoutWrapper, ResidualWrapper, DeviceWrapper = DroppingCell, ResidualCell, PlacedCell  # in 1.x

__all__ = [
    "BasicLSTMCell", "BasicRNNCell", "DeviceWrapper", "DropoutWrapper", "GRUCell", "LSTMCell",
    "LSTMStateTuple", "MultiRNNCell", "RNNCell", "ResidualWrapper",
]  # fmt: skip
