# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

OPTIMIZER_CLS_NAMES: _Any
OPTIMIZER_SUMMARIES: _Any
def optimize_loss(loss: TensorLike, global_step: _Any, learning_rate: _Optional[TensorLike], optimizer: _Any, gradient_noise_scale: _Optional[_b.float] = ..., gradient_multipliers: _Optional[_b.dict[_Any, _Any]] = ..., clip_gradients: _Any = ..., learning_rate_decay_fn: _Optional[_Callable[..., _Any]] = ..., update_ops: _Any = ..., variables: _Any = ..., name: _Optional[_b.str] = ..., summaries: _Any = ..., colocate_gradients_with_ops: _b.bool = ..., increment_global_step: _b.bool = ...) -> _Any: ...
