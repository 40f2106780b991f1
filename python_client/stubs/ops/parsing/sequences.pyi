# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def parse_sequence_example(serialized: TensorLike, context_features: _Optional[_b.dict[_Any, _Any]] = ..., sequence_features: _Optional[_b.dict[_Any, _Any]] = ..., example_names: _Optional[TensorLike] = ..., name: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
def parse_single_sequence_example(serialized: TensorLike, context_features: _Optional[_b.dict[_Any, _Any]] = ..., sequence_features: _Optional[_b.dict[_Any, _Any]] = ..., example_name: _Optional[TensorLike] = ..., name: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
