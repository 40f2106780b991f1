# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

def from_generator(source: _Any, generator: _Callable[..., _Any], output_types: _Any, output_shapes: _Optional[_Union[ShapeLike, Tensor]] = ..., args: _Optional[_Sequence[TensorLike]] = ...) -> _Any: ...
