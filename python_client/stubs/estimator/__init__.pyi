# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.estimator.base.estimator import Estimator as Estimator
from sluice.estimator.base.exporters import BestExporter as BestExporter
from sluice.estimator.base.exporters import Exporter as Exporter
from sluice.estimator.base.exporters import FinalExporter as FinalExporter
from sluice.estimator.base.exporters import LatestExporter as LatestExporter
from sluice.estimator.base.modes import ModeKeys as ModeKeys
from sluice.estimator.base.parsing import add_metrics as add_metrics
from sluice.estimator.base.parsing import classifier_parse_example_spec as classifier_parse_example_spec
from sluice.estimator.base.parsing import regressor_parse_example_spec as regressor_parse_example_spec
from sluice.estimator.base.run_config import RunConfig as RunConfig
from sluice.estimator.base.spec import EstimatorSpec as EstimatorSpec
from sluice.estimator.base.training import EvalSpec as EvalSpec
from sluice.estimator.base.training import TrainSpec as TrainSpec
from sluice.estimator.base.training import train_and_evaluate as train_and_evaluate
from sluice.estimator.base.warm_starting import WarmStartSettings as WarmStartSettings
from sluice.estimator.canned.classes import BinaryClassHead as BinaryClassHead
from sluice.estimator.canned.classes import MultiClassHead as MultiClassHead
from sluice.estimator.canned.classes import MultiLabelHead as MultiLabelHead
from sluice.estimator.canned.estimators import BaselineClassifier as BaselineClassifier
from sluice.estimator.canned.estimators import BaselineEstimator as BaselineEstimator
from sluice.estimator.canned.estimators import BaselineRegressor as BaselineRegressor
from sluice.estimator.canned.estimators import DNNClassifier as DNNClassifier
from sluice.estimator.canned.estimators import DNNEstimator as DNNEstimator
from sluice.estimator.canned.estimators import DNNLinearCombinedClassifier as DNNLinearCombinedClassifier
from sluice.estimator.canned.estimators import DNNLinearCombinedEstimator as DNNLinearCombinedEstimator
from sluice.estimator.canned.estimators import DNNLinearCombinedRegressor as DNNLinearCombinedRegressor
from sluice.estimator.canned.estimators import DNNRegressor as DNNRegressor
from sluice.estimator.canned.estimators import LinearClassifier as LinearClassifier
from sluice.estimator.canned.estimators import LinearEstimator as LinearEstimator
from sluice.estimator.canned.estimators import LinearRegressor as LinearRegressor
from sluice.estimator.canned.heads import Head as Head
from sluice.estimator.canned.multi_head import MultiHead as MultiHead
from sluice.estimator.canned.numbers import LogisticRegressionHead as LogisticRegressionHead
from sluice.estimator.canned.numbers import PoissonRegressionHead as PoissonRegressionHead
from sluice.estimator.canned.numbers import RegressionHead as RegressionHead
from sluice.estimator.trees.estimators import BoostedTreesClassifier as BoostedTreesClassifier
from sluice.estimator.trees.estimators import BoostedTreesEstimator as BoostedTreesEstimator
from sluice.estimator.trees.estimators import BoostedTreesRegressor as BoostedTreesRegressor
from sluice.groups import estimator_experimental as _estimator_experimental
experimental = _estimator_experimental
from sluice.groups import estimator_export as _estimator_export
export = _estimator_export
from sluice.groups import estimator_inputs as _estimator_inputs
inputs = _estimator_inputs
from sluice.groups import estimator_tpu as _estimator_tpu
tpu = _estimator_tpu
from sluice.training.basic_hooks import CheckpointSaverHook as CheckpointSaverHook
from sluice.training.basic_hooks import CheckpointSaverListener as CheckpointSaverListener
from sluice.training.basic_hooks import FeedFnHook as FeedFnHook
from sluice.training.basic_hooks import FinalOpsHook as FinalOpsHook
from sluice.training.basic_hooks import GlobalStepWaiterHook as GlobalStepWaiterHook
from sluice.training.basic_hooks import LoggingTensorHook as LoggingTensorHook
from sluice.training.basic_hooks import NanLossDuringTrainingError as NanLossDuringTrainingError
from sluice.training.basic_hooks import NanTensorHook as NanTensorHook
from sluice.training.basic_hooks import ProfilerHook as ProfilerHook
from sluice.training.basic_hooks import SecondOrStepTimer as SecondOrStepTimer
from sluice.training.basic_hooks import StepCounterHook as StepCounterHook
from sluice.training.basic_hooks import StopAtStepHook as StopAtStepHook
from sluice.training.basic_hooks import SummarySaverHook as SummarySaverHook
from sluice.training.session_hooks import SessionRunArgs as SessionRunArgs
from sluice.training.session_hooks import SessionRunContext as SessionRunContext
from sluice.training.session_hooks import SessionRunHook as SessionRunHook
from sluice.training.session_hooks import SessionRunValues as SessionRunValues
from sluice.training.vocab_info import VocabInfo as VocabInfo


