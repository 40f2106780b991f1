# SPDX-License-Identifier: Apache-2.0
"""Lines of data like those of ops_cases.py, for recurrent cells."""

from interop.cases.case import INVALID, Case, between, i64

TYPES = ("float16", "float32")
# Half is rounded after every operation there, once here: long sums differ too much to compare.
LOOSE = {"float16": 3e-2, "float32": 1e-3}
SMALL = {"float16": 3e-3, "float32": 1e-5}
LARGE = 40


def small(*shape):
    value = between(-0.9, 0.9, *shape)
    value.shape = shape
    return value


def lstm_inputs(batch, size, cells, steps=None):
    x = (batch, size) if steps is None else (steps, batch, size)
    return [
        small(*x),
        small(batch, cells),
        small(batch, cells),
        small(size + cells, 4 * cells),
        small(cells),
        small(cells),
        small(cells),
        small(4 * cells),
    ]


def each_type(op, *inputs, **kw):
    large = any(d > LARGE for v in inputs for d in getattr(v, "shape", ()))
    for dtype in ("float32",) if large else TYPES:
        yield Case(op, *inputs, types=(dtype,), rtol=LOOSE[dtype], atol=SMALL[dtype], **kw)


def lstm():
    for peephole in (False, True):
        for batch, size, cells in ((2, 3, 4), (5, 7, 1), (1, 1, 9), (20, 30, 40)):
            state = [small(batch, cells) for _ in range(8)]
            yield from each_type(
                "LSTMBlockCell", *lstm_inputs(batch, size, cells), use_peephole=peephole
            )
            yield from each_type(
                "LSTMBlockCellGrad",
                *lstm_inputs(batch, size, cells),
                *state,
                use_peephole=peephole,
            )
        for clip in (0.0, -1.0, 0.3):
            yield Case(
                "LSTMBlockCell",
                *lstm_inputs(3, 2, 5),
                cell_clip=clip,
                forget_bias=0.25,
                use_peephole=peephole,
                rtol=1e-4,
            )
    yield Case(
        "LSTMBlockCell", *lstm_inputs(0, 2, 5), ours="TensorFlow 2.21 refuses an empty batch"
    )
    good = lstm_inputs(3, 2, 5)
    for i, wrong in ((0, (3,)), (1, (2, 5)), (2, (3, 4)), (3, (6, 20)), (3, (7, 19)), (7, (19,))):
        inputs = list(good)
        inputs[i] = small(*wrong)
        yield Case("LSTMBlockCell", *inputs, error=INVALID, ours="TensorFlow dies of some")


def lstm_sequences():
    for op in ("BlockLSTM", "BlockLSTMV2"):
        for peephole in (False, True):
            for steps, batch, size, cells in ((1, 2, 3, 4), (5, 3, 2, 6), (4, 16, 20, 32)):
                inputs = lstm_inputs(batch, size, cells, steps)
                kw = dict(use_peephole=peephole)
                yield from each_type(op, i64(steps), *inputs, **kw)
                states = [small(steps, batch, cells) for _ in range(9)]
                grad = op.replace("LSTM", "LSTMGrad")
                for length in {steps, steps - 1} - {0}:
                    yield from each_type(grad, i64(length), *inputs, *states, **kw)
        yield Case(op, i64(3), *lstm_inputs(2, 2, 3, 3), cell_clip=0.2, rtol=1e-4)
        yield Case(op, i64([3]), *lstm_inputs(2, 2, 3, 3), error=INVALID, like=2)
        yield Case(op, i64(3), *lstm_inputs(2, 2, 3), error=INVALID)
        yield Case(op, i64(4), *lstm_inputs(2, 2, 3, 3), error=INVALID, ours="it may crash")
        yield Case(op, i64(-1), *lstm_inputs(2, 2, 3, 3), error=INVALID, ours="it may crash")
        yield Case(op, i64(2), *lstm_inputs(2, 2, 3, 3), ours="leaves some outputs undefined")


def gru():
    for batch, size, cells in ((2, 3, 4), (5, 7, 1), (1, 1, 9), (20, 30, 40)):
        inputs = [
            small(batch, size),
            small(batch, cells),
            small(size + cells, 2 * cells),
            small(size + cells, cells),
            small(2 * cells),
            small(cells),
        ]
        yield Case("GRUBlockCell", *inputs, rtol=1e-4)
        yield Case("GRUBlockCellGrad", *inputs, *[small(batch, cells)] * 4, rtol=1e-4)
        for i, wrong in ((0, (2,)), (2, (1, 1)), (3, (1, 1)), (4, (1,)), (5, (3,))):
            bad = list(inputs)
            bad[i] = small(*wrong)
            yield Case("GRUBlockCell", *bad, error=INVALID)


FAMILIES = (lstm, lstm_sequences, gru)
