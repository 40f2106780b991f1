# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.dtypes import DType as DType
from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

class InputSpec:
    dtype: DType
    shape: _Any
    ndim: _Any
    axes: _Any
    max_ndim: _Any
    min_ndim: _Any
    def __init__(self, dtype: _Optional[DTypeLike] = ..., shape: _Optional[_Union[ShapeLike, Tensor]] = ..., ndim: _Optional[_b.int] = ..., max_ndim: _Optional[_b.int] = ..., min_ndim: _Optional[_b.int] = ..., axes: _Optional[_Union[ShapeLike, Tensor]] = ...) -> None: ...
    def get_config(self) -> _Any: ...
def checked(specs: _Any) -> None: ...
def check_inputs(specs: _Any, inputs: TensorLike, layer: _b.str) -> None: ...
