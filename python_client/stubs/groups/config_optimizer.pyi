# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.session.config_options import get_experimental_options as get_experimental_options
from sluice.session.config_options import get_jit as get_jit
from sluice.session.config_options import set_experimental_options as set_experimental_options
from sluice.session.config_options import set_jit as set_jit
