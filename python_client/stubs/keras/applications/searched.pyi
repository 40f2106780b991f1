# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

def NASNetLarge(input_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., include_top: _b.bool = ..., weights: _Any = ..., input_tensor: _Optional[TensorLike] = ..., pooling: _Any = ..., classes: _b.int = ..., **kwargs: _Any) -> _Any: ...
def NASNetMobile(input_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., include_top: _b.bool = ..., weights: _Any = ..., input_tensor: _Optional[TensorLike] = ..., pooling: _Any = ..., classes: _b.int = ..., **kwargs: _Any) -> _Any: ...
