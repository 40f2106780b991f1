# SPDX-License-Identifier: Apache-2.0
"""Linear-chain conditional random fields."""

from ... import modules
from . import cells, decoding, likelihood

_SOURCES = {
    cells: "CrfDecodeBackwardRnnCell CrfDecodeForwardRnnCell CrfForwardRnnCell",
    decoding: "crf_decode viterbi_decode",
    likelihood: "crf_binary_score crf_log_likelihood crf_log_norm crf_multitag_sequence_score"
    " crf_sequence_score crf_unary_score",
}

module = modules.make(
    "contrib.crf",
    "Linear-chain conditional random fields: scores, likelihoods and the best tags of sequences.",
    {name: getattr(source, name) for source, names in _SOURCES.items() for name in names.split()},
)
