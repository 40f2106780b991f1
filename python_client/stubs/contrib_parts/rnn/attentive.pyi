# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.rnn.around import SizedByInnerCell as SizedByInnerCell
from sluice.ops.rnn.cells import RNNCell as RNNCell
from sluice.types import TensorLike as TensorLike

class AttentionCellWrapper(RNNCell):
    def __init__(self, cell: _Any, attn_length: _b.int, attn_size: _Optional[_b.int] = ..., attn_vec_size: _Optional[_b.int] = ..., input_size: _Optional[_b.int] = ..., state_is_tuple: _b.bool = ..., reuse: _Optional[_b.bool] = ...) -> None: ...
    @property
    def state_size(self) -> _Any: ...
    @property
    def output_size(self) -> _Any: ...
    def call(self, inputs: TensorLike, state: _Any) -> _b.tuple[_Any, ...]: ...
class HighwayWrapper(SizedByInnerCell):
    def __init__(self, cell: _Any, couple_carry_transform_gates: _b.bool = ..., carry_bias_init: _b.float = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
