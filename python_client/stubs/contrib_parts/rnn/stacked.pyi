# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import DTypeLike as DTypeLike
from sluice.types import TensorLike as TensorLike

def stack_bidirectional_rnn(cells_fw: _Any, cells_bw: _Any, inputs: _Sequence[TensorLike], initial_states_fw: _Any = ..., initial_states_bw: _Any = ..., dtype: _Optional[DTypeLike] = ..., sequence_length: _Optional[TensorLike] = ..., scope: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
def stack_bidirectional_dynamic_rnn(cells_fw: _Any, cells_bw: _Any, inputs: TensorLike, initial_states_fw: _Any = ..., initial_states_bw: _Any = ..., dtype: _Optional[DTypeLike] = ..., sequence_length: _Optional[TensorLike] = ..., parallel_iterations: _Optional[_b.int] = ..., time_major: _b.bool = ..., scope: _Optional[_b.str] = ..., swap_memory: _Any = ...) -> _b.tuple[_Any, ...]: ...
