# SPDX-License-Identifier: Apache-2.0
"""Queues, runners, input pipelines, readers, staging areas."""

import os
import tempfile
import threading

import numpy as np

from interop.programs.client._outcomes import collect


def named_components(tf):
    q = tf.FIFOQueue(5, [tf.int32, tf.float32], [[], [2]], names=["n", "x"])
    put = q.enqueue({"n": 1, "x": [1.0, 2.0]})
    many = q.enqueue_many({"n": [2, 3], "x": [[1.0, 2.0], [3.0, 4.0]]})
    one, rest = q.dequeue(), q.dequeue_many(2)
    with tf.Session() as sess:
        sess.run(put)
        sess.run(many)
        return [
            sess.run(one),
            sess.run(rest),
            sess.run(q.size()),
            rest["x"].shape.as_list(),
            q.name,
            put.name,
            many.name,
            one["n"].name,
            q.size().op.name,
            q.close().name,
        ]


def kinds(tf):
    found = []
    with tf.Session() as sess:
        for q in (tf.PaddingFIFOQueue(9, tf.int32, [[None]]), tf.FIFOQueue(9, tf.int32)):
            sess.run(q.enqueue([[1]]))
            sess.run(q.enqueue([[2, 3]]))
            found.append([s.ndims for s in q.shapes])
            found.append(sess.run(q.dequeue_many(2) if q.shapes[0].ndims else q.dequeue()))
        q = tf.PriorityQueue(9, [tf.string], [[]])
        sess.run(q.enqueue_many([[3, 1, 2], ["c", "a", "b"]]))
        found += [sess.run(q.dequeue()) for _ in range(3)]
        q = tf.RandomShuffleQueue(9, 0, tf.int32, [[]], seed=3)
        sess.run(q.enqueue_many([[1, 2, 3, 4]]))
        found.append(sorted(sess.run(q.dequeue_many(4)).tolist()))
        sess.run(q.close())
        found.append(bool(sess.run(q.is_closed())))
        for op in (q.dequeue(), q.enqueue(1), q.dequeue_many(2), q.dequeue_up_to(2)):
            try:
                sess.run(op)
            except (tf.errors.OutOfRangeError, tf.errors.CancelledError) as e:
                found.append(e.error_code)
    return found


def chosen_of_several(tf):
    queues = [tf.FIFOQueue(5, tf.int32, [[]]) for _ in range(3)]
    index = tf.placeholder(tf.int32, [])
    one = tf.QueueBase.from_list(index, queues)
    with tf.Session() as sess:
        for i, q in enumerate(queues):
            sess.run(q.enqueue(10 * i))
        return [sess.run(one.dequeue(), {index: i}) for i in (2, 0, 1)]


def a_runner(tf):
    q = tf.FIFOQueue(3, tf.int32, [[]])
    n = tf.Variable(0)
    qr = tf.train.QueueRunner(q, [q.enqueue(n.count_up_to(10))] * 2)
    tf.train.add_queue_runner(qr)
    again = tf.train.QueueRunner.from_proto(qr.to_proto())
    found = [qr.name, again.cancel_op is qr.cancel_op, len(again.enqueue_ops)]
    return found + [sorted(map(int, collect(tf, q.dequeue())[:-1]))]


def errors_of_runners(tf):
    q = tf.FIFOQueue(3, tf.float32, [[]])
    bad = q.enqueue(tf.check_numerics(tf.constant(1.0) / 0.0, "no"))
    tf.train.add_queue_runner(tf.train.QueueRunner(q, [bad]))
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        coord.wait_for_stop()
        coord.join(threads)


def producers(tf):
    names = tf.train.string_input_producer(["a", "b", "c"], num_epochs=2, shuffle=False)
    numbers = tf.train.range_input_producer(3, num_epochs=1, shuffle=False)
    rows = tf.train.slice_input_producer(
        [[1, 2, 3], [[1.0], [2.0], [3.0]]], num_epochs=1, shuffle=False
    )
    name, number = names.dequeue(), numbers.dequeue()
    summaries = [s.op.name for s in tf.get_collection(tf.GraphKeys.SUMMARIES)]
    locals_ = [v.name for v in tf.local_variables()]
    return [collect(tf, name), collect(tf, number), collect(tf, rows), summaries, locals_]


def shuffled(tf):
    names = tf.train.string_input_producer(["a", "b", "c", "d"], num_epochs=1, shuffle=True, seed=5)
    return sorted(map(str, collect(tf, names.dequeue())))


def no_strings(tf):
    tf.train.string_input_producer([])


def batches(tf):
    index, row = tf.train.slice_input_producer(
        [tf.range(7), np.arange(14.0, dtype=np.float32).reshape(7, 2)], num_epochs=1, shuffle=False
    )
    whole = tf.train.batch([index, row], 3)
    found = [[t.shape.as_list() for t in whole], collect(tf, whole)]
    return found


def smaller_batches(tf):
    (index,) = tf.train.slice_input_producer([tf.range(7)], num_epochs=1, shuffle=False)
    parts = tf.train.batch({"i": index}, 3, allow_smaller_final_batch=True)
    return [parts["i"].shape.as_list(), collect(tf, parts)]


def many_at_once(tf):
    (rows,) = tf.train.slice_input_producer(
        [np.arange(12).reshape(3, 4)], num_epochs=1, shuffle=False
    )
    return collect(tf, tf.train.batch([rows], 5, enqueue_many=True, allow_smaller_final_batch=True))


def padded_batches(tf):
    n = tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
    x = tf.fill([n], n)
    x.set_shape([None])
    return collect(tf, tf.train.batch([x], 2, dynamic_pad=True))


def filtered_batches(tf):
    n = tf.train.range_input_producer(10, num_epochs=1, shuffle=False).dequeue()
    return collect(tf, tf.train.maybe_batch([n], tf.equal(n % 2, 0), 2))


def sparse_batches(tf):
    n = tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
    one = tf.SparseTensor([[tf.cast(n, tf.int64)]], [tf.cast(n, tf.float32)], [5])
    return collect(tf, tf.sparse_tensor_to_dense(tf.train.batch([one], 2)))


def joined_batches(tf):
    readers = []
    for start in (0, 10):
        n = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
        readers.append([n + start])
    found = collect(tf, tf.train.batch_join(readers, 2))
    return sorted(int(i) for part in found[:-1] for i in part)


def shuffled_batches(tf):
    n = tf.train.range_input_producer(12, num_epochs=1, shuffle=False).dequeue()
    found = collect(tf, tf.train.shuffle_batch([n], 4, 20, 5, num_threads=2, seed=1))
    return sorted(int(i) for part in found[:-1] for i in part)


def _files(folder):
    for i in range(2):
        with open(os.path.join(folder, "f%d.txt" % i), "w") as file:
            file.write("head\n" + "".join("%d,%d\n" % (i, k) for k in range(3)))
    return [os.path.join(folder, "f%d.txt" % i) for i in range(2)]


def lines_of_files(tf):
    with tempfile.TemporaryDirectory() as folder:
        _files(folder)
        names = tf.train.string_input_producer(
            tf.train.match_filenames_once(folder + "/*.txt"), 1, shuffle=False
        )
        reader = tf.TextLineReader(skip_header_lines=1)
        key, value = reader.read(names)
        found = collect(tf, [tf.substr(key, tf.size(tf.string_split([folder], "")), 10), value])
        return found


def whole_files_and_records(tf):
    with tempfile.TemporaryDirectory() as folder:
        paths = _files(folder)
        names = tf.train.string_input_producer(paths, 1, shuffle=False)
        reader = tf.WholeFileReader()
        _, value = reader.read(names)
        fixed = tf.FixedLengthRecordReader(record_bytes=4, header_bytes=5)
        _, records = fixed.read_up_to(tf.train.string_input_producer(paths, 1, shuffle=False), 2)
        counts = [reader.num_records_produced(), reader.num_work_units_completed()]
        found = [collect(tf, value), collect(tf, records)]
        with tf.Session() as sess:
            return found + sess.run(counts)


def accumulators(tf):
    a = tf.ConditionalAccumulator(tf.float32, [2])
    s = tf.SparseConditionalAccumulator(tf.float32)
    with tf.Session() as sess:
        for grad in ([1.0, 2.0], [3.0, 4.0]):
            sess.run(a.apply_grad(grad))
        found = [sess.run(a.num_accumulated()), sess.run(a.take_grad(2))]
        sess.run(a.set_global_step(5))
        sess.run(a.apply_grad([1.0, 1.0], local_step=3))
        found.append(sess.run(a.num_accumulated()))
        slices = tf.IndexedSlices(
            tf.constant([[1.0], [2.0]]),
            tf.constant([3, 0], tf.int64),
            tf.constant([5, 1], tf.int64),
        )
        sess.run(s.apply_indexed_slices_grad(slices))
        sess.run(s.apply_grad([3], [[5.0]]))
        taken = sess.run(s.take_indexed_slices_grad(2))
        return found + [taken.indices, taken.values, sess.run(s.num_accumulated())]


def barriers(tf):
    kind = tf.Barrier if hasattr(tf, "Barrier") else _data_flow().Barrier
    b = kind((tf.float32, tf.int32), shapes=((), (2,)))
    with tf.Session() as sess:
        sess.run(b.insert_many(0, ["a", "b"], [1.0, 2.0]))
        sess.run(b.insert_many(1, ["b", "a"], [[1, 2], [3, 4]]))
        found = sess.run([b.ready_size(), b.incomplete_size()])
        _, keys, floats, ints = sess.run(b.take_many(2))
        sess.run(b.close())
        return found + [keys, floats, ints]


def _data_flow():
    from tensorflow.python.ops import data_flow_ops

    return data_flow_ops


def _area(tf, name):
    ours = hasattr(tf, "Barrier")
    return getattr(tf.contrib.staging if ours else _data_flow(), name)


def staging(tf):
    area = _area(tf, "StagingArea")([tf.int32, tf.float32], [[], [2]], names=["n", "x"])
    put, get = area.put({"n": tf.constant(1), "x": tf.constant([1.0, 2.0])}), area.get()
    with tf.Session() as sess:
        sess.run(put)
        sess.run(put)
        found = [
            sess.run(area.size()),
            sess.run(get),
            sess.run(area.size()),
            get["x"].shape.as_list(),
        ]
        sess.run(area.clear())
        return found + [sess.run(area.size())]


def staging_by_key(tf):
    area = _area(tf, "MapStagingArea")([tf.int32, tf.float32], ordered=True)
    with tf.Session() as sess:
        sess.run(area.put(7, [tf.constant(1), tf.constant(2.0)], [0, 1]))
        sess.run(area.put(3, [tf.constant(5), tf.constant(6.0)], [0, 1]))
        sess.run(area.put(9, [tf.constant(4)], indices=[0]))
        found = sess.run([area.size(), area.incomplete_size()])
        sess.run(area.put(9, [tf.constant(3.0)], indices=[1]))
        found.append(sess.run(area.peek(9)))
        key, values = area.get()
        found.append(sess.run([key] + list(values)))
        _, values = area.get(9)
        return found + [sess.run(values)]


def coordinators(tf):
    coord, seen = tf.train.Coordinator(), []

    def work(i):
        while not coord.wait_for_stop(0.01):
            seen.append(i)
            if len(seen) > 5:
                coord.request_stop()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for t in threads:
        t.start()
    coord.join(threads)
    found = [coord.should_stop(), coord.joined, len(seen) > 5]
    coord.clear_stop()
    found.append(coord.should_stop())
    with coord.stop_on_exception():
        raise ValueError("mine")
    try:
        coord.join()
    except ValueError as e:
        found.append(str(e))
    return found
