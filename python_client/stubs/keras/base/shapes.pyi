# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def convert_shapes(input_shape: _Any, to_tuples: _b.bool = ...) -> _Any: ...
def flat_shapes(input_shape: _Any) -> _b.list[_Any]: ...
def shape_type_conversion(fn: _Callable[..., _Any]) -> _Any: ...
