# SPDX-License-Identifier: Apache-2.0
"""Connectionist temporal classification (Graves et al., 2006): labels without their times."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import array as arrays
from .. import math, raw_ops
from ..building import given, with_names
from ..functions.loops import map_fn
from ..sparse.sparse_tensor import SparseTensor


def ctc_loss(labels, inputs=None, sequence_length=None, preprocess_collapse_repeated=False,
             ctc_merge_repeated=True, ignore_longer_outputs_than_inputs=False, time_major=True,
             logits=None):  # fmt: skip
    """Computes minus the logarithm of the probability of labels. The last class is the blank.

    Args:
        labels: A SparseTensor [batch, most labels] of int32.
        inputs: A float32 tensor [steps, batch, classes] of logits.
        sequence_length: How many steps each example has, an int32 tensor [batch].
        preprocess_collapse_repeated: Whether equal labels that follow each other are one. A bool.
        ctc_merge_repeated: Whether equal classes that follow each other are one label, unless a
            blank is between them. A bool.
        ignore_longer_outputs_than_inputs: Whether examples with more labels than steps have loss 0.
            A bool. False: they fail.
        time_major: Whether the steps are the first dimension; else the batch is. A bool.
        logits: Another name of inputs.

    Returns:
        A tensor [batch].

    Raises:
        TypeError: labels is not a SparseTensor.
        errors.InvalidArgumentError: In run(): an example has too many labels.
    """
    if not isinstance(labels, SparseTensor):
        raise TypeError(f"labels must be a SparseTensor, not {labels!r}")
    inputs = given(inputs, logits)
    inputs = inputs if time_major else arrays.transpose(inputs, [1, 0, 2])
    return raw_ops.CTCLoss(
        inputs=inputs, labels_indices=labels.indices, labels_values=labels.values,
        sequence_length=sequence_length,
        preprocess_collapse_repeated=preprocess_collapse_repeated,
        ctc_merge_repeated=ctc_merge_repeated,
        ignore_longer_outputs_than_inputs=ignore_longer_outputs_than_inputs,
    )[0]  # fmt: skip


def ctc_loss_v2(labels, logits, label_length, logit_length, logits_time_major=True, unique=None,
                blank_index=None, name=None):  # fmt: skip
    """Computes minus the logarithm of the probability of labels.

    Args:
        labels: A SparseTensor [batch, most labels] of int32; or a tensor of that shape, whose rows
            count up to label_length.
        logits: A float32 tensor [steps, batch, classes].
        label_length: How many labels each example has, an int32 tensor [batch]. A SparseTensor of
            labels does not need it.
        logit_length: How many steps each example has, an int32 tensor [batch].
        logits_time_major: Whether the steps are the first dimension; else the batch is. A bool.
        unique: Accepted. It has no effect.
        blank_index: The class of the blank, an int; a negative one counts from the last. None: 0,
            if labels is a tensor.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [batch].

    Raises:
        ValueError: labels is a SparseTensor, and blank_index is not given.
        errors.InvalidArgumentError: In run(): an example has too many labels.
    """
    del unique
    sparse = isinstance(labels, SparseTensor)
    if sparse and blank_index is None:
        raise ValueError("blank_index must be given where labels is a SparseTensor")
    with name_scope(name, "ctc_loss" if sparse else "ctc_loss_dense"):
        logits = convert_to_tensor(logits, name="logits")
        if not sparse:
            labels = _sparse_labels(convert_to_tensor(labels, name="labels"), label_length)
        blank = 0 if blank_index is None else blank_index
        classes = logits.shape.as_list()[2]
        if blank != -1 and blank + 1 != classes:
            logits, labels = _blank_last(logits, labels, blank, classes)
        return ctc_loss(labels, logits, logit_length, time_major=logits_time_major)


def _blank_last(logits, labels, blank, classes):
    """The same with the blank as the last class, where the op has it."""
    if blank < 0:
        blank += arrays.shape(logits)[2] if classes is None else classes
    logits = arrays.concat(
        [logits[:, :, :blank], logits[:, :, blank + 1 :], logits[:, :, blank : blank + 1]], 2
    )
    values = labels.values
    values = arrays.where(values < blank, values, values - 1)
    return logits, SparseTensor(labels.indices, values, labels.dense_shape)


def _sparse_labels(labels, lengths):
    sizes = arrays.shape(labels, out_type=dtypes.int64)
    kept = arrays.sequence_mask(lengths, maxlen=arrays.shape(labels)[1])
    places = arrays.where(kept)
    values = arrays.cast(arrays.gather_nd(labels, places), dtypes.int32)
    return SparseTensor(places, values, sizes)


def ctc_greedy_decoder(inputs, sequence_length, merge_repeated=True):
    """Finds labels by the best class of each step. The last class is the blank.

    Args:
        inputs: A float32 tensor [steps, batch, classes] of logits.
        sequence_length: How many steps each example has, an int32 tensor [batch].
        merge_repeated: Whether equal classes that follow each other are one label, unless a blank
            is between them. A bool.

    Returns:
        A tuple: a list of one SparseTensor [batch, most labels] of int64; and minus the sum of the
        best logits, a tensor [batch, 1].
    """
    *parts, scores = raw_ops.CTCGreedyDecoder(
        inputs=inputs, sequence_length=sequence_length, merge_repeated=merge_repeated
    )
    return [SparseTensor(*parts)], scores


def ctc_beam_search_decoder(inputs, sequence_length, beam_width=100, top_paths=1,
                            merge_repeated=True):  # fmt: skip
    """Finds labels of high probability by a beam search. The last class is the blank.

    Args:
        inputs: A float32 tensor [steps, batch, classes] of logits.
        sequence_length: How many steps each example has, an int32 tensor [batch].
        beam_width: How many beginnings are kept at each step, an int.
        top_paths: How many results there are, an int.
        merge_repeated: Whether equal labels of a result that follow each other are one. A bool.

    Returns:
        A tuple: a list of SparseTensors [batch, most labels] of int64, the best first; and the
        logarithms of their probabilities, a tensor [batch, top_paths].
    """
    indices, values, shapes, scores = raw_ops.CTCBeamSearchDecoder(
        inputs=inputs, sequence_length=sequence_length, beam_width=beam_width,
        top_paths=top_paths, merge_repeated=merge_repeated,
    )  # fmt: skip
    return [SparseTensor(*parts) for parts in zip(indices, values, shapes)], scores


def ctc_beam_search_decoder_v2(inputs, sequence_length, beam_width=100, top_paths=1):
    """Finds labels of high probability by a beam search. Equal labels stay: see
    ctc_beam_search_decoder().

    Args:
        inputs: A float32 tensor [steps, batch, classes] of logits.
        sequence_length: How many steps each example has, an int32 tensor [batch].
        beam_width: How many beginnings are kept at each step, an int.
        top_paths: How many results there are, an int.

    Returns:
        A tuple: a list of SparseTensors [batch, most labels] of int64, the best first; and the
        logarithms of their probabilities, a tensor [batch, top_paths].
    """
    return ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, False)


def collapse_repeated(labels, seq_length, name=None):
    """Makes one label of equal labels that follow each other.

    Args:
        labels: A tensor [batch, most labels].
        seq_length: How many labels each row has, an integer tensor [batch].
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the labels, a tensor with 0 after the end of rows, and how many each row has.

    Example:
        >>> labels, lengths = sl.nn.collapse_repeated([[1, 1, 2, 2, 1]], [5])
        >>> sl.Session().run([labels, lengths])
        [array([[1, 2, 1]], dtype=int32), array([3], dtype=int32)]
    """
    with name_scope(name, "collapse_repeated_labels"):
        labels = convert_to_tensor(labels, name="labels")
        lengths = convert_to_tensor(seq_length, name="seq_length")
        first = arrays.ones_like(labels[:, :1], dtypes.bool_)
        kept = arrays.concat([first, math.not_equal(labels[:, 1:], labels[:, :-1])], 1)
        width = arrays.shape(labels)[1]
        kept = math.logical_and(kept, arrays.sequence_mask(lengths, maxlen=width))
        counts = math.reduce_sum(arrays.cast(kept, dtypes.int32), axis=1)
        most = math.reduce_max(counts)
        places = arrays.where(arrays.sequence_mask(counts, maxlen=most))
        shape = arrays.cast(arrays.stack([arrays.shape(labels)[0], most]), dtypes.int64)
        values = arrays.boolean_mask(labels, kept)
        return arrays.scatter_nd(places, values, shape), arrays.cast(counts, lengths.dtype)


def ctc_unique_labels(labels, name=None):
    """Finds the different labels of each row.

    Args:
        labels: An int32 or int64 tensor [batch, most labels].
        name: Name of the operation, a str. None: a default name.

    Returns:
        A list: the different labels of each row, an int64 tensor with 0 after their end; and which
        of them each label is, an int32 tensor.
    """
    with name_scope(name, "ctc_unique_labels"):
        labels = convert_to_tensor(labels, name="labels")

        def of_row(row):
            found, places = arrays.unique(row)
            lacking = arrays.shape(places)[0] - arrays.shape(found)[0]
            zeros = arrays.zeros(arrays.expand_dims(lacking, 0), found.dtype)
            return [arrays.cast(arrays.concat([found, zeros], 0), dtypes.int64), places]

        return map_fn(of_row, labels, dtype=[dtypes.int64, dtypes.int32])


__all__ = with_names(globals())
