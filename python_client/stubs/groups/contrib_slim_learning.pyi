# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.slim.learning import add_gradients_summaries as add_gradients_summaries
from sluice.contrib_parts.training.gradients import clip_gradient_norms as clip_gradient_norms
from sluice.contrib_parts.slim.learning import create_train_op as create_train_op
from sluice.contrib_parts.training.gradients import multiply_gradients as multiply_gradients
from sluice.contrib_parts.slim.learning import train as train
from sluice.contrib_parts.slim.learning import train_step as train_step
