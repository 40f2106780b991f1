# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def raw_rnn(cell: _Any, loop_fn: _Callable[..., _Any], parallel_iterations: _Optional[_b.int] = ..., swap_memory: _Any = ..., scope: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
def static_state_saving_rnn(cell: _Any, inputs: _Sequence[TensorLike], state_saver: TensorLike, state_name: _Any, sequence_length: _Optional[TensorLike] = ..., scope: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
