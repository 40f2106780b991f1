# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import ShapeLike as ShapeLike

def padded_batch(dataset: _Any, batch_size: _Any, padded_shapes: _Any, padding_values: _Any, drop_remainder: _Any) -> None: ...
def shape_tensor(shape: _Union[ShapeLike, Tensor], known: _Optional[_Union[ShapeLike, Tensor]] = ..., what: _b.str = ...) -> None: ...
