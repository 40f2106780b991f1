# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.legacy_seq2seq.attention import attention_decoder as attention_decoder
from sluice.contrib_parts.legacy_seq2seq.decoders import basic_rnn_seq2seq as basic_rnn_seq2seq
from sluice.contrib_parts.legacy_seq2seq.attention import embedding_attention_decoder as embedding_attention_decoder
from sluice.contrib_parts.legacy_seq2seq.attention import embedding_attention_seq2seq as embedding_attention_seq2seq
from sluice.contrib_parts.legacy_seq2seq.embedded import embedding_rnn_decoder as embedding_rnn_decoder
from sluice.contrib_parts.legacy_seq2seq.embedded import embedding_rnn_seq2seq as embedding_rnn_seq2seq
from sluice.contrib_parts.legacy_seq2seq.embedded import embedding_tied_rnn_seq2seq as embedding_tied_rnn_seq2seq
from sluice.contrib_parts.legacy_seq2seq.losses import model_with_buckets as model_with_buckets
from sluice.contrib_parts.legacy_seq2seq.decoders import rnn_decoder as rnn_decoder
from sluice.contrib_parts.legacy_seq2seq.losses import sequence_loss as sequence_loss
from sluice.contrib_parts.legacy_seq2seq.losses import sequence_loss_by_example as sequence_loss_by_example
from sluice.contrib_parts.legacy_seq2seq.decoders import tied_rnn_seq2seq as tied_rnn_seq2seq
