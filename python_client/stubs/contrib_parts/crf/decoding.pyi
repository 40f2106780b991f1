# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def viterbi_decode(score: _Any, transition_params: _Any) -> _b.tuple[_Any, ...]: ...
def crf_decode(potentials: TensorLike, transition_params: TensorLike, sequence_length: TensorLike) -> _b.tuple[_Any, ...]: ...
