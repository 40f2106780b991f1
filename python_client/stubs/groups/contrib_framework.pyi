# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.layers.contrib.scopes import add_arg_scope as add_arg_scope
from sluice.layers.contrib.scopes import arg_scope as arg_scope
from sluice.layers.contrib.variables import get_model_variables as get_model_variables
from sluice.layers.contrib.variables import get_variables as get_variables
from sluice.layers.contrib.scopes import has_arg_scope as has_arg_scope
from sluice.layers.contrib.variables import model_variable as model_variable
from sluice.groups import contrib_framework_nest as _contrib_framework_nest
nest = _contrib_framework_nest
