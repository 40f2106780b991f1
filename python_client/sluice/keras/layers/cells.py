# SPDX-License-Identifier: Apache-2.0
"""The steps of recurrent layers."""

import inspect

from ... import linalg, nest, nn
from ...graph.convert import convert_to_tensor
from ...graph.tensor_shape import TensorShape
from ...ops import array as arrays
from ..base.arguments import resolved
from ..base.initializers import Ones
from ..engine.documents import described
from ..engine.layer import Layer
from ..engine.registry import deserialize
from .cell_dropout import DropoutRNNCellMixin


class _Cell(DropoutRNNCellMixin, Layer):
    """What the cells share: kernels for `gates` gates, and dropout."""

    gates, states = 1, 1

    def keep(self, given):
        """Keeps the constructor's arguments.

        Args:
            given: A dict of them, of which names stand for functions.
        """
        for name, value in given.items():
            if name not in ("self", "kwargs", "__class__"):
                setattr(self, name, resolved(name, value))
        self.dropout = min(1.0, max(0.0, given["dropout"]))
        self.recurrent_dropout = min(1.0, max(0.0, given["recurrent_dropout"]))
        self.state_size = [self.units] * self.states if self.states > 1 else self.units
        self.output_size = self.units
        self._masks, self._values = {}, {}

    def build(self, input_shape):
        size, width = TensorShape(input_shape).as_list()[-1], self.units * self.gates
        self.kernel = self.add_weight(
            "kernel", [size, width], None, self.kernel_initializer, self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )  # fmt: skip
        self.recurrent_kernel = self.add_weight(
            "recurrent_kernel", [self.units, width], None, self.recurrent_initializer,
            self.recurrent_regularizer, constraint=self.recurrent_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", self._bias_shape(), None, self._bias_initializer(), self.bias_regularizer,
                constraint=self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def _bias_shape(self):
        return [self.units * self.gates]

    def _bias_initializer(self):
        return self.bias_initializer

    # ---- dropout: the same elements in all steps

    def _dropped(self, x, rate, what, training):
        """A copy of x for each gate, with dropped elements."""
        if not 0 < rate < 1:
            return [x] * self.gates
        return [x * mask for mask in self._drawn(x, rate, what, training, self.gates)]

    def begin(self, step, state, training):
        """Reads the variables and draws which elements are dropped, before a loop.

        A loop that reads no variable has no state, so that gradients can be added after a session
        ran it.

        Args:
            step: A step of the input, a tensor.
            state: A state, a tensor.
            training: Whether it is training.
        """
        self._masks = {}
        self._values = {
            name: convert_to_tensor(getattr(self, name))
            for name in ("kernel", "recurrent_kernel", "bias") if getattr(self, name) is not None
        }  # fmt: skip
        self._dropped(step, self.dropout, "input", training)
        self._dropped(state, self.recurrent_dropout, "state", training)

    def end(self):
        """Forgets what begin() made, after the loop."""
        self._masks, self._values = {}, {}

    def _value(self, name):
        return self._values.get(name, getattr(self, name))

    def _products(self, x, kernel, rate, what, training):
        """x times the kernel of each gate, a list."""
        if not 0 < rate < 1:
            return arrays.split(linalg.matmul(x, kernel), self.gates, 1)
        parts = self._dropped(x, rate, what, training)
        kernels = arrays.split(kernel, self.gates, 1)
        return [linalg.matmul(part, k) for part, k in zip(parts, kernels)]

    def _inputs(self, x, training, bias):
        found = self._products(x, self._value("kernel"), self.dropout, "input", training)
        if bias is None:
            return found
        return [nn.bias_add(f, b) for f, b in zip(found, arrays.split(bias, self.gates, 0))]

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """Makes states of zeros.

        Args:
            inputs: A tensor, whose first dimension is the batch. None: batch_size says it.
            batch_size: Size of the batch, an int or a scalar.
            dtype: Dtype of the states. None: that of inputs.

        Returns:
            A tensor, or a list of tensors.
        """
        batch = batch_size if inputs is None else arrays.shape(inputs)[0]
        kind = inputs.dtype if dtype is None else dtype
        made = [arrays.zeros(arrays.stack([batch, self.units]), kind) for _ in range(self.states)]
        return made if self.states > 1 else made[0]


@described("A step of a fully connected recurrent layer.")
class SimpleRNNCell(_Cell):
    def __init__(self, units, activation="tanh", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", kernel_regularizer=None, recurrent_regularizer=None,
                 bias_regularizer=None, kernel_constraint=None, recurrent_constraint=None,
                 bias_constraint=None, dropout=0.0, recurrent_dropout=0.0, **kwargs):  # fmt: skip
        super().__init__(**kwargs)
        self.keep(locals())

    def call(self, inputs, states, training=None):
        (x,) = self._inputs(inputs, training, self._value("bias"))
        (h,) = self._products(
            states[0], self._value("recurrent_kernel"), self.recurrent_dropout, "state", training
        )
        output = self.activation(x + h)
        return output, [output]


@described("A step of a layer of gated recurrent units (Cho et al., 2014).")
class GRUCell(_Cell):
    gates = 3

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid",
                 use_bias=True, kernel_initializer="glorot_uniform",
                 recurrent_initializer="orthogonal", bias_initializer="zeros",
                 kernel_regularizer=None, recurrent_regularizer=None, bias_regularizer=None,
                 kernel_constraint=None, recurrent_constraint=None, bias_constraint=None,
                 dropout=0.0, recurrent_dropout=0.0, implementation=1, reset_after=False,
                 **kwargs):  # fmt: skip
        super().__init__(**kwargs)
        self.keep(locals())

    def _bias_shape(self):
        width = self.units * 3
        return [2, width] if self.reset_after else [width]

    def call(self, inputs, states, training=None):
        h = states[0]
        bias = self._value("bias")
        biases = (bias, None)
        if self.reset_after and bias is not None:
            biases = arrays.unstack(bias)
        x_z, x_r, x_h = self._inputs(inputs, training, biases[0])
        if self.reset_after:
            return self._reset_after(h, x_z, x_r, x_h, biases[1], training)
        parts = self._dropped(h, self.recurrent_dropout, "state", training)
        k_z, k_r, k_h = arrays.split(self._value("recurrent_kernel"), 3, 1)
        z = self.recurrent_activation(x_z + linalg.matmul(parts[0], k_z))
        r = self.recurrent_activation(x_r + linalg.matmul(parts[1], k_r))
        new = self.activation(x_h + linalg.matmul(r * parts[2], k_h))
        output = z * h + (1 - z) * new
        return output, [output]

    def _reset_after(self, h, x_z, x_r, x_h, bias, training):
        inner = self._products(
            h, self._value("recurrent_kernel"), self.recurrent_dropout, "state", training
        )
        if bias is not None:
            inner = [nn.bias_add(i, b) for i, b in zip(inner, arrays.split(bias, 3, 0))]
        z = self.recurrent_activation(x_z + inner[0])
        r = self.recurrent_activation(x_r + inner[1])
        output = z * h + (1 - z) * self.activation(x_h + r * inner[2])
        return output, [output]


@described("A step of a layer of long short-term memory (Hochreiter and Schmidhuber, 1997).")
class LSTMCell(_Cell):
    gates, states = 4, 2

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid",
                 use_bias=True, kernel_initializer="glorot_uniform",
                 recurrent_initializer="orthogonal", bias_initializer="zeros",
                 unit_forget_bias=True, kernel_regularizer=None, recurrent_regularizer=None,
                 bias_regularizer=None, kernel_constraint=None, recurrent_constraint=None,
                 bias_constraint=None, dropout=0.0, recurrent_dropout=0.0, implementation=1,
                 **kwargs):  # fmt: skip
        super().__init__(**kwargs)
        self.keep(locals())

    def _bias_initializer(self):
        if not self.unit_forget_bias:
            return self.bias_initializer

        def initial(shape, dtype=None, **_):
            del shape
            first = self.bias_initializer([self.units], dtype)
            ones = Ones()([self.units], dtype)
            rest = self.bias_initializer([self.units * 2], dtype)
            return arrays.concat([first, ones, rest], -1)

        return initial

    def call(self, inputs, states, training=None):
        h, c = states
        x = self._inputs(inputs, training, self._value("bias"))
        r = self._products(
            h, self._value("recurrent_kernel"), self.recurrent_dropout, "state", training
        )
        i, f = (self.recurrent_activation(x[n] + r[n]) for n in (0, 1))
        c = f * c + i * self.activation(x[2] + r[2])
        o = self.recurrent_activation(x[3] + r[3])
        output = o * self.activation(c)
        return output, [output, c]


@described("Several cells, each of which takes the output of the one before.")
class StackedRNNCells(Layer):
    def __init__(self, cells, **kwargs):
        self.reverse_state_order = kwargs.pop("reverse_state_order", False)
        for method in ("call", "state_size"):
            if any(method not in dir(cell) for cell in cells):
                what = "a `call` method" if method == "call" else "a `state_size` attribute"
                raise ValueError(f"All cells must have {what}. received cells:", cells)
        super().__init__(**kwargs)
        self.cells = cells

    @property
    def state_size(self):
        """The sizes of the states of all cells, a tuple."""
        return tuple(cell.state_size for cell in self._in_order())

    def _in_order(self):
        """The cells in the order of their states."""
        return self.cells[::-1] if self.reverse_state_order else self.cells

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """Makes states of zeros.

        Args:
            inputs: A tensor, whose first dimension is the batch. None: batch_size says it.
            batch_size: Size of the batch, an int or a scalar.
            dtype: Dtype of the states. None: that of inputs.

        Returns:
            A tuple with the states of each cell.
        """
        batch = batch_size if inputs is None else arrays.shape(inputs)[0]
        kind = inputs.dtype if dtype is None else dtype
        return tuple(_initial(cell, inputs, batch, kind) for cell in self._in_order())

    @property
    def output_size(self):
        """The size of the output, an int."""
        return output_size(self.cells[-1])

    def build(self, input_shape):
        sizes = TensorShape(input_shape).as_list()
        for cell in self.cells:
            if not getattr(cell, "built", not hasattr(cell, "build")):
                cell.build(TensorShape(sizes))
                cell.built = True
            sizes = [*sizes[:-1], output_size(cell)]
        self.built = True

    def call(self, inputs, states, constants=None, training=None):
        states = nest.pack_sequence_as(self.state_size, nest.flatten(states))
        states, found = states[::-1] if self.reverse_state_order else states, []
        for cell, own in zip(self.cells, states):
            more = {"training": training} if takes(cell, "training") else {}
            if constants is not None and takes(cell, "constants"):
                more["constants"] = constants
            own = own if isinstance(own, (list, tuple, dict)) else [own]
            inputs, new = cell.call(inputs, own, **more)
            found.append(new)
        found = found[::-1] if self.reverse_state_order else found
        return inputs, nest.pack_sequence_as(self.state_size, nest.flatten(found))

    def begin(self, step, state, training):
        """Lets the cells begin a loop.

        Args:
            step: A step of the input, a tensor.
            state: A state, a tensor.
            training: Whether it is training.
        """
        batch = arrays.shape(step)[0] if any(map(_drops, self.cells[1:])) else None
        for number, cell in enumerate(self.cells):
            if number and _drops(cell):
                before = self.cells[number - 1]
                step = _zeros(batch, output_size(before), step.dtype)
                state = _zeros(batch, _sizes(cell)[0], step.dtype)
            if hasattr(cell, "begin"):
                cell.begin(step, state, training)

    def end(self):
        """Lets the cells end a loop."""
        for cell in self.cells:
            if hasattr(cell, "end"):
                cell.end()

    def get_config(self):
        from_cells = [
            {"class_name": type(c).__name__, "config": c.get_config()} for c in self.cells
        ]
        config = {**super().get_config(), "cells": from_cells}
        if self.reverse_state_order:
            config["reverse_state_order"] = True
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        made = [deserialize(cell, custom_objects) for cell in config["cells"]]
        return cls(**{**config, "cells": made})


def takes(cell, argument):
    """Tests whether the step of a cell has an argument.

    Args:
        cell: The cell, which need not be a layer.
        argument: Name of the argument, a str.

    Returns:
        A bool.
    """
    return argument in inspect.signature(cell.call).parameters


def _drops(cell):
    return bool(getattr(cell, "dropout", 0) or getattr(cell, "recurrent_dropout", 0))


def output_size(cell):
    """The size of a cell's output, an int or a TensorShape."""
    return getattr(cell, "output_size", None) or _sizes(cell)[0]


def _zeros(batch, size, dtype):
    return arrays.zeros(arrays.stack([batch, *TensorShape(size).as_list()]), dtype)


def _sizes(cell):
    return nest.flatten(cell.state_size)


def _initial(cell, inputs, batch, kind):
    if hasattr(cell, "get_initial_state"):
        return cell.get_initial_state(inputs=inputs, batch_size=batch, dtype=kind)
    return nest.map_structure(lambda size: _zeros(batch, size, kind), cell.state_size)


def initial_states(cell, inputs, batch):
    """States of zeros for a cell, a list or a dict."""
    return _listed(_initial(cell, inputs, batch, inputs.dtype))


def structured(cell, states):
    """The states of a cell, a list, in the structure of initial_states()."""
    return _listed(nest.pack_sequence_as(cell.state_size, states))


def _listed(states):
    return list(states) if isinstance(states, tuple) else (
        states if nest.is_nested(states) else [states]
    )  # fmt: skip


def state_sizes(cell):
    """The sizes of a cell's states, a list."""
    return _sizes(cell)


__all__ = ["GRUCell", "LSTMCell", "SimpleRNNCell", "StackedRNNCells"]
