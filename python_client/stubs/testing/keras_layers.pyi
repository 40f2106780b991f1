# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import ShapeLike as ShapeLike

def layer_test(layer_cls: _Any, kwargs: _Any = ..., input_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., input_dtype: _Optional[DTypeLike] = ..., input_data: _Any = ..., expected_output: _Any = ..., expected_output_dtype: _Optional[DTypeLike] = ..., expected_output_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., validate_training: _b.bool = ..., adapt_data: _Any = ...) -> _Any: ...
