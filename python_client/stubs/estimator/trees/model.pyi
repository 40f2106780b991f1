# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

class Options(_b.tuple[_Any, ...]):
    @property
    def max_splits(self) -> _Any: ...
def explained(features: TensorLike, head: _Any, columns: _Any, epsilon: _b.float) -> None: ...
class Model:
    def __init__(self, head: _Any, columns: _Any, options: _Any, batches: _b.int, closed_form: _Optional[_Callable[..., _Any]] = ..., weight_column: _Any = ..., in_memory: _b.bool = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
