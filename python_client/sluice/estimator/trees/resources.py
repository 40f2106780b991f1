# SPDX-License-Identifier: Apache-2.0
"""The resources of boosted trees: the ensemble, and quantiles of the features."""

from ...graph.default_graph import add_to_collection, control_dependencies, name_scope
from ...graph.keys import GraphKeys
from ...ops import array as arrays
from ...ops import raw_ops
from ...training.resources import register_resource


class _Saved:
    """What a Saver takes for a resource: some tensors, and a function that takes them back."""

    def __init__(self, handle, create, tensors, restore):
        self.name, self.op, self.device = handle.name, handle.op, handle.device
        self.tensors = [(handle.name + suffix, tensor) for suffix, tensor in tensors]
        self._create, self._restore = create, restore

    def restore(self, values):
        """Adds the operation that takes over what was read."""
        with control_dependencies([self._create]):
            return self._restore(values)


class TreeEnsemble:
    """The trees of a model.

    Args:
        name: Name of the resource, a str.
        is_local: Whether it is a copy of this worker, which no checkpoint has. A bool.
    """

    def __init__(self, name, is_local=False):
        with name_scope(name, "TreeEnsemble") as scope:
            self.handle = raw_ops.BoostedTreesEnsembleResourceHandleOp(
                shared_name=scope, name=scope
            )
            create = raw_ops.BoostedTreesCreateEnsemble(
                tree_ensemble_handle=self.handle, stamp_token=0, tree_ensemble_serialized=""
            )
            initialized = raw_ops.IsBoostedTreesEnsembleInitialized(
                tree_ensemble_handle=self.handle
            )
            if not is_local:
                stamp, text = self.serialized()
                tensors = [("_stamp", stamp), ("_serialized", text)]
                saved = _Saved(self.handle, create, tensors, lambda v: self.deserialize(*v))
                add_to_collection(GraphKeys.SAVEABLE_OBJECTS, saved)
        register_resource(self.handle, create, initialized, not is_local)

    def serialized(self):
        """The stamp and the bytes of the trees: tensors."""
        return tuple(raw_ops.BoostedTreesSerializeEnsemble(tree_ensemble_handle=self.handle))

    def deserialize(self, stamp, text):
        """The operation that takes over what serialized() returned."""
        return raw_ops.BoostedTreesDeserializeEnsemble(
            tree_ensemble_handle=self.handle, stamp_token=stamp, tree_ensemble_serialized=text
        )

    def states(self):
        """The stamp, the numbers of trees, of finalized trees and of attempted layers, and the
        range of the nodes of the last layer: tensors."""
        names = (
            "stamp_token", "num_trees", "num_finalized_trees", "num_attempted_layers",
            "last_layer_nodes_range",
        )  # fmt: skip
        found = raw_ops.BoostedTreesGetEnsembleStates(tree_ensemble_handle=self.handle)
        return [arrays.identity(tensor, name=name) for tensor, name in zip(found, names)]


class Quantiles:
    """Where the buckets of numbers begin: quantiles of the numbers of the first batches.

    Args:
        epsilon: The error of a quantile, a float.
        count: How many features there are, an int.
        buckets: How many buckets each has, an int.
    """

    def __init__(self, epsilon, count, buckets):
        self._epsilon, self._count, self._buckets = epsilon, count, buckets
        with name_scope("QuantileAccumulator") as scope:
            self.handle = raw_ops.BoostedTreesQuantileStreamResourceHandleOp(
                shared_name=scope, name=scope
            )
            create = raw_ops.BoostedTreesCreateQuantileStreamResource(
                quantile_stream_resource_handle=self.handle, epsilon=epsilon, num_streams=count
            )
            initialized = raw_ops.IsBoostedTreesQuantileStreamResourceInitialized(
                quantile_stream_resource_handle=self.handle
            )
        register_resource(self.handle, create, initialized)
        tensors = [
            (f"_bucket_boundaries_{i}", part) for i, part in enumerate(self.boundaries())
        ]
        saved = _Saved(self.handle, create, tensors, self._deserialize)
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, saved)

    def _deserialize(self, boundaries):
        return raw_ops.BoostedTreesQuantileStreamResourceDeserialize(
            quantile_stream_resource_handle=self.handle, bucket_boundaries=list(boundaries)
        )

    def boundaries(self):
        """Where the buckets of each feature begin, a list of tensors."""
        return raw_ops.add_op(
            "BoostedTreesQuantileStreamResourceGetBucketBoundaries", None,
            {"quantile_stream_resource_handle": self.handle, "num_features": self._count},
        )  # fmt: skip

    def add(self, values, weights):
        """The operation that adds a batch: values of each feature, and weights of the examples."""
        summaries = raw_ops.BoostedTreesMakeQuantileSummaries(
            float_values=values, example_weights=weights, epsilon=self._epsilon
        )
        return raw_ops.BoostedTreesQuantileStreamResourceAddSummaries(
            quantile_stream_resource_handle=self.handle, summaries=_listed(summaries)
        )

    def flush(self):
        """The operation that makes boundaries of what was added."""
        return raw_ops.BoostedTreesQuantileStreamResourceFlush(
            quantile_stream_resource_handle=self.handle, num_buckets=self._buckets
        )


def _listed(found):
    return list(found) if isinstance(found, (list, tuple)) else [found]
