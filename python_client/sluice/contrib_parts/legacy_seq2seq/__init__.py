# SPDX-License-Identifier: Apache-2.0
"""Models of sequences whose steps are lists of tensors."""

from ... import modules
from . import attention, decoders, embedded, losses

_SOURCES = {
    attention: "attention_decoder embedding_attention_decoder embedding_attention_seq2seq",
    decoders: "basic_rnn_seq2seq rnn_decoder tied_rnn_seq2seq",
    embedded: "embedding_rnn_decoder embedding_rnn_seq2seq embedding_tied_rnn_seq2seq",
    losses: "model_with_buckets sequence_loss sequence_loss_by_example",
}

module = modules.make(
    "contrib.legacy_seq2seq",
    "Models of sequences whose steps are lists of tensors.",
    {name: getattr(source, name) for source, names in _SOURCES.items() for name in names.split()},
)
