# SPDX-License-Identifier: Apache-2.0
"""The estimator of k-means."""

import numpy as np

from ...feature_column.input_layers import input_layer
from ...graph.default_graph import control_dependencies, get_default_graph
from ...graph.seeds import get_seed
from ...ops import array as arrays
from ...ops import math
from ...ops.state.updates import assign_add
from ...training import metrics, summary
from ...training.global_step import get_global_step
from ...training.session_hooks import SessionRunArgs, SessionRunHook
from ..base.estimator import Estimator
from ..base.export_outputs import PredictOutput
from ..base.spec import EstimatorSpec
from .clustering import (
    CLUSTERS,
    COSINE_DISTANCE,
    SQUARED_EUCLIDEAN_DISTANCE,
    KMeans,
    check_choices,
)
from .heads import SERVING
from .initial_clusters import PLUS_PLUS, RANDOM


class KMeansClustering(Estimator):
    """Clusters of points that are near to each other.

    Features are the points, a float tensor [points, size], or a dict of tensors [points, parts],
    which are joined in the order of their names.

    Args:
        num_clusters: How many clusters, an int. It is not used if initial_clusters are centres.
        model_dir: Directory of checkpoints and summaries, a str. None: that of config, else a
            temporary one.
        initial_clusters: How the first centres are chosen: RANDOM_INIT takes points of a batch, or
            of several if a batch has too few; KMEANS_PLUS_PLUS_INIT points of the first batch that
            are far from each other; a function of the list of inputs and of how many centres are
            missing returns up to so many; an array [num_clusters, size] has the centres.
        distance_metric: SQUARED_EUCLIDEAN_DISTANCE or COSINE_DISTANCE.
        seed: Seed of the choice, an int. None: that of config.
        use_mini_batch: Whether a step sees a part of the points. A bool. False: a step must see all
            points.
        mini_batch_steps_per_iteration: After how many steps of use_mini_batch the centres are
            replaced by those that moved, an int.
        kmeans_plus_plus_num_retries: How many more points are drawn for each centre of
            KMEANS_PLUS_PLUS_INIT, of which the best becomes one, an int. Below 0: as many as the
            logarithm of num_clusters says.
        relative_tolerance: Training ends when the loss changes by less than this fraction, a float.
            None: never.
        config: A RunConfig. None: a default one.
        feature_columns: The columns that make points of a dict of features, an iterable. None: all
            features.

    Raises:
        ValueError: initial_clusters or distance_metric is unknown.

    Example:
        >>> points = [[0.0, 0.0], [0.0, 1.0], [9.0, 9.0], [9.0, 8.0]]
        >>> def input_fn():
        ...     return sl.data.Dataset.from_tensors(sl.constant(points)).repeat()
        >>> model = sl.estimator.experimental.KMeans(
        ...     2, initial_clusters=[[0.0, 0.0], [9.0, 9.0]], use_mini_batch=False)
        >>> model.train(input_fn, steps=2).cluster_centers().round(3).tolist()
        [[0.0, 0.5], [9.0, 8.5]]
    """

    SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE = SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE
    RANDOM_INIT, KMEANS_PLUS_PLUS_INIT = RANDOM, PLUS_PLUS
    SCORE, CLUSTER_INDEX, ALL_DISTANCES = "score", "cluster_index", "all_distances"
    CLUSTER_CENTERS_VAR_NAME = CLUSTERS

    _transforms_squares = True  # transform() takes the roots of squared distances

    def __init__(self, num_clusters, model_dir=None, initial_clusters=RANDOM_INIT,
                 distance_metric=SQUARED_EUCLIDEAN_DISTANCE, seed=None, use_mini_batch=True,
                 mini_batch_steps_per_iteration=1, kmeans_plus_plus_num_retries=2,
                 relative_tolerance=None, config=None, feature_columns=None):  # fmt: skip
        check_choices(initial_clusters, distance_metric, (RANDOM, PLUS_PLUS))
        self._distance = distance_metric
        chosen_seed = self._seed_of

        def model_fn(features, mode, config):
            graph = KMeans(
                _points_of(features, feature_columns), num_clusters, initial_clusters,
                distance_metric, use_mini_batch, mini_batch_steps_per_iteration, chosen_seed(seed),
                kmeans_plus_plus_num_retries,
            )  # fmt: skip
            return _spec(graph, mode, config.is_chief, relative_tolerance)

        super().__init__(model_fn, model_dir, config)

    @staticmethod
    def _seed_of(seed):
        """The seed of the choice: as TensorFlow has it, that of the graph comes first."""
        if seed is None and get_default_graph().seed is None:
            return None
        return get_seed(seed)[0]

    def _predicted(self, input_fn, key):
        for row in self.predict(input_fn, [key]):
            yield row[key]

    def predict_cluster_index(self, input_fn):
        """Yields the cluster of each point, until the input ends.

        Args:
            input_fn: The input function: see predict().

        Returns:
            A generator of int64 numbers.
        """
        yield from self._predicted(input_fn, self.CLUSTER_INDEX)

    def score(self, input_fn):
        """Returns the sum of the distances of points to their centres.

        Args:
            input_fn: The input function: see evaluate(). One batch is taken.

        Returns:
            A float. Distances are squared, or those by angles.
        """
        return self.evaluate(input_fn, steps=1)[self.SCORE]

    def transform(self, input_fn):
        """Yields the distances of each point to all centres, until the input ends.

        Args:
            input_fn: The input function: see predict().

        Returns:
            A generator of float arrays [num_clusters]. Unlike those of predict(), distances of
            SQUARED_EUCLIDEAN_DISTANCE are not squared.
        """
        is_square = self._distance == SQUARED_EUCLIDEAN_DISTANCE and self._transforms_squares
        for distances in self._predicted(input_fn, self.ALL_DISTANCES):
            yield np.sqrt(distances) if is_square else distances

    def cluster_centers(self):
        """The centres of the newest checkpoint.

        Returns:
            A float array [num_clusters, size].
        """
        return self.get_variable_value(self.CLUSTER_CENTERS_VAR_NAME)


class ContribKMeans(KMeansClustering):
    """estimator.experimental.KMeans with the arguments that contrib has.

    Args:
        num_clusters: As there.
        model_dir: As there.
        initial_clusters: As there.
        distance_metric: As there.
        random_seed: Seed of the choice, an int.
        use_mini_batch: As there.
        mini_batch_steps_per_iteration: As there.
        kmeans_plus_plus_num_retries: As there.
        relative_tolerance: As there.
        config: As there.
        feature_columns: As there.
    """

    _transforms_squares = False

    def __init__(self, num_clusters, model_dir=None, initial_clusters=RANDOM,
                 distance_metric=SQUARED_EUCLIDEAN_DISTANCE, random_seed=0, use_mini_batch=True,
                 mini_batch_steps_per_iteration=1, kmeans_plus_plus_num_retries=2,
                 relative_tolerance=None, config=None, feature_columns=None):  # fmt: skip
        super().__init__(
            num_clusters, model_dir, initial_clusters, distance_metric, random_seed, use_mini_batch,
            mini_batch_steps_per_iteration, kmeans_plus_plus_num_retries, relative_tolerance,
            config, feature_columns,
        )  # fmt: skip

    @staticmethod
    def _seed_of(seed):
        return seed


def _points_of(features, columns):
    if not isinstance(features, dict):
        return features
    if columns:
        return input_layer(features, columns)
    return arrays.concat([features[key] for key in sorted(features)], 1)


def _spec(graph, mode, is_chief, tolerance):
    distances, nearest, scores, ready, init_op, step = graph.training_graph()
    loss = math.reduce_sum(scores[0])
    summary.scalar("loss/raw", loss)
    with control_dependencies([step, assign_add(get_global_step(), 1)]):
        train_op = arrays.identity(loss)
    hooks = [_ChooseCenters(init_op, ready, is_chief)]
    if tolerance is not None:
        hooks.append(_StopAtTolerance(loss, tolerance))
    names = KMeansClustering
    predictions = {names.ALL_DISTANCES: distances[0], names.CLUSTER_INDEX: nearest[0]}
    return EstimatorSpec(
        mode, predictions, loss, train_op,
        eval_metric_ops={names.SCORE: metrics.mean(loss)},
        export_outputs={
            **{key: PredictOutput(value) for key, value in predictions.items()},
            SERVING: PredictOutput(nearest[0]),
        },
        training_hooks=hooks,
    )  # fmt: skip


class _ChooseCenters(SessionRunHook):
    """Chooses the first centres, in the chief; other workers wait for it."""

    def __init__(self, init_op, ready, is_chief):
        self._init_op, self._ready, self._is_chief = init_op, ready, is_chief

    def after_create_session(self, session, coord):
        while not session.run(self._ready):
            if self._is_chief:
                session.run(self._init_op)
            elif coord.wait_for_stop(1):
                break


class _StopAtTolerance(SessionRunHook):
    """Stops when the loss hardly changes."""

    def __init__(self, loss, tolerance):
        self._loss, self._tolerance, self._last = loss, tolerance, None

    def before_run(self, run_context):
        return SessionRunArgs(self._loss)

    def after_run(self, run_context, run_values):
        loss, last = run_values.results, self._last
        if last and abs(loss - last) / (1 + abs(last)) < self._tolerance:
            run_context.request_stop()
        self._last = loss
