# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import DTypeLike as DTypeLike
from sluice.types import TensorLike as TensorLike

def rnn_decoder(decoder_inputs: TensorLike, initial_state: _Any, cell: _Any, loop_function: _Optional[_Callable[..., _Any]] = ..., scope: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
def basic_rnn_seq2seq(encoder_inputs: TensorLike, decoder_inputs: TensorLike, cell: _Any, dtype: DTypeLike = ..., scope: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
def tied_rnn_seq2seq(encoder_inputs: TensorLike, decoder_inputs: TensorLike, cell: _Any, loop_function: _Any = ..., dtype: DTypeLike = ..., scope: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
