# SPDX-License-Identifier: Apache-2.0
"""Decoders: sequences that are made step by step, attention and beam search."""

from ... import modules
from . import (
    attention_wrapper,
    basic_decoder,
    beam_search,
    beam_step,
    beams,
    decoding,
    helpers,
    loss,
    mechanisms,
    monotonic,
    scheduled,
)

_SOURCES = {
    attention_wrapper: "AttentionWrapper AttentionWrapperState hardmax",
    basic_decoder: "BasicDecoder BasicDecoderOutput",
    beam_search: "BeamSearchDecoder FinalBeamSearchDecoderOutput",
    beam_step: "BeamSearchDecoderOutput BeamSearchDecoderState",
    beams: "gather_tree tile_batch",
    decoding: "Decoder dynamic_decode",
    helpers: "CustomHelper GreedyEmbeddingHelper Helper InferenceHelper SampleEmbeddingHelper"
    " TrainingHelper",
    loss: "sequence_loss",
    mechanisms: "AttentionMechanism BahdanauAttention LuongAttention",
    monotonic: "BahdanauMonotonicAttention LuongMonotonicAttention monotonic_attention"
    " safe_cumprod",
    scheduled: "ScheduledEmbeddingTrainingHelper ScheduledOutputTrainingHelper",
}

module = modules.make(
    "contrib.seq2seq",
    "Decoders: sequences that are made step by step, attention and beam search.",
    {name: getattr(source, name) for source, names in _SOURCES.items() for name in names.split()},
)
