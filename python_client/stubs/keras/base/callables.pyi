# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

class Function:
    outputs: _b.list[Tensor]
    fetch_callbacks: _Any
    inputs: _Any
    structure: _Any
    updates: _Any
    fetches: _Any
    def __init__(self, inputs: _Any, outputs: _Sequence[TensorLike], updates: _Any = ..., name: _b.str = ..., fetches: _Optional[TensorLike] = ..., feed_dict: _Any = ..., options: _Any = ..., run_metadata: _Any = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
def function(inputs: _Any, outputs: _Sequence[TensorLike], updates: _Any = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> _Callable[..., _Any]: ...
def checked_arguments(kwargs: _Any) -> None: ...
