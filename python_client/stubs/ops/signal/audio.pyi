# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def decode_wav(contents: TensorLike, desired_channels: _b.int = ..., desired_samples: _b.int = ..., name: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
def encode_wav(audio: TensorLike, sample_rate: _b.int, name: _Optional[_b.str] = ...) -> Tensor: ...
