# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.fitting.scaled import LossScaleOptimizer as LossScaleOptimizer
from sluice.keras.base.policies import Policy as Policy
from sluice.keras.base.policies import global_policy as global_policy
from sluice.keras.base.policies import set_policy as set_policy
