# SPDX-License-Identifier: Apache-2.0
"""How many more nodes TensorFlow 1.15 makes of a recurrent layer than this package.

An operation without a seed of its own takes the number of nodes before it as its seed. So that
layers after a recurrent layer draw the same values, the graph counts the nodes that TensorFlow's
loop would have had. The numbers were measured.
"""

import dataclasses

from ...graph.seeds import count_more_nodes


@dataclasses.dataclass
class _More:
    """How many more nodes TensorFlow has: of a layer, with a mask, with implementation=2, without a
    bias, with dropout of inputs and of states, of a stateful layer, of given first states."""

    layer: int
    mask: int = 9
    second: int = 0
    no_bias: int = -1
    dropout: tuple = (-10, -10)
    stateful: int = 8
    given: int = 1


# The class of the cell -> what its layer has more.
_LAYERS = {
    "SimpleRNNCell": _More(-27, no_bias=5, dropout=(-1, -1), stateful=7, given=5),
    "GRUCell": _More(61, second=-36, no_bias=-23, dropout=(-7, -3), stateful=10, given=5),
    "LSTMCell": _More(39, second=-68),
    "ConvLSTM2DCell": _More(14, stateful=14),
}
_RESET_AFTER, _BETWEEN_CELLS = 18, 6

# The class of the cell -> what a step of an unrolled layer has more: in all, with implementation=2,
# without a bias; and what is around the steps.
_STEPS = {"SimpleRNNCell": (-10, 0, 2, -6), "GRUCell": (34, -18, -12, -6),
          "LSTMCell": (21, -34, -1, -2)}  # fmt: skip
_MASKED_STEP, _MASKED = -4, 3


def _of_cell(cell):
    known = _LAYERS[type(cell).__name__]
    more = known.layer
    more += known.second if getattr(cell, "implementation", 1) == 2 else 0
    more += _RESET_AFTER if getattr(cell, "reset_after", False) else 0
    more += 0 if cell.use_bias else known.no_bias
    rates = cell.dropout, cell.recurrent_dropout
    return more + sum(number for rate, number in zip(rates, known.dropout) if rate)


def _of_steps(cell, steps):
    if type(cell).__name__ not in _STEPS:
        return 0
    each, second, no_bias, around = _STEPS[type(cell).__name__]
    each += second if getattr(cell, "implementation", 1) == 2 else 0
    each += 0 if cell.use_bias else no_bias
    return each * steps + around + (not cell.use_bias)


def count(layer, inputs, mask, has_states):
    """Lets the graph count the nodes of a layer as TensorFlow's would.

    Args:
        layer: The recurrent layer, whose nodes are made.
        inputs: Its input, a tensor.
        mask: Its mask, or None.
        has_states: Whether it was given its first states. A bool.
    """
    cells = getattr(layer.cell, "cells", [layer.cell])
    if any(type(cell).__name__ not in _LAYERS for cell in cells):
        return
    if layer.unroll:
        steps = inputs.shape.as_list()[0 if layer.time_major else 1]
        more = _of_steps(cells[0], steps) if len(cells) == 1 else 0
        more += _MASKED_STEP * steps + _MASKED if mask is not None else 0
    else:
        first = _LAYERS[type(cells[0]).__name__]
        more = sum(map(_of_cell, cells)) + _BETWEEN_CELLS * (len(cells) - 1)
        more += first.stateful if layer.stateful else first.given * has_states
        if mask is not None:
            more += first.mask + (layer.zero_output_for_mask and not layer.return_sequences)
    count_more_nodes(more)
