# SPDX-License-Identifier: Apache-2.0
"""Recurrent cells and networks that only contrib has."""

from ... import modules
from ...ops.rnn import raw_rnn, rnn, rnn_cell
from . import attentive, blocks, coupled, fused, gated, normalized, projections, shapes, stacked

_SOURCES = {
    rnn: "static_bidirectional_rnn static_rnn",
    raw_rnn: "static_state_saving_rnn",
    attentive: "AttentionCellWrapper HighwayWrapper",
    blocks: "GRUBlockCell GRUBlockCellV2 LSTMBlockCell",
    coupled: "CoupledInputForgetGateLSTMCell",
    fused: "FusedRNNCell FusedRNNCellAdaptor LSTMBlockFusedCell LSTMBlockWrapper"
    " TimeReversedFusedRNN",
    gated: "IntersectionRNNCell NASCell UGRNNCell",
    normalized: "LayerNormBasicLSTMCell",
    projections: "EmbeddingWrapper InputProjectionWrapper OutputProjectionWrapper",
    shapes: "best_effort_input_batch_size transpose_batch_time",
    stacked: "stack_bidirectional_dynamic_rnn stack_bidirectional_rnn",
    rnn_cell: " ".join(rnn_cell.__all__),
}

module = modules.make(
    "contrib.rnn",
    "Recurrent cells, cells around cells, and networks of them.",
    {name: getattr(source, name) for source, names in _SOURCES.items() for name in names.split()},
)
