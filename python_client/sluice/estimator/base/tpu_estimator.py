# SPDX-License-Identifier: Apache-2.0
"""Estimators written for TPUs, which run on the servers' devices by use_tpu=False."""

import collections

from ...training.session_hooks import SessionRunArgs, SessionRunHook
from .estimator import Estimator
from .modes import ModeKeys
from .spec import EstimatorSpec
from .tpu_configs import RunConfig

_RESERVED = ["batch_size", "context"]
_FIELDS = """
    mode predictions loss train_op eval_metrics export_outputs scaffold_fn host_call training_hooks
    evaluation_hooks prediction_hooks
""".split()


class _HostCallHook(SessionRunHook):
    """Runs in each step what a host call returned."""

    def __init__(self, fetched):
        self._fetched = fetched

    def before_run(self, run_context):
        """Adds it to the step."""
        return SessionRunArgs(self._fetched)


class TPUEstimatorSpec(collections.namedtuple("TPUEstimatorSpec", _FIELDS)):
    """The parts of a model, which a model function returns.

    Args:
        mode: What the model is for, of ModeKeys.
        predictions: As of EstimatorSpec.
        loss: As of EstimatorSpec.
        train_op: As of EstimatorSpec.
        eval_metrics: A pair of a function and its arguments, a list or dict of tensors. The
            function returns a dict: name -> pair of value and update operation.
        export_outputs: As of EstimatorSpec.
        scaffold_fn: A function without arguments that returns a Scaffold. None: a default one.
        host_call: A pair of a function and its arguments. What it returns is run in each step.
        training_hooks: As of EstimatorSpec.
        evaluation_hooks: As of EstimatorSpec.
        prediction_hooks: As of EstimatorSpec.

    Raises:
        ValueError: A pair is not one.
    """

    __slots__ = ()

    def __new__(cls, mode, predictions=None, loss=None, train_op=None, eval_metrics=None,
                export_outputs=None, scaffold_fn=None, host_call=None, training_hooks=None,
                evaluation_hooks=None, prediction_hooks=None):  # fmt: skip
        for name, pair in (("eval_metrics", eval_metrics), ("host_call", host_call)):
            _check_pair(name, pair)
        hooks = (tuple(h or ()) for h in (training_hooks, evaluation_hooks, prediction_hooks))
        return super().__new__(
            cls, mode, predictions, loss, train_op, eval_metrics, export_outputs, scaffold_fn,
            host_call, *hooks,
        )  # fmt: skip

    def as_estimator_spec(self):
        """Returns the EstimatorSpec of the same model.

        Returns:
            An EstimatorSpec.
        """
        metrics = _called(self.eval_metrics)
        fetched = _called(self.host_call)
        more = () if fetched is None else (_HostCallHook(fetched),)
        return EstimatorSpec(
            self.mode, self.predictions, self.loss, self.train_op, metrics, self.export_outputs,
            scaffold=self.scaffold_fn() if self.scaffold_fn else None,
            training_hooks=self.training_hooks + more,
            evaluation_hooks=self.evaluation_hooks + more,
            prediction_hooks=self.prediction_hooks + more,
        )  # fmt: skip


def _check_pair(name, pair):
    if pair is None:
        return
    if not isinstance(pair, (tuple, list)):
        raise ValueError(f"{name} should be tuple or list")
    if len(pair) != 2:
        raise ValueError(f"{name} should have two elements.")
    if not callable(pair[0]):
        raise TypeError(f"{name}[0] should be callable.")
    if not isinstance(pair[1], (tuple, list, dict)):
        raise ValueError(f"{name}[1] should be tuple or list, or dict.")


def _called(pair):
    if pair is None:
        return None
    function, arguments = pair
    return function(**arguments) if isinstance(arguments, dict) else function(*arguments)


class TPUEstimator(Estimator):
    """An estimator whose model function may return a TPUEstimatorSpec. Its functions get the size
    of a batch as params["batch_size"].

    Args:
        model_fn: As of Estimator.
        model_dir: As of Estimator.
        config: A tpu.RunConfig.
        params: As of Estimator.
        use_tpu: Must be False: there are no TPUs.
        train_batch_size: Size of the batches of training, an int. None: params do not have it.
        eval_batch_size: The same of evaluations.
        predict_batch_size: The same of predictions.
        batch_axis: Accepted. It has no effect, as have the others for TPUs.
        eval_on_tpu: Accepted.
        export_to_tpu: Accepted.
        export_to_cpu: Accepted.
        warm_start_from: As of Estimator.
        embedding_config_spec: Accepted.
        export_saved_model_api_version: Accepted.

    Raises:
        NotImplementedError: use_tpu is True.
        ValueError: The config is of another class, or params have a reserved key.
    """

    def __init__(self, model_fn=None, model_dir=None, config=None, params=None, use_tpu=True,
                 train_batch_size=None, eval_batch_size=None, predict_batch_size=None,
                 batch_axis=None, eval_on_tpu=True, export_to_tpu=True, export_to_cpu=True,
                 warm_start_from=None, embedding_config_spec=None,
                 export_saved_model_api_version="v1"):  # fmt: skip
        if not isinstance(config, RunConfig):
            raise ValueError("`config` must be provided with type `tpu_config.RunConfig`")
        if any(key in (params or {}) for key in _RESERVED):
            raise ValueError(f"{_RESERVED} are reserved keys but existed in params {params}.")
        if use_tpu:
            raise NotImplementedError(
                "use_tpu=True: the servers have no TPUs. With use_tpu=False the model runs on "
                "their CPUs and GPUs"
            )
        self._batch_sizes = {
            ModeKeys.TRAIN: train_batch_size, ModeKeys.EVAL: eval_batch_size,
            ModeKeys.PREDICT: predict_batch_size,
        }  # fmt: skip
        super().__init__(model_fn, model_dir, config, params, warm_start_from)

    def _params_for(self, mode, of_model):
        size = self._batch_sizes.get(mode)
        more = {} if size is None else {"batch_size": size}
        if of_model:
            more["use_tpu"] = False
        return {**super()._params_for(mode, of_model), **more}

    def _spec_of(self, returned):
        if isinstance(returned, TPUEstimatorSpec):
            returned = returned.as_estimator_spec()
        return super()._spec_of(returned)
