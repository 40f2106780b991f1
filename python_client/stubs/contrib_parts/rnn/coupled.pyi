# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.rnn.cells import RNNCell as RNNCell
from sluice.types import TensorLike as TensorLike

class CoupledInputForgetGateLSTMCell(RNNCell):
    def __init__(self, num_units: _b.int, use_peepholes: _b.bool = ..., initializer: _Any = ..., num_proj: _Optional[_b.int] = ..., proj_clip: _Optional[_b.float] = ..., num_unit_shards: _b.int = ..., num_proj_shards: _b.int = ..., forget_bias: _b.float = ..., state_is_tuple: _b.bool = ..., activation: _Callable[..., _Any] = ..., reuse: _Optional[_b.bool] = ..., layer_norm: _b.bool = ..., norm_gain: _b.float = ..., norm_shift: _b.float = ...) -> None: ...
    @property
    def state_size(self) -> _Any: ...
    @property
    def output_size(self) -> _Any: ...
    def call(self, inputs: TensorLike, state: _Any) -> _b.tuple[_Any, ...]: ...
