# SPDX-License-Identifier: Apache-2.0
"""Tensors of beams: several candidates for each sequence of a batch."""

from ... import nest
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.tensor_shape import TensorShape
from ...ops import array as arrays
from ...ops import math, raw_ops


def tile_batch(t, multiplier, name=None):
    """Repeats each row.

    Args:
        t: A tensor [batch, ...], or a structure of these.
        multiplier: How often, an int.
        name: Name of the operations, a str. None: "tile_batch".

    Returns:
        A tensor [batch * multiplier, ...], in which the copies of a row are neighbours.

    Raises:
        ValueError: The rank of a tensor is not known, or it is a scalar.
    """
    with name_scope(name, "tile_batch"):
        return nest.map_structure(lambda one: _tiled(one, multiplier), t)


def _tiled(t, multiplier):
    t = convert_to_tensor(t, name="t")
    rank, shape = t.shape.ndims, arrays.shape(t)
    if rank is None or rank < 1:
        raise ValueError("t must have statically known rank")
    tiled = arrays.tile(arrays.expand_dims(t, 1), [1, multiplier, *[1] * (rank - 1)])
    tiled = arrays.reshape(tiled, arrays.concat([[shape[0] * multiplier], shape[1:]], 0))
    known = isinstance(multiplier, int) and t.shape[0].value is not None
    rows = t.shape[0].value * multiplier if known else None
    tiled.set_shape(TensorShape([rows]).concatenate(t.shape[1:]))
    return tiled


def gather_tree(step_ids, parent_ids, max_sequence_lengths, end_token, name=None):
    """Follows the parents of each beam from its last step to the first.

    Args:
        step_ids: What each step chose, an int32 tensor [time, batch, beam].
        parent_ids: The beam that each step continued, an int32 tensor [time, batch, beam].
        max_sequence_lengths: How many steps count, an int32 vector [batch].
        end_token: The id after which a beam has no others, an int32 scalar.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An int32 tensor [time, batch, beam].
    """
    return raw_ops.GatherTree(
        step_ids=step_ids, parent_ids=parent_ids, max_sequence_lengths=max_sequence_lengths,
        end_token=end_token, name=name,
    )  # fmt: skip


def gather_tree_from_array(t, parent_ids, sequence_length):
    """Orders what was computed for beams in the way of the beams that are left.

    Args:
        t: A tensor [time, batch * beam, ...] or [time, batch, beam, ...].
        parent_ids: The beam that each step continued, an int32 tensor [time, batch, beam].
        sequence_length: How many steps each beam has, an integer tensor [batch, beam].

    Returns:
        A tensor of the shape of t.
    """
    dims = arrays.shape(parent_ids)
    steps, batch, width = (parent_ids.shape[i].value or dims[i] for i in range(3))
    own = arrays.tile(arrays.reshape(arrays.range(width), [1, 1, -1]), [steps, batch, 1])
    longest = arrays.cast(math.reduce_max(sequence_length, axis=1), "int32")
    beams = gather_tree(own, parent_ids, longest, width + 1)
    counts = arrays.transpose(arrays.sequence_mask(sequence_length, steps), [2, 0, 1])
    beams = arrays.where(counts, beams, own)
    at_step = arrays.tile(arrays.reshape(arrays.range(steps), [-1, 1, 1]), [1, batch, width])
    at_row = arrays.tile(arrays.reshape(arrays.range(batch), [1, -1, 1]), [steps, 1, width])
    places = arrays.stack([at_step, at_row, beams], -1)
    ordered = arrays.gather_nd(arrays.reshape(t, [steps, batch, width, -1]), places)
    return arrays.reshape(ordered, arrays.shape(t))
