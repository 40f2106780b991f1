# SPDX-License-Identifier: Apache-2.0
"""Estimators as TensorFlow 1.15 has them: models that are trained, evaluated and exported."""

# ruff: noqa: F401

from .. import modules as _modules
from ..training.basic_hooks import (
    CheckpointSaverHook,
    CheckpointSaverListener,
    FeedFnHook,
    FinalOpsHook,
    GlobalStepWaiterHook,
    LoggingTensorHook,
    NanLossDuringTrainingError,
    NanTensorHook,
    ProfilerHook,
    SecondOrStepTimer,
    StepCounterHook,
    StopAtStepHook,
    SummarySaverHook,
)
from ..training.session_hooks import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)
from ..training.vocab_info import VocabInfo
from .base import early_stopping as _early
from .base import export_outputs as _outputs
from .base import in_memory as _in_memory
from .base import inputs as _inputs
from .base import receivers as _receivers
from .base import tpu_configs as _tpu_configs
from .base import tpu_estimator as _tpu_estimator
from .base.estimator import Estimator
from .base.exporters import BestExporter, Exporter, FinalExporter, LatestExporter
from .base.modes import ModeKeys
from .base.parsing import (
    add_metrics,
    classifier_parse_example_spec,
    regressor_parse_example_spec,
)
from .base.run_config import RunConfig
from .base.spec import EstimatorSpec
from .base.training import EvalSpec, TrainSpec, train_and_evaluate
from .base.warm_starting import WarmStartSettings
from .canned import models as _models
from .canned.classes import BinaryClassHead, MultiClassHead, MultiLabelHead
from .canned.estimators import *  # noqa: F403
from .canned.estimators import __all__ as _canned
from .canned.heads import Head
from .canned.kmeans import KMeansClustering
from .canned.linear_sdca import LinearSDCA
from .canned.multi_head import MultiHead
from .canned.numbers import LogisticRegressionHead, PoissonRegressionHead, RegressionHead
from .trees.estimators import (
    BoostedTreesClassifier,
    BoostedTreesEstimator,
    BoostedTreesRegressor,
)


def _of(source, names):
    return {name: getattr(source, name) for name in names.split()}


inputs = _modules.make(
    "estimator.inputs", "Input functions of arrays and tables.",
    _of(_inputs, "numpy_input_fn pandas_input_fn"),
)  # fmt: skip
export = _modules.make(
    "estimator.export", "What exported models are fed and return.",
    {
        **_of(_outputs, "ClassificationOutput ExportOutput PredictOutput RegressionOutput"),
        **_of(_receivers, "ServingInputReceiver TensorServingInputReceiver"
              " build_parsing_serving_input_receiver_fn build_raw_serving_input_receiver_fn"),
    },
)  # fmt: skip
experimental = _modules.make(
    "estimator.experimental", "Hooks that stop early, evaluations in memory, k-means.",
    {
        **_of(_early, " ".join(_early.__all__)),
        **_of(_models, "call_logit_fn dnn_logit_fn_builder linear_logit_fn_builder"),
        "KMeans": KMeansClustering,
        "LinearSDCA": LinearSDCA,
        "InMemoryEvaluatorHook": _in_memory.InMemoryEvaluatorHook,
        "build_raw_supervised_input_receiver_fn": _receivers.build_raw_supervised_input_receiver_fn,
    },
)  # fmt: skip
tpu = _modules.make(
    "estimator.tpu", "Estimators written for TPUs, which run without them.",
    {
        **_of(_tpu_configs, "InputPipelineConfig RunConfig TPUConfig"),
        **_of(_tpu_estimator, "TPUEstimator TPUEstimatorSpec"),
    },
)  # fmt: skip
MODULES = (experimental, export, inputs, tpu)
__all__ = [
    *_canned,
    *"""
    BestExporter BinaryClassHead BoostedTreesClassifier BoostedTreesEstimator
    BoostedTreesRegressor CheckpointSaverHook CheckpointSaverListener EstimatorSpec Estimator
    EvalSpec Exporter FeedFnHook FinalExporter FinalOpsHook GlobalStepWaiterHook Head
    LatestExporter LoggingTensorHook LogisticRegressionHead ModeKeys MultiClassHead MultiHead
    MultiLabelHead NanLossDuringTrainingError NanTensorHook PoissonRegressionHead ProfilerHook
    RegressionHead RunConfig SecondOrStepTimer SessionRunArgs SessionRunContext SessionRunHook
    SessionRunValues StepCounterHook StopAtStepHook SummarySaverHook TrainSpec VocabInfo
    WarmStartSettings add_metrics classifier_parse_example_spec experimental export inputs
    regressor_parse_example_spec tpu train_and_evaluate
""".split(),
]
