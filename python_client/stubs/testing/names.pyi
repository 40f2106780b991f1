# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice import test as test
from sluice import version as version

def gpu_device_name() -> _b.str: ...
def is_gpu_available(cuda_only: _Any = ..., min_cuda_compute_capability: _Any = ...) -> _b.bool: ...
def is_built_with_cuda() -> _b.bool: ...
def is_built_with_rocm() -> _Any: ...
VERSION: _Any
GIT_VERSION: _Any
COMPILER_VERSION: _Any
GRAPH_DEF_VERSION: _Any
GRAPH_DEF_VERSION_MIN_CONSUMER: _Any
GRAPH_DEF_VERSION_MIN_PRODUCER: _Any
