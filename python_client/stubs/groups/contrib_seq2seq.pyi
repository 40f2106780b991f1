# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.seq2seq.mechanisms import AttentionMechanism as AttentionMechanism
from sluice.contrib_parts.seq2seq.attention_wrapper import AttentionWrapper as AttentionWrapper
from sluice.contrib_parts.seq2seq.attention_wrapper import AttentionWrapperState as AttentionWrapperState
from sluice.contrib_parts.seq2seq.mechanisms import BahdanauAttention as BahdanauAttention
from sluice.contrib_parts.seq2seq.monotonic import BahdanauMonotonicAttention as BahdanauMonotonicAttention
from sluice.contrib_parts.seq2seq.basic_decoder import BasicDecoder as BasicDecoder
from sluice.contrib_parts.seq2seq.basic_decoder import BasicDecoderOutput as BasicDecoderOutput
from sluice.contrib_parts.seq2seq.beam_search import BeamSearchDecoder as BeamSearchDecoder
from sluice.contrib_parts.seq2seq.beam_step import BeamSearchDecoderOutput as BeamSearchDecoderOutput
from sluice.contrib_parts.seq2seq.beam_step import BeamSearchDecoderState as BeamSearchDecoderState
from sluice.contrib_parts.seq2seq.helpers import CustomHelper as CustomHelper
from sluice.contrib_parts.seq2seq.decoding import Decoder as Decoder
from sluice.contrib_parts.seq2seq.beam_search import FinalBeamSearchDecoderOutput as FinalBeamSearchDecoderOutput
from sluice.contrib_parts.seq2seq.helpers import GreedyEmbeddingHelper as GreedyEmbeddingHelper
from sluice.contrib_parts.seq2seq.helpers import Helper as Helper
from sluice.contrib_parts.seq2seq.helpers import InferenceHelper as InferenceHelper
from sluice.contrib_parts.seq2seq.mechanisms import LuongAttention as LuongAttention
from sluice.contrib_parts.seq2seq.monotonic import LuongMonotonicAttention as LuongMonotonicAttention
from sluice.contrib_parts.seq2seq.helpers import SampleEmbeddingHelper as SampleEmbeddingHelper
from sluice.contrib_parts.seq2seq.scheduled import ScheduledEmbeddingTrainingHelper as ScheduledEmbeddingTrainingHelper
from sluice.contrib_parts.seq2seq.scheduled import ScheduledOutputTrainingHelper as ScheduledOutputTrainingHelper
from sluice.contrib_parts.seq2seq.helpers import TrainingHelper as TrainingHelper
from sluice.contrib_parts.seq2seq.decoding import dynamic_decode as dynamic_decode
from sluice.contrib_parts.seq2seq.beams import gather_tree as gather_tree
from sluice.contrib_parts.seq2seq.attention_wrapper import hardmax as hardmax
from sluice.contrib_parts.seq2seq.monotonic import monotonic_attention as monotonic_attention
from sluice.contrib_parts.seq2seq.monotonic import safe_cumprod as safe_cumprod
from sluice.contrib_parts.seq2seq.loss import sequence_loss as sequence_loss
from sluice.contrib_parts.seq2seq.beams import tile_batch as tile_batch
