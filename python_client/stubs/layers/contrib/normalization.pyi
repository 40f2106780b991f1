# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def batch_norm(inputs: TensorLike, decay: _b.float = ..., center: _b.bool = ..., scale: _b.bool = ..., epsilon: _Any = ..., activation_fn: _Optional[_Callable[..., _Any]] = ..., param_initializers: _Any = ..., param_regularizers: _Any = ..., updates_collections: _Optional[_b.str] = ..., is_training: _b.bool = ..., reuse: _Optional[_b.bool] = ..., variables_collections: _Optional[_Sequence[_b.str]] = ..., outputs_collections: _Optional[_Sequence[_b.str]] = ..., trainable: _b.bool = ..., batch_weights: _Any = ..., fused: _Optional[_b.bool] = ..., data_format: _Any = ..., zero_debias_moving_mean: _Any = ..., scope: _Optional[_b.str] = ..., renorm: _b.bool = ..., renorm_clipping: _Any = ..., renorm_decay: _b.float = ..., adjustment: _Optional[_Callable[..., _Any]] = ...) -> Tensor: ...
def layer_norm(inputs: TensorLike, center: _b.bool = ..., scale: _b.bool = ..., activation_fn: _Optional[_Callable[..., _Any]] = ..., reuse: _Optional[_b.bool] = ..., variables_collections: _Optional[_Sequence[_b.str]] = ..., outputs_collections: _Optional[_Sequence[_b.str]] = ..., trainable: _b.bool = ..., begin_norm_axis: _b.int = ..., begin_params_axis: _b.int = ..., scope: _Optional[_b.str] = ...) -> Tensor: ...
