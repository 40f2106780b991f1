# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.graph import Graph as Graph
from sluice.session.session import Session as Session
from sluice.types import TensorLike as TensorLike

class SessionOpener:
    def __init__(self, local_init_op: _Any = ..., ready_op: _Optional[TensorLike] = ..., ready_for_local_init_op: _Any = ..., graph: _Optional[Graph] = ..., recovery_wait_secs: _b.float = ..., local_init_run_options: _Any = ..., local_init_feed_dict: _Any = ...) -> None: ...
    def prepare_session(self, master: _b.str, init_op: _Any = ..., saver: _Any = ..., checkpoint_dir: _Optional[_b.str] = ..., checkpoint_filename_with_path: _Optional[_b.str] = ..., wait_for_checkpoint: _b.bool = ..., max_wait_secs: _b.float = ..., config: _Any = ..., init_feed_dict: _Any = ..., init_fn: _Optional[_Callable[..., _Any]] = ...) -> Session: ...
    def recover_session(self, master: _b.str, saver: _Any = ..., checkpoint_dir: _Optional[_b.str] = ..., checkpoint_filename_with_path: _Optional[_b.str] = ..., wait_for_checkpoint: _b.bool = ..., max_wait_secs: _b.float = ..., config: _Any = ...) -> _b.tuple[_Any, ...]: ...
    def wait_for_session(self, master: _b.str, config: _Any = ..., max_wait_secs: _b.float = ...) -> Session: ...
SessionManager = SessionOpener
