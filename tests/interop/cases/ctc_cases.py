# SPDX-License-Identifier: Apache-2.0
"""Lines of data like those of ops_cases.py, for connectionist temporal classification."""

import numpy as np

from interop.cases.case import F64, INVALID, NAN, Case, Value, between, i32, i64, normal, of

FAILED = "FAILED_PRECONDITION"


def whole(low, high, *shape):
    """Scores that are whole numbers, so that many paths have the same probability."""
    return Value(lambda rng, dtype: rng.randint(low, high + 1, size=shape))


def labels(*rows):
    cells = [(b, t) for b, row in enumerate(rows) for t in range(len(row))]
    return i64(np.reshape(cells, (-1, 2))), i32([label for row in rows for label in row])


def losses():
    scores = normal(6, 3, 5)
    rows = labels([1, 0, 0], [3], [2, 1, 2])
    for kw in (
        {},
        dict(preprocess_collapse_repeated=True),
        dict(ctc_merge_repeated=False),
        dict(ctc_merge_repeated=False, preprocess_collapse_repeated=True),
        dict(ignore_longer_outputs_than_inputs=True),
    ):
        yield Case("CTCLoss", scores, *rows, i32([6, 4, 5]), types=F64, rtol=1e-4, **kw)
    yield Case("CTCLoss", between(-40, 40, 9, 1, 4), *labels([1, 2, 1, 0]), i32([9]), types=F64)
    yield Case(
        "CTCLoss", normal(60, 4, 28), *labels(*[[7, 7, 3, 21, 0]] * 4), i32([60] * 4), rtol=1e-4
    )
    # Labels from the blank on are left out; with none left, TensorFlow's number is not a loss.
    yield Case("CTCLoss", normal(4, 2, 3), *labels([1, 2], [2]), i32([4, 4]), rtol=1e-4)
    # No path is that short.
    yield Case("CTCLoss", normal(4, 2, 3), *labels([1, 1, 1], [1]), i32([3, 4]), gradient=False)
    ignored = dict(ignore_longer_outputs_than_inputs=True)
    yield Case("CTCLoss", normal(4, 2, 3), *labels([1, 1, 1], [1]), i32([2, 4]), **ignored)
    yield Case("CTCLoss", normal(4, 2, 3), *labels([1], [1]), i32([0, 4]), **ignored)
    # Positions of labels may have gaps.
    yield Case("CTCLoss", normal(4, 1, 3), i64([[0, 1], [0, 9]]), i32([1, 0]), i32([4]))


def bad_losses():
    def bad(*inputs, text, scores=None, **kw):
        yield Case("CTCLoss", scores or normal(4, 2, 3), *inputs, error=INVALID, text=text, **kw)

    good, full = labels([1, 0], [1]), i32([4, 4])
    yield from bad(*good, i32([4, 4, 4]), text="len(sequence_length) != batch_size")
    yield from bad(*good, i32([5, 4]), text="sequence_length(0) <= 4")
    yield from bad(*good, i32([-1, 4]), text="seq_len(0) < 0")
    yield from bad(*good, i32([0, 4]), text="Not enough time for target transition sequence")
    yield from bad(*labels([1]), full, text="Labels length is zero in batch 1")
    yield from bad(*labels([2, 1], [1]), full, text="Saw a non-null label")
    yield from bad(*labels([-1], [1]), full, text="All labels must be nonnegative integers")
    yield from bad(good[0], i32([1]), full, text="must contain the same number of rows")
    for cells, text in (
        ([[0, 1], [0, 0], [1, 0]], "indices[1] = [0,0] is out of order"),
        ([[1, 0], [0, 0], [1, 0]], "indices[1] = [0,0] is out of order"),
        ([[0, 1], [0, 1], [1, 0]], "indices[1] = [0,1] is repeated"),
        ([[0, 1], [2, 0], [2, 1]], "indices[1] = [2,0] is out of bounds"),
        ([[0, -1], [1, 0], [1, 1]], "indices[0] = [0,-1] is out of bounds"),
        ([[-1, 0], [1, 0], [1, 1]], "indices[0] = [-1,0] is out of bounds"),
    ):
        yield from bad(i64(cells), i32([1, 1, 1]), full, text=text)
    yield from bad(i64([[0], [1]]), i32([1, 1]), full, text="Order length")
    yield from bad(i64([0, 1]), i32([1, 1]), full, text="labels_indices is not a matrix")
    yield from bad(i64([[0, 0]]), i32([[1]]), full, text="labels_values is not a vector")
    yield from bad(*good, i32(4), text="sequence_length is not a vector")
    yield from bad(*good, full, scores=normal(4, 2), text="inputs is not a 3-Tensor")
    none = (i64(np.zeros((0, 2))), i32([]))
    yield from bad(*none, i32([]), scores=normal(4, 0, 3), text="batch_size must not be 0")
    dies = "1.15 ends the program"
    yield from bad(*none, i32([0, 0]), scores=normal(0, 2, 3), text="Max time", ours=dies)
    yield from bad(*good, full, scores=normal(4, 2, 0), text="at least one class", ours=dies)


def greedy_decoders():
    op = "CTCGreedyDecoder"
    for kw in ({}, dict(merge_repeated=True)):
        yield Case(op, whole(0, 3, 12, 3, 4), i32([12, 5, 0]), types=F64, **kw)
        yield Case(op, normal(40, 5, 9), i32([40, 39, 1, -2, 40]), types=F64, **kw)
    for blank in (0, 2, -4, -1):
        yield Case(op, whole(0, 3, 12, 2, 4), i32([12, 12]), blank_index=blank, like=2)
    for blank in (4, -5):
        yield Case(op, normal(12, 2, 4), i32([12, 12]), blank_index=blank, like=2, error=INVALID)
    yield Case(op, normal(4, 1, 1), i32([4]))
    yield Case(op, of([[[1, NAN]], [[2, 1]], [[0, 1]]]), i32([3]))
    yield from bad_decoders(op)


def bad_decoders(op, **kw):
    bad = dict(error=INVALID, **kw)
    failed = dict(error=FAILED, **kw)
    yield Case(op, normal(4, 2, 3), i32([5, 4]), text="sequence_length(0) <= 4", **failed)
    yield Case(op, normal(4, 2, 3), i32([4]), text="len(sequence_length) != batch_size", **failed)
    yield Case(op, normal(4, 2), i32([4, 4]), text="inputs is not a 3-Tensor", **bad)
    yield Case(op, normal(4, 2, 3), i32(4), text="sequence_length is not a vector", **bad)
    yield Case(op, normal(0, 2, 3), i32([0, 0]), **bad)
    dies = dict(ours="1.15 ends the program", text="inputs must not be empty")
    yield Case(op, normal(4, 2, 0), i32([4, 4]), **dies, **bad)
    yield Case(op, normal(4, 0, 3), i32([]), **dies, **bad)


def beam_searches():
    op = "CTCBeamSearchDecoder"
    for width, paths in ((1, 1), (2, 2), (5, 3), (20, 4), (100, 100)):
        for merges in (True, False):
            kw = dict(beam_width=width, top_paths=paths, merge_repeated=merges, types=F64)
            yield Case(op, normal(12, 3, 4), i32([12, 11, 10]), **kw)
            yield Case(op, between(-30, 30, 40, 2, 28), i32([40, 40]), **kw)
            # In wide beams the choice among equal paths depends on the library's sorts, which 1.15
            # and 2.x do not have in common.
            if width <= 2:
                yield Case(op, whole(0, 2, 12, 3, 4), i32([12, 8, 9]), **kw)
    yield Case(op, of(np.zeros((8, 1, 5))), i32([8]), beam_width=3, top_paths=2, types=F64)
    one = dict(beam_width=4, top_paths=1)
    yield Case(op, normal(4, 2, 3), i32([0, -1]), **one)
    yield Case(op, normal(4, 1, 1), i32([4]), **one)
    yield Case(op, normal(4, 1, 2), i32([4]), beam_width=100000000, top_paths=2)
    text = "requested more paths than the beam width."
    yield Case(op, normal(4, 1, 3), i32([4]), beam_width=2, top_paths=3, error=INVALID, text=text)
    text = "Less leaves in the beam search than requested."
    yield Case(op, normal(4, 1, 3), i32([0]), beam_width=2, top_paths=2, error=INVALID, text=text)
    yield from bad_decoders(op, **one)


FAMILIES = (losses, bad_losses, greedy_decoders, beam_searches)
