# SPDX-License-Identifier: Apache-2.0
"""Every op of queues, barriers and accumulators: TensorFlow's values, error classes and phrases.

A case is a list of fetches that one session runs in order, on our server and on TensorFlow's own.
"""

import re

import numpy as np
import pytest
import tensorflow
from tensorflow.python.framework import function
from tensorflow.python.ops import data_flow_ops

from interop.programs.models import tf

pytestmark = pytest.mark.waits

tf.disable_v2_behavior()

CASES = {}
TYPES = [tf.float32, tf.string]
TF1 = tensorflow.__version__.startswith("1.")


def case(build):
    CASES[build.__name__] = build
    return build


def hidden(value, dtype=None):
    """A constant whose shape and value the client does not see."""
    return tf.placeholder_with_default(np.array(value, dtype), None)


@case
def fifo():
    q = tf.FIFOQueue(3, [tf.float32], [[]], name="fq")
    yield from [q.enqueue(1.0), q.size(), q.dequeue(), q.dequeue_many(0), q.is_closed()]
    yield from [q.enqueue_many([[1.0, 2.0, 3.0]]), q.dequeue_many(2), q.dequeue_up_to(1)]
    yield from [q.close(), q.is_closed(), q.dequeue(), q.enqueue(2.0), q.close()]
    yield q.close(cancel_pending_enqueues=True)
    yield from [q.dequeue_many(2), q.dequeue_up_to(2), q.enqueue_many([[1.0, 2.0]])]


@case
def fifo_closed_with_elements():
    q = tf.FIFOQueue(9, [tf.int32, tf.string], [[], []], name="fq")
    yield q.enqueue_many([[1, 2, 3], ["a", "b", "c"]])
    yield from [q.close(), q.dequeue_many(4), q.dequeue_up_to(4), q.size(), q.dequeue_up_to(4)]


@case
def elements_that_do_not_fit():
    q = tf.FIFOQueue(3, TYPES, [[2], []], name="fq").queue_ref
    raw = tf.raw_ops
    yield raw.QueueEnqueueV2(handle=q, components=[[1.0], "a"])
    yield raw.QueueEnqueueV2(handle=q, components=[[1.0]])
    yield raw.QueueEnqueueV2(handle=q, components=["a", [1.0]])
    yield raw.QueueEnqueueManyV2(handle=q, components=[[[1.0, 2.0]], ["a", "b"]])
    yield raw.QueueEnqueueManyV2(handle=q, components=[[[1.0, 2.0], [3.0, 4.0]], ["a", "b"]])
    yield raw.QueueDequeueV2(handle=q, component_types=[tf.float32, tf.float32])
    yield raw.QueueDequeueManyV2(handle=q, n=hidden(-1, np.int32), component_types=TYPES)
    yield raw.QueueDequeueUpToV2(handle=q, n=hidden(-2, np.int32), component_types=TYPES)
    yield raw.QueueDequeueManyV2(handle=q, n=2, component_types=TYPES)


@case
def no_shapes():
    q = tf.FIFOQueue(3, [tf.float32, tf.float32], name="fq").queue_ref
    both = [tf.float32, tf.float32]
    yield tf.raw_ops.QueueDequeueManyV2(handle=q, n=1, component_types=both)
    yield tf.raw_ops.QueueDequeueUpToV2(handle=q, n=0, component_types=both)
    yield tf.raw_ops.QueueEnqueueV2(handle=q, components=[1.0, 2.0], timeout_ms=5)
    yield tf.raw_ops.QueueEnqueueManyV2(handle=q, components=[[1.0], [1.0, 2.0]])
    yield tf.raw_ops.QueueEnqueueV2(handle=q, components=[[1.0, 2.0], 3.0])
    yield tf.raw_ops.QueueDequeueV2(handle=q, component_types=both)


@case
def shuffle():
    q = tf.RandomShuffleQueue(10, 2, [tf.float32], [[]], name="rq", seed=7)
    yield from [q.enqueue_many([[1.0, 2, 3, 4, 5]]), q.dequeue(), q.dequeue_many(2), q.size()]
    yield from [q.close(), q.dequeue(), q.dequeue_many(2), q.dequeue_up_to(2), q.dequeue_up_to(2)]
    yield from [q.dequeue(), q.enqueue(1.0)]


@case
def shuffle_long():
    tf.set_random_seed(3)
    q = tf.RandomShuffleQueue(100, 0, [tf.int32, tf.string], [[], []], seed=11)
    yield q.enqueue_many([np.arange(40), [str(i) for i in range(40)]])
    yield from [q.dequeue_many(17), q.dequeue(), q.dequeue_many(20)]


@case
def shuffle_bounds():
    yield tf.RandomShuffleQueue(3, 3, [tf.float32], [[]]).size()
    yield tf.RandomShuffleQueue(3, -3, [tf.float32], [[]]).size()


@case
def padding():
    q = tf.PaddingFIFOQueue(10, TYPES, [[None, 2], [None]], name="pq")

    def put(n, m):
        return q.enqueue((np.ones((n, 2)), ["x"] * m))

    yield from [put(1, 2), put(3, 1), q.dequeue_many(2), q.dequeue_many(0), put(2, 0)]
    yield q.dequeue_many(1)
    yield tf.raw_ops.QueueEnqueueV2(handle=q.queue_ref, components=[[1.0], ["a"]])
    yield tf.raw_ops.QueueEnqueueManyV2(
        handle=q.queue_ref, components=[[[[1.0, 1.0, 1.0]]], [["a"]]]
    )
    yield from [put(2, 1), q.close(), q.dequeue_up_to(5), q.dequeue(), q.dequeue_many(3), put(1, 1)]


@case
def padding_needs_shapes():
    yield tf.raw_ops.PaddingFIFOQueueV2(component_types=TYPES, shapes=[[1]])


@case
def padding_of_rank_3():
    q = tf.PaddingFIFOQueue(10, [tf.int16], [[None, 2, None]], name="pq")
    for n, m in [(1, 3), (2, 1), (0, 2), (3, 0)]:
        yield q.enqueue([np.arange(n * 2 * m, dtype=np.int16).reshape(n, 2, m) + 1])
    yield q.dequeue_many(4)


@case
def priority():
    q = tf.PriorityQueue(10, [tf.string], [[]], name="prq")
    yield q.enqueue_many((np.array([5, 1, 5, 3, 1, 5], np.int64), list("abcdef")))
    yield from [q.enqueue((np.int64(2), "g")), q.dequeue(), q.dequeue_many(3), q.dequeue()]
    one = tf.constant([1], tf.int64)
    yield tf.raw_ops.QueueEnqueueV2(handle=q.queue_ref, components=[one, "a"])
    yield tf.raw_ops.QueueEnqueueManyV2(handle=q.queue_ref, components=[[one], ["a"]])
    yield from [q.close(), q.dequeue_many(5), q.dequeue_many(2), q.dequeue_up_to(5), q.dequeue()]
    yield from [q.enqueue((np.int64(2), "g")), q.dequeue_many(0)]


def sharing(name, first, second):
    def both():
        yield first("s" + name).size()
        yield second("s" + name).size()

    CASES["sharing_" + name] = both


def fifo_with(capacity=3, types=(tf.float32,), shapes=None):
    return lambda name: tf.FIFOQueue(capacity, list(types), shapes, shared_name=name)


def shuffling_with(least=0, seed=None):
    return lambda name: tf.RandomShuffleQueue(
        3, least, [tf.float32], shared_name=name, seed=seed, name="rq"
    )


def padding_with(shape):
    return lambda name: tf.PaddingFIFOQueue(3, [tf.float32], [shape], shared_name=name)


sharing("same", fifo_with(), fifo_with())
sharing("kind", fifo_with(), shuffling_with())
sharing("kind_2", shuffling_with(), fifo_with())
sharing("kind_3", padding_with([2]), fifo_with(shapes=[[2]]))
sharing("capacity", fifo_with(), fifo_with(capacity=4))
sharing("types", fifo_with(), fifo_with(types=(tf.float32, tf.int32)))
sharing("shapes", fifo_with(shapes=[[1]]), fifo_with(shapes=[[]]))
sharing("least", shuffling_with(), shuffling_with(least=1))
sharing("seed", shuffling_with(seed=1), shuffling_with(seed=2))
sharing("padding", padding_with([None]), padding_with([2, 2]))
sharing("compatible", padding_with([None, 2]), padding_with([2, 2]))


@case
def names():
    yield tf.FIFOQueue(3, [tf.float32], shared_name="_x").size()
    yield tf.raw_ops.FIFOQueueV2(component_types=[tf.float32], shapes=[[1], [1]])
    with tf.container("a b"):
        yield tf.FIFOQueue(3, [tf.float32]).size()
    with tf.container("other"):
        yield tf.FIFOQueue(3, [tf.float32], shared_name="x").enqueue(1.0)
        yield tf.FIFOQueue(3, [tf.float32], shared_name="x").size()
    yield tf.FIFOQueue(3, [tf.float32], shared_name="x").size()


@case
def v1_handles():
    raw = tf.raw_ops
    q = raw.FIFOQueue(component_types=[tf.float32], shapes=[[]], capacity=4, name="v1")
    yield tf.shape(q)
    yield raw.QueueEnqueue(handle=q, components=[3.0])
    yield raw.QueueSize(handle=q)
    yield raw.QueueDequeue(handle=q, component_types=[tf.float32])
    yield raw.QueueEnqueueMany(handle=q, components=[[1.0, 2.0, 3.0]])
    yield raw.QueueDequeueMany(handle=q, n=2, component_types=[tf.float32])
    yield raw.QueueEnqueue(handle=q, components=[3])
    yield raw.QueueClose(handle=q)
    yield raw.QueueDequeueUpTo(handle=q, n=2, component_types=[tf.float32])
    yield raw.QueueIsClosed(handle=q) if hasattr(raw, "QueueIsClosed") else raw.QueueSize(handle=q)
    yield raw.QueueDequeue(handle=q, component_types=[tf.float32])


@case
def v1_of_every_kind():
    raw = tf.raw_ops
    kinds = [
        raw.RandomShuffleQueue(component_types=[tf.int64], shapes=[[]], seed=1, seed2=2),
        raw.PaddingFIFOQueue(component_types=[tf.int64], shapes=[[]]),
    ]
    for q in kinds:
        yield raw.QueueEnqueueMany(handle=q, components=[tf.range(8, dtype=tf.int64)])
        yield raw.QueueDequeueMany(handle=q, n=5, component_types=[tf.int64])
    q = raw.PriorityQueue(component_types=[tf.string], shapes=[[]])
    yield raw.QueueEnqueueMany(handle=q, components=[tf.constant([2, 1, 3], tf.int64), list("abc")])
    yield raw.QueueDequeueMany(handle=q, n=3, component_types=[tf.int64, tf.string])


@case
def fake_queue():
    q = tf.FIFOQueue(3, [tf.float32], [[]], shared_name="fake")
    v1 = tf.raw_ops.FakeQueue(resource=q.queue_ref)
    yield q.enqueue(5.0)
    yield tf.raw_ops.QueueSize(handle=v1)
    yield tf.raw_ops.QueueDequeue(handle=v1, component_types=[tf.float32])


@case
def element_types():
    types = [tf.half, tf.float64, tf.int8, tf.uint16, tf.complex64, tf.bool, tf.qint8, tf.bfloat16]
    for dtype in types:
        q = tf.FIFOQueue(9, [dtype], [[2]])
        values = tf.bitcast(tf.ones([3, 2], tf.int8), dtype) if dtype == tf.qint8 else None
        if values is None:
            values = tf.cast(tf.constant([[0, 1], [2, 3], [4, 5]]), dtype)
        yield q.enqueue_many([values])
        out = q.dequeue_many(3)
        yield tf.bitcast(out, tf.int8) if dtype == tf.qint8 else tf.cast(out, tf.complex128)


@case
def accumulator():
    a = tf.ConditionalAccumulator(tf.float32, [2], name="acc")
    yield from [a.apply_grad([1.0, 2.0], 0), a.apply_grad([3.0, 4.0], 0), a.num_accumulated()]
    yield from [a.take_grad(2), a.apply_grad([5.0, 5.0], 0), a.num_accumulated()]
    yield from [a.apply_grad([5.0, 5.0], 1), a.num_accumulated(), a.set_global_step(7)]
    yield from [a.apply_grad([5.0, 5.0], 6), a.num_accumulated(), a.take_grad(1), a.take_grad(0)]
    yield from [a.take_grad(-3), a.set_global_step(2), a.apply_grad([5.0, 5.0], 3)]
    yield a.num_accumulated()


@case
def accumulator_shapes():
    a = tf.ConditionalAccumulator(tf.float64, [2, None], name="acc")
    for shape in [(2,), (2, 3), (2, 4), (3, 3), (2, 3)]:
        yield a.apply_grad(hidden(np.ones(shape, np.float64)), 0)
    yield from [a.num_accumulated(), a.take_grad(1)]


@case
def accumulator_sum():
    for dtype in [tf.float32, tf.half, tf.float64]:
        for kind in ["SUM", "MEAN"]:
            a = tf.ConditionalAccumulator(dtype, [], reduction_type=kind)
            for value in [1.0, 3.0, 3.5]:
                yield a.apply_grad(tf.constant(value, dtype), 0)
            yield a.take_grad(1)


@case
def accumulator_v1():
    raw = tf.raw_ops
    a = raw.ConditionalAccumulator(dtype=tf.float32, shape=[2], name="v1")
    zero = tf.constant(0, tf.int64)
    yield raw.AccumulatorApplyGradient(handle=a, local_step=zero, gradient=[1.0, 2.0])
    yield raw.AccumulatorApplyGradient(handle=a, local_step=zero, gradient=[2.0, 4.0])
    yield raw.AccumulatorNumAccumulated(handle=a)
    yield raw.AccumulatorTakeGradient(handle=a, num_required=2, dtype=tf.float32)
    yield raw.AccumulatorSetGlobalStep(handle=a, new_global_step=tf.constant(9, tf.int64))
    yield raw.AccumulatorApplyGradient(handle=a, local_step=zero, gradient=[1.0, 2.0])
    yield raw.AccumulatorNumAccumulated(handle=a)


@case
def sparse_accumulator():
    a = tf.SparseConditionalAccumulator(tf.float32, [None, 2], name="acc")

    def put(indices, values, step=0, shape=None):
        return a.apply_grad(
            np.array(indices, np.int64), np.array(values, np.float32), shape, local_step=step
        )

    yield put([1, 3], [[1, 1], [2, 2]])
    yield put([0, 3], [[5, 5], [4, 4]])
    yield from [a.num_accumulated(), a.take_grad(2)]
    yield put([3, 1], [[1, 1], [2, 2]], 1)
    yield put([1, 3], [[10, 10], [20, 20]], 1)
    yield put([1, 1], [[10, 10], [20, 20]], 1)
    yield a.take_grad(1)
    yield from [put([1], [[1, 1]], 0), a.num_accumulated()]
    yield put([1, 2], [[1, 1]], 5)
    yield put([1], [[1, 1, 1]], 5)
    yield put([1], [1], 5)
    yield put([1], [[1, 1]], 5, np.array([4, 2]))
    yield put([1], [[1, 1]], 5, np.array([4, 3]))
    yield put([1], [[1, 1]], 5, np.array([4]))
    yield put([[1]], [[1, 1]], 5)
    yield put([1], [[1, 1, 1]], 5)
    yield a.take_indexed_slices_grad(1).values


@case
def sparse_accumulator_bounds():
    a = tf.SparseConditionalAccumulator(tf.float64, [3, 2], reduction_type="SUM")

    def put(indices, values, step=0):
        return a.apply_grad(np.array(indices, np.int64), np.array(values), local_step=step)

    yield from [put([4], [[1.0, 1]]), put([1], [[1.0, 1]]), put([1], [[2.0, 1]]), a.take_grad(1)]
    yield from [put([-1], [[1.0, 1]], 1), put([1], [[[1.0, 1]]], 1), a.take_grad(1)]


@case
def barrier():
    b = data_flow_ops.Barrier([tf.float32, tf.float32], shapes=[[], [2]], name="bar")
    yield b.insert_many(0, ["a", "b", "c"], [1.0, 2.0, 3.0])
    yield from [b.ready_size(), b.incomplete_size()]
    yield b.insert_many(1, ["c", "a"], [[3.0, 3.0], [1.0, 1.0]])
    yield from [b.ready_size(), b.incomplete_size(), b.take_many(1)]
    yield b.insert_many(0, ["b"], [2.0])
    yield b.insert_many(1, ["d"], [[9.0, 9.0]])
    yield b.insert_many(0, ["e", "d"], [5.0, 4.0])
    yield from [b.take_many(2), b.close(), b.insert_many(0, ["z"], [1.0])]
    yield b.insert_many(1, ["b"], [[2.0, 2.0]])
    yield from [b.take_many(1), b.take_many(3), b.take_many(1, allow_small_batch=True), b.close()]
    yield b.close(cancel_pending_enqueues=True)
    yield b.insert_many(1, ["e"], [[1.0, 1.0]])
    yield from [b.incomplete_size(), b.take_many(1)]


@case
def barrier_small_batches():
    b = data_flow_ops.Barrier([tf.string], shapes=[[]], name="bar")
    yield b.insert_many(0, list("abca"), list("pqrs"))
    yield from [b.take_many(4), b.take_many(0), b.insert_many(0, ["x"], ["1"]), b.close()]
    yield from [b.take_many(5, allow_small_batch=True), b.take_many(5, allow_small_batch=True)]
    yield b.take_many(2)


@case
def barrier_without_shapes():
    b = data_flow_ops.Barrier([tf.float32], name="bar")
    yield from [b.insert_many(0, ["a"], [1.0]), b.insert_many(0, ["b"], [[1.0]]), b.ready_size()]


@case
def barrier_errors():
    raw = tf.raw_ops
    b = data_flow_ops.Barrier([tf.float32], shapes=[[]], name="bar").barrier_ref
    yield raw.BarrierInsertMany(handle=b, keys=["a"], values=["x"], component_index=0)
    yield raw.BarrierInsertMany(handle=b, keys=["a"], values=[1.0], component_index=3)
    yield raw.BarrierInsertMany(handle=b, keys=["a"], values=[[1.0, 2.0]], component_index=0)
    yield raw.Barrier(component_types=[tf.float32], shapes=[[]], capacity=3)
    yield raw.Barrier(component_types=[tf.float32], shapes=[])
    yield raw.BarrierReadySize(handle=b)


def batch(*rows, **attrs):
    settings = {
        "num_batch_threads": 1,
        "max_batch_size": 4,
        "batch_timeout_micros": 10_000_000,
        "grad_timeout_micros": 10_000_000,
    }
    return tf.raw_ops.Batch(in_tensors=list(rows), **{**settings, **attrs})


@case
def batches():
    full = batch([1, 2, 3, 4], [[1.0]] * 4)
    yield [full.batched_tensors, full.batch_index[:, 1:]]
    padded = {"batch_timeout_micros": 0, "allowed_batch_sizes": [3, 4]}
    yield batch([7, 8], **padded).batched_tensors[0]
    yield batch([1], hidden([1.0, 2.0])).batched_tensors[0]
    yield batch(hidden(1)).batched_tensors[0]
    yield batch([1], allowed_batch_sizes=[4, 2]).batched_tensors[0]
    yield batch([1], allowed_batch_sizes=[1, 2]).batched_tensors[0]
    yield batch([1], num_batch_threads=0).batched_tensors[0]


@case
def batches_and_back():
    parts = [batch([i + 1.0, i + 2.0], shared_name="together") for i in (0, 10)]
    attrs = {"timeout_micros": 10_000_000, "shared_name": "apart"}
    back = [
        tf.raw_ops.Unbatch(
            batched_tensor=part.batched_tensors[0] * 2.0,
            batch_index=part.batch_index,
            id=part.id,
            **attrs,
        )
        for part in parts
    ]
    gradients = [
        tf.raw_ops.UnbatchGrad(
            original_input=part.batched_tensors[0],
            batch_index=part.batch_index,
            grad=rows * 10.0,
            id=part.id,
            shared_name="gradient",
        )
        for part, rows in zip(parts, back)
    ]
    yield [back, tf.add_n([tf.reduce_sum(gradient) for gradient in gradients])]
    nothing = np.zeros([0, 3], np.int64)
    rows = {"batched_tensor": [1.0], "id": np.int64(-7), "timeout_micros": 10}
    yield tf.raw_ops.Unbatch(batch_index=nothing, **rows)
    yield tf.raw_ops.Unbatch(batch_index=hidden([[1, 2]], np.int64), **rows)
    yield tf.raw_ops.UnbatchGrad(
        original_input=[1.0], batch_index=nothing, grad=[1.0], id=np.int64(3)
    )


def batch_function(body, *rows, captured=(), types=(tf.int32,), **attrs):
    settings = {
        "num_batch_threads": 1,
        "max_batch_size": 4,
        "batch_timeout_micros": 10_000_000,
        "allowed_batch_sizes": [],
    }
    inputs = [tf.convert_to_tensor(value) for value in (*rows, *captured)]
    return tf.raw_ops.BatchFunction(
        in_tensors=inputs[: len(rows)],
        captured_tensors=inputs[len(rows) :],
        f=function.Defun(*[value.dtype for value in inputs])(body),
        Tout=list(types),
        **{**settings, **attrs},
    )


@case
def batched_functions():
    def scaled(rows, more, scale):
        return rows + more, tf.cast(rows, tf.float32) * scale

    settings = {"captured": [3.0], "types": [tf.int32, tf.float32], "shared_name": "scaled"}
    yield [batch_function(scaled, [i, 2], [5, 6], **settings) for i in (0, 10)]
    at_once = {"batch_timeout_micros": 0}
    yield batch_function(
        lambda rows: rows + tf.size(rows), [1], allowed_batch_sizes=[3, 4], **at_once
    )
    yield batch_function(lambda rows: tf.reduce_sum(rows), [1], **at_once)
    yield batch_function(lambda rows: tf.concat([rows, rows], 0), [1], **at_once)
    if TF1:  # later ones say "input batch size"
        yield batch_function(lambda rows: rows, [1, 2, 3, 4, 5])
        return
    parts = {"max_batch_size": 5, "allowed_batch_sizes": [1, 2]}
    parts.update(at_once, enable_large_batch_splitting=True)
    yield batch_function(lambda rows: rows + 10 * tf.size(rows), [1, 2, 3, 4, 5], **parts)
    yield tf.raw_ops.BatchFunction(
        in_tensors=[tf.constant([1])],
        captured_tensors=[],
        f=function.Defun(tf.int32, tf.int32)(lambda rows, more: rows + more),
        Tout=[tf.int32],
        num_batch_threads=1,
        max_batch_size=4,
        **at_once,
    )


def core_of(error):
    """The kernel's own words, without the numbers of private names."""
    text = str(error.message)
    found = re.search(r"(?:^|\n)([^\n]*)\n\t \[\[(?:node|\{\{node)", text)
    return re.sub(r"_\d+_", "_N_", found.group(1) if found else text)


def comparable(value):
    if isinstance(value, (list, tuple)):
        return tuple(comparable(v) for v in value)
    if isinstance(value, np.ndarray):
        return (str(value.dtype), value.shape, tuple(value.ravel().tolist()))
    return value.item() if hasattr(value, "item") else value


def outcomes(target, build):
    results = []
    with tf.Graph().as_default(), tf.device("/job:worker/task:0/cpu:0"):
        fetches = list(build())
        with tf.Session(target) as session:
            for fetch in fetches:
                try:
                    value = session.run(fetch)
                    handle = isinstance(fetch, tf.Tensor) and fetch.dtype == tf.resource
                    results.append("handle" if handle else comparable(value))
                except tf.errors.OpError as error:
                    results.append(error)
    return results


def same(ours, theirs):
    if not isinstance(theirs, tf.errors.OpError):
        return ours == theirs
    if not isinstance(ours, type(theirs)):
        return False
    return core_of(theirs) in core_of(ours)  # ours may say more


def shown(outcome):
    if isinstance(outcome, tf.errors.OpError):
        return f"{type(outcome).__name__}: {core_of(outcome)}"
    return repr(outcome)


JOBS = {"worker": 1}


@pytest.mark.parametrize("name", CASES)
def test_case(checks, ours, theirs, name):
    expected = outcomes(theirs.target(), CASES[name])
    actual = outcomes(ours.target(), CASES[name])
    for i, (a, e) in enumerate(zip(actual, expected)):
        checks.check(i, same(a, e), f"\n  ours   {shown(a)}\n  theirs {shown(e)}")
