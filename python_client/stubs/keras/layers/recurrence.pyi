# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def rnn(step_function: _Callable[..., _Any], inputs: TensorLike, initial_states: TensorLike, go_backwards: _b.bool = ..., mask: _Optional[TensorLike] = ..., constants: _Optional[_Sequence[TensorLike]] = ..., unroll: _b.bool = ..., input_length: _Any = ..., time_major: _b.bool = ..., zero_output_for_mask: _b.bool = ...) -> _b.tuple[_Any, ...]: ...
