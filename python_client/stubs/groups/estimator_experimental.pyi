# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.estimator.base.in_memory import InMemoryEvaluatorHook as InMemoryEvaluatorHook
from sluice.estimator.canned.kmeans import KMeansClustering as _estimator_canned_kmeans_KMeansClustering
KMeans = _estimator_canned_kmeans_KMeansClustering
from sluice.estimator.canned.linear_sdca import LinearSDCA as LinearSDCA
from sluice.estimator.base.receivers import build_raw_supervised_input_receiver_fn as build_raw_supervised_input_receiver_fn
from sluice.estimator.canned.models import call_logit_fn as call_logit_fn
from sluice.estimator.canned.models import dnn_logit_fn_builder as dnn_logit_fn_builder
from sluice.estimator.canned.models import linear_logit_fn_builder as linear_logit_fn_builder
from sluice.estimator.base.early_stopping import make_early_stopping_hook as make_early_stopping_hook
from sluice.estimator.base.early_stopping import make_stop_at_checkpoint_step_hook as make_stop_at_checkpoint_step_hook
from sluice.estimator.base.early_stopping import stop_if_higher_hook as stop_if_higher_hook
from sluice.estimator.base.early_stopping import stop_if_lower_hook as stop_if_lower_hook
from sluice.estimator.base.early_stopping import stop_if_no_decrease_hook as stop_if_no_decrease_hook
from sluice.estimator.base.early_stopping import stop_if_no_increase_hook as stop_if_no_increase_hook
