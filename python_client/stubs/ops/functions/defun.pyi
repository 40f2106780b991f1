# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def Defun(*input_types: _Any, func_name: _Optional[_b.str] = ..., grad_func: _Any = ..., python_grad_func: _Optional[_Callable[..., _Any]] = ..., shape_func: _Optional[_Callable[..., _Any]] = ..., **kwargs: _Any) -> _Callable[..., _Any]: ...
