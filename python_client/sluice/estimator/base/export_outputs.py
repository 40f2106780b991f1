# SPDX-License-Identifier: Apache-2.0
"""What the signatures of an exported model return."""

from ... import dtypes
from ...graph.convert import constant
from ...graph.default_graph import control_dependencies
from ...graph.elements import Operation, Tensor
from ...saving import keys, signatures
from .modes import ModeKeys


class ExportOutput:
    """The base class of the outputs of a signature."""

    def as_signature_def(self, receiver_tensors):
        """Makes the signature.

        Args:
            receiver_tensors: A dict: name -> tensor that is fed.

        Returns:
            A SignatureDef.
        """
        raise NotImplementedError


def _examples(receiver_tensors, what):
    (tensor,) = receiver_tensors.values() if len(receiver_tensors) == 1 else (None,)
    if tensor is None or tensor.dtype.base_dtype != dtypes.string:
        raise ValueError(f"{what} input must be a single string Tensor; got {receiver_tensors}")
    return tensor


def _check(tensor, right, what):
    if tensor is not None and not (isinstance(tensor, Tensor) and right(tensor.dtype)):
        raise ValueError(f"{what} Tensor; got {tensor}")


class ClassificationOutput(ExportOutput):
    """The outputs of a classification of serialised Examples.

    Args:
        scores: Scores of the classes, a float32 tensor. None: none.
        classes: The classes, a string tensor. None: none.

    Raises:
        ValueError: Both are None, or one has another dtype.
    """

    def __init__(self, scores=None, classes=None):
        _check(scores, lambda t: t.is_floating, "Classification scores must be a float32")
        _check(classes, lambda t: t == dtypes.string, "Classification classes must be a string")
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        self._scores, self._classes = scores, classes

    @property
    def scores(self):
        """The scores, a tensor or None."""
        return self._scores

    @property
    def classes(self):
        """The classes, a tensor or None."""
        return self._classes

    def as_signature_def(self, receiver_tensors):
        """Makes the signature.

        Args:
            receiver_tensors: A dict of one string tensor, the serialised Examples.

        Returns:
            A SignatureDef.

        Raises:
            ValueError: receiver_tensors has something else.
        """
        examples = _examples(receiver_tensors, "Classification")
        return signatures.classification_signature_def(examples, self._classes, self._scores)


class RegressionOutput(ExportOutput):
    """The output of a regression of serialised Examples.

    Args:
        value: A float32 tensor.

    Raises:
        ValueError: It is not one.
    """

    def __init__(self, value):
        what = "Regression output value must be a float32"
        if value is None:
            raise ValueError(f"{what} Tensor; got None")
        _check(value, lambda t: t.is_floating, what)
        self._value = value

    @property
    def value(self):
        """The value, a tensor."""
        return self._value

    def as_signature_def(self, receiver_tensors):
        """Makes the signature.

        Args:
            receiver_tensors: A dict of one string tensor, the serialised Examples.

        Returns:
            A SignatureDef.

        Raises:
            ValueError: receiver_tensors has something else.
        """
        examples = _examples(receiver_tensors, "Regression")
        return signatures.regression_signature_def(examples, self._value)


def _named(outputs, default, what):
    """A dict of tensors; a tuple of names is joined by "/"."""
    found = {}
    for key, value in (outputs if isinstance(outputs, dict) else {default: outputs}).items():
        key = "/".join(key) if isinstance(key, tuple) else key
        if not isinstance(key, str):
            raise ValueError(f"{what} output key must be a string; got {key}.")
        if not isinstance(value, Tensor):
            raise ValueError(f"{what} output value must be a Tensor; got {value}.")
        found[key] = value
    return found


class PredictOutput(ExportOutput):
    """The outputs of a prediction.

    Args:
        outputs: A tensor, or a dict: name -> tensor.

    Raises:
        ValueError: A name is not a str, or a value not a tensor.
    """

    def __init__(self, outputs):
        self._outputs = _named(outputs, "output", "Prediction")

    @property
    def outputs(self):
        """The outputs, a dict: name -> tensor."""
        return self._outputs

    def as_signature_def(self, receiver_tensors):
        """Makes the signature.

        Args:
            receiver_tensors: A dict: name -> tensor that is fed.

        Returns:
            A SignatureDef.
        """
        return signatures.predict_signature_def(receiver_tensors, self._outputs)


class SupervisedOutput(ExportOutput):
    """The outputs of a step of training or evaluation: loss, predictions and metrics."""

    def __init__(self, method_name, loss, predictions, metrics):
        self._method_name = method_name
        self._groups = (
            _prefixed(_named(loss, "loss", "loss"), "loss") if loss is not None else None,
            _prefixed(_named(predictions, "predictions", "predictions"), "predictions")
            if predictions is not None
            else None,
            _metric_outputs(metrics) if metrics is not None else None,
        )

    def as_signature_def(self, receiver_tensors):
        """The signature."""
        return signatures.supervised_signature(self._method_name, receiver_tensors, *self._groups)


def _prefixed(outputs, prefix):
    return {k if k.startswith(prefix) else f"{prefix}/{k}": v for k, v in outputs.items()}


def _metric_outputs(metrics):
    found = {}
    for key, (value, update) in metrics.items():
        if isinstance(update, Operation):
            with control_dependencies([update]):
                update = constant([], name="metric_op_wrapper")
        (key,) = _prefixed({key: None}, "metrics")
        found[f"{key}/value"], found[f"{key}/update_op"] = value, update
    return found


def checked_export_outputs(export_outputs, predictions):
    """The outputs that a model exports; without any, its predictions."""
    if export_outputs is None:
        return {keys.DEFAULT_SERVING_SIGNATURE_DEF_KEY: PredictOutput(predictions)}
    if not isinstance(export_outputs, dict):
        raise TypeError(f"export_outputs must be dict, given: {export_outputs}")
    for value in export_outputs.values():
        if not isinstance(value, ExportOutput):
            raise TypeError(
                f"Values in export_outputs must be ExportOutput objects. Given: {export_outputs}"
            )
    if keys.DEFAULT_SERVING_SIGNATURE_DEF_KEY not in export_outputs:
        if len(export_outputs) > 1:
            raise ValueError(
                "Multiple export_outputs were provided, but none of them is specified as the"
                " default.  Do this by naming one of them with"
                " signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY."
            )
        for only in list(export_outputs.values()):
            export_outputs[keys.DEFAULT_SERVING_SIGNATURE_DEF_KEY] = only
    return export_outputs


def outputs_of_spec(spec):
    """The outputs that an EstimatorSpec exports in its mode, by the names of their signatures."""
    if spec.mode == ModeKeys.PREDICT:
        return checked_export_outputs(spec.export_outputs, spec.predictions)
    trains = spec.mode == ModeKeys.TRAIN
    method = keys.SUPERVISED_TRAIN_METHOD_NAME if trains else keys.SUPERVISED_EVAL_METHOD_NAME
    key = keys.DEFAULT_TRAIN_SIGNATURE_DEF_KEY if trains else keys.DEFAULT_EVAL_SIGNATURE_DEF_KEY
    made = SupervisedOutput(method, spec.loss, spec.predictions, spec.eval_metric_ops)
    return {key: made}


def signatures_of(receiver_tensors, outputs, alternatives, serving_only):
    """The signatures of a model: a dict, name -> SignatureDef. Outputs that do not fit the
    receiver tensors have none."""
    found = {}
    receivers = {"": receiver_tensors, **{f"{k}:": v for k, v in (alternatives or {}).items()}}
    for prefix, tensors in receivers.items():
        for key, output in outputs.items():
            try:
                signature = output.as_signature_def(tensors)
            except ValueError:
                continue
            if not serving_only or signatures.is_valid_signature(signature):
                found[f"{prefix}{key}"] = signature
    return found
