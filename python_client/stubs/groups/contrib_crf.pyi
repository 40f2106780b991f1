# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.crf.cells import CrfDecodeBackwardRnnCell as CrfDecodeBackwardRnnCell
from sluice.contrib_parts.crf.cells import CrfDecodeForwardRnnCell as CrfDecodeForwardRnnCell
from sluice.contrib_parts.crf.cells import CrfForwardRnnCell as CrfForwardRnnCell
from sluice.contrib_parts.crf.likelihood import crf_binary_score as crf_binary_score
from sluice.contrib_parts.crf.decoding import crf_decode as crf_decode
from sluice.contrib_parts.crf.likelihood import crf_log_likelihood as crf_log_likelihood
from sluice.contrib_parts.crf.likelihood import crf_log_norm as crf_log_norm
from sluice.contrib_parts.crf.likelihood import crf_multitag_sequence_score as crf_multitag_sequence_score
from sluice.contrib_parts.crf.likelihood import crf_sequence_score as crf_sequence_score
from sluice.contrib_parts.crf.likelihood import crf_unary_score as crf_unary_score
from sluice.contrib_parts.crf.decoding import viterbi_decode as viterbi_decode
