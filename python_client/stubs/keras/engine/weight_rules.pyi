# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def is_trainable(name: _Any, trainable: _Any, synchronization: _Any, partitioner: _Any, others: _Any) -> _b.bool: ...
def initializer_of(name: _Any, dtype: _Any, layer: _Any) -> None: ...
