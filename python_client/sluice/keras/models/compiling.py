# SPDX-License-Identifier: Apache-2.0
"""What compile() adds to a model: targets, losses and metrics."""

import numpy as np

from ... import logging, math
from ...graph.convert import constant, placeholder
from ...graph.default_graph import name_scope
from ...layers.recorded import mask_of
from ...ops import array as arrays
from ...strategies import contexts
from ..base import settings
from ..fitting import descents, losses, metrics
from ..fitting.losses import Reduction
from ..fitting.scaled import for_policy
from .feeding import check_names

_SHORT = {"accuracy": "acc", "acc": "acc", "crossentropy": "ce", "ce": "ce"}


class Output:
    """One output of a model, with its loss and its metrics."""

    def __init__(self, name, tensor, loss, weight):
        self.name, self.tensor, self.loss, self.weight = name, tensor, loss, weight
        self.target = self.weights = None  # placeholders
        self.weight_mode = None  # "temporal": each step of each example has a weight
        self.metrics = []  # triples: name, Metric, whether sample weights count
        self.loss_metric = None

    def make_target(self, given):
        """Makes the placeholder of the right values; `given` is a tensor in its place."""
        if self.loss is None:
            return
        self.target = given
        if given is None:
            rank = self.tensor.shape.ndims
            # As TensorFlow: what is fed for a scalar, a loss that a layer computed, has any shape.
            shape = [None] * rank if rank else None
            self.target = placeholder(self.tensor.dtype, shape, f"{self.name}_target")

    def make_weights(self):
        """Makes the placeholder of the weights of examples."""
        temporal = self.weight_mode == "temporal"
        one = constant([[1.0]] if temporal else [1.0], settings.floatx())
        self.weights = arrays.placeholder_with_default(
            one, [None, None] if temporal else [None], f"{self.name}_sample_weights"
        )

    def total(self):
        """Its loss, a scalar."""
        with name_scope(f"{self.name}_loss"):
            weights, mask = self.weights, mask_of(self.tensor)
            found = self.loss.call(self.target, self.tensor)
            if mask is not None:
                mask = arrays.cast(mask, self.tensor.dtype)
                weights = mask if weights is None else _product(mask, weights)
            return self.loss.reduced(found, weights)


def _product(mask, weights):
    more = mask.shape.ndims - weights.shape.ndims
    for _ in range(more):
        weights = arrays.expand_dims(weights, -1)
    return mask * weights


def for_outputs(value, names, what):
    """A value for each output, of a list, a dict, or one for all.

    Raises:
        ValueError: There are not as many values as outputs, or a name is not known.
    """
    if what == "target_tensors":
        _check_targets(value, names)
    if what == "sample_weight_mode":
        _check_modes(value, names)
    if isinstance(value, dict):
        check_names(value, what, names)
        return [value.get(name) for name in names]
    if isinstance(value, (list, tuple)):
        if len(value) != len(names):
            one = "outputs" if what == "loss" else "output"
            raise ValueError(
                f"When passing a list as {what}, it should have one entry per model {one}. The "
                f"model has {len(names)} outputs, but you passed {what}={value}"
            )
        return list(value)
    if value is not None and what == "loss_weights":
        raise TypeError(
            f"Could not interpret loss_weights argument: {value} - expected a list of dicts."
        )
    return [value] * len(names)


def warn_without_loss(given, names):
    """Logs a warning for each output that a dict of losses does not name.

    Args:
        given: What compile() got as loss.
        names: Names of the outputs, a list of str.
    """
    for name in names if isinstance(given, dict) else ():
        if name not in given:
            logging.warning(
                "Output %s missing from loss dictionary. We assume this was done on purpose. The "
                "fit and evaluate APIs will not be expecting any data to be passed to %s.", name,
                name,
            )  # fmt: skip


def _check_targets(given, names):
    """Raises where target_tensors do not fit the outputs."""
    if isinstance(given, dict) and set(given) - set(names):
        raise ValueError(
            f'Unknown entry in `target_tensors` dictionary: "{set(given) - set(names)}". Only '
            f"expected the following keys: {names}"
        )
    if isinstance(given, list) and given and len(given) != len(names):
        raise ValueError(
            "When passing a list as `target_tensors`, it should have one entry per model output. "
            f"The model has {len(names)} outputs, but you passed target_tensors={given}"
        )
    if not (given is None or isinstance(given, (list, tuple, dict)) or hasattr(given, "graph")):
        raise TypeError(
            "Expected `target_tensors` to be a list or tuple or dict or a single tensor, but got:",
            given,
        )


def _check_modes(given, names):
    """Raises ValueError where sample_weight_mode does not fit the outputs, AssertionError where a
    mode is not known."""
    if isinstance(given, dict):
        check_names(given, "sample_weight_mode", names)
        for name in names:
            if given and name not in given:
                raise ValueError(f"Output {name}missing from `_sample_weight_modes` dictionary")
    if isinstance(given, (list, tuple)) and len(given) != len(names):
        raise ValueError(
            "When passing a list as sample_weight_mode, it should have one entry per model output. "
            f"The model has {len(names)} outputs, but you passed {len(given)}_sample_weight_modes."
        )
    modes = given.values() if isinstance(given, dict) else given
    for mode in modes if isinstance(given, (list, tuple, dict)) else [given]:
        if mode not in (None, "samplewise", "temporal"):
            raise AssertionError(
                f'sample_weight_mode must be None, "samplewise" or "temporal", not {mode!r}'
            )


def optimizer_of(identifier, policy):
    """Returns the optimizer that an argument of compile() stands for; of a list, a list. It has the
    loss scale of the model's policy, if there is one."""
    if isinstance(identifier, (list, tuple)):
        found = [descents.get(each) for each in identifier]
    else:
        found = descents.get(identifier)
    return for_policy(found, policy)


def loss_of(identifier):
    """The Loss that an argument stands for; None for None."""
    if identifier is None or isinstance(identifier, losses.Loss):
        return identifier
    found = losses.get(identifier)
    if isinstance(found, losses.Loss):
        return found
    return losses.FunctionLoss(found, name=getattr(found, "__name__", None))


def _is_loss(loss, function):
    return getattr(loss, "fn", None) is function


def _function_of(metric, output):
    """The function that a name stands for, by the loss and the shape of an output."""
    kinds = {
        "acc": (metrics.binary_accuracy, metrics.sparse_categorical_accuracy,
                metrics.categorical_accuracy),
        "ce": (losses.binary_crossentropy, losses.sparse_categorical_crossentropy,
               losses.categorical_crossentropy),
    }  # fmt: skip
    if not isinstance(metric, str) or metric not in _SHORT:
        return metrics.get(metric)
    binary, sparse, categorical = kinds[_SHORT[metric]]
    last = output.tensor.shape.as_list()[-1]
    if last == 1 or _is_loss(output.loss, losses.binary_crossentropy):
        return binary
    is_sparse = _is_loss(output.loss, losses.sparse_categorical_crossentropy)
    return sparse if is_sparse else categorical


def with_column_of_classes(targets, outputs):
    """Targets of sparse_categorical_crossentropy() may lack the last dimension, which is 1.

    Args:
        targets: The targets, a list of arrays.
        outputs: The Outputs, a list.

    Returns:
        A list of arrays that have as many dimensions as the outputs.
    """
    return [
        np.expand_dims(target, -1)
        if _is_loss(output.loss, losses.sparse_categorical_crossentropy)
        and target.ndim + 1 == output.tensor.shape.ndims
        else target
        for target, output in zip(targets, outputs)
    ]


def make_metrics(outputs, wanted, weighted, taken):
    """Gives outputs their metrics.

    Args:
        outputs: The Outputs, a list.
        wanted: What compile() got as metrics.
        weighted: What it got as weighted_metrics.
        taken: Names of metrics so far, a list, which grows.
    """
    for given, counts in ((wanted, False), (weighted, True)):
        for output, of_output in zip(outputs, _lists(given, outputs)):
            if output.loss is None:
                continue
            # Of metrics of one name the last counts.
            for own, metric in {_name_of(metric): metric for metric in of_output}.items():
                name = ("weighted_" if counts else "") + own
                if len(outputs) > 1:
                    name = f"{output.name}_{name}"
                name = _unlike(name, taken)
                taken.append(name)
                output.metrics.append((name, _made(metric, name, output), counts))


def _unlike(name, taken):
    base, number = name, 1
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    return name


def _lists(given, outputs):
    """A list of metrics for each output."""
    if not given:
        return [[] for _ in outputs]
    if not isinstance(given, (dict, list, tuple)):
        raise TypeError(
            "Type of `metrics` argument not understood. Expected a list or dictionary, found: "
            f"{given}"
        )
    if isinstance(given, dict):
        check_names(given, "metrics", [output.name for output in outputs])
        found = [given.get(output.name) for output in outputs]
    elif any(isinstance(g, (list, tuple)) for g in given):
        found = list(given)
        if len(found) != len(outputs):
            raise ValueError(
                "When passing a list of lists as `metrics`, it should have one entry per model "
                f"output. The model has {len(outputs)} outputs, but you passed metrics={given}"
            )
    else:
        found = [given] if len(outputs) == 1 else [_copies(given) for _ in outputs]
    return [[] if f is None else list(f) if isinstance(f, (list, tuple)) else [f] for f in found]


def _copies(given):
    """Metrics that are not those of another output."""
    return [m.from_config(m.get_config()) if isinstance(m, metrics.Metric) else m for m in given]


def _name_of(metric):
    if isinstance(metric, str) and metric in _SHORT:
        return _SHORT[metric]
    found = metrics.get(metric)  # of a class's name a metric, whose name is taken from now on
    return getattr(found, "name", None) or found.__name__


def _made(metric, name, output):
    function = _function_of(metric, output)
    if isinstance(function, metrics.Metric):
        function.rename(name)
        return function
    return metrics.FunctionMetric(function, name=name)


def measured(outputs):
    """The results of all metrics, a list of tensors in the order of their names."""
    results = []
    with name_scope("metrics"):
        for output in outputs:
            for _, metric, weighted in output.metrics:
                mask = mask_of(output.tensor)
                weights = output.weights if weighted else None
                if mask is not None:
                    mask = arrays.cast(mask, output.tensor.dtype)
                    weights = mask if weights is None else _product(mask, weights)
                results.append(metric(output.target, output.tensor, sample_weight=weights))
    return results


def _of_replica(loss):
    """A loss, as a replica adds it to the loss of all replicas."""
    if not contexts.has_strategy() or contexts.in_cross_replica_context():
        return loss
    count = contexts.get_strategy().num_replicas_in_sync
    return loss * (1.0 / count) if count > 1 else loss


def total_loss(outputs, model, added=None):
    """(the loss of a model, the results of the losses of its outputs, the losses that layers and
    the program added). added: these, if they are known: calls on parts of the inputs add more."""
    results, total = [], None
    with name_scope("loss"):
        for output in outputs:
            if output.loss is None:
                continue
            loss = output.total()
            if output.loss_metric is not None:
                results.append(output.loss_metric.after(output.loss_metric.update_state(loss)))
            if output.loss.reduction not in (Reduction.SUM, Reduction.NONE):
                loss = _of_replica(loss)
            loss = output.weight * loss
            total = loss if total is None else total + loss
        if added is None:
            added = [*model.get_losses_for(None), *model.get_losses_for(model.inputs)]
        if added:
            more = _of_replica(added[0] if len(added) == 1 else math.add_n(added))
            total = more if total is None else total + more
    if total is None:
        raise ValueError("The model cannot be compiled because it has no loss to optimize.")
    return total, results, added
