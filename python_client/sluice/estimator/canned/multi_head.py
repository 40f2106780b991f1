# SPDX-License-Identifier: Apache-2.0
"""A head of several heads."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...keras.fitting.metrics import Mean
from ...ops import array as arrays
from ...ops import math
from ...ops.control_flow.grouping import no_op
from ...training import summary
from ..base.export_outputs import PredictOutput
from ..base.modes import ModeKeys
from ..base.spec import EstimatorSpec
from .heads import PREDICT, SERVING, Head, train_op_of


class MultiHead(Head):
    """The head of a model with several aims: the loss is the sum of those of its heads.

    Labels are a dict: name of the head -> labels. Logits are a dict, too, or one tensor
    [batch, ..., sum of the dimensions], which has those of the heads one after the other.
    Predictions have pairs as keys: (name of the head, name). Metrics have the name of the head at
    their end, as those of a head with a name do.

    Args:
        heads: The heads, a list. All have names. The first one is served by default.
        head_weights: How much the loss of each head counts, a list of numbers. None: all the same.

    Raises:
        ValueError: heads is empty, a head has no name, or head_weights has another length.

    Example:
        >>> heads = [sl.estimator.BinaryClassHead(name="a"), sl.estimator.RegressionHead(name="b")]
        >>> both = sl.estimator.MultiHead(heads)
        >>> both.name, both.logits_dimension
        ('a_b', 2)
    """

    def __init__(self, heads, head_weights=None):
        if not heads:
            raise ValueError(f"Must specify heads. Given: {heads}")
        if head_weights and len(head_weights) != len(heads):
            raise ValueError(
                "heads and head_weights must have the same size. Given len(heads):"
                f" {len(heads)}. Given len(head_weights): {len(head_weights)}."
            )
        for head in heads:
            if head.name is None:
                raise ValueError(f"All given heads must have name specified. Given: {head}")
        super().__init__(name="_".join(head.name for head in heads))
        self._heads, self._weights = tuple(heads), tuple(head_weights or ())

    @property
    def logits_dimension(self):
        """The sum of those of the heads, an int."""
        return sum(head.logits_dimension for head in self._heads)

    @property
    def loss_reduction(self):
        """How the losses of a batch become one, a str. ValueError: the heads differ in it."""
        ways = [head.loss_reduction for head in self._heads]
        if len(set(ways)) > 1:
            raise ValueError(
                f"The loss_reduction must be the same for different heads. Given: {ways}"
            )
        return ways[0]

    def predictions(self, logits, keys=None):
        """Makes the predictions.

        Args:
            logits: See the class.
            keys: Accepted. It has no effect.

        Returns:
            A dict: (name of the head, name of the prediction) -> tensor.
        """
        del keys
        logits = self._divided(logits)
        with name_scope("merge_pred"):
            return {
                (head.name, key): value
                for head in self._heads
                for key, value in head.predictions(logits[head.name]).items()
            }

    def loss(self, labels, logits, features=None, mode=None, regularization_losses=None):
        """Makes the loss.

        Args:
            labels: The labels, a dict: name of the head -> tensor.
            logits: See the class.
            features: A dict: name -> tensor. It must have the weights.
            mode: What the model is for, of ModeKeys.
            regularization_losses: Scalars to add, a list. None: none.

        Returns:
            A float scalar.
        """
        logits = self._divided(logits, labels)
        found = [
            head.loss(labels[head.name], logits[head.name], features, mode) for head in self._heads
        ]
        with name_scope("merge_losses"):
            if self._weights:
                found = [loss * weight for loss, weight in zip(found, self._weights)]
            total = math.add_n(found)
            if regularization_losses is not None:
                total = total + math.add_n(regularization_losses)
        return total

    def metrics(self, regularization_losses=None):
        """Makes the metrics that the heads do not have: their losses.

        Args:
            regularization_losses: Scalars that are added to the loss, a list. None: none.

        Returns:
            A dict: name -> metric of keras.metrics.
        """
        found = {}
        if regularization_losses is not None:
            found[f"regularization_loss/{self.name}"] = Mean("regularization_loss")
        with name_scope("merge_eval"):
            for head in self._heads:
                found[f"loss/{head.name}"] = Mean(f"loss/{head.name}")
        return found

    def update_metrics(self, eval_metrics, features, logits, labels, regularization_losses=None):
        """Adds a batch to metrics.

        Args:
            eval_metrics: What metrics() returned. It gets the metrics of the heads.
            features: A dict: name -> tensor. It must have the weights.
            logits: See the class.
            labels: The labels, a dict: name of the head -> tensor.
            regularization_losses: Scalars that are added to the loss, a list. None: none.

        Returns:
            eval_metrics.
        """
        logits = self._divided(logits, labels)
        if regularization_losses is not None:
            metric = eval_metrics[f"regularization_loss/{self.name}"]
            metric.update_state(math.add_n(regularization_losses))
        for head in self._heads:
            own = logits[head.name], labels[head.name]
            loss = head.loss(own[1], own[0], features)
            eval_metrics[f"loss/{head.name}"].update_state(loss)
            eval_metrics.update(head.update_metrics(head.metrics(), features, *own) or {})
        return eval_metrics

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None,
                              trainable_variables=None, train_op_fn=None, update_ops=None,
                              regularization_losses=None):  # fmt: skip
        """Makes what a model function returns.

        Args:
            features: A dict: name -> tensor. It must have the weights.
            mode: What the model is for, of ModeKeys.
            logits: See the class.
            labels: The labels, a dict: name of the head -> tensor. PREDICT does not require them.
            optimizer: The Optimizer. TRAIN requires it, or train_op_fn.
            trainable_variables: The variables that it changes, a list. None: all trainable ones.
            train_op_fn: A function of the loss that returns the operation of a step.
            update_ops: Operations that run with each step, a list. None: those of the collection
                UPDATE_OPS.
            regularization_losses: Scalars to add to the loss, a list. None: none.

        Returns:
            An EstimatorSpec.

        Raises:
            ValueError: Both or none of optimizer and train_op_fn are given, or shapes do not fit.
        """
        with name_scope(self.name, "multi_head"):
            divided = self._divided(logits, labels)
            specs = [
                head.create_estimator_spec(
                    features, mode, divided[head.name], labels[head.name] if labels else None,
                    train_op_fn=lambda loss: no_op(),
                )
                for head in self._heads
            ]  # fmt: skip
            predictions = self.predictions(divided)
            if mode == ModeKeys.PREDICT:
                return EstimatorSpec(mode, predictions, export_outputs=self._exported(specs))
            loss = self.loss(labels, divided, features, mode, regularization_losses)
            if mode == ModeKeys.EVAL:
                found = self.update_metrics(
                    self.metrics(regularization_losses), features, divided, labels,
                    regularization_losses=regularization_losses,
                )  # fmt: skip
                return EstimatorSpec(mode, predictions, loss, eval_metric_ops=found)
            train_op = train_op_of(loss, optimizer, trainable_variables, train_op_fn, update_ops)
            with name_scope(""):
                summary.scalar("loss", loss)
                if regularization_losses is not None:
                    summary.scalar("regularization_loss", math.add_n(regularization_losses))
        return EstimatorSpec(mode, predictions, loss, train_op)

    def _exported(self, specs):
        """The outputs of all heads; PREDICT has all predictions."""
        found, merged = {SERVING: specs[0].export_outputs[SERVING]}, {}
        for head, spec in zip(self._heads, specs):
            for key, output in spec.export_outputs.items():
                found[head.name if key == SERVING else f"{head.name}/{key}"] = output
                if key == PREDICT and isinstance(output, PredictOutput):
                    merged.update({f"{head.name}/{k}": v for k, v in output.outputs.items()})
        found[PREDICT] = PredictOutput(merged)
        return found

    def _divided(self, logits, labels=None):
        """The logits of each head, by name. ValueError: those or the labels of a head are missing,
        or the dimension is wrong."""
        for what, given in (("logits", logits), ("labels", labels)):
            if isinstance(given, dict):
                missing = [head.name for head in self._heads if head.name not in given]
                if missing:
                    raise ValueError(f"{what} has missing values for head(s): {missing}")
        if labels is not None and not isinstance(labels, dict):
            raise ValueError(f"labels must be a dict. Given: {labels}")
        return logits if isinstance(logits, dict) else self._cut(logits)

    def _cut(self, logits):
        with name_scope("split_logits"):
            logits = convert_to_tensor(logits)
            sizes = [head.logits_dimension for head in self._heads]
            last = logits.shape.as_list()[-1]
            if last not in (None, sum(sizes)):
                raise ValueError(
                    f"Could not split logits of shape {logits.shape} among the heads with"
                    f" individual logits dimensions: {sizes}. The last dimension of the logits"
                    f" tensor should equal {sum(sizes)} but is {last}."
                )
            parts = arrays.split(logits, sizes, -1)
        return {head.name: part for head, part in zip(self._heads, parts)}
