# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class NodeJob(_b.tuple[_Any, ...]):
    def __init__(self, work: _Any, names: _Any, driver: _Any, token: _Any, feeds: _Any, default_fs: _Any, tensorboard: _Any) -> None: ...
    def __getnewargs__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    work: _Any
    names: _Any
    driver: _Any
    token: _Any
    feeds: _Any
    default_fs: _Any
    tensorboard: _Any
def feed_path(token: _Any, number: _Any) -> None: ...
def start(job: _Any, number: _Any, working_dir: _Any) -> None: ...
def main() -> None: ...
