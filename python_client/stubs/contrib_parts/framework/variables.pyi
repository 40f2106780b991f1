# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.ops.state.variables import Variable as Variable
from sluice.types import DTypeLike as DTypeLike
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

def add_model_variable(var: _Any) -> None: ...
def global_variable(initial_value: TensorLike, validate_shape: _b.bool = ..., name: _Optional[_b.str] = ..., use_resource: _Any = ...) -> Variable: ...
def local_variable(initial_value: TensorLike, validate_shape: _b.bool = ..., name: _Optional[_b.str] = ..., use_resource: _Any = ...) -> Variable: ...
def variable(name: _b.str, shape: _Optional[_Union[ShapeLike, Tensor]] = ..., dtype: _Optional[DTypeLike] = ..., initializer: _Optional[_Callable[..., _Any]] = ..., regularizer: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., collections: _Optional[_Sequence[_b.str]] = ..., caching_device: _Optional[_b.str] = ..., device: _Optional[_b.str] = ..., partitioner: _Optional[_Callable[..., _Any]] = ..., custom_getter: _Optional[_Callable[..., _Any]] = ..., use_resource: _Any = ...) -> Variable: ...
