# SPDX-License-Identifier: Apache-2.0
"""How k-means gets its first centres: from one batch, or from several until there are enough."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies
from ...ops import array as arrays
from ...ops import math, raw_ops
from ...ops.control_flow.grouping import no_op
from ...ops.debug.assertions import assert_equal, assert_greater_equal, assert_positive
from ...ops.functions.cond_and_while import cond, while_loop
from ...ops.linalg.norms import l2_normalize
from ...ops.random.random import uniform
from ...ops.state.updates import assign

RANDOM, PLUS_PLUS, CHAINS = "random", "kmeans_plus_plus", "kmc2"


class InitialClusters:
    """The operation that adds centres until there are enough.

    Args:
        inputs: The points of a batch, a list of float tensors [points, size].
        count: How many centres, an int scalar.
        chosen: Which points: RANDOM, PLUS_PLUS or CHAINS; a function of the inputs and of how many
            centres are missing, which returns up to so many; or the centres, a tensor.
        normalized: Whether centres have the length 1. A bool.
        seed: Seed of the choice, an int. None: the graph's.
        retries: See PLUS_PLUS: how many more points are drawn for each centre, an int.
        chain_length: See CHAINS: how many points make one centre, an int.
        centers: The variables that get the centres, a list.
        are_ready: The bool variable that is set when there are enough.
    """

    def __init__(self, inputs, count, chosen, normalized, seed, retries, chain_length,
                 centers, are_ready):  # fmt: skip
        self._inputs, self._count, self._chosen = inputs, count, chosen
        self._normalized, self._seed = normalized, seed
        self._retries, self._chain_length = retries, chain_length
        self._centers, self._are_ready = centers, are_ready
        self._known = arrays.shape(centers[0])[0]
        self._missing = count - self._known
        self._points = math.add_n([arrays.shape(points)[0] for points in inputs])

    def op(self):
        """Makes the operation. To run it when the centres are ready changes nothing."""
        return cond(
            math.equal(self._missing, 0),
            lambda: assert_equal(self._are_ready, True),
            self._add,
        )

    def _add(self):
        with control_dependencies([assert_positive(self._missing)]):
            by_chains = isinstance(self._chosen, str) and self._chosen == CHAINS
            missing = self._add_by_chains() if by_chains else self._add_chosen()
            return cond(math.equal(missing, 0), lambda: assign(self._are_ready, True).op, no_op)

    def _unit(self, points):
        return l2_normalize(points, 1) if self._normalized else points

    def _assigned(self, centers):
        """Sets the variables. Returns how many centres are missing then."""
        for variable in self._centers:
            centers = assign(variable, centers, validate_shape=False)
        return self._count - arrays.shape(centers)[0]

    def _add_chosen(self):
        more = self._unit(self._choose())
        return self._assigned(
            cond(
                math.equal(self._known, 0),
                lambda: more,
                lambda: arrays.concat([self._centers[0], more], 0),
            )
        )

    def _choose(self):
        if callable(self._chosen):
            return self._chosen(self._inputs, self._missing)
        if not isinstance(self._chosen, str):
            check = assert_equal(self._missing, arrays.shape(self._chosen)[0])
            with control_dependencies([check]):
                return arrays.identity(self._chosen)
        if self._chosen == PLUS_PLUS:
            with control_dependencies([assert_greater_equal(self._points, self._missing)]):
                return raw_ops.KmeansPlusPlusInitialization(
                    points=self._unit(self._inputs[0]),
                    num_to_sample=arrays.cast(self._missing, dtypes.int64),
                    seed=self._seed or 0, num_retries_per_sample=self._retries,
                )  # fmt: skip
        # A batch that has no more points than are missing is taken whole.
        return cond(
            self._points <= self._missing, lambda: arrays.concat(self._inputs, 0), self._draw
        )

    def _draw(self):
        last = arrays.cast(self._points, dtypes.int64)
        rows = uniform(
            arrays.reshape(self._missing, [-1]), 0, last, seed=self._seed, dtype=dtypes.int64
        )
        return arrays.gather(arrays.concat(self._inputs, 0), rows)

    # ---- Markov chains: Bachem and others, "Approximate K-Means++ in sublinear time" (2016)

    def _add_by_chains(self):
        """Each part of the batch with chain_length points gives one centre; a smaller batch too."""
        points = self._inputs[0]
        most = arrays.shape(points)[0] // self._chain_length
        wanted = math.maximum(math.minimum(self._missing, most), 1)

        def first():
            return self._unit(arrays.reshape(points[0], [1, -1]))

        def step(i, _):
            def by_chain():
                part = points[i * self._chain_length : (i + 1) * self._chain_length]
                _, distances = raw_ops.NearestNeighbors(points=part, centers=self._centers[0], k=1)
                place = raw_ops.KMC2ChainInitialization(
                    distances=arrays.squeeze(distances), seed=self._seed or 0
                )
                more = self._unit(arrays.reshape(part[place], [1, -1]))
                return arrays.concat([self._centers[0], more], 0)

            return i + 1, self._assigned(cond(math.equal(self._known, 0), first, by_chain))

        return while_loop(lambda i, _: i < wanted, step, [0, 0])[1]


def checked_choice(chosen):
    """The choice as InitialClusters takes it: centres become a tensor."""
    if isinstance(chosen, str) or callable(chosen):
        return chosen
    return convert_to_tensor(chosen)
