# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

class InitialClusters:
    def __init__(self, inputs: TensorLike, count: _b.int, chosen: _Any, normalized: _b.bool, seed: _Optional[_b.int], retries: _b.int, chain_length: _b.int, centers: _Any, are_ready: _Any) -> None: ...
    def op(self) -> None: ...
def checked_choice(chosen: _Any) -> None: ...
