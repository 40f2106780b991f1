# SPDX-License-Identifier: Apache-2.0
"""The base classes of recurrent cells."""

from collections import namedtuple
from numbers import Real

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.seeds import count_more_nodes
from ...graph.tensor_shape import TensorShape
from ...layers.layer import Layer
from .. import array as arrays
from ..state.variable_scope import get_variable_scope, variable_scope


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
            TypeError: c and h have different dtypes.
        """
        if self.c.dtype != self.h.dtype:
            raise TypeError(f"Inconsistent internal state: {self.c.dtype} vs {self.h.dtype}")
        return self.c.dtype


def map_states(function, structure, *others):
    """Calls a function with the leaves of equal nested tuples and lists.

    Args:
        function: The function.
        structure: Nested tuples and lists.
        *others: Further ones of the same structure.

    Returns:
        What it returns, in the same structure.
    """
    if not isinstance(structure, (list, tuple)):
        return function(structure, *others)
    parts = [map_states(function, *group) for group in zip(structure, *others)]
    return type(structure)(*parts) if hasattr(structure, "_fields") else type(structure)(parts)


class RNNCell(Layer):
    """The base class of recurrent cells: cell(inputs, state) returns the output and the new state.

    state_size and output_size are ints, or tuples of them. A derived class defines these and
    call(inputs, state). The first call makes the variables, also those of get_variable().

    Args:
        trainable: Whether optimizers change the variables by default. A bool.
        name: Name of the variable scope, a str. None: the class's name.
        dtype: Dtype of the variables. None: that of the inputs.
        **kwargs: As of Layer.
    """

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        super().__init__(trainable, name, dtype, **kwargs)
        self._first_scope = None

    def __call__(self, inputs, state, scope=None):
        if scope is not None:
            with variable_scope(scope, custom_getter=self._got) as opened:
                return super().__call__(inputs, state, scope=opened)
        if vars(self).get("_first_scope") is None:
            self._first_scope = get_variable_scope()
        with variable_scope(self._first_scope, custom_getter=self._got):
            return super().__call__(inputs, state)

    def _got(self, getter, *args, **kwargs):
        """What get_variable() returns inside of call(): it is a variable of the cell."""
        variable = getter(*args, **kwargs)
        self._own(variable, all(part.trainable for part in _pieces(variable)))
        return variable

    @property
    def state_size(self):
        """The size of the state: an int, a TensorShape, or a tuple of these."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self):
        """The size of the output: an int or a TensorShape."""
        raise NotImplementedError("Abstract method")

    def call(self, inputs, state):
        """Computes a step. Derived classes define it.

        Args:
            inputs: A tensor [batch, depth].
            state: The state before the step.

        Returns:
            A tuple: the output and the new state.
        """
        raise NotImplementedError

    def zero_state(self, batch_size, dtype):
        """Returns a state of zeros.

        Args:
            batch_size: How many sequences, an int or an int32 scalar.
            dtype: Dtype of the state.

        Returns:
            Tensors [batch_size, size] in the structure of state_size.
        """
        with name_scope(type(self).__name__ + "ZeroState"):
            return map_states(lambda n: zeros_of(batch_size, n, dtype), self.state_size)

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
        if batch_size is None or dtype is None:
            raise ValueError(
                "batch_size and dtype cannot be None while constructing initial state: "
                f"batch_size={batch_size}, dtype={dtype}"
            )
        return self.zero_state(batch_size, dtype)


def _pieces(variable):
    return [variable] if hasattr(variable, "trainable") else list(variable)


def zeros_of(batch_size, size, dtype):
    # A program may have divided a size: 8 / 2 is a float.
    sizes = [int(size)] if isinstance(size, Real) else TensorShape(size).as_list()
    if hasattr(batch_size, "graph"):
        made = arrays.zeros(arrays.stack([batch_size, *sizes]), dtype)
        made.set_shape([None, *sizes])
        count_more_nodes(6)  # TensorFlow has more, here and below, which decide later seeds
        return made
    count_more_nodes(7)
    return arrays.zeros([int(batch_size), *sizes], dtype)


class LayerRNNCell(RNNCell):
    """A cell whose build() makes the variables.

    Args:
        trainable: Whether optimizers change the variables by default. A bool.
        name: Name of the variable scope, a str. None: the class's name.
        dtype: Dtype of the variables. None: that of the inputs.
        **kwargs: As of Layer.
    """

    def __call__(self, inputs, state, scope=None, *args, **kwargs):
        return Layer.__call__(self, inputs, state, *args, scope=scope, **kwargs)
