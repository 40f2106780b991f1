# SPDX-License-Identifier: Apache-2.0
"""The graph of k-means: distances to centres, and the steps that move these."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies
from ...ops import array as arrays
from ...ops import math, raw_ops
from ...ops.control_flow.grouping import group, no_op
from ...ops.functions.cond_and_while import cond
from ...ops.linalg.norms import l2_normalize
from ...ops.math.products import matmul
from ...ops.state.scatter import scatter_add
from ...ops.state.updates import assign, assign_sub
from ...ops.state.variables import Variable
from .initial_clusters import CHAINS, PLUS_PLUS, RANDOM, InitialClusters, checked_choice

SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE = "squared_euclidean", "cosine"
CLUSTERS = "clusters"  # name of the variable of the centres


class KMeans:
    """Clusters of points that are near to each other, by Lloyd's method.

    Args:
        inputs: The points, a float tensor [points, size], or a list of them.
        num_clusters: How many clusters, an int or an int scalar. It is not used if
            initial_clusters are centres.
        initial_clusters: How the first centres are chosen: "random", "kmeans_plus_plus" or "kmc2";
            a function of the list of inputs and of how many centres are missing, which returns up
            to so many; or the centres, an array [num_clusters, size].
        distance_metric: "squared_euclidean" or "cosine".
        use_mini_batch: Whether a step sees a part of the points, by which centres move in small
            steps. A bool. False: a step sees all points.
        mini_batch_steps_per_iteration: After how many steps of use_mini_batch the centres are
            replaced by those that moved, an int.
        random_seed: Seed of the choice of the first centres, an int.
        kmeans_plus_plus_num_retries: How many more points are drawn for each centre, of which the
            best becomes one, an int. Below 0: as many as the logarithm of num_clusters says.
        kmc2_chain_length: How many points "kmc2" takes for one centre, an int.

    Raises:
        ValueError: initial_clusters or distance_metric is unknown.
    """

    def __init__(self, inputs, num_clusters, initial_clusters=RANDOM,
                 distance_metric=SQUARED_EUCLIDEAN_DISTANCE, use_mini_batch=False,
                 mini_batch_steps_per_iteration=1, random_seed=0, kmeans_plus_plus_num_retries=2,
                 kmc2_chain_length=200):  # fmt: skip
        check_choices(initial_clusters, distance_metric, (RANDOM, PLUS_PLUS, CHAINS))
        self._inputs = [
            convert_to_tensor(points)
            for points in (inputs if isinstance(inputs, list) else [inputs])
        ]
        self._count, self._chosen = num_clusters, initial_clusters
        self._by_angle = distance_metric == COSINE_DISTANCE
        self._by_batches, self._steps = use_mini_batch, int(mini_batch_steps_per_iteration)
        self._draw = random_seed, kmeans_plus_plus_num_retries, kmc2_chain_length

    def training_graph(self):
        """Makes the variables and operations.

        Returns:
            A tuple: (distances of the points to all centres, float [points, num_clusters]; the
            nearest centre of each point, int64 [points]; the distance to it, float [points];
            whether the first centres are chosen, a bool variable; the operation that chooses them,
            which runs until they are; the operation of a step). The first three are tuples of
            tensors, one for each of the inputs.
        """
        chosen, count = checked_choice(self._chosen), self._count
        if not isinstance(chosen, str) and not callable(chosen):
            count = arrays.shape(chosen)[0]
        count = convert_to_tensor(count)
        centers, ready, counts, moving, steps_left = self._variables(count)
        both = [centers] if moving is centers else [centers, moving]
        init_op = InitialClusters(
            self._inputs, count, chosen, self._by_angle, *self._draw, both, ready
        ).op()
        inputs, current = self._inputs, centers
        if self._by_angle:
            inputs = [l2_normalize(points, 1) for points in inputs]
            if not self._keeps_units():
                current = l2_normalize(centers, 1)
        found = [self._nearest(points, current) for points in inputs]
        distances, nearest, scores = zip(*found)
        if self._by_batches:
            # The centres that choose the nearest one are those before the step.
            with control_dependencies(nearest):
                replaced = self._replace(steps_left, centers, moving, counts)
            with control_dependencies([replaced]):
                step = _move(inputs, nearest, moving, counts)
        else:
            step = self._move_to_means(inputs, count, nearest, centers)
        return distances, nearest, scores, ready, init_op, step

    def _keeps_units(self):
        """Whether the variable has centres of the length 1."""
        return self._by_angle and (not self._by_batches or self._steps > 1)

    def _variables(self, count):
        """(centres, whether they are ready, points of each centre, centres that move in each step,
        steps until these replace the centres)."""
        # The shape is known when the first points are.
        empty = arrays.placeholder_with_default([], shape=None)
        centers = Variable(empty, name=CLUSTERS, validate_shape=False)
        ready = Variable(False, dtype=dtypes.bool_, name="initialized")
        if not self._by_batches:
            return centers, ready, None, centers, None
        if self._steps > 1:
            moving = Variable(empty, name="clusters_updated", validate_shape=False)
            left = Variable(self._steps, dtype=dtypes.int64, name="update_in_steps")
            return centers, ready, Variable(arrays.zeros([count], dtypes.int64)), moving, left
        return centers, ready, Variable(arrays.ones([count], dtypes.int64)), centers, None

    def _nearest(self, points, centers):
        """(distances to all centres, the nearest one, the distance to it)."""
        products = matmul(points, centers, transpose_b=True)
        if self._by_angle:
            distances = 1 - products
        else:
            ours = math.reduce_sum(math.square(points), 1, keepdims=True)
            theirs = math.reduce_sum(math.square(centers), 1, keepdims=True)
            distances = ours - 2 * products + arrays.transpose(theirs)
        nearest, score = raw_ops.NearestNeighbors(points=points, centers=centers, k=1)
        # Of vectors of the length 1, the squared distance is twice that by the angle.
        score = score * 0.5 if self._by_angle else score
        return distances, arrays.squeeze(nearest, [-1]), arrays.squeeze(score, [-1])

    def _move_to_means(self, inputs, count, nearest, centers):
        """Moves each centre to the mean of its points."""
        sums = [math.unsorted_segment_sum(p, ids, count) for p, ids in zip(inputs, nearest)]
        counts = [
            math.unsorted_segment_sum(arrays.ones_like(p[:, :1]), ids, count)
            for p, ids in zip(inputs, nearest)
        ]
        means = math.add_n(sums) / (math.add_n(counts) + 1e-6)
        return assign(centers, l2_normalize(means, 1) if self._keeps_units() else means).op

    def _replace(self, steps_left, centers, moving, counts):
        """Replaces the centres by those that moved, if the iteration is at its end."""
        if steps_left is None:
            return no_op()

        def replace():
            # First the counter, so that other workers do not do the same.
            with control_dependencies([assign(steps_left, self._steps - 1)]):
                moved = l2_normalize(moving, 1) if self._by_angle else arrays.identity(moving)
                with control_dependencies([assign(centers, moved)]):
                    with control_dependencies([assign(counts, arrays.zeros_like(counts))]):
                        return arrays.identity(steps_left)

        return cond(steps_left <= 0, replace, lambda: assign_sub(steps_left, 1))


def _move(inputs, nearest, centers, counts):
    """Moves centres towards the points of a batch. A centre x of n points that gets k more moves by
    (their sum - k x) / (n + k): Sculley, "Web-scale k-means clustering" (2010)."""
    updates = []
    for points, ids in zip(inputs, nearest):
        found, places = arrays.unique(arrays.reshape(ids, [-1]))
        size = arrays.size(found)
        before, old = arrays.gather(counts, found), arrays.gather(centers, found)
        more = math.unsorted_segment_sum(arrays.ones_like(places, dtype=counts.dtype), places, size)
        column = arrays.reshape(arrays.cast(more, points.dtype), [-1, 1])
        total = arrays.reshape(arrays.cast(before + more, points.dtype), [-1, 1])
        move = math.unsorted_segment_sum(points, places, size) - column * old
        with control_dependencies([before]):
            updates.append(scatter_add(counts, found, more))
        updates.append(scatter_add(centers, found, move * math.reciprocal(total)))
    return group(*updates)


def check_choices(initial_clusters, distance_metric, known):
    """ValueError: the choice of the first centres, or the distance, is unknown."""
    if isinstance(initial_clusters, str) and initial_clusters not in known:
        raise ValueError(f"Unsupported initialization algorithm '{initial_clusters}'")
    if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
        raise ValueError(f"Unsupported distance metric '{distance_metric}'")
