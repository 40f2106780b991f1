# SPDX-License-Identifier: Apache-2.0
"""Recurrent cells that are made of other cells."""

import hashlib
import sys
from numbers import Integral

from ... import nest
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import device, name_scope
from ...graph.static_values import static_value
from ...layers.layer import Layer
from .. import array as arrays
from .. import math
from ..list.tensor_array import TensorArray
from ..nn.layers import dropout
from ..random.random import uniform
from ..state.variable_scope import variable_scope
from .cells import LSTMStateTuple, RNNCell, map_states


def is_like_rnn_cell(cell):
    """Whether an object can stand for a recurrent cell."""
    return callable(cell) and all(
        hasattr(cell, name) for name in ("output_size", "state_size", "zero_state")
    )


def assert_like_rnncell(cell_name, cell):
    """Checks an object.

    Args:
        cell_name: What the program calls it, a str.
        cell: The object.

    Raises:
        TypeError: It cannot stand for a recurrent cell.
    """
    if not is_like_rnn_cell(cell):
        raise TypeError(f"The argument {cell_name!r} ({cell}) is not an RNNCell")


class MultiRNNCell(RNNCell):
    """Cells on top of each other.

    Args:
        cells: The cells, a list, the first one gets the inputs.
        state_is_tuple: True: the state is a tuple of their states. False: their states side by
            side, a tensor [batch, sum of sizes].

    Raises:
        TypeError: cells is not a list or tuple.
        ValueError: There are no cells, or state_is_tuple is False and a cell has a tuple.
    """

    def __init__(self, cells, state_is_tuple=True):
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not isinstance(cells, (list, tuple)):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        sizes = [cell.state_size for cell in cells]
        if not state_is_tuple and any(isinstance(size, tuple) for size in sizes):
            raise ValueError(
                "Some cells return tuples of states, but the flag state_is_tuple is not set.  "
                f"State sizes are: {sizes}"
            )
        self._cells, self._state_is_tuple = cells, state_is_tuple

    @property
    def state_size(self):
        """The sizes of the states: a tuple, or their sum."""
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self):
        """The size of the last cell's output."""
        return self._cells[-1].output_size

    @property
    def trainable_weights(self):
        """The variables of all cells that optimizers change by default, a list."""
        return self._of_cells("trainable_weights") if self.trainable else []

    @property
    def non_trainable_weights(self):
        """The other variables of all cells, a list."""
        fixed = self._of_cells("non_trainable_weights")
        return fixed if self.trainable else self._of_cells("trainable_weights") + fixed

    def _of_cells(self, what):
        cells = [cell for cell in self._cells if isinstance(cell, Layer)]
        return [weight for cell in cells for weight in getattr(cell, what)]

    def checkpoint_children(self):
        """Returns what a checkpoint saves of the cell.

        Returns:
            A list of pairs of a name and an object.
        """
        return [(f"cell-{i}", cell) for i, cell in enumerate(self._cells)]

    def zero_state(self, batch_size, dtype):
        """Returns a state of zeros.

        Args:
            batch_size: How many sequences, an int or an int32 scalar.
            dtype: Dtype of the state.

        Returns:
            Tensors [batch_size, size] in the structure of state_size.
        """
        if not self._state_is_tuple:
            return super().zero_state(batch_size, dtype)
        with name_scope(type(self).__name__ + "ZeroState"):
            return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)

    def call(self, inputs, state):
        if not self._state_is_tuple:
            state = arrays.split(state, [cell.state_size for cell in self._cells], 1)
        elif not isinstance(state, (list, tuple)):
            raise ValueError(
                f"Expected state to be a tuple of length {len(self.state_size)}, but received: "
                f"{state}"
            )
        states = []
        for i, (cell, own) in enumerate(zip(self._cells, state)):
            with variable_scope(f"cell_{i}"):
                inputs, new = cell(inputs, own)
            states.append(new)
        return inputs, tuple(states) if self._state_is_tuple else arrays.concat(states, 1)


class SizedByInnerCell(RNNCell):
    """A cell with the states and outputs of another one, `_cell`."""

    @property
    def state_size(self):
        """The size of the state: that of the inner cell."""
        return self._cell.state_size

    @property
    def output_size(self):
        """The size of the output: that of the inner cell."""
        return self._cell.output_size

    def zero_state(self, batch_size, dtype):
        """Returns a state of zeros.

        Args:
            batch_size: How many sequences, an int or an int32 scalar.
            dtype: Dtype of the state.

        Returns:
            Tensors [batch_size, size] in the structure of state_size.
        """
        with name_scope(type(self).__name__ + "ZeroState"):
            return self._cell.zero_state(batch_size, dtype)


class _Around(SizedByInnerCell):
    """A cell around another one, whose variables have no scope of their own."""

    def __init__(self, cell):
        super().__init__()
        assert_like_rnncell("cell", cell)
        self._cell = cell

    def checkpoint_children(self):
        """Returns what a checkpoint saves of the cell.

        Returns:
            A list of pairs of a name and an object.
        """
        return [("cell", self._cell)]


def _dropped_parts(state):
    """Which parts of a state are dropped: all but c of an LSTM's and TensorArrays."""
    if isinstance(state, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not isinstance(state, TensorArray)


class DroppingCell(_Around):
    """A cell that drops parts of the inputs, outputs and state of another cell.

    Args:
        cell: The cell, an RNNCell.
        input_keep_prob: The probability that an input stays, a float or a scalar.
        output_keep_prob: The probability that an output stays, a float or a scalar.
        state_keep_prob: The probability that an element of the state stays, a float or a scalar.
        variational_recurrent: Whether all steps of a sequence drop the same elements, which are
            drawn once in a run (Gal and Ghahramani, 2016). A bool.
        input_size: Size of the inputs, an int or a structure of TensorShapes: given if
            variational_recurrent is True and inputs are dropped.
        dtype: Dtype of inputs, states and outputs: given if variational_recurrent is True.
        seed: Seed, an int, of which each use has one of its own. None: see set_random_seed().
        dropout_state_filter_visitor: A function of a part of the state that returns whether it is
            dropped: a bool, or a structure of them. None: all but c of an LSTMStateTuple.

    Raises:
        TypeError: dropout_state_filter_visitor is not a function.
        ValueError: A probability is not in [0, 1], or dtype or input_size is missing.
    """

    def __init__(self, cell, input_keep_prob=1.0, output_keep_prob=1.0, state_keep_prob=1.0,
                 variational_recurrent=False, input_size=None, dtype=None, seed=None,
                 dropout_state_filter_visitor=None):  # fmt: skip
        super().__init__(cell)
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable")
        self._drops = dropout_state_filter_visitor or _dropped_parts
        self._seed = seed
        self._input_keep_prob = _probability("input_keep_prob", input_keep_prob)
        self._state_keep_prob = _probability("state_keep_prob", state_keep_prob)
        self._output_keep_prob = _probability("output_keep_prob", output_keep_prob)
        self._noise = {}
        if variational_recurrent:
            self._draw(cell, input_size, dtype)

    def _draw(self, cell, input_size, dtype):
        """Draws what all steps use: numbers in [0, 1) for each element."""
        if dtype is None:
            raise ValueError("When variational_recurrent=True, dtype must be provided")
        sizes = {"input": input_size, "state": cell.state_size, "output": cell.output_size}
        if _drops(self._input_keep_prob) and input_size is None:
            raise ValueError(
                "When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, "
                "input_size must be provided"
            )
        for what, size in sizes.items():
            if what == "input" and not _drops(self._input_keep_prob):
                continue
            count = iter(range(sys.maxsize))
            self._noise[what] = map_states(
                lambda n, what=what, count=count: uniform(
                    [1, *([n] if isinstance(n, Integral) else n)],
                    seed=self._seed_of(what, next(count)), dtype=dtype,
                ),
                size,
            )  # fmt: skip

    def _seed_of(self, what, index):
        if self._seed is None:
            return None
        text = f"{self._seed}{what}_{index}".encode()
        return int(hashlib.md5(text).hexdigest()[:8], 16) & 0x7FFFFFFF

    @property
    def wrapped_cell(self):
        """The cell inside."""
        return self._cell

    def _dropped(self, values, what, keep, drops=None):
        """The values with elements dropped; `drops` tells it of each."""
        flags = [True] * len(nest.flatten(values)) if drops is None else nest.flatten(drops)
        noises = nest.flatten(self._noise[what]) if self._noise else [None] * len(flags)
        made = []
        for index, (value, flag, noise) in enumerate(zip(nest.flatten(values), flags, noises)):
            if flag and noise is not None:
                value = value / keep * math.floor(keep + noise)
            elif flag:
                value = dropout(value, keep_prob=keep, seed=self._seed_of(what, index))
            made.append(value)
        return nest.pack_sequence_as(values, made)

    def __call__(self, inputs, state, scope=None):
        if _drops(self._input_keep_prob):
            inputs = self._dropped(inputs, "input", self._input_keep_prob)
        output, state = self._cell(inputs, state, scope=scope)
        if _drops(self._state_keep_prob):
            state = self._dropped(state, "state", self._state_keep_prob, self._flags(state))
        if _drops(self._output_keep_prob):
            output = self._dropped(output, "output", self._output_keep_prob)
        return output, state

    def _flags(self, state):
        """For each tensor of a state whether it is dropped, in the state's structure."""
        flag = self._drops(state)
        if isinstance(flag, bool):
            if not flag or not isinstance(state, (list, tuple)):
                return map_states(lambda _: flag, state)
            return [self._flags(part) for part in state]
        return flag


def _probability(name, value):
    tensor = convert_to_tensor(value)
    known = static_value(tensor)
    if known is None:
        return tensor
    if known < 0 or known > 1:
        raise ValueError(f"Parameter {name} must be between 0 and 1: {int(known)}")
    return float(known)


def _drops(probability):
    return not isinstance(probability, float) or probability < 1


class ResidualCell(_Around):
    """A cell that adds the inputs of another cell to its outputs.

    Args:
        cell: The cell, an RNNCell.
        residual_fn: A function of (inputs, outputs) that combines them. None: their sum.
    """

    def __init__(self, cell, residual_fn=None):
        super().__init__(cell)
        self._residual_fn = residual_fn or _sum

    def __call__(self, inputs, state, scope=None):
        outputs, state = self._cell(inputs, state, scope=scope)
        made = self._residual_fn(inputs, outputs)
        nest.assert_same_structure(made, outputs)
        nest.map_structure(lambda x, y: x.shape.assert_is_compatible_with(y.shape), made, outputs)
        return made, state


def _sum(inputs, outputs):
    nest.assert_same_structure(inputs, outputs)
    nest.map_structure(lambda x, y: x.shape.assert_is_compatible_with(y.shape), inputs, outputs)
    return nest.map_structure(lambda x, y: x + y, inputs, outputs)


class PlacedCell(_Around):
    """A cell whose operations are on a device.

    Args:
        cell: The cell, an RNNCell.
        device: The device, a str.
    """

    def __init__(self, cell, device):
        super().__init__(cell)
        self._device = device

    def zero_state(self, batch_size, dtype):
        """Returns a state of zeros.

        Args:
            batch_size: How many sequences, an int or an int32 scalar.
            dtype: Dtype of the state.

        Returns:
            Tensors [batch_size, size] in the structure of state_size.
        """
        with device(self._device):
            return super().zero_state(batch_size, dtype)

    def __call__(self, inputs, state, scope=None):
        with device(self._device):
            return self._cell(inputs, state, scope=scope)


DropoutWrapper, ResidualWrapper, DeviceWrapper = DroppingCell, ResidualCell, PlacedCell  # in 1.x
