# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class Trial(_b.tuple[_Any, ...]):
    def __init__(self, number: _Any, arguments: _Any, result: _Any, metric: _Any, log: _Any, error: _Any, seconds: _Any) -> None: ...
    def __getnewargs__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    number: _Any
    arguments: _Any
    result: _Any
    metric: _Any
    log: _Any
    error: _Any
    seconds: _Any
def launch(spark: _Any, map_fun: _Any, args_dict: _Any = ..., processes: _Any = ..., direction: _Any = ..., metric: _Any = ...) -> None: ...
def grid_search(spark: _Any, map_fun: _Any, args_dict: _Any, processes: _Any = ..., direction: _Any = ..., metric: _Any = ...) -> None: ...
def random_search(spark: _Any, map_fun: _Any, boundary_dict: _Any, samples: _Any = ..., seed: _Any = ..., processes: _Any = ..., direction: _Any = ..., metric: _Any = ...) -> None: ...
