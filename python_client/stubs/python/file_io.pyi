# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def read_file_to_string(filename: _b.str, binary_mode: _b.bool = ...) -> _Any: ...
def write_string_to_file(filename: _b.str, file_content: _b.str) -> None: ...
