# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.ops.rnn.cells import RNNCell as RNNCell
from sluice.types import DTypeLike as DTypeLike
from sluice.types import TensorLike as TensorLike

def normalized(value: TensorLike, scope: _b.str, gain: _b.float, shift: _b.float, dtype: _Optional[DTypeLike] = ...) -> Tensor: ...
class LayerNormBasicLSTMCell(RNNCell):
    def __init__(self, num_units: _b.int, forget_bias: _b.float = ..., input_size: _Any = ..., activation: _Callable[..., _Any] = ..., layer_norm: _b.bool = ..., norm_gain: _b.float = ..., norm_shift: _b.float = ..., dropout_keep_prob: TensorLike = ..., dropout_prob_seed: _Optional[_b.int] = ..., reuse: _Optional[_b.bool] = ...) -> None: ...
    @property
    def state_size(self) -> _Any: ...
    @property
    def output_size(self) -> _Any: ...
    def call(self, inputs: TensorLike, state: _Any) -> _b.tuple[_Any, ...]: ...
