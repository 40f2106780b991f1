# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.signal.signal import frame as frame
from sluice.ops.signal.signal import hamming_window as hamming_window
from sluice.ops.signal.signal import hann_window as hann_window
from sluice.ops.signal.signal import inverse_stft as inverse_stft
from sluice.ops.signal.signal import inverse_stft_window_fn as inverse_stft_window_fn
from sluice.ops.signal.signal import linear_to_mel_weight_matrix as linear_to_mel_weight_matrix
from sluice.ops.signal.signal import mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms
from sluice.ops.signal.signal import overlap_and_add as overlap_and_add
from sluice.ops.signal.signal import stft as stft
