# SPDX-License-Identifier: Apache-2.0
"""What decoders get at each step: a given symbol, or the likeliest one of the step before."""

from ... import nest
from ...graph.convert import convert_to_tensor
from ...ops import array as arrays
from ...ops import math
from ...ops.functions.cond_and_while import cond
from ...ops.nn.layers import xw_plus_b
from ...ops.nn.sampling import embedding_lookup
from ...ops.state.variable_scope import get_variable_scope, variable_scope


def likeliest_of(table, output_projection=None, update_embedding=True):
    """Makes a function of (last output, number of the step) that returns the next input.

    Args:
        table: The embedding, a variable [symbols, size].
        output_projection: A weight and a bias that make scores of outputs, a tuple. None: outputs
            are scores.
        update_embedding: Whether gradients flow to the table. A bool.

    Returns:
        The function.
    """

    def following(output, _):
        if output_projection is not None:
            output = xw_plus_b(output, *output_projection)
        found = embedding_lookup(table, math.argmax(output, 1))
        return found if update_embedding else arrays.stop_gradient(found)

    return following


def check_projection(output_projection, num_symbols, dtype=None):
    """Checks the shapes of a weight and a bias.

    Args:
        output_projection: The two, a tuple, or None.
        num_symbols: How many symbols there are, an int.
        dtype: Dtype of values that are not tensors.

    Raises:
        ValueError: A shape does not fit.
    """
    if output_projection is not None:
        weight, bias = (convert_to_tensor(part, dtype) for part in output_projection)
        weight.shape.assert_is_compatible_with([None, num_symbols])
        bias.shape.assert_is_compatible_with([num_symbols])


def fed(decode, feed_previous, count, structure):
    """Decodes with or without the symbols of the steps before, as a bool tensor says.

    Args:
        decode: A function of (feed_previous, update_embedding) that returns a tuple: a list of
            outputs, and the last state.
        feed_previous: A bool, or a bool scalar.
        count: How many outputs there are, an int.
        structure: Anything in the structure of the state.

    Returns:
        What decode returns.
    """
    if isinstance(feed_previous, bool):
        return decode(feed_previous, True)

    def branch(value):
        with variable_scope(get_variable_scope(), reuse=None if value else True):
            outputs, state = decode(value, False)
            return [*outputs, *nest.flatten(state)]

    found = cond(feed_previous, lambda: branch(True), lambda: branch(False))
    state = nest.pack_sequence_as(structure, found[count:])
    return found[:count], state
