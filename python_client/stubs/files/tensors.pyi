# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import ShapeLike as ShapeLike

def tensor_proto(values: _Any, dtype: _Any = ..., shape: _Any = ...) -> None: ...
def make_tensor_proto(values: _b.str, dtype: _Optional[DTypeLike] = ..., shape: _Optional[_Union[ShapeLike, Tensor]] = ..., verify_shape: _b.bool = ..., allow_broadcast: _b.bool = ...) -> _Any: ...
def make_ndarray(tensor: _Any) -> _Any: ...
