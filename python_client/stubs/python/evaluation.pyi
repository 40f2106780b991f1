# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def evaluate_once(checkpoint_path: _Optional[_b.str], master: _b.str = ..., scaffold: _Any = ..., eval_ops: _Any = ..., feed_dict: _Any = ..., final_ops: _Optional[TensorLike] = ..., final_ops_feed_dict: _Any = ..., hooks: _Any = ..., config: _Any = ...) -> _Any: ...
