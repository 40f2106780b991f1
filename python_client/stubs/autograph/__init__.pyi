# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.autograph.features import trace as trace
from sluice.autograph.public import set_verbosity as set_verbosity
from sluice.autograph.public import to_code as to_code
from sluice.autograph.public import to_graph as to_graph
from sluice.groups import autograph_experimental as _autograph_experimental
experimental = _autograph_experimental


