# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.older_names import argsort as argsort
from sluice.older_names import is_tensor as is_tensor
from sluice.older_names import sort as sort
from sluice.ops.debug.assertions import assert_same_float_dtype as assert_same_float_dtype
from sluice.ops.debug.assertions import assert_scalar as assert_scalar
from sluice.ops.functions.py_func import py_func as py_func


