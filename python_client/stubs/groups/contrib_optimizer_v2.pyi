# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.training.optimizers import AdadeltaOptimizer as AdadeltaOptimizer
from sluice.training.optimizers import AdagradOptimizer as AdagradOptimizer
from sluice.training.optimizers import AdamOptimizer as AdamOptimizer
from sluice.training.optimizers import GradientDescentOptimizer as GradientDescentOptimizer
from sluice.training.optimizers import MomentumOptimizer as MomentumOptimizer
from sluice.training.optimizers import RMSPropOptimizer as RMSPropOptimizer
