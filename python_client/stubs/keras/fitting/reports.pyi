# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.fitting.callbacks import Callback as Callback

class RemoteMonitor(Callback):
    root: _Any
    path: _Any
    field: _Any
    headers: _Any
    send_as_json: _Any
    def __init__(self, root: _b.str = ..., path: _b.str = ..., field: _b.str = ..., headers: _Any = ..., send_as_json: _b.bool = ...) -> None: ...
    def on_epoch_end(self, epoch: _b.int, logs: _Any = ...) -> None: ...
