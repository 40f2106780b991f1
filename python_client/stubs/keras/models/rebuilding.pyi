# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def named(structure: TensorLike, items: _Any) -> _Any: ...
def described_arguments(node: _Any, place: _Callable[..., _Any]) -> _Any: ...
def rebuilt(config: _Any, custom_objects: _Optional[_b.dict[_Any, _Any]]) -> _b.tuple[_Any, ...]: ...
