# SPDX-License-Identifier: Apache-2.0
"""Estimators of gradient boosted trees."""

import collections

import numpy as np

from ... import messages
from ...ops import array as arrays
from ...ops import math
from ...training.checkpoints.reader import load_variable
from ..base.estimator import Estimator
from ..canned.classes import BinaryClassHead
from ..canned.heads import SUM_OVER_BATCH_SIZE, matched_labels, ready_made
from ..canned.numbers import RegressionHead
from . import features as buckets
from .model import PATHS, Model, Options, explained

_DEFAULT = object()


class _BoostedTrees(Estimator):
    """What all estimators of boosted trees have in common."""

    def __init__(self, model, head, columns, options, model_dir, config):
        def model_fn(features, labels, mode, config):
            return model(features, labels, mode, config)

        super().__init__(model_fn, model_dir, config)
        self._head, self._columns, self._options = head, columns, options
        self._names = buckets.names_of(columns)

    def experimental_feature_importances(self, normalize=False):
        """Computes how much the splits of each feature reduce the loss.

        Args:
            normalize: Whether the sum of all is 1. A bool.

        Returns:
            An OrderedDict: name of the column -> importance, the largest first.

        Raises:
            ValueError: The model is not trained.
            AssertionError: normalize, and no tree has a split.
        """
        text = load_variable(self.model_dir, "boosted_trees:0_serialized")
        if not text:
            raise ValueError(
                "Found empty serialized string for TreeEnsemble. You should only call this method "
                "after training."
            )
        ensemble = messages.TreeEnsemble.FromString(bytes(text))
        found = np.zeros(len(self._names))
        for tree, weight in zip(ensemble.trees, ensemble.tree_weights):
            for node in tree.nodes:
                if node.WhichOneof("node") == "bucketized_split":
                    found[node.bucketized_split.feature_id] += node.metadata.gain * weight
        if normalize:
            if np.any(found < 0):
                raise AssertionError("feature_importances must be non-negative.")
            if not np.sum(found) > 0:
                raise AssertionError("Trees are all empty or contain only a root node.")
            found /= np.sum(found)
        return _by_columns(self._names, found)

    def experimental_predict_with_explanations(self, input_fn, predict_keys=None, hooks=None,
                                               checkpoint_path=None):  # fmt: skip
        """Yields predictions, with how much each feature contributes to them.

        The method is that of Palczewska and others, "Interpreting random forest classification
        models using a feature contribution method".

        Args:
            input_fn: The input function: see Estimator.predict().
            predict_keys: The names of the predictions, a list of str. None: all.
            hooks: SessionRunHooks, a list.
            checkpoint_path: Path of the checkpoint, a str. None: the newest one.

        Returns:
            A generator of dicts: name -> array. "bias" is the prediction without any feature, "dfc"
            an OrderedDict: name of the column -> contribution, the largest first.

        Raises:
            ValueError: center_bias is not set, or the predictions are not the logits of a
                regression.
        """
        if not self._options.center_bias:
            raise ValueError(
                "center_bias must be enabled during estimator instantiation when using "
                "experimental_predict_with_explanations."
            )
        of_classes = isinstance(self._head, BinaryClassHead)
        if not of_classes and self._head.inverse_link_fn is not None:
            raise ValueError(
                "For now only identity inverse_link_fn in regression_head is supported for "
                "experimental_predict_with_explanations."
            )

        def model_fn(features, labels, mode):
            del labels, mode
            return explained(features, self._head, self._columns, self._options.epsilon)

        estimator = Estimator(model_fn, self.model_dir, self.config)
        keys = None if predict_keys is None else [*predict_keys, PATHS]
        for row in estimator.predict(input_fn, keys, hooks, checkpoint_path):
            path = messages.DebugOutput.FromString(row.pop(PATHS))
            values = np.array(path.logits_path)
            if of_classes:
                values = 1 / (1 + np.exp(-values))
            parts = np.bincount(
                path.feature_ids, weights=values[1:] - values[:-1], minlength=len(self._names)
            )
            row["bias"], row["dfc"] = values[0], _by_columns(self._names, parts)
            yield row


def _by_columns(names, values):
    """The sums of the features of each column, by absolute value, the largest first."""
    found = {}
    for name, value in zip(names, values):
        found[name] = found.get(name, 0) + value
    return collections.OrderedDict(sorted(found.items(), key=lambda p: abs(p[1]), reverse=True))


def _sorted(columns):
    return sorted(columns, key=lambda column: column.name)


def _logistic(logits, labels):
    """The gradients and hessians of the mean of logistic losses."""
    predictions = 1.0 / (math.exp(-logits) + 1.0)
    share = 1.0 / arrays.cast(arrays.size(predictions), predictions.dtype)
    labels = matched_labels(arrays.cast(labels, predictions.dtype), logits)
    return (predictions - labels) * share, predictions * (1.0 - predictions) * share


_TREES = """

    Args:
        {first}
        n_batches_per_layer: How many batches a layer of a tree is grown from, an int.{more}
        n_trees: How many trees, an int.
        max_depth: How many layers a tree has, an int.
        learning_rate: What each tree's values are multiplied by, a float.
        l1_regularization: How much absolute values of leaves count in the loss, a float.
        l2_regularization: How much squares of leaves count in the loss, a float.
        tree_complexity: How much each leaf counts in the loss, a float: see pruning_mode.
        min_node_weight: The least sum of hessians of a node, a float.
        config: A RunConfig. None: a default one.
        center_bias: Whether the first tree begins with the mean of all labels. A bool.
        pruning_mode: "none", "pre" or "post": when splits that do not pay for tree_complexity are
            removed.
        quantile_sketch_epsilon: The error of the quantiles that numbers are compared with, a
            float.{last}

    Raises:
        ValueError: An argument is not possible.
"""
_COLUMNS = "feature_columns: Columns of numbers, bucketized columns and indicator columns, a list."
_DIRECTORY = """
        model_dir: Directory of checkpoints and summaries, a str. None: that of config, else a
            temporary one."""
_WEIGHTS = """
        weight_column: The feature with the weight of each example: its name, or a column of
            numeric_column(). None: 1."""
_IN_MEMORY = """
        train_in_memory: Whether a batch has all examples: their buckets and logits are kept. A
            bool."""


class BoostedTreesClassifier(_BoostedTrees):
    def __init__(self, feature_columns, n_batches_per_layer, model_dir=None, n_classes=_DEFAULT,
                 weight_column=None, label_vocabulary=None, n_trees=100, max_depth=6,
                 learning_rate=0.1, l1_regularization=0.0, l2_regularization=0.0,
                 tree_complexity=0.0, min_node_weight=0.0, config=None, center_bias=False,
                 pruning_mode="none", quantile_sketch_epsilon=0.01,
                 train_in_memory=False):  # fmt: skip
        if n_classes not in (_DEFAULT, 2):
            raise ValueError("For now pruning is not supported with multi class.")
        columns = _sorted(feature_columns)
        head = ready_made(
            BinaryClassHead(
                weight_column, label_vocabulary=label_vocabulary, loss_reduction=SUM_OVER_BATCH_SIZE
            )
        )
        options = Options(
            n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
            tree_complexity, min_node_weight, center_bias, pruning_mode, quantile_sketch_epsilon,
        )  # fmt: skip
        plain = weight_column is None and label_vocabulary is None
        model = Model(
            head, columns, options, n_batches_per_layer, _logistic if plain else None,
            weight_column, train_in_memory,
        )  # fmt: skip
        super().__init__(model, head, columns, options, model_dir, config)


BoostedTreesClassifier.__doc__ = "A classifier of two classes by gradient boosted trees." + (
    _TREES.format(first=_COLUMNS, more=_DIRECTORY + """
        n_classes: Must be 2.""" + _WEIGHTS + """
        label_vocabulary: The classes, a list of str, if labels are strings. None: labels are
            numbers.""", last=_IN_MEMORY)
)  # fmt: skip


class BoostedTreesRegressor(_BoostedTrees):
    def __init__(self, feature_columns, n_batches_per_layer, model_dir=None,
                 label_dimension=_DEFAULT, weight_column=None, n_trees=100, max_depth=6,
                 learning_rate=0.1, l1_regularization=0.0, l2_regularization=0.0,
                 tree_complexity=0.0, min_node_weight=0.0, config=None, center_bias=False,
                 pruning_mode="none", quantile_sketch_epsilon=0.01,
                 train_in_memory=False):  # fmt: skip
        if label_dimension not in (_DEFAULT, 1):
            raise ValueError("For now pruning is not supported with multi-dimensionregression.")
        columns = _sorted(feature_columns)
        head = ready_made(RegressionHead(1, weight_column, SUM_OVER_BATCH_SIZE))
        options = Options(
            n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
            tree_complexity, min_node_weight, center_bias, pruning_mode, quantile_sketch_epsilon,
        )  # fmt: skip
        model = Model(
            head, columns, options, n_batches_per_layer, None, weight_column, train_in_memory
        )
        super().__init__(model, head, columns, options, model_dir, config)


BoostedTreesRegressor.__doc__ = "A regression by gradient boosted trees." + (
    _TREES.format(first=_COLUMNS, more=_DIRECTORY + """
        label_dimension: Must be 1.""" + _WEIGHTS, last=_IN_MEMORY)
)  # fmt: skip


class BoostedTreesEstimator(_BoostedTrees):
    def __init__(self, feature_columns, n_batches_per_layer, head, model_dir=None,
                 weight_column=None, n_trees=100, max_depth=6, learning_rate=0.1,
                 l1_regularization=0.0, l2_regularization=0.0, tree_complexity=0.0,
                 min_node_weight=0.0, config=None, center_bias=False, pruning_mode="none",
                 quantile_sketch_epsilon=0.01):  # fmt: skip
        del weight_column  # as in TensorFlow, the head's counts
        columns = _sorted(feature_columns)
        options = Options(
            n_trees, max_depth, learning_rate, l1_regularization, l2_regularization,
            tree_complexity, min_node_weight, center_bias, pruning_mode, quantile_sketch_epsilon,
        )  # fmt: skip
        model = Model(head, columns, options, n_batches_per_layer)
        super().__init__(model, head, columns, options, model_dir, config)


BoostedTreesEstimator.__doc__ = "Gradient boosted trees with any head of one logit." + (
    _TREES.format(first=_COLUMNS, more="""
        head: The Head: see BinaryClassHead and others.""" + _DIRECTORY + """
        weight_column: Accepted. It has no effect: the head has the weights.""", last="")
)  # fmt: skip
__all__ = ["BoostedTreesClassifier", "BoostedTreesEstimator", "BoostedTreesRegressor"]
