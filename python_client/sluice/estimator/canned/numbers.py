# SPDX-License-Identifier: Apache-2.0
"""Heads of regressions."""

from ... import dtypes
from ...ops import array as arrays
from ...ops import math
from ...ops.math.elementary import sigmoid
from ...ops.nn import losses
from ...ops.nn.cross_entropy import sigmoid_cross_entropy_with_logits
from ...training import metrics
from ..base.export_outputs import RegressionOutput
from . import heads, measures
from .heads import AVERAGE, Head


class RegressionHead(Head):
    """The head of a regression: the mean squared error.

    Predictions are named predictions; with inverse_link_fn there are logits, too.

    Args:
        label_dimension: How many numbers a label has, an int.
        weight_column: The feature with the weight of each example: its name, or a column of
            numeric_column(). None: 1.
        loss_reduction: How the losses of a batch become one, of losses.Reduction; also
            "sum" or "sum_over_batch_size".
        loss_fn: A function of labels and logits that returns the loss of each number. None: the
            squared error.
        inverse_link_fn: A function of logits that returns the predictions. None: the logits.
        name: Name of the head, a str. None: none.

    Raises:
        ValueError: An argument is not possible.
    """

    _weights_per_logit = True

    def __init__(self, label_dimension=1, weight_column=None, loss_reduction=AVERAGE,
                 loss_fn=None, inverse_link_fn=None, name=None):  # fmt: skip
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._labels_dimension, self.inverse_link_fn = label_dimension, inverse_link_fn

    @property
    def logits_dimension(self):
        """The size of the last dimension of logits, an int."""
        return self._labels_dimension

    def _predictions(self, logits):
        if self.inverse_link_fn is None:
            return {"predictions": logits}
        return {"predictions": self.inverse_link_fn(logits), "logits": logits}

    def _label_ids(self, labels, logits):
        return arrays.cast(labels, dtypes.float32)

    def _unreduced(self, labels, logits):
        return losses.mean_squared_error(labels, logits, reduction=losses.Reduction.NONE)

    def _metrics(self, labels, predictions, weights, unreduced):
        return {
            "average_loss": metrics.mean(unreduced, weights),
            "prediction/mean": heads.mean_of(
                predictions["predictions"], weights, "prediction/mean"
            ),
            "label/mean": metrics.mean(labels, weights),
        }

    def _measures(self):
        return [
            measures.average_loss(),
            measures.mean_prediction("predictions"),
            measures.mean_of_labels(),
        ]

    def _exports(self, predictions):
        output = RegressionOutput(predictions["predictions"])
        return {heads.SERVING: output, heads.REGRESS: output}


class LogisticRegressionHead(RegressionHead):
    """The head of a regression of numbers within [0, 1]: sigmoid cross-entropy.

    Args:
        weight_column: The feature with the weight of each example: its name, or a column of
            numeric_column(). None: 1.
        loss_reduction: How the losses of a batch become one, of losses.Reduction; also
            "sum" or "sum_over_batch_size".
        name: Name of the head, a str. None: none.
    """

    def __init__(self, weight_column=None, loss_reduction=AVERAGE, name=None):
        super().__init__(1, weight_column, loss_reduction, inverse_link_fn=sigmoid, name=name)

    def _unreduced(self, labels, logits):
        return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)


class PoissonRegressionHead(RegressionHead):
    """The head of a regression of counts: the negative logarithm of their likelihood.

    Args:
        label_dimension: How many numbers a label has, an int.
        weight_column: The feature with the weight of each example: its name, or a column of
            numeric_column(). None: 1.
        loss_reduction: How the losses of a batch become one, of losses.Reduction; also
            "sum" or "sum_over_batch_size".
        compute_full_loss: Whether the loss has the term that does not depend on logits. A bool.
        name: Name of the head, a str. None: none.
    """

    def __init__(self, label_dimension=1, weight_column=None, loss_reduction=AVERAGE,
                 compute_full_loss=True, name=None):  # fmt: skip
        super().__init__(
            label_dimension, weight_column, loss_reduction, inverse_link_fn=math.exp, name=name
        )
        self._full = compute_full_loss

    def _unreduced(self, labels, logits):
        found = math.exp(logits) - logits * labels
        if not self._full:
            return found
        # Stirling's approximation of the logarithm of the factorial.
        term = labels * math.log(labels) - labels + 0.5 * math.log(6.283185307179586 * labels)
        within = math.logical_and(labels >= 0.0, labels <= 1.0)
        return found + arrays.where(within, arrays.zeros_like(labels), term)
