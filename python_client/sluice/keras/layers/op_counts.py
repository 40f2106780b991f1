# SPDX-License-Identifier: Apache-2.0
"""How many more nodes TensorFlow 1.15 makes of a recurrent layer than this package.

An operation without a seed of its own takes the number of nodes before it as its seed. So that
layers after a recurrent layer draw the same values, the graph counts the nodes that TensorFlow's
loop would have had. The numbers were measured.
"""

from ...graph.default_graph import count_more_nodes

# The class of the cell -> more nodes of a layer, if it has a mask, and if implementation=2.
_LAYERS = {"SimpleRNNCell": (27, 20, 0), "GRUCell": (143, 20, -36), "LSTMCell": (134, 23, -68),
           "_ConvLSTM2DCell": (109, 23, 0)}  # fmt: skip
_RESET_AFTER, _NO_BIAS, _BETWEEN_CELLS = 23, -9, -10
_STATEFUL = {"SimpleRNNCell": 7, "GRUCell": 10, "LSTMCell": 8, "_ConvLSTM2DCell": 8}
_UNROLLED_STEP, _UNROLLED = 25, -18  # of an LSTM


def _of_cell(cell):
    more, _, second = _LAYERS.get(type(cell).__name__, (0, 0, 0))
    more += second if getattr(cell, "implementation", 1) == 2 else 0
    more += _RESET_AFTER if getattr(cell, "reset_after", False) else 0
    more += 0 if cell.use_bias else _NO_BIAS
    return more + bool(cell.dropout) + bool(cell.recurrent_dropout)


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
        is_lstm = type(layer.cell).__name__ == "LSTMCell"
        more = _UNROLLED_STEP * steps + _UNROLLED if is_lstm else 0
    else:
        more = sum(map(_of_cell, cells)) + _BETWEEN_CELLS * (len(cells) - 1)
        of_states = _STATEFUL[type(cells[0]).__name__] if layer.stateful else int(has_states)
        more += of_states
        if mask is not None:
            more += _LAYERS[type(cells[0]).__name__][1] + int(layer.zero_output_for_mask)
    count_more_nodes(max(more, 0))
