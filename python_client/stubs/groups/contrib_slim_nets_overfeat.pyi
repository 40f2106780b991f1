# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.slim.nets.plain import overfeat as overfeat
from sluice.contrib_parts.slim.nets.plain import overfeat_arg_scope as overfeat_arg_scope
from sluice.contrib_parts.slim.nets.tables import truncated as _contrib_parts_slim_nets_tables_truncated
trunc_normal = _contrib_parts_slim_nets_tables_truncated
