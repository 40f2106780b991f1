# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.estimator.base.tpu_configs import InputPipelineConfig as InputPipelineConfig
from sluice.estimator.base.tpu_configs import RunConfig as RunConfig
from sluice.estimator.base.tpu_configs import TPUConfig as TPUConfig
from sluice.estimator.base.tpu_estimator import TPUEstimator as TPUEstimator
from sluice.estimator.base.tpu_estimator import TPUEstimatorSpec as TPUEstimatorSpec
