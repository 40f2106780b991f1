# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.spark.experiments import Trial as Trial
from sluice.spark.experiments import grid_search as grid_search
from sluice.spark.experiments import launch as launch
from sluice.spark.experiments import random_search as random_search


