# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.state.initializers import constant as constant
from sluice.ops.state.initializers import glorot_normal as glorot_normal
from sluice.ops.state.initializers import glorot_uniform as glorot_uniform
from sluice.ops.state.initializers import he_normal as he_normal
from sluice.ops.state.initializers import he_uniform as he_uniform
from sluice.ops.state.initializers import identity as identity
from sluice.ops.state.initializers import lecun_normal as lecun_normal
from sluice.ops.state.initializers import lecun_uniform as lecun_uniform
from sluice.ops.state.initializers import ones as ones
from sluice.ops.state.initializers import orthogonal as orthogonal
from sluice.ops.state.initializers import random_normal as random_normal
from sluice.ops.state.initializers import random_uniform as random_uniform
from sluice.ops.state.initializers import truncated_normal as truncated_normal
from sluice.ops.state.initializers import uniform_unit_scaling as uniform_unit_scaling
from sluice.ops.state.initializers import variance_scaling as variance_scaling
from sluice.ops.state.initializers import zeros as zeros
from sluice.ops.state.initializing import global_variables_initializer as _ops_state_initializing_global_variables_initializer
global_variables = _ops_state_initializing_global_variables_initializer
from sluice.ops.state.initializing import local_variables_initializer as _ops_state_initializing_local_variables_initializer
local_variables = _ops_state_initializing_local_variables_initializer
from sluice.ops.state.initializing import variables_initializer as _ops_state_initializing_variables_initializer
variables = _ops_state_initializing_variables_initializer
from sluice.training.scaffold import tables_initializer as tables_initializer


