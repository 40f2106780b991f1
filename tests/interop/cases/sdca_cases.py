# SPDX-License-Identifier: Apache-2.0
"""Lines of data like those of ops_cases.py, for stochastic dual coordinate ascent.

The order of examples is random, so those of a batch have no feature in common. `steps` is for
sdca_test.py: TensorFlow writes into the state that it is fed.
"""

import numpy as np

from interop.cases.case import INF, INVALID, Case, i64, of

OPS = (("SdcaOptimizer", "adaptative"), ("SdcaOptimizerV2", "adaptive"))
LOSSES = ("logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss")


def f32(values):
    return of(np.array(values, np.float32), "float32")


def step(op, loss, labels, sparse=(), dense=(), weights=None, state=None, error=None, **kw):
    """`sparse`: (examples, features, values or None, ids, weights). `dense`: (values, weights)."""
    count = len(labels)
    attrs = dict(l1=0.0, l2=1.0, num_loss_partitions=1, num_inner_iterations=1)
    attrs.update(kw)
    return Case(
        op,
        [i64(row[0]) for row in sparse],
        [i64(row[1]) for row in sparse],
        [f32(row[2]) for row in sparse if row[2] is not None],
        [f32(row[0]) for row in dense],
        f32([1.0] * count if weights is None else weights),
        f32(labels),
        [i64(row[3]) for row in sparse],
        [f32(row[4]) for row in sparse],
        [f32(row[1]) for row in dense],
        f32(np.zeros((count, 4)) if state is None else state),
        loss_type=loss,
        error=error,
        rtol=1e-5,
        **attrs,
    )


# Three examples with features of their own, in two groups; some weights are not zero.
VALUED = ([0, 0, 1, 2], [11, 7, 3, 5], [0.5, -2, 3, 1], [3, 5, 7, 11], [0.5, 0, -0.25, 0.75])
ONES = ([0, 2], [0, 1], None, [1, 0], [0.1, -0.3])
DENSE = ([[1.0, 0, 0], [0, 2, 0], [0, 0, -1]], [0.5, -0.5, 0.25])


def steps():
    for op, adaptive in OPS:
        for loss in LOSSES:
            for labels in ([0, 1, 1], [1, 0, 0]):
                yield step(op, loss, labels, [VALUED])
                yield step(op, loss, labels, [VALUED, ONES], [DENSE])
                tuned = dict(l1=0.3, l2=2.5, num_loss_partitions=3, num_inner_iterations=2)
                yield step(op, loss, labels, [ONES], [DENSE], weights=[0.5, 2, 1], **tuned)
                state = [[0.2, 1, 1, 1], [-0.3, 0, 0, 0], [0.6, 0, 0, 2]]
                yield step(op, loss, labels, [VALUED], state=state, l1=0.1)
            # Only of one example is it known which one an adaptive optimiser draws.
            wide = ([[3.0, -40, 7]], [1.0, 2, -0.5])
            yield step(op, loss, [1.0], [], [wide], **{adaptive: True})
        for loss in ("squared_loss", "poisson_loss"):
            yield step(op, loss, [2.5, 0.5, 7], [VALUED], [DENSE], l2=0.5)
        yield step(op, "squared_loss", [], [([], [], None, [1], [0.5])])
        # The features of examples that are out of order belong to none.
        yield step(op, "squared_loss", [1, 2], [([1, 0], [0, 1], None, [0, 1], [0.1, 0.2])])


def bad_steps():
    def bad(message, labels=(1,), **kw):
        yield step(op, "logistic_loss", list(labels), error=INVALID, text=message, **kw)

    for op, _ in OPS:
        one = ([0], [0], None, [0], [0.5])
        yield from bad("Requires at least one feature to train")
        yield from bad("Only labels of 0.0 or 1.0", labels=[2], sparse=[one])
        yield from bad("Only labels of 0.0 or 1.0", labels=[-INF], sparse=[one])
        yield from bad("example labels but got 1", sparse=[one], weights=[1, 1])
        unknown = ([0], [3], None, [0], [0.5])
        yield from bad("sparse feature indices out of valid range: 3", sparse=[unknown])
        twice = ([0, 0], [0, 0], None, [0], [0.5])
        yield from bad("Duplicate index in sparse vector", sparse=[twice])
        wide = ([[1.0, 2]], [1.0])
        yield from bad("More dense features than we have", dense=[wide])
        yield from bad("for example_state_data", sparse=[one], state=[[1, 2, 3]])
        reads = dict(ours="TensorFlow reads beyond an input")
        yield from bad("Fewer dense features", dense=[([[1.0]], [1.0, 2])], **reads)
        yield from bad("must be a matrix", dense=[([1.0], [1.0])], **reads)
        yield from bad("feature values", sparse=[([0], [0], [1, 2], [0], [0.5])], **reads)
        yield from bad("feature indices", sparse=[([0], [0, 1], None, [0], [0.5])], **reads)
        yield from bad("weights", sparse=[([0], [0], None, [0, 1], [0.5])], **reads)
        yield step(op, "poisson_loss", [-1], [one], error=INVALID, text="Only non-negative labels")


def keys():
    texts = ["", "a", "abc", "abcd", "abcdefg", "12345678", "é" * 8, "x" * 16, "0123456789abcdefg"]
    texts += ["key %d " % n * n for n in (3, 4, 5, 7, 12, 16, 18, 19, 20, 25, 30, 40, 55)]
    yield Case("SdcaFprint", of(np.array([t.encode() for t in texts], dtype=object), "string"))
    for length in range(100, 300, 7):
        text = bytes(i * i % 251 for i in range(length))
        yield Case("SdcaFprint", of(np.array([text], dtype=object), "string"))
    yield Case("SdcaFprint", of(np.array([], dtype=object), "string"))
    yield Case("SdcaFprint", of(np.array(b"a", dtype=object), "string"), error=INVALID)


FAMILIES = (bad_steps, keys)
