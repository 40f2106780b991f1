# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.opt.variants import AdaMaxOptimizer as AdaMaxOptimizer
from sluice.contrib_parts.opt.decay import AdamWOptimizer as AdamWOptimizer
from sluice.contrib_parts.opt.decay import DecoupledWeightDecayExtension as DecoupledWeightDecayExtension
from sluice.contrib_parts.opt.variants import LazyAdamOptimizer as LazyAdamOptimizer
from sluice.contrib_parts.opt.decay import MomentumWOptimizer as MomentumWOptimizer
from sluice.contrib_parts.opt.averages import MovingAverageOptimizer as MovingAverageOptimizer
from sluice.contrib_parts.opt.variants import NadamOptimizer as NadamOptimizer
from sluice.contrib_parts.opt.decay import extend_with_decoupled_weight_decay as extend_with_decoupled_weight_decay
