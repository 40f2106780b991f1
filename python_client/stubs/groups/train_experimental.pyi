# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.training.loss_scales import DynamicLossScale as DynamicLossScale
from sluice.training.loss_scales import FixedLossScale as FixedLossScale
from sluice.training.loss_scales import LossScale as LossScale
from sluice.training.scaled_optimizer import MixedPrecisionLossScaleOptimizer as MixedPrecisionLossScaleOptimizer
from sluice.training.scaled_optimizer import disable_mixed_precision_graph_rewrite as disable_mixed_precision_graph_rewrite
from sluice.training.scaled_optimizer import enable_mixed_precision_graph_rewrite as enable_mixed_precision_graph_rewrite
