# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

def required_space_to_batch_paddings(input_shape: _Union[ShapeLike, Tensor], block_shape: _Union[ShapeLike, Tensor], base_paddings: _Optional[TensorLike] = ..., name: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
def with_space_to_batch(input: TensorLike, dilation_rate: TensorLike, padding: _b.str, op: _Callable[..., _Any], filter_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., spatial_dims: _Optional[_Sequence[_b.int]] = ..., data_format: _Optional[_b.str] = ...) -> Tensor: ...
