# SPDX-License-Identifier: Apache-2.0
"""Losses of lists of outputs, and models for several lengths."""

from ...graph.default_graph import name_scope
from ...ops import array as arrays
from ...ops import math
from ...ops.nn.cross_entropy import sparse_softmax_cross_entropy_with_logits
from ...ops.state.variable_scope import get_variable_scope, variable_scope


def sequence_loss_by_example(logits, targets, weights, average_across_timesteps=True,
                             softmax_loss_function=None, name=None):  # fmt: skip
    """Computes the weighted cross entropy of each sequence.

    Args:
        logits: Unnormalised logarithms of probabilities, a list of tensors [batch, symbols].
        targets: The true symbols, a list of int32 vectors [batch].
        weights: The weights, a list of floating-point vectors [batch].
        average_across_timesteps: Whether the sum is divided by the weights. A bool.
        softmax_loss_function: A function of (labels, logits) that returns the loss of a step. None:
            the cross entropy.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A vector [batch].

    Raises:
        ValueError: The lists have different lengths.
    """
    if not len(logits) == len(targets) == len(weights):
        raise ValueError(
            "Lengths of logits, weights, and targets must be the same "
            f"{len(logits)}, {len(weights)}, {len(targets)}."
        )
    with name_scope(name, "sequence_loss_by_example"):
        losses = []
        for logit, target, weight in zip(logits, targets, weights):
            if softmax_loss_function is None:
                target = arrays.reshape(target, [-1])
                loss = sparse_softmax_cross_entropy_with_logits(labels=target, logits=logit)
            else:
                loss = softmax_loss_function(labels=target, logits=logit)
            losses.append(loss * weight)
        total = math.add_n(losses)
        return total / (math.add_n(weights) + 1e-12) if average_across_timesteps else total


def sequence_loss(logits, targets, weights, average_across_timesteps=True,
                  average_across_batch=True, softmax_loss_function=None, name=None):  # fmt: skip
    """Computes the weighted cross entropy of all sequences.

    Args:
        logits: Unnormalised logarithms of probabilities, a list of tensors [batch, symbols].
        targets: The true symbols, a list of int32 vectors [batch].
        weights: The weights, a list of floating-point vectors [batch].
        average_across_timesteps: Whether sums over steps are divided by the weights. A bool.
        average_across_batch: Whether the sum over the batch is divided by its size. A bool.
        softmax_loss_function: As of sequence_loss_by_example().
        name: Name of the operations, a str. None: "sequence_loss".

    Returns:
        A scalar.

    Raises:
        ValueError: The lists have different lengths.
    """
    with name_scope(name, "sequence_loss"):
        total = math.reduce_sum(
            sequence_loss_by_example(
                logits, targets, weights, average_across_timesteps, softmax_loss_function
            )
        )
        if not average_across_batch:
            return total
        return total / arrays.cast(arrays.shape(targets[0])[0], total.dtype)


def model_with_buckets(encoder_inputs, decoder_inputs, targets, weights, buckets, seq2seq,
                       softmax_loss_function=None, per_example_loss=False,
                       name=None):  # fmt: skip
    """Makes a model for each of several lengths, with the same variables.

    Args:
        encoder_inputs: What is read, a list of tensors.
        decoder_inputs: The inputs while it writes, a list of tensors.
        targets: The true symbols, a list of int32 vectors [batch].
        weights: The weights, a list of floating-point vectors [batch].
        buckets: The lengths, a list of pairs: of what is read, and of what is written.
        seq2seq: A function of (encoder_inputs, decoder_inputs) that returns a tuple (outputs,
            state).
        softmax_loss_function: As of sequence_loss_by_example().
        per_example_loss: Whether there is a loss for each sequence. False: for the batch. A bool.
        name: Name of the operations, a str. None: "model_with_buckets".

    Returns:
        A tuple: the outputs and the losses of each length, two lists.

    Raises:
        ValueError: A list is shorter than the last length.
    """
    for what, items, needed in (
        ("encoder_inputs", encoder_inputs, buckets[-1][0]),
        ("targets", targets, buckets[-1][1]),
        ("weights", weights, buckets[-1][1]),
    ):
        if len(items) < needed:
            raise ValueError(
                f"Length of {what} ({len(items)}) must be at least that of last bucket ({needed})."
            )
    loss_of = sequence_loss_by_example if per_example_loss else sequence_loss
    outputs, losses = [], []
    with name_scope(name, "model_with_buckets"):
        for i, (read, written) in enumerate(buckets):
            with variable_scope(get_variable_scope(), reuse=True if i > 0 else None):
                found, _ = seq2seq(encoder_inputs[:read], decoder_inputs[:written])
                outputs.append(found)
                losses.append(loss_of(
                    found, targets[:written], weights[:written],
                    softmax_loss_function=softmax_loss_function,
                ))  # fmt: skip
    return outputs, losses
