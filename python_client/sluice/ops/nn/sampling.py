# SPDX-License-Identifier: Apache-2.0
"""Embeddings, and losses that draw candidates."""

from ... import dtypes
from ...graph.convert import convert_to_tensor, is_resource_variable
from ...graph.default_graph import colocate_with, name_scope
from ...graph.seeds import count_more_nodes
from .. import array as arrays
from .. import math, raw_ops, sparse
from ..building import with_names
from ..math.clipping import clip_by_norm
from ..math.products import matmul
from ..random.candidates import compute_accidental_hits, log_uniform_candidate_sampler
from ..state.partitioned import PartitionedVariable
from .cross_entropy import sigmoid_cross_entropy_with_logits, softmax_cross_entropy_with_logits


def embedding_lookup(params, ids, partition_strategy="mod", name=None, validate_indices=True,
                     max_norm=None):  # fmt: skip
    """Takes rows of an embedding table. The gradient is IndexedSlices.

    Args:
        params: The table, a tensor or variable [rows, ...], or a list of its parts.
        ids: An int32 or int64 tensor [...] of row numbers.
        partition_strategy: "mod": row i is in part i mod n. "div": each part has consecutive rows.
        name: Name of the operation, a str. None: a default name.
        validate_indices: Whether indices out of order or repeated are refused. A bool.
        max_norm: Rows with a larger norm are scaled down to it, a float. None: no limit.

    Returns:
        A tensor: the shape of ids, then that of a row.

    Raises:
        ValueError: partition_strategy is unknown.

    Example:
        >>> table = sl.constant([[0.0, 0.0], [1.0, 1.5], [2.0, 2.5]])
        >>> sl.Session().run(sl.nn.embedding_lookup(table, [2, 1]))
        array([[2. , 2.5],
               [1. , 1.5]], dtype=float32)
    """
    parted = isinstance(params, (list, tuple, PartitionedVariable))
    params = list(params) if parted else [params]
    with name_scope(name, "embedding_lookup") as scope:
        if len(params) == 1:
            table = params[0]
            if not is_resource_variable(table):
                table = convert_to_tensor(table, name="params_0")
            ids = convert_to_tensor(ids, name="ids")
            with colocate_with(table.op):
                rows = arrays.gather(table, ids, name=scope)
            rows = rows if max_norm is None else _clipped(rows, ids, max_norm)
            return arrays.identity(rows)
        return _looked_up(params, ids, partition_strategy, max_norm)


# TensorFlow makes another number of nodes, which decides later seeds.
_MORE_OF_PARTS = {"mod": -4, "div": -15}


def _looked_up(params, ids, partition_strategy, max_norm, name=None):
    """embedding_lookup() of several parts."""
    ids = convert_to_tensor(ids)
    flat = arrays.reshape(ids, [-1])
    count = len(params)
    if partition_strategy == "mod":
        part, place = flat % count, flat // count
    elif partition_strategy == "div":
        sizes = [arrays.cast(arrays.shape(convert_to_tensor(p))[0], ids.dtype) for p in params]
        total = math.add_n(sizes)
        each, more = total // count, total % count
        part = math.maximum(flat // (each + 1), (flat - more) // each)
        first = part < more
        start = arrays.where(first, part * (each + 1), part * each + more)
        place = flat - start
    else:
        raise ValueError(f'partition_strategy is "mod" or "div", not "{partition_strategy}"')
    part = arrays.cast(part, dtypes.int32)
    places = arrays.dynamic_partition(place, part, count)
    order = arrays.dynamic_partition(arrays.range(arrays.size(flat)), part, count)
    rows = [arrays.gather(p, i) for p, i in zip(params, places)]
    count_more_nodes(_MORE_OF_PARTS[partition_strategy])
    rows = raw_ops.ParallelDynamicStitch(indices=order, data=rows)
    tail = arrays.shape(convert_to_tensor(params[0]))[1:]
    rows = arrays.reshape(rows, arrays.concat([arrays.shape(ids), tail], 0), name)
    return rows if max_norm is None else _clipped(rows, ids, max_norm)


def _clipped(rows, ids, max_norm):
    lead = convert_to_tensor(ids).shape.ndims
    return clip_by_norm(rows, max_norm, list(range(lead, rows.shape.ndims)))


def embedding_lookup_sparse(params, sp_ids, sp_weights=None, partition_strategy="mod", name=None,
                            combiner=None, max_norm=None):  # fmt: skip
    """Takes rows of an embedding table, and combines the rows of each example.

    Args:
        params: The table, a tensor or variable [rows, ...], or a list of its parts.
        sp_ids: A SparseTensor [examples, most ids] of int64 row numbers.
        sp_weights: A SparseTensor of the same places: how much each row counts. None: 1.
        partition_strategy: "mod": row i is in part i mod n. "div": each part has consecutive rows.
        name: Name of the operation, a str. None: a default name.
        combiner: "sum", "mean" (divided by the sum of weights), or "sqrtn" (by the root of the sum
            of their squares). None: "mean".
        max_norm: Rows with a larger norm are scaled down to it, a float. None: no limit.

    Returns:
        A tensor [examples, ...].
    """
    combiner = combiner or "mean"
    with name_scope(name, "embedding_lookup_sparse") as scope:
        segments = arrays.cast(sp_ids.indices[:, 0], dtypes.int32)
        ids, places = arrays.unique(sp_ids.values)
        rows = embedding_lookup(params, ids, partition_strategy, max_norm=max_norm)
        if sp_weights is None:
            return raw_ops.apply_op(
                _SEGMENTS[combiner], scope, data=rows, indices=places, segment_ids=segments
            )
        return _weighted_rows(rows, places, segments, sp_weights, combiner, scope)


_SEGMENTS = {
    "sum": "SparseSegmentSum",
    "mean": "SparseSegmentMean",
    "sqrtn": "SparseSegmentSqrtN",
}


def _weighted_rows(rows, places, segments, sp_weights, combiner, name):
    weights = arrays.cast(sp_weights.values, rows.dtype)
    rows = arrays.gather(rows, places)
    sides = arrays.concat([[-1], arrays.ones_like(arrays.shape(rows)[1:])], 0)
    total = math.segment_sum(rows * arrays.reshape(weights, sides), segments)
    if combiner == "sum":
        return arrays.identity(total, name)
    if combiner == "mean":
        by = math.segment_sum(weights, segments)
    else:
        by = math.sqrt(math.segment_sum(weights * weights, segments))
    return math.realdiv(total, arrays.reshape(by, sides), name)


def safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights=None,
                                 combiner="mean", default_id=None, name=None,
                                 partition_strategy="div", max_norm=None):  # fmt: skip
    """Takes rows of an embedding table for ids of any rank; negative ids do not count.

    An id whose weight is not positive does not count either, unless combiner is "sum".

    Args:
        embedding_weights: The table, a tensor or variable [rows, ...], or a list of its parts.
        sparse_ids: A SparseTensor [..., most ids] of int64 row numbers.
        sparse_weights: A SparseTensor of the same places: how much each row counts. None: 1.
        combiner: "sum", "mean" or "sqrtn": see embedding_lookup_sparse().
        default_id: The row of examples without ids, an int. None: zeros.
        name: Name of the operation, a str. None: a default name.
        partition_strategy: "mod": row i is in part i mod n. "div": each part has consecutive rows.
        max_norm: Rows with a larger norm are scaled down to it, a float. None: no limit.

    Returns:
        A tensor [..., ...]: the leading dimensions of sparse_ids, then those of a row.
    """
    # The nodes are those of 1.x: seeds of later operations follow from how many there are.
    with name_scope(name, "embedding_lookup") as scope:
        sizes, rank = sparse_ids.dense_shape, sparse_ids.shape.ndims
        rows_of_ids = math.reduce_prod(arrays.slice(sizes, [0], [rank - 1]))
        flat = arrays.stack([rows_of_ids, arrays.gather(sizes, rank - 1)])
        ids, weights = sparse.reshape(sparse_ids, flat), None
        if sparse_weights is not None:
            weights = sparse.SparseTensor(ids.indices, sparse_weights.values, ids.dense_shape)
        counts = ids.values >= 0
        if weights is not None and combiner != "sum":
            counts = math.logical_and(counts, weights.values > 0)
        ids = sparse.retain(ids, counts)
        ids, empty = sparse.fill_empty_rows(ids, 0 if default_id is None else default_id)
        if weights is not None:
            weights, _ = sparse.fill_empty_rows(sparse.retain(weights, counts), 1.0)
        rows = embedding_lookup_sparse(
            embedding_weights, ids, weights, partition_strategy, None, combiner, max_norm
        )
        if default_id is None:
            width = arrays.shape(rows)[1]
            empty = arrays.tile(arrays.reshape(empty, [-1, 1]), arrays.stack([1, width]))
            rows = arrays.where(empty, arrays.zeros_like(rows), rows, name=scope)
        lead = arrays.slice(arrays.cast(sizes, dtypes.int32), [0], [rank - 1])
        result = arrays.reshape(
            rows, arrays.concat([lead, arrays.slice(arrays.shape(rows), [1], [-1])], 0)
        )
        result.set_shape([None] * (rank - 1) + rows.shape.as_list()[1:])
        return result


def _sampled_logits(
    weights,
    biases,
    labels,
    inputs,
    num_sampled,
    num_classes,
    num_true,
    sampled_values,
    subtract_log_q,
    remove_accidental_hits,
    strategy,
    seed,
):
    """(logits [batch, num_true + num_sampled], labels of the same shape)."""
    labels = arrays.cast(labels, dtypes.int64)
    flat = arrays.reshape(labels, [-1])
    if labels.shape.ndims != 2:
        labels = arrays.reshape(labels, [-1, num_true])
    if sampled_values is None:
        sampled_values = log_uniform_candidate_sampler(
            labels, num_true, num_sampled, True, num_classes, seed
        )
    sampled, true_expected, sampled_expected = (arrays.stop_gradient(v) for v in sampled_values)
    every = arrays.concat([flat, arrays.cast(sampled, dtypes.int64)], 0)
    all_w = embedding_lookup(weights, every, strategy)
    all_b = embedding_lookup(biases, every, strategy)
    count = arrays.size(flat)
    true_w = arrays.reshape(all_w[:count], arrays.stack([-1, num_true, arrays.shape(all_w)[1]]))
    true_logits = math.reduce_sum(arrays.expand_dims(inputs, 1) * true_w, 2)
    true_logits += arrays.reshape(all_b[:count], [-1, num_true])
    sampled_logits = matmul(inputs, all_w[count:], transpose_b=True) + all_b[count:]
    if remove_accidental_hits:
        rows, ids, values = compute_accidental_hits(labels, sampled, num_true)
        count_more_nodes(15)  # TensorFlow has more, which decide later seeds
        places = arrays.stack([rows, arrays.cast(ids, dtypes.int32)], 1)
        sampled_logits += arrays.scatter_nd(
            places, arrays.cast(values, sampled_logits.dtype), arrays.shape(sampled_logits)
        )
    if subtract_log_q:
        true_logits -= arrays.cast(math.log(true_expected), true_logits.dtype)
        sampled_logits -= arrays.cast(math.log(sampled_expected), true_logits.dtype)
    logits = arrays.concat([true_logits, sampled_logits], 1)
    truth = arrays.ones_like(true_logits) / num_true
    return logits, arrays.concat([truth, arrays.zeros_like(sampled_logits)], 1)


def nce_loss(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1,
             sampled_values=None, remove_accidental_hits=False, partition_strategy="mod",
             name="nce_loss"):  # fmt: skip
    """Computes the loss of noise-contrastive estimation (Gutmann and Hyvarinen, 2010).

    Args:
        weights: The weights of classes, a tensor or variable [classes, dim], or a list of parts.
        biases: The biases of classes, a tensor or variable [classes], or a list of parts.
        labels: The right classes, an int64 tensor [batch, num_true].
        inputs: The inputs of the last layer, a tensor [batch, dim].
        num_sampled: How many classes are drawn, an int.
        num_classes: How many classes there are, an int.
        num_true: How many right classes each example has, an int.
        sampled_values: The result of a candidate sampler. None: log_uniform_candidate_sampler() is
            used.
        remove_accidental_hits: Whether drawn classes that are right are left out. A bool.
        partition_strategy: "mod": row i is in part i mod n. "div": each part has consecutive rows.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [batch].
    """
    logits, truth = _sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, True,
        remove_accidental_hits, partition_strategy, None,
    )  # fmt: skip
    losses = sigmoid_cross_entropy_with_logits(labels=truth, logits=logits)
    count_more_nodes(33)  # TensorFlow has more, which decide later seeds
    return math.reduce_sum(losses, 1, name=name)


def sampled_softmax_loss(weights, biases, labels, inputs, num_sampled, num_classes, num_true=1,
                         sampled_values=None, remove_accidental_hits=True,
                         partition_strategy="mod", name="sampled_softmax_loss",
                         seed=None):  # fmt: skip
    """Computes the softmax loss over the right classes and a sample of the others.

    Args:
        weights: The weights of classes, a tensor or variable [classes, dim], or a list of parts.
        biases: The biases of classes, a tensor or variable [classes], or a list of parts.
        labels: The right classes, an int64 tensor [batch, num_true].
        inputs: The inputs of the last layer, a tensor [batch, dim].
        num_sampled: How many classes are drawn, an int.
        num_classes: How many classes there are, an int.
        num_true: How many right classes each example has, an int.
        sampled_values: The result of a candidate sampler. None: log_uniform_candidate_sampler() is
            used.
        remove_accidental_hits: Whether drawn classes that are right are left out. A bool.
        partition_strategy: "mod": row i is in part i mod n. "div": each part has consecutive rows.
        name: Name of the operation, a str. None: a default name.
        seed: Seed of the operation, an int. None: see set_random_seed().

    Returns:
        A tensor [batch].
    """
    logits, truth = _sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, True,
        remove_accidental_hits, partition_strategy, seed,
    )  # fmt: skip
    truth = arrays.stop_gradient(truth)
    count_more_nodes(22)  # TensorFlow has more, which decide later seeds
    return softmax_cross_entropy_with_logits(labels=truth, logits=logits, name=name)


__all__ = with_names(globals())
