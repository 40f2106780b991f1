# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib import GreedyLoadBalancingStrategy as GreedyLoadBalancingStrategy
from sluice.contrib_parts.training.hparams import HParams as HParams
from sluice.contrib import RandomStrategy as RandomStrategy
from sluice.estimator.base.evaluating import StopAfterEvaluations as _estimator_base_evaluating_StopAfterEvaluations
StopAfterNEvalsHook = _estimator_base_evaluating_StopAfterEvaluations
from sluice.contrib_parts.training.evaluation import SummaryAtEndHook as SummaryAtEndHook
from sluice.contrib_parts.training.gradients import add_gradients_summaries as add_gradients_summaries
from sluice.contrib import byte_size_load_fn as byte_size_load_fn
from sluice.training.checkpoints.state import checkpoints_iterator as checkpoints_iterator
from sluice.contrib_parts.training.gradients import clip_gradient_norms as clip_gradient_norms
from sluice.contrib_parts.training.gradients import clip_gradient_norms_fn as clip_gradient_norms_fn
from sluice.contrib_parts.training.gradients import create_train_op as create_train_op
from sluice.contrib_parts.training.evaluation import evaluate_once as evaluate_once
from sluice.contrib_parts.training.evaluation import evaluate_repeatedly as evaluate_repeatedly
from sluice.estimator.base.evaluating import eval_step as _estimator_base_evaluating_eval_step
get_or_create_eval_step = _estimator_base_evaluating_eval_step
from sluice.contrib_parts.training.gradients import multiply_gradients as multiply_gradients
from sluice.contrib_parts.training.parsing import parse_values as parse_values
from sluice.contrib_parts.training.gradients import train as train
from sluice.contrib_parts.training.evaluation import wait_for_new_checkpoint as wait_for_new_checkpoint
