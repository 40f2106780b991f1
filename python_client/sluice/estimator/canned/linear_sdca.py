# SPDX-License-Identifier: Apache-2.0
"""Linear estimators trained by stochastic dual coordinate ascent.

The dual variables of the examples are in a table, by the names of the examples. A step changes
those of a batch, and weights without the L1 term. After each step the chief sets the weights of the
model to these, and shrinks them (Shalev-Shwartz and Zhang, "Accelerated proximal stochastic dual
coordinate ascent", 2013).
"""

from ... import dtypes
from ...feature_column.columns import CategoricalColumn, DenseColumn, Features, Variables
from ...feature_column.input_layers import as_rows
from ...feature_column.numeric import NumericColumn
from ...graph.default_graph import control_dependencies, name_scope
from ...ops import array as arrays
from ...ops import math, raw_ops
from ...ops.control_flow.grouping import group
from ...ops.lookup.mutable import DenseHashTable
from ...ops.state.scatter import scatter_add
from ...ops.state.updates import assign_add
from ...ops.state.variables import Variable
from ...training import summary
from ...training.global_step import get_global_step
from ...training.session_hooks import SessionRunArgs, SessionRunHook
from ..base.modes import ModeKeys
from . import models
from .classes import BinaryClassHead
from .heads import weight_column_of
from .numbers import RegressionHead


class LinearSDCA:
    """Stochastic dual coordinate ascent, as the optimizer of a LinearClassifier of two classes, or
    of a LinearRegressor of one number.

    Args:
        example_id_column: The feature with the names of examples, a string tensor [batch]: its
            name, a str.
        num_loss_partitions: How many workers train at once, an int.
        num_table_shards: Accepted. The names are in one table.
        symmetric_l1_regularization: How much the absolute values of weights count in the loss, a
            float.
        symmetric_l2_regularization: How much their squares count, a float above 0; it should be
            above 1.
        adaptive: Whether examples with larger errors are visited more often. A bool.
    """

    def __init__(self, example_id_column, num_loss_partitions=1, num_table_shards=None,
                 symmetric_l1_regularization=0.0, symmetric_l2_regularization=1.0,
                 adaptive=False):  # fmt: skip
        del num_table_shards
        self.example_id_column, self.num_loss_partitions = example_id_column, num_loss_partitions
        self.l1, self.l2 = symmetric_l1_regularization, symmetric_l2_regularization
        self.adaptive = adaptive


def check_use(optimizer, size, sparse_combiner, of_classes):
    """ValueError: the optimizer is LinearSDCA, and the model does not fit it.

    Args:
        optimizer: What the program gave.
        size: How many classes there are, or numbers of a label, an int.
        sparse_combiner: How the weights of ids become one, a str.
        of_classes: Whether it is a classifier. A bool.
    """
    if not isinstance(optimizer, LinearSDCA):
        return
    if sparse_combiner != "sum":
        raise ValueError('sparse_combiner must be "sum" when optimizer is a LinearSDCA object.')
    if of_classes and size > 2:
        raise ValueError("LinearSDCA cannot be used in a multi-class setting.")
    if not of_classes and size > 1:
        raise ValueError("LinearSDCA can only be used with one-dimensional label.")


def estimator_spec(sdca, head, columns, features, labels, mode):
    """The EstimatorSpec of a linear model, in the current scope.

    Args:
        sdca: The LinearSDCA.
        head: The Head.
        columns: The columns of the features.
        features: A dict: name -> tensor.
        labels: The labels, a tensor.
        mode: What the model is for, of ModeKeys.

    Raises:
        ValueError: The head, a column, or a number of the optimizer is not possible.
    """
    if isinstance(head, BinaryClassHead):
        loss_type = "logistic_loss"
    elif isinstance(head, RegressionHead):
        loss_type = "squared_loss"
    else:
        raise ValueError(f"Unsupported head type: {head}")
    logits, weights = models.linear_parts(features, 1, columns, "sum")
    if mode != ModeKeys.TRAIN:
        return head.create_estimator_spec(features, mode, logits, labels)
    step = _Step(sdca, loss_type, weights, features)
    train_op, update_op = step.operations(labels, _example_weights(head, features, labels))
    spec = head.create_estimator_spec(
        features, mode, logits, labels, train_op_fn=lambda loss: train_op
    )
    hooks = [*spec.training_chief_hooks, _RunToo(update_op)]
    return spec._replace(training_chief_hooks=hooks)


class _RunToo(SessionRunHook):
    """Runs an operation with each step."""

    def __init__(self, op):
        self._op = op

    def before_run(self, run_context):
        return SessionRunArgs(self._op)


def _example_weights(head, features, labels):
    column = weight_column_of(head)
    if column is None:
        return arrays.ones([arrays.shape(labels)[0]])
    key = column.key if isinstance(column, NumericColumn) else column
    return arrays.cast(arrays.reshape(features[key], [-1]), dtypes.float32)


class _Step:
    """One step on a batch."""

    def __init__(self, sdca, loss_type, weights, features):
        if sdca.l2 <= 0.0:
            raise ValueError("symmetric_l2_regularization should be positive.")
        if sdca.l1 < 0.0:
            raise ValueError("symmetric_l1_regularization should be non-negative.")
        self._sdca, self._loss_type, self._names = sdca, loss_type, features[sdca.example_id_column]
        self._sparse, self._dense = [], []  # pairs: what a column is for the batch, its variable
        self._take(weights, features)
        self._variables = [v for _, v in [*self._sparse, *self._dense]]
        self._plain = [  # without the L1 term
            Variable(arrays.zeros_like(v.initialized_value()), name=f"{v.op.name}_unshrunk")
            for v in self._variables
        ]
        with name_scope("ShardedMutableHashTable"):
            self._table = DenseHashTable(
                dtypes.int64, dtypes.float32, [0.0] * 4, [0, 0], [1, 1],
                name="ShardedMutableHashTable-1-of-1",
            )  # fmt: skip
        summary.scalar("approximate_duality_gap", self._gap())
        summary.scalar("examples_seen", self._table.size())

    def _take(self, weights, features):
        features, variables = Features(features), Variables([], True)
        bias = weights.pop("bias")
        for column in sorted(weights, key=lambda column: column.name):
            own = _whole(weights[column], column.name)
            if isinstance(column, CategoricalColumn):
                self._sparse.append((_unique(column.ids_and_weights(features)), own))
            elif isinstance(column, DenseColumn):
                rank = column.variable_shape.ndims
                if rank != 1:
                    raise ValueError(
                        f"Column {type(column).__name__} has rank {rank}, larger than 1."
                    )
                self._dense.append((as_rows(column.dense(features, variables), column), own))
            else:
                raise ValueError(f"LinearSDCA does not support the column {column.name}.")
        size = arrays.shape(self._names)[0]
        self._dense.append((arrays.ones(arrays.stack([size, 1])), _whole(bias, "bias")))

    def _gap(self):
        """How far the loss of all examples is from the best one, at most: a float64 scalar."""
        sums = math.reduce_sum(arrays.cast(self._table.export()[1], dtypes.float64), 0)
        weights = [arrays.cast(v, dtypes.float64) for v in self._variables]
        l1 = self._sdca.l1 * math.add_n([math.reduce_sum(math.abs(w)) for w in weights])
        l2 = self._sdca.l2 * math.add_n([math.reduce_sum(math.square(w)) for w in weights])
        return (sums[1] + sums[2] + l1 + l2) / sums[3]

    def operations(self, labels, example_weights):
        """(the operation of a step, that which sets the weights of the model after it)."""
        sdca, count = self._sdca, len(self._sparse)
        rows, ids, values = ([part[n] for part, _ in self._sparse] for n in range(3))
        places = [arrays.unique(part)[0] for part in ids]
        names = raw_ops.SdcaFprint(input=self._names)
        found = raw_ops.SdcaOptimizerV2(
            sparse_example_indices=rows, sparse_feature_indices=ids, sparse_feature_values=values,
            dense_features=[part for part, _ in self._dense], example_weights=example_weights,
            example_labels=arrays.cast(arrays.reshape(labels, [-1]), dtypes.float32),
            sparse_indices=places,
            sparse_weights=[arrays.gather(v, p) for v, p in zip(self._plain, places)],
            dense_weights=[arrays.identity(v) for v in self._plain[count:]],
            example_state_data=self._table.lookup(names), loss_type=self._loss_type, l1=sdca.l1,
            l2=sdca.l2, num_loss_partitions=sdca.num_loss_partitions, num_inner_iterations=1,
            adaptive=sdca.adaptive,
        )  # fmt: skip
        states, of_sparse, of_dense = found
        with control_dependencies([states]):
            updates = [self._table.insert(names, states)]
            updates += map(scatter_add, self._plain, places, of_sparse)
            updates += map(assign_add, self._plain[count:], of_dense)
        with control_dependencies(updates):
            step = assign_add(get_global_step(), 1).op
        with control_dependencies([step]):
            updates = [v.assign(arrays.identity(p)) for v, p in zip(self._variables, self._plain)]
        if sdca.l1 > 0:
            with control_dependencies(updates):
                updates = [v.assign(_shrunk(v, sdca.l1 / sdca.l2)) for v in self._variables]
        return step, group(*updates)


def _shrunk(variable, size):
    value = variable.read_value()
    return math.sign(value) * math.maximum(0.0, math.abs(value) - size)


def _whole(parts, name):
    """The variable of a column. ValueError: a partitioner cut it."""
    if len(parts) != 1:
        raise ValueError(f"LinearSDCA takes no variables that are cut, such as that of {name}")
    return parts[0]


def _unique(found):
    """(rows, ids, weights): each id once in a row, with the sum of its weights."""
    rows = found.ids.indices[:, 0]
    ids = arrays.cast(arrays.reshape(found.ids.values, [-1]), dtypes.int64)
    weights = arrays.ones_like(ids, dtypes.float32)
    if found.weights is not None:
        weights = found.weights.values
    known = ids >= 0  # words out of the vocabulary have none
    rows, ids, weights = (arrays.boolean_mask(part, known) for part in (rows, ids, weights))
    count = math.reduce_max(ids) + 1
    places, groups = arrays.unique(count * rows + ids)
    size = arrays.size(places)
    rows = math.unsorted_segment_min(rows, groups, size)
    return rows, places - count * rows, math.unsorted_segment_sum(weights, groups, size)
