# SPDX-License-Identifier: Apache-2.0
"""Candidate samplers: classes drawn at random."""

from ...graph.seeds import get_seed
from .. import raw_ops
from ..building import with_names


def _sampler(op, ranged, doc=""):
    def function(true_classes, num_true, num_sampled, unique, range_max=None, seed=None, name=None):
        seed, seed2 = get_seed(seed)
        extra = {"range_max": range_max} if ranged else {}
        parts = raw_ops.apply_op(
            op, name, true_classes=true_classes, num_true=num_true, num_sampled=num_sampled,
            unique=unique, seed=seed, seed2=seed2, **extra,
        )  # fmt: skip
        return tuple(parts)

    function.__doc__ = doc + _SAMPLED
    return function


_SAMPLED = """

Args:
    true_classes: The right classes, an int64 tensor [batch, num_true].
    num_true: How many right classes each example has, an int.
    num_sampled: How many classes are drawn, an int.
    unique: Whether no class is drawn twice. A bool.
    range_max: How many classes there are, an int.
    seed: Seed of the operation, an int. None: see set_random_seed().
    name: Name of the operation, a str. None: a default name.

Returns:
    A tuple: the classes, an int64 tensor [num_sampled]; the expected counts of the right classes,
    [batch, num_true]; the expected counts of the classes drawn, [num_sampled].
"""
uniform_candidate_sampler = _sampler(
    "UniformCandidateSampler", True, "Draws classes that are all equally likely."
)
log_uniform_candidate_sampler = _sampler(
    "LogUniformCandidateSampler", True, "Draws classes; low numbers are more likely, as by Zipf."
)
learned_unigram_candidate_sampler = _sampler(
    "LearnedUnigramCandidateSampler", True,
    "Draws classes with the frequencies of the right classes so far.",
)  # fmt: skip


def all_candidate_sampler(true_classes, num_true, num_sampled, unique, seed=None, name=None):
    """Returns every class from 0 to num_sampled - 1.

    Args:
        true_classes: The right classes, an int64 tensor [batch, num_true].
        num_true: How many right classes each example has, an int.
        num_sampled: How many classes are drawn, an int.
        unique: Whether no class is drawn twice. A bool.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the classes, an int64 tensor [num_sampled]; the expected counts of the right
        classes; the expected counts of the classes returned.
    """
    return _sampler("AllCandidateSampler", False)(
        true_classes, num_true, num_sampled, unique, seed=seed, name=name
    )


def fixed_unigram_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max,
                                    vocab_file="", distortion=1.0, num_reserved_ids=0, num_shards=1,
                                    shard=0, unigrams=(), seed=None, name=None):  # fmt: skip
    """Draws classes with given frequencies.

    Args:
        true_classes: The right classes, an int64 tensor [batch, num_true].
        num_true: How many right classes each example has, an int.
        num_sampled: How many classes are drawn, an int.
        unique: Whether no class is drawn twice. A bool.
        range_max: How many classes there are, an int.
        vocab_file: A file with a frequency in the last column of each line, a str. "": unigrams are
            used.
        distortion: The power that frequencies are raised to, a float.
        num_reserved_ids: How many classes at the start are never drawn, an int.
        num_shards: In how many shards the classes are divided, an int.
        shard: The shard to draw from, an int.
        unigrams: The frequencies, a list of floats.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the classes, an int64 tensor [num_sampled]; the expected counts of the right
        classes; the expected counts of the classes drawn.
    """
    seed, seed2 = get_seed(seed)
    parts = raw_ops.FixedUnigramCandidateSampler(
        true_classes=true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique,
        range_max=range_max, vocab_file=vocab_file, distortion=distortion,
        num_reserved_ids=num_reserved_ids, num_shards=num_shards, shard=shard,
        unigrams=list(unigrams), seed=seed, seed2=seed2, name=name,
    )  # fmt: skip
    return tuple(parts)


def compute_accidental_hits(true_classes, sampled_candidates, num_true, seed=None, name=None):
    """Finds drawn classes that are right classes.

    Args:
        true_classes: The right classes, an int64 tensor [batch, num_true].
        sampled_candidates: The drawn classes, an int64 tensor [num_sampled].
        num_true: How many right classes each example has, an int.
        seed: Seed of the operation, an int. None: see set_random_seed().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A named tuple. `indices`: rows of true_classes; `ids`: places in sampled_candidates;
        `weights`: the lowest float32 for each.
    """
    seed, seed2 = get_seed(seed)
    return raw_ops.ComputeAccidentalHits(
        true_classes=true_classes, sampled_candidates=sampled_candidates, num_true=num_true,
        seed=seed, seed2=seed2, name=name,
    )  # fmt: skip


__all__ = with_names(globals())
