# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib import GreedyLoadBalancingStrategy as GreedyLoadBalancingStrategy
from sluice.contrib_parts.training.hparams import HParams as HParams
from sluice.contrib import RandomStrategy as RandomStrategy
from sluice.contrib import byte_size_load_fn as byte_size_load_fn
from sluice.contrib_parts.training.parsing import parse_values as parse_values
