# SPDX-License-Identifier: Apache-2.0
"""Cells around another cell that change its inputs or outputs."""

import math

from ...graph.default_graph import device
from ...ops import array as arrays
from ...ops.nn.sampling import embedding_lookup
from ...ops.rnn.around import SizedByInnerCell, assert_like_rnncell
from ...ops.state.initializers import random_uniform
from ...ops.state.variable_scope import get_variable, get_variable_scope
from .linear import Linear


class OuterCell(SizedByInnerCell):
    """A cell around another one, in a variable scope of its own. A derived class defines call().

    Args:
        cell: The cell, an RNNCell.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.
    """

    def __init__(self, cell, reuse=None):
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        self._cell = cell


class InputProjectionWrapper(OuterCell):
    """A cell that gives another cell a linear map of the inputs.

    Args:
        cell: The cell, an RNNCell.
        num_proj: Size of the map's output, an int.
        activation: A function of the map's output. None: none.
        input_size: Accepted. It has no effect.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.

    Raises:
        TypeError: cell is not an RNNCell.
    """

    def __init__(self, cell, num_proj, activation=None, input_size=None, reuse=None):
        super().__init__(cell, reuse)
        del input_size
        self._num_proj, self._activation, self._linear = num_proj, activation, None

    def call(self, inputs, state):
        if self._linear is None:
            self._linear = Linear([inputs], self._num_proj)
        projected = self._linear([inputs])
        return self._cell(self._activation(projected) if self._activation else projected, state)


class OutputProjectionWrapper(OuterCell):
    """A cell whose output is a linear map of another cell's.

    Args:
        cell: The cell, an RNNCell.
        output_size: Size of the output, an int.
        activation: A function of the output. None: none.
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.

    Raises:
        TypeError: cell is not an RNNCell.
        ValueError: output_size is not positive.
    """

    def __init__(self, cell, output_size, activation=None, reuse=None):
        super().__init__(cell, reuse)
        if output_size < 1:
            raise ValueError(f"Parameter output_size must be > 0: {output_size}.")
        self._output_size, self._activation, self._linear = output_size, activation, None

    @property
    def output_size(self):
        """The size of the output, an int."""
        return self._output_size

    def call(self, inputs, state):
        output, state = self._cell(inputs, state)
        if self._linear is None:
            self._linear = Linear([output], self._output_size)
        projected = self._linear([output])
        return self._activation(projected) if self._activation else projected, state


class EmbeddingWrapper(OuterCell):
    """A cell that gives another cell rows of a table, which it keeps, at the inputs.

    Args:
        cell: The cell, an RNNCell.
        embedding_classes: How many rows the table has, an int.
        embedding_size: Size of a row, an int.
        initializer: Initializer of the table. None: that of the scope, else uniform in
            [-sqrt(3), sqrt(3)).
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.

    Raises:
        TypeError: cell is not an RNNCell.
        ValueError: embedding_classes or embedding_size is not positive.
    """

    def __init__(self, cell, embedding_classes, embedding_size, initializer=None, reuse=None):
        super().__init__(cell, reuse)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(
                "Both embedding_classes and embedding_size must be > 0: "
                f"{embedding_classes}, {embedding_size}."
            )
        self._shape, self._initializer = [embedding_classes, embedding_size], initializer

    def call(self, inputs, state):
        with device("/cpu:0"):
            bound = math.sqrt(3)
            initializer = (
                self._initializer or get_variable_scope().initializer
                or random_uniform(-bound, bound)
            )  # fmt: skip
            dtype = state[0].dtype if isinstance(state, tuple) else state.dtype
            table = get_variable("embedding", self._shape, dtype, initializer=initializer)
            return self._cell(embedding_lookup(table, arrays.reshape(inputs, [-1])), state)
