# SPDX-License-Identifier: Apache-2.0
"""How an ensemble of trees grows: from a batch with all examples, or from several batches."""

from ... import dtypes
from ...graph.default_graph import control_dependencies
from ...ops import array as arrays
from ...ops import math, raw_ops
from ...ops.control_flow.grouping import group, no_op
from ...ops.data_flow.accumulators import ConditionalAccumulator
from ...ops.functions.cond_and_while import cond

_PRUNING = {"none": 0, "pre": 1, "post": 2}


class InMemoryGrower:
    """Grows a layer in each step, of a batch that has all examples.

    Args:
        ensemble: The TreeEnsemble.
        quantiles: The Quantiles, or None.
        options: The Options.
        groups: What features.grouped() returned.

    Raises:
        ValueError: The way of pruning is unknown, or does not fit tree_complexity.
    """

    def __init__(self, ensemble, quantiles, options, groups):
        self._ensemble, self._quantiles, self._options = ensemble, quantiles, options
        self._groups = groups
        if options.pruning_mode not in _PRUNING:
            raise ValueError(f"pruning_mode mode must be one of: {', '.join(sorted(_PRUNING))}")
        if options.tree_complexity > 0 and options.pruning_mode == "none":
            raise ValueError("Tree complexity have no effect unless pruning mode is chosen.")
        if options.tree_complexity <= 0 and options.pruning_mode != "none":
            raise ValueError("For pruning, tree_complexity must be positive.")

    def prepared(self):
        """The operation that the chief runs in a new session."""
        return no_op()

    def add_quantiles(self, values, weights, are_ready):
        """The operation of a step that looks at the numbers of features, and sets a variable once
        their quantiles are known."""
        with control_dependencies([self._quantiles.add(values, weights)]):
            flush = self._quantiles.flush()
        with control_dependencies([flush]):
            return are_ready.assign(True).op

    def center_bias(self, is_needed, gradients, hessians):
        """The operation of a step that gives the first tree a bias, and resets a variable once it
        does not change any more."""
        means = [arrays.expand_dims(math.reduce_mean(v, 0), 0) for v in (gradients, hessians)]
        return self._center(is_needed, *means)

    def _center(self, is_needed, gradients, hessians):
        more = raw_ops.BoostedTreesCenterBias(
            tree_ensemble_handle=self._ensemble.handle, mean_gradients=gradients,
            mean_hessians=hessians, l1=self._options.l1, l2=self._options.l2,
        )  # fmt: skip
        return is_needed.assign(more).op

    def grow(self, summaries, nodes):
        """The operation of a step that adds a layer.

        Args:
            summaries: For each group of features a list of tensors, the sums of gradients and
                hessians of each node and bucket.
            nodes: The range of the nodes of the last layer, an int32 tensor.
        """
        options, features = self._options, []
        parts = [[], [], [], [], []]
        for numbers, own in zip(self._groups.values(), summaries):
            features += numbers
            found = raw_ops.BoostedTreesCalculateBestGainsPerFeature(
                node_id_range=nodes, stats_summary_list=own, l1=options.l1, l2=options.l2,
                tree_complexity=options.tree_complexity,
                min_node_weight=options.min_node_weight, max_splits=options.max_splits,
            )  # fmt: skip
            for part, values in zip(parts, found):
                part += values
        ids, gains, thresholds, left, right = parts
        return raw_ops.BoostedTreesUpdateEnsemble(
            tree_ensemble_handle=self._ensemble.handle, feature_ids=features, node_ids=ids,
            gains=gains, thresholds=thresholds, left_node_contribs=left,
            right_node_contribs=right, max_depth=options.max_depth,
            learning_rate=options.learning_rate, pruning_mode=_PRUNING[options.pruning_mode],
        )  # fmt: skip


class AccumulatingGrower(InMemoryGrower):
    """Grows a layer once enough batches of all workers were added up.

    Args:
        ensemble: The TreeEnsemble.
        quantiles: The Quantiles, or None.
        options: The Options.
        groups: What features.grouped() returned.
        stamp: The stamp of the ensemble, an int64 scalar: batches of older ones do not count.
        batches: How many batches a layer takes, an int.
        is_chief: Whether this task grows the trees. A bool.
    """

    def __init__(self, ensemble, quantiles, options, groups, stamp, batches, is_chief):
        super().__init__(ensemble, quantiles, options, groups)
        self._stamp, self._batches, self._is_chief = stamp, batches, is_chief
        self._sums, self._prepared = [], []
        for number, (buckets, features) in enumerate(groups.items()):
            self._sums.append(self._accumulator(
                [len(features), options.max_splits, buckets, 2],
                f"numeric_stats_summary_accumulator_{number}",
            ))  # fmt: skip
        if options.center_bias:
            self._bias = self._accumulator([2, 1], "bias_accumulator")

    def _accumulator(self, shape, name):
        made = ConditionalAccumulator(dtypes.float32, shape, shared_name=name)
        self._prepared.append(made.set_global_step(self._stamp))
        return made

    def prepared(self):
        return group(*self._prepared)

    def add_quantiles(self, values, weights, are_ready):
        added = self._quantiles.add(values, weights)
        count = ConditionalAccumulator(dtypes.float32, [], shared_name="quantile_summary_accum")
        step = count.set_global_step(self._stamp)
        one = count.apply_grad(0.0, self._stamp)
        update = group(added, step, one)
        if not self._is_chief:
            return update

        def flush():
            taken = count.take_grad(1)
            return group(self._quantiles.flush(), taken, are_ready.assign(True).op)

        with control_dependencies([update]):
            enough = math.greater_equal(count.num_accumulated(), self._batches)
            return cond(enough, flush, no_op, name="wait_until_quaniles_accumulated")

    def center_bias(self, is_needed, gradients, hessians):
        means = math.reduce_mean(arrays.stack([gradients, hessians], 0), 1)
        added = self._bias.apply_grad(means, self._stamp)

        def center():
            taken = arrays.unstack(self._bias.take_grad(1), 2, axis=0)
            done = self._center(is_needed, *(arrays.expand_dims(t, 0) for t in taken))
            with control_dependencies([done]):
                return cond(is_needed.read_value(), no_op, self._restart)

        with control_dependencies([added]):
            if not self._is_chief:
                return no_op()
            enough = math.greater_equal(self._bias.num_accumulated(), self._batches)
            return cond(enough, center, no_op, name="wait_until_n_batches_for_bias_accumulated")

    def _restart(self):
        return group(*(s.set_global_step(self._stamp + 1) for s in self._sums))

    def grow(self, summaries, nodes):
        added = [
            sums.apply_grad(arrays.stack(own, 0), self._stamp)
            for sums, own in zip(self._sums, summaries)
        ]

        def grown():
            taken = [
                arrays.unstack(sums.take_grad(1), len(features), axis=0)
                for sums, features in zip(self._sums, self._groups.values())
            ]
            return super(AccumulatingGrower, self).grow(taken, nodes)

        with control_dependencies(added):
            if not self._is_chief:
                return no_op()
            least = math.reduce_min(arrays.stack([s.num_accumulated() for s in self._sums]))
            enough = math.greater_equal(least, self._batches)
            return cond(enough, grown, no_op, name="wait_until_n_batches_accumulated")
