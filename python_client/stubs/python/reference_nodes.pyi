# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

def variable_op(shape: _Union[ShapeLike, Tensor], dtype: DTypeLike, name: _b.str = ..., set_shape: _b.bool = ..., container: _b.str = ..., shared_name: _b.str = ...) -> _Any: ...
def variable_op_v2(shape: _Union[ShapeLike, Tensor], dtype: DTypeLike, name: _b.str = ..., container: _b.str = ..., shared_name: _b.str = ...) -> _Any: ...
def init_variable(v: TensorLike, init: TensorLike, name: _b.str = ...) -> Tensor: ...
