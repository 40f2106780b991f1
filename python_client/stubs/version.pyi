# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

COMPILER_VERSION: _Any
GIT_VERSION: _Any
GRAPH_DEF_VERSION: _Any
GRAPH_DEF_VERSION_MIN_CONSUMER: _Any
GRAPH_DEF_VERSION_MIN_PRODUCER: _Any
VERSION: _Any
