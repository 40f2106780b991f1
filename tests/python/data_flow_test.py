# SPDX-License-Identifier: Apache-2.0
"""Queues and accumulators."""

import threading

import harness
import numpy as np
import sluice as sl


def test_first_in_first_out():
    with sl.Graph().as_default(), sl.Session() as session:
        q = sl.FIFOQueue(10, [sl.int32, sl.float32], [[], [2]])
        session.run(q.enqueue([1, [1.0, 2.0]]))
        session.run(q.enqueue_many([[2, 3, 4], np.zeros((3, 2), np.float32)]))
        assert session.run(q.size()) == 4
        number, row = session.run(q.dequeue())
        assert number == 1 and row.tolist() == [1.0, 2.0]
        assert session.run(q.dequeue_many(2))[0].tolist() == [2, 3]
        session.run(q.close())
        assert session.run(q.is_closed())
        assert session.run(q.dequeue_up_to(9))[0].tolist() == [4]
        harness.raises(sl.errors.OutOfRangeError, lambda: session.run(q.dequeue()), "fifo_queue")
        late = q.enqueue([1, [1.0, 2.0]])
        harness.raises(sl.errors.CancelledError, lambda: session.run(late), "closed")
        harness.raises(ValueError, lambda: q.enqueue([1]), "2 components")
        harness.raises(ValueError, lambda: sl.FIFOQueue(1, [sl.int32] * 2, [[1]]), "shapes")


def test_a_taker_waits():
    with sl.Graph().as_default(), sl.Session() as session:
        q = sl.FIFOQueue(1, sl.int32, [])
        put, take, found = q.enqueue(7), q.dequeue(), []
        thread = threading.Thread(target=lambda: found.append(session.run(take)))
        thread.start()
        session.run(put)
        thread.join(30)
        assert found == [7]


def test_padding():
    with sl.Graph().as_default(), sl.Session() as session:
        q = sl.PaddingFIFOQueue(10, sl.int32, [[None]])
        session.run([q.enqueue([[1]])])
        session.run([q.enqueue([[2, 3]])])
        assert session.run(q.dequeue_many(2)).tolist() == [[1, 0], [2, 3]]


def test_random_order():
    with sl.Graph().as_default(), sl.Session() as session:
        q = sl.RandomShuffleQueue(100, 0, sl.int32, [], seed=3)
        session.run(q.enqueue_many([list(range(50))]))
        drawn = session.run(q.dequeue_many(50)).tolist()
        assert drawn != sorted(drawn) and sorted(drawn) == list(range(50))


def test_priorities():
    with sl.Graph().as_default(), sl.Session() as session:
        q = sl.PriorityQueue(10, sl.string, [])
        session.run(q.enqueue_many([[3, 1, 2], ["c", "a", "b"]]))
        assert [session.run(q.dequeue())[1] for _ in range(3)] == [b"a", b"b", b"c"]


def test_accumulators():
    for kind, expected in (("MEAN", 2.0), ("SUM", 4.0)):
        with sl.Graph().as_default(), sl.Session() as session:
            a = sl.ConditionalAccumulator(sl.float32, [], reduction_type=kind)
            session.run(a.apply_grad(1.0))
            session.run(a.apply_grad(3.0))
            assert session.run(a.num_accumulated()) == 2
            assert session.run(a.take_grad(2)) == expected
            session.run(a.set_global_step(5))
            session.run(a.apply_grad(1.0, local_step=4))  # too old
            assert session.run(a.num_accumulated()) == 0
