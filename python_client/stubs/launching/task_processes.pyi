# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.launching.rank_processes import RankProcesses as RankProcesses

class TaskProcesses(RankProcesses):
    def __init__(self, guard: _Any, chief: _Any, servers: _Any, restarts: _Any, grace: _Any) -> None: ...
    kind: _Any
    def start(self, name: _Any, *arguments: _Any) -> None: ...
