# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def save_weights(model: _Any, filepath: _Any, overwrite: _Any = ..., save_format: _Any = ...) -> None: ...
def load_weights(model: _Any, filepath: _Any, by_name: _Any = ...) -> None: ...
