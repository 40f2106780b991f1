# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def get_file(fname: _Any, origin: _b.str, untar: _b.bool = ..., md5_hash: _Any = ..., file_hash: _Optional[_b.str] = ..., cache_subdir: _b.str = ..., hash_algorithm: _b.str = ..., extract: _b.bool = ..., archive_format: _Optional[_b.str] = ..., cache_dir: _Optional[_b.str] = ...) -> _b.str: ...
