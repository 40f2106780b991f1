# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.dtypes import DType as DType
from sluice.graph.elements import Operation as Operation
from sluice.graph.elements import Tensor as Tensor
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

class SaveSpec:
    dtype: DType
    slice_spec: _Any
    name: _b.str
    def __init__(self, tensor: TensorLike, slice_spec: TensorLike, name: _b.str, dtype: _Optional[TensorLike] = ...) -> None: ...
    @property
    def tensor(self) -> Tensor: ...
class SaveableObject:
    op: Operation
    specs: _Any
    name: _b.str
    def __init__(self, op: _Any, specs: _Any, name: _b.str) -> None: ...
    @property
    def device(self) -> _b.str: ...
    def restore(self, restored_tensors: _Sequence[TensorLike], restored_shapes: _Optional[_Union[ShapeLike, Tensor]]) -> Operation: ...
class BaseSaverBuilder:
    SaveSpec: _Any
    SaveableObject: _Any
