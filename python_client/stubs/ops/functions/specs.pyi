# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.dtypes import DType as DType
from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import ShapeLike as ShapeLike

class TensorSpec:
    shape: _Any
    dtype: DType
    name: _b.str
    def __init__(self, shape: _Optional[_Union[ShapeLike, Tensor]], dtype: DTypeLike = ..., name: _Optional[_b.str] = ...) -> None: ...
