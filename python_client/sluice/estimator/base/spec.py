# SPDX-License-Identifier: Apache-2.0
"""What a model function returns."""

from collections import namedtuple

from ...graph.default_graph import get_default_graph
from ...graph.elements import Operation, Tensor
from ...graph.keys import GraphKeys
from ...nest import flatten
from ...ops import array as arrays
from ...ops.control_flow.grouping import group
from ...ops.state.variables import Variable
from ...training.metric_parts import aggregated
from ...training.scaffold import Scaffold
from ...training.session_hooks import SessionRunHook
from .export_outputs import checked_export_outputs
from .modes import ModeKeys

_FIELDS = (
    "mode predictions loss train_op eval_metric_ops export_outputs training_chief_hooks "
    "training_hooks scaffold evaluation_hooks prediction_hooks"
)


class EstimatorSpec(namedtuple("EstimatorSpec", _FIELDS)):
    """The parts of a model, which a model function returns.

    Args:
        mode: What the model is for: TRAIN, EVAL or PREDICT of ModeKeys.
        predictions: A tensor, or a dict: name -> tensor. PREDICT requires it.
        loss: The loss, a scalar. TRAIN and EVAL require it.
        train_op: The operation of a step of training. TRAIN requires it.
        eval_metric_ops: A dict: name -> pair of value and update operation, as functions of metrics
            return it; or name -> Keras metric.
        export_outputs: A dict: name of the signature -> PredictOutput, ClassificationOutput or
            RegressionOutput. None: the predictions.
        training_chief_hooks: SessionRunHooks of the chief's training, an iterable.
        training_hooks: SessionRunHooks of the training of every worker, an iterable.
        scaffold: The Scaffold. None: a default one.
        evaluation_hooks: SessionRunHooks of evaluations, an iterable.
        prediction_hooks: SessionRunHooks of predictions, an iterable.

    Raises:
        ValueError: A part is missing, is of another graph, or has a wrong shape.
        TypeError: A part is of another type.
    """

    __slots__ = ()

    def __new__(cls, mode, predictions=None, loss=None, train_op=None, eval_metric_ops=None,
                export_outputs=None, training_chief_hooks=None, training_hooks=None, scaffold=None,
                evaluation_hooks=None, prediction_hooks=None):  # fmt: skip
        train_op = _checked_train_op(train_op, mode)
        loss = _checked_loss(loss, mode)
        predictions = _checked_predictions(predictions, mode)
        if mode == ModeKeys.PREDICT:
            export_outputs = checked_export_outputs(export_outputs, predictions)
        scaffold = scaffold or Scaffold()
        if not isinstance(scaffold, Scaffold):
            raise TypeError(f"scaffold must be tf.train.Scaffold. Given: {scaffold}")
        return super().__new__(
            cls, mode, predictions, loss, train_op, _checked_metrics(eval_metric_ops),
            export_outputs, _hooks(training_chief_hooks), _hooks(training_hooks), scaffold,
            _hooks(evaluation_hooks), _hooks(prediction_hooks),
        )  # fmt: skip

    def _replace(self, **kwargs):
        if kwargs.get("mode", self.mode) != self.mode:
            raise ValueError("mode of EstimatorSpec cannot be changed.")
        return EstimatorSpec(**{**self._asdict(), **kwargs})


def _check_graph(thing, what, key=None):
    if thing.graph is not get_default_graph():
        name = thing.name if key is None else f"{key}: {thing.name}"
        raise ValueError(
            f'{what} with "{name}" must be from the default graph. Possible causes of this error'
            f" include: \n\n1) {what} was created outside the context of the default graph.\n\n2)"
            " The object passed through to EstimatorSpec was not created in the most recent call to"
            ' "model_fn".'
        )


def _is_tensor(thing):
    return isinstance(thing, (Tensor, Variable))


def _checked_train_op(train_op, mode):
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    if not _is_tensor(train_op) and not isinstance(train_op, Operation):
        raise TypeError(f"train_op must be Operation or Tensor, given: {train_op}")
    train_op = train_op.op if isinstance(train_op, Variable) else train_op
    _check_graph(train_op, "train_op")
    return train_op


def _checked_loss(loss, mode):
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    if not _is_tensor(loss):
        raise TypeError(f"loss must be Tensor, given: {loss}")
    if loss.shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar, given: {loss}")
    if not loss.shape.is_compatible_with([]):
        loss = arrays.reshape(loss, [])
    _check_graph(loss, "loss")
    return loss


def _checked_predictions(predictions, mode):
    if predictions is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        return {}
    named = predictions if isinstance(predictions, dict) else {None: predictions}
    for key, value in named.items():
        what = "predictions" if key is None else f"predictions[{key}]"
        if not _is_tensor(value):
            raise TypeError(f"{what} must be Tensor, given: {value}")
        _check_graph(value, "prediction values", key)
    return predictions


def checked_metrics(spec):
    """The metrics of an EstimatorSpec, a dict. ValueError: one has a name of an own metric."""
    metrics = dict(spec.eval_metric_ops)
    for taken in ("loss", GraphKeys.GLOBAL_STEP):
        if taken in metrics:
            raise ValueError(
                f'Metric with name "{taken}" is not allowed, because Estimator already defines'
                " a default metric with the same name."
            )
    return metrics


def _checked_metrics(metrics):
    if metrics is None:
        return {}
    if not isinstance(metrics, dict):
        raise TypeError(f"eval_metric_ops must be a dict, given: {metrics}")
    found = {}
    for key, value in metrics.items():
        if hasattr(value, "update_state") and hasattr(value, "result"):
            value = _of_keras(value)
        if not isinstance(value, tuple) or len(value) != 2:
            raise TypeError(
                "Values of eval_metric_ops must be (metric_value, update_op) tuples, given: "
                f"{value} for key: {key}"
            )
        for part in flatten(value):
            _check_graph(part, "eval_metric_ops", key)
        found[key] = value
    return found


def _of_keras(metric):
    """The value and the update of a Keras metric; its variables are local ones."""
    if not metric.updates:
        raise ValueError(f'Please call update_state(...) on the "{metric.name}" metric')
    graph = get_default_graph()
    for key in ("local_variables", "metric_variables"):
        have = graph.get_collection_ref(key)
        have += [v for v in metric.variables if not any(v is other for other in have)]
    updates = metric.updates
    return aggregated(metric.result), updates[0] if len(updates) == 1 else group(*updates)


def _hooks(hooks):
    hooks = tuple(hooks or ())
    for hook in hooks:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"All hooks must be SessionRunHook instances, given: {hook}")
    return hooks
