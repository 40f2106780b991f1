# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def sequence_loss_by_example(logits: TensorLike, targets: _Any, weights: _Any, average_across_timesteps: _b.bool = ..., softmax_loss_function: _Optional[_Callable[..., _Any]] = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def sequence_loss(logits: TensorLike, targets: _Any, weights: _Any, average_across_timesteps: _b.bool = ..., average_across_batch: _b.bool = ..., softmax_loss_function: _Any = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def model_with_buckets(encoder_inputs: TensorLike, decoder_inputs: TensorLike, targets: _Any, weights: _Any, buckets: _Any, seq2seq: _Callable[..., _Any], softmax_loss_function: _Any = ..., per_example_loss: _b.bool = ..., name: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
