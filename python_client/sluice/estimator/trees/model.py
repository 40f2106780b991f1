# SPDX-License-Identifier: Apache-2.0
"""The model functions of boosted trees."""

import collections

from ... import dtypes
from ...feature_column.columns import Features
from ...feature_column.numeric import numeric_column
from ...graph.convert import constant
from ...graph.default_graph import control_dependencies, name_scope
from ...ops import array as arrays
from ...ops import raw_ops
from ...ops.control_flow.grouping import group, no_op
from ...ops.differentiate import gradients as gradients_of
from ...ops.functions.cond_and_while import cond
from ...ops.state.updates import assign_add
from ...ops.state.variables import Variable
from ...training import summary
from ...training.global_step import get_global_step
from ...training.session_hooks import SessionRunArgs, SessionRunHook
from ..base.modes import ModeKeys
from . import features as buckets
from .growing import AccumulatingGrower, InMemoryGrower
from .resources import Quantiles, TreeEnsemble

PATHS = "_serialized_debug_outputs_proto"  # of the predictions of explained()


class Options(
    collections.namedtuple(
        "Options",
        "n_trees max_depth learning_rate l1 l2 tree_complexity min_node_weight center_bias"
        " pruning_mode epsilon",
    )
):
    """How trees grow."""

    @property
    def max_splits(self):
        """How many nodes of a tree may be split, an int."""
        return (1 << self.max_depth) - 1


def _input(features, columns, epsilon):
    """(Quantiles or None, boundaries by names) of columns."""
    numbers = [c for c in columns if buckets.is_float(c)]
    if not numbers:
        return None, {}
    count = sum(buckets.width(c) for c in numbers)
    quantiles = Quantiles(epsilon, count, int(1.0 / epsilon))
    return quantiles, buckets.boundaries_of(numbers, quantiles.boundaries())


def _predicted(ensemble, found, dimension):
    return raw_ops.BoostedTreesPredict(
        tree_ensemble_handle=ensemble.handle, bucketized_features=found, logits_dimension=dimension
    )


def explained(features, head, columns, epsilon):
    """The EstimatorSpec of predictions with the paths of examples through the trees.

    Args:
        features: A dict: name -> tensor.
        head: The Head.
        columns: The columns, sorted.
        epsilon: The error of quantiles, a float.
    """
    with name_scope("boosted_trees") as scope:
        ensemble = TreeEnsemble(scope)
        _, boundaries = _input(features, columns, epsilon)
        found = buckets.buckets_of(Features(features), columns, boundaries)
        logits = _predicted(ensemble, found, head.logits_dimension)
        spec = head.create_estimator_spec(features, ModeKeys.PREDICT, logits)
        paths = raw_ops.BoostedTreesExampleDebugOutputs(
            tree_ensemble_handle=ensemble.handle, bucketized_features=found,
            logits_dimension=head.logits_dimension,
        )  # fmt: skip
        return spec._replace(predictions={**spec.predictions, PATHS: paths})


class Model:
    """A model function of boosted trees.

    Args:
        head: The Head.
        columns: The columns, sorted.
        options: The Options.
        batches: How many batches a layer takes, an int.
        closed_form: A function of logits and labels that returns gradients and hessians. None: they
            follow from the loss.
        weight_column: The feature with the weight of each example: its name, or a column. None: 1.
        in_memory: Whether a batch has all examples. A bool.
    """

    def __init__(self, head, columns, options, batches, closed_form=None, weight_column=None,
                 in_memory=False):  # fmt: skip
        self._head, self._columns, self._options = head, columns, options
        self._batches, self._closed_form = batches, closed_form
        self._weight_column, self._in_memory = weight_column, in_memory

    def __call__(self, features, labels, mode, config):
        head, columns = self._head, self._columns
        with name_scope("boosted_trees") as scope:
            ensemble = TreeEnsemble(scope)
            quantiles, boundaries = _input(features, columns, self._options.epsilon)
            seen = Features(features)
            if mode != ModeKeys.TRAIN:
                found = buckets.buckets_of(seen, columns, boundaries)
                logits = _predicted(ensemble, found, head.logits_dimension)
                return head.create_estimator_spec(
                    features, mode, logits, labels, train_op_fn=lambda loss: no_op()
                )
            if self._in_memory:
                self._check_in_memory(config)
            training = _Training(self, scope, ensemble, quantiles, boundaries, config)
            logits = training.logits(seen, labels)
            train_op_fn = training.train_op_fn(seen, labels)
        spec = head.create_estimator_spec(features, mode, logits, labels, train_op_fn=train_op_fn)
        return spec._replace(
            training_hooks=[*spec.training_hooks, training.stop_hook()],
            training_chief_hooks=[training.first_hook(), *spec.training_chief_hooks],
        )

    def _check_in_memory(self, config):
        if self._batches != 1:
            raise AssertionError(
                "When train_in_memory is enabled, input_fn should return the entire dataset as a "
                "single batch, and n_batches_per_layer should be set as 1."
            )
        if not config.is_chief or config.num_worker_replicas > 1 or config.num_ps_replicas > 0:
            raise ValueError("train_in_memory is supported only for non-distributed training.")


class _Training:
    """The graph of a training in the making."""

    def __init__(self, model, scope, ensemble, quantiles, boundaries, config):
        self._model, self._scope, self._ensemble = model, scope, ensemble
        self._quantiles, self._boundaries, self._config = quantiles, boundaries, config
        self._head, self._columns, self._options = model._head, model._columns, model._options
        self._groups = buckets.grouped(self._columns, int(1.0 / self._options.epsilon))
        self._are_ready = _variable(quantiles is None, "are_boundaries_ready")
        self._insert = None

    def logits(self, seen, labels):
        """Makes the logits of a batch."""
        model, size = self._model, _rows(labels)
        if model._in_memory:
            self._found = self._kept_buckets(seen, size)
            cache = self._cache(size)
        else:
            self._found = buckets.buckets_of(seen, self._columns, self._boundaries)
            cache = _no_cache(size, self._head.logits_dimension)
        local, reload = self._ensemble, no_op()
        if self._config.num_worker_replicas > 1:
            local = TreeEnsemble(self._scope[:-1] + "_local", is_local=True)
            reload = local.deserialize(*self._ensemble.serialized())
        with control_dependencies([reload]):
            self._states = local.states()
            partial, self._trees, self._nodes = raw_ops.BoostedTreesTrainingPredict(
                tree_ensemble_handle=local.handle, cached_tree_ids=cache[0],
                cached_node_ids=cache[1], bucketized_features=self._found,
                logits_dimension=self._head.logits_dimension,
            )  # fmt: skip
        self._logits = cache[2] + partial
        self._make_grower()
        return self._logits

    def _make_grower(self):
        stamp, trees, finalized, layers, _ = self._states
        args = self._ensemble, self._quantiles, self._options, self._groups
        if self._model._in_memory:
            self._grower = InMemoryGrower(*args)
        else:
            self._grower = AccumulatingGrower(
                *args, stamp, self._model._batches, self._config.is_chief
            )
        for name, value in (("num_trees", trees), ("num_finalized_trees", finalized),
                            ("num_attempted_layers", layers)):  # fmt: skip
            summary.scalar(f"ensemble/{name}", value)
        self._is_bias_needed = _variable(bool(self._options.center_bias), "center_bias_needed")

    def _kept_buckets(self, seen, size):
        """The buckets of all examples, which are computed once."""
        count = sum(buckets.width(c) for c in self._columns)
        kept = [
            _variable(arrays.zeros([size], dtypes.int32), f"cached_feature_{i}")
            for i in range(count)
        ]
        are_kept = _variable(False, "are_features_cached")
        for column in self._columns:  # what `seen` keeps must be made outside of branches
            seen.get(column)

        def computed():
            return buckets.buckets_of(seen, self._columns, self._boundaries)

        def keep():
            updates = [v.assign(value) for v, value in zip(kept, computed())]
            with control_dependencies(updates):
                done = are_kept.assign(True)
            with control_dependencies([done]):
                return [arrays.identity(u) for u in updates]

        def once():
            return cond(are_kept.read_value(), lambda: [v.read_value() for v in kept], keep,
                        strict=True)  # fmt: skip

        found = cond(self._are_ready.read_value(), computed, once, strict=True)
        for part in found:
            part.set_shape([size] if isinstance(size, int) else [None])
        return found

    def _cache(self, size):
        """The leaves and logits of all examples so far."""
        dimension = self._head.logits_dimension
        trees = _variable(arrays.zeros([size], dtypes.int32), "tree_ids_cache")
        nodes = _variable(-arrays.ones([size], dtypes.int32), "node_ids_cache")
        logits = _variable(arrays.zeros([size, dimension]), "logits_cache")
        self._insert = lambda: group(
            trees.assign(self._trees), nodes.assign(self._nodes), logits.assign(self._logits)
        )
        return trees.read_value(), nodes.read_value(), logits.read_value()

    def train_op_fn(self, seen, labels):
        """The function of a loss that makes the operation of a step."""
        numbers = [c for c in self._columns if buckets.is_float(c)]
        weights = constant(1.0, shape=[1])
        weight_column = self._model._weight_column
        if weight_column is not None:
            if isinstance(weight_column, str):
                weight_column = numeric_column(weight_column, (1,))
            weights = buckets.numbers_of(seen, [weight_column])[0]
        values = buckets.numbers_of(seen, numbers)

        def train_op_fn(loss):
            if self._model._closed_form is not None:
                gradients, hessians = self._model._closed_form(self._logits, labels)
            else:
                gradients = gradients_of(loss, self._logits, name="Gradients")[0]
                hessians = gradients_of(gradients, self._logits, name="Hessians")[0]
            if self._quantiles is None:
                return self._grown(gradients, hessians)
            return cond(
                self._are_ready.read_value(), lambda: self._grown(gradients, hessians),
                lambda: self._grower.add_quantiles(values, weights, self._are_ready),
            )  # fmt: skip

        return train_op_fn

    def _grown(self, gradients, hessians):
        options, nodes, parts = self._options, self._states[-1], []
        needed = self._is_bias_needed
        if self._insert is not None:
            parts.append(cond(needed.read_value(), no_op, self._insert))
        summaries = [
            [
                arrays.squeeze(
                    raw_ops.BoostedTreesMakeStatsSummary(
                        node_ids=self._nodes, gradients=gradients, hessians=hessians,
                        bucketized_features_list=[self._found[f]],
                        max_splits=options.max_splits, num_buckets=count,
                    ), axis=[0],
                )
                for f in features
            ]
            for count, features in self._groups.items()
        ]  # fmt: skip
        if options.center_bias:
            update = cond(
                needed.read_value(),
                lambda: self._grower.center_bias(needed, gradients, hessians),
                lambda: self._grower.grow(summaries, nodes),
            )
        else:
            update = self._grower.grow(summaries, nodes)
        with control_dependencies([update]):
            parts += [update, assign_add(get_global_step(), 1).op]
        return group(*parts, name="grow_op")

    def stop_hook(self):
        """The hook that ends the training when all trees are grown."""
        _, _, finalized, layers, _ = self._states
        return _StopAtAttempts(
            finalized, layers, self._options.n_trees, self._options.max_depth
        )

    def first_hook(self):
        """The hook of the chief that prepares what adds up batches."""
        return _Prepare(self._grower.prepared())


def _variable(value, name):
    return Variable(value, trainable=False, validate_shape=False, name=name, use_resource=True)


def _rows(labels):
    """How many examples a batch has: an int where it is known."""
    known = labels.shape.as_list()[0] if labels.shape.ndims else None
    return arrays.shape(labels)[0] if known is None else known


def _no_cache(size, dimension):
    return (
        arrays.zeros([size], dtypes.int32), -arrays.ones([size], dtypes.int32),
        arrays.zeros([size, dimension]),
    )  # fmt: skip


class _StopAtAttempts(SessionRunHook):
    """Stops when the trees are grown, or when too many layers could not be split."""

    def __init__(self, finalized, layers, max_trees, max_depth):
        self._tensors = [finalized, layers]
        self._max_trees, self._max_layers = max_trees, 2 * max_trees * max_depth

    def before_run(self, run_context):
        """Asks for both numbers, as they are before the step."""
        return SessionRunArgs(self._tensors)

    def after_run(self, run_context, run_values):
        """Asks again near the end, since this step may have been the last one."""
        trees, layers = run_values.results
        if trees >= self._max_trees - 1 or layers > self._max_layers - 1:
            trees, layers = run_context.session.run(self._tensors)
        if trees >= self._max_trees or layers > self._max_layers:
            run_context.request_stop()


class _Prepare(SessionRunHook):
    """Runs an operation in each new session."""

    def __init__(self, op):
        self._op = op

    def after_create_session(self, session, coord):
        """Runs it."""
        session.run(self._op)
