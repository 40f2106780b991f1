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
def function(func: _Optional[_Callable[..., _Any]] = ..., input_signature: _Any = ..., autograph: _b.bool = ..., experimental_autograph_options: _Any = ..., experimental_relax_shapes: _Any = ..., experimental_compile: _Any = ...) -> _Any: ...
class Traced:
    name: _b.str
    def __init__(self, func: _Any, signature: _Any, name: _Any, in_order: _Any = ..., autograph: _Any = ...) -> None: ...
    @property
    def input_signature(self) -> _Any: ...
    def __get__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
