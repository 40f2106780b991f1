# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class Place:
    is_cluster: _Any
    rank: _Any
    addresses: _Any
    device: _Any
    leader: _Any
    cluster: _Any
    job: _Any
    number: _Any
    tasks: _Any
    def __init__(self, cluster: _Any, job: _b.str, number: _b.int, tasks: _Any) -> None: ...
    @staticmethod
    def of_worker(resolver: _Any, job: _Any = ..., number: _Any = ..., ps_allowed: _b.bool = ...) -> None: ...
    def target(self) -> None: ...
