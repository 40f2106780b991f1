# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.training.checkpoints.state import checkpoints_iterator as checkpoints_iterator
from sluice.contrib_parts.slim.evaluation import evaluate_once as evaluate_once
from sluice.contrib_parts.slim.evaluation import evaluation_loop as evaluation_loop
from sluice.contrib_parts.training.evaluation import wait_for_new_checkpoint as wait_for_new_checkpoint
