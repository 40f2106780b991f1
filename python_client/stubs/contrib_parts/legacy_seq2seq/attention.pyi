# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import DTypeLike as DTypeLike
from sluice.types import TensorLike as TensorLike

def attention_decoder(decoder_inputs: TensorLike, initial_state: _Any, attention_states: TensorLike, cell: _Any, output_size: _Optional[_b.int] = ..., num_heads: _b.int = ..., loop_function: _Optional[_Callable[..., _Any]] = ..., dtype: _Optional[DTypeLike] = ..., scope: _Optional[_b.str] = ..., initial_state_attention: _b.bool = ...) -> _b.tuple[_Any, ...]: ...
def embedding_attention_decoder(decoder_inputs: _Any, initial_state: _Any, attention_states: TensorLike, cell: _Any, num_symbols: _b.int, embedding_size: _b.int, num_heads: _b.int = ..., output_size: _Optional[_b.int] = ..., output_projection: _Any = ..., feed_previous: _b.bool = ..., update_embedding_for_previous: _b.bool = ..., dtype: _Optional[DTypeLike] = ..., scope: _Optional[_b.str] = ..., initial_state_attention: _Any = ...) -> _b.tuple[_Any, ...]: ...
def embedding_attention_seq2seq(encoder_inputs: _Any, decoder_inputs: _Any, cell: _Any, num_encoder_symbols: _b.int, num_decoder_symbols: _b.int, embedding_size: _b.int, num_heads: _b.int = ..., output_projection: _Any = ..., feed_previous: _b.bool = ..., dtype: _Optional[DTypeLike] = ..., scope: _Optional[_b.str] = ..., initial_state_attention: _Any = ...) -> _b.tuple[_Any, ...]: ...
