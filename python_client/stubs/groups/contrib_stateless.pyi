# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.random.random import stateless_multinomial as stateless_multinomial
from sluice.ops.random.random import stateless_normal as _ops_random_random_stateless_normal
stateless_random_normal = _ops_random_random_stateless_normal
from sluice.ops.random.random import stateless_uniform as _ops_random_random_stateless_uniform
stateless_random_uniform = _ops_random_random_stateless_uniform
from sluice.ops.random.random import stateless_truncated_normal as stateless_truncated_normal
