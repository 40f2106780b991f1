# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.estimator.base.export_outputs import ClassificationOutput as ClassificationOutput
from sluice.estimator.base.export_outputs import ExportOutput as ExportOutput
from sluice.estimator.base.export_outputs import PredictOutput as PredictOutput
from sluice.estimator.base.export_outputs import RegressionOutput as RegressionOutput
from sluice.estimator.base.receivers import ServingInputReceiver as ServingInputReceiver
from sluice.estimator.base.receivers import TensorServingInputReceiver as TensorServingInputReceiver
from sluice.estimator.base.receivers import build_parsing_serving_input_receiver_fn as build_parsing_serving_input_receiver_fn
from sluice.estimator.base.receivers import build_raw_serving_input_receiver_fn as build_raw_serving_input_receiver_fn
