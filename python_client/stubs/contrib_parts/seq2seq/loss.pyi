# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def sequence_loss(logits: TensorLike, targets: TensorLike, weights: TensorLike, average_across_timesteps: _b.bool = ..., average_across_batch: _b.bool = ..., sum_over_timesteps: _b.bool = ..., sum_over_batch: _b.bool = ..., softmax_loss_function: _Optional[_Callable[..., _Any]] = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
