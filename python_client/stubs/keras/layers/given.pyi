# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def separated(inputs: TensorLike, states: _Optional[TensorLike], constants: _Optional[TensorLike], count: _b.int) -> _Optional[_b.tuple[_Any, ...]]: ...
def call_with(layer: _Any, call: _Callable[..., _Any], inputs: TensorLike, states: _Any, constants: _Any, kwargs: _Any) -> _Any: ...
