# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class CoordinatorMode:
    STANDALONE_CLIENT: _Any
    INDEPENDENT_WORKER: _Any
def run_standard_tensorflow_server(session_config: _Any = ...) -> _Any: ...
def run_server(cluster_spec: _Any = ..., task_type: _Optional[_b.str] = ..., task_id: _Optional[_b.int] = ..., session_config: _Any = ..., rpc_layer: _Any = ..., environment: _Any = ...) -> _Any: ...
def run_distribute_coordinator(worker_fn: _Callable[..., _Any], strategy: _Any, eval_fn: _Optional[_Callable[..., _Any]] = ..., eval_strategy: _Any = ..., mode: _Any = ..., cluster_spec: _Any = ..., task_type: _Optional[_b.str] = ..., task_id: _Optional[_b.int] = ..., session_config: _Any = ..., rpc_layer: _Any = ...) -> _Any: ...
