# SPDX-License-Identifier: Apache-2.0
"""Staging areas, mutexes, readers and files in TensorFlow and on our server.

    staging_readers_test.py [NAME...]   parts of names of cases

A case builds its graph and says what to run; what comes of it, values and kinds of errors, must be
the same in both.
"""

import atexit
import os
import shutil
import tempfile
import threading
import time
import zlib

import numpy as np
import pytest
import tensorflow
from tensorflow.python.ops import data_flow_ops

from interop.tools.lmdb_files import lmdb_folder

pytestmark = pytest.mark.waits

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
raw = tensorflow.raw_ops
HERE, THERE = "/job:worker/task:0", "/job:worker/task:1"
FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


def staging(names, dtypes, **limits):
    return data_flow_ops.StagingArea(dtypes, names=names, **limits)


def map_staging(names, dtypes, **options):
    return data_flow_ops.MapStagingArea(dtypes, names=names, **options)


def path(name):
    return os.path.join(FOLDER, name)


class Program:
    """Runs fetches one after the other; an error is a result like any other."""

    def __init__(self, session):
        self.session = session
        self.results = []

    def run(self, fetches, feed=None, times=1):
        for _ in range(times):
            try:
                result = self.session.run(fetches, feed)
                if isinstance(result, (list, tuple)):
                    self.results.extend(result)
                else:
                    self.results.append(result)
            except tf.errors.OpError as error:
                self.results.append(error)


# ---- staging areas


def staging_area(program):
    area = staging(["x", "y"], [tf.float32, tf.int32])
    x = tf.placeholder(tf.float32)
    put = area.put({"x": x, "y": tf.constant(7)})
    got, size, seen = area.get(), area.size(), area.peek(1)
    for value in (1.0, [2.0, 3.0], [[4.0]]):
        program.run(put, {x: value})
    program.run([seen["x"], seen["y"], size])
    program.run([got["x"], got["y"]], times=2)
    program.run([size])
    program.run(area.clear())
    program.run([size])


def staging_area_with_limits(program):
    area = staging(["x"], [tf.float32], capacity=2, memory_limit=20)
    x = tf.placeholder(tf.float32)
    put, got, size = area.put({"x": x}), area.get(), area.size()
    program.run(put, {x: np.zeros(6)})  # more than may ever fit
    done = []

    def fill():
        for i in range(20):
            program.session.run(put, {x: [i]})
            done.append(i)

    filler = threading.Thread(target=fill)
    filler.start()
    sizes = []
    for _ in range(20):
        program.run(got["x"])
        sizes.append(program.session.run(size))
    filler.join()
    program.results.append(max(sizes) <= 2 and len(done) == 20)
    program.run(size)


def pipeline_over_steps(program):
    """Double buffering: a step computes on what the one before it staged."""
    area = staging(["x"], [tf.float32])
    step = tf.get_variable("step", initializer=0.0, use_resource=True)
    with tf.control_dependencies([step.initializer]):
        first = area.put({"x": tf.constant(100.0)})
    got = area.get()["x"]
    with tf.control_dependencies([got]):
        put = area.put({"x": tf.identity(tf.assign_add(step, 1.0))})
    program.run(first)
    for _ in range(4):
        program.run([got, put])


def map_staging_area(program, ordered=False):
    area = map_staging(
        ["x", "y"], [tf.float32, tf.int32], ordered=ordered, capacity=10, memory_limit=1000
    )
    key = tf.placeholder(tf.int64, [])
    x = tf.placeholder(tf.float32)
    put = area.put(key, {"x": x, "y": tf.cast(x, tf.int32)})
    put_x = area.put(key, {"x": x})
    put_y = area.put(key, {"y": tf.constant(9)})
    size, incomplete = area.size(), area.incomplete_size()
    for k in (5, 1, 3):
        program.run(put, {key: k, x: float(k)})
    program.run([size, incomplete])
    k, values = area.get(key)
    program.run([k, values["x"], values["y"]], {key: 3})
    seen = area.peek(key)
    program.run([seen["x"], seen["y"], size], {key: 1})
    program.run(put_x, {key: 8, x: 8.0})
    program.run([size, incomplete])
    program.run(put_x, {key: 8, x: 8.0})
    program.run(put_y, {key: 8})
    program.run([size, incomplete])
    only_y = area.get(key, indices=["y"])[1]
    program.run(only_y["y"], {key: 8})
    program.run(only_y["y"], {key: 8})
    only_x = area.get(key, indices=["x"])[1]
    program.run(only_x["x"], {key: 8})
    program.run([size, incomplete])
    if ordered:
        any_key, any_values = area.get()
        program.run([any_key, any_values["x"]], times=2)
    program.run(area.clear())
    program.run([size, incomplete])


def ordered_map_staging_area(program):
    map_staging_area(program, ordered=True)


def critical_section(program):
    """Increments of two halves that would be lost without the lock."""
    handle = raw.MutexV2(shared_name="m", container="")
    value = tf.get_variable("value", initializer=0, use_resource=True)

    def locked(i):
        lock = raw.MutexLock(mutex=handle)
        with tf.control_dependencies([lock]):
            read = value.read_value()
        with tf.control_dependencies([read]):
            written = value.assign(read + 1).op
        with tf.control_dependencies([written]):
            return raw.ConsumeMutexLock(mutex_lock=lock)

    increments = [locked(i) for i in range(10)]
    program.run(value.initializer)
    program.run(tf.group(*increments), times=3)
    program.run(value)


def lock_misused(program):
    lock = raw.MutexLock(mutex=raw.MutexV2(shared_name="n", container=""))
    program.run([raw.ConsumeMutexLock(mutex_lock=raw.OptionalNone())])
    with tf.control_dependencies([raw.ConsumeMutexLock(mutex_lock=lock)]):
        program.run(tf.constant(1), times=2)


# ---- readers


def write(name, contents):
    with open(path(name), "wb") as file:
        file.write(contents)
    return path(name)


def reading(program, reader, files, times=None, up_to=None):
    """Reads all there is, and what the reader says of itself at each step."""
    queue = tf.FIFOQueue(10, tf.string, shapes=[[]])
    if up_to is None:
        key, value = reader.read(queue)
    else:
        key, value = reader.read_up_to(queue, up_to)
    produced, completed = reader.num_records_produced(), reader.num_work_units_completed()
    for file in files:
        program.run(queue.enqueue(tf.constant(file)))
    program.run(queue.close())
    for _ in range(times or 12):
        program.run([key, value])
        program.run([produced, completed])


def whole_files(program):
    files = [write("one", b"first\0file"), write("empty", b""), write("two", b"x" * 100000)]
    reading(program, tf.WholeFileReader(), files + [path("none")] + files[:1], times=6)


def identities(program):
    reading(program, tf.IdentityReader(), [b"a", b"", b"\xff"], times=4)


def lines(program):
    files = [
        write("lines", b"one\ntwo\r\n\nfour\rstill four\n"),
        write("no end", b"a\nb"),
        write("nothing", b""),
        write("long", b"y" * 700000 + b"\nz\n"),
    ]
    reading(program, tf.TextLineReader(), files, times=10)


def lines_behind_a_header(program):
    files = [
        write("header", b"h1\nh2\nbody\n"),
        write("short", b"h1\n"),
        write("body", b"1\n2\n3\n4"),
    ]
    reading(program, tf.TextLineReader(skip_header_lines=2), files, times=5)


def missing_file(program):
    files = [path("not there"), write("there", b"line\n"), FOLDER]
    reading(program, tf.TextLineReader(), files, times=4)


def fixed_length(program):
    files = [
        write("fixed", b"HH" + b"".join(b"%04d" % i for i in range(5)) + b"FFF"),
        write("tiny", b"HHFFF"),
    ]
    reader = tf.FixedLengthRecordReader(4, header_bytes=2, footer_bytes=3)
    reading(program, reader, files, times=6)


def fixed_length_with_hops(program):
    for hop in (2, 6, 4):
        files = [write("hops", b"H" + bytes(bytearray(range(50, 80))) + b"FF")]
        reader = tf.FixedLengthRecordReader(4, header_bytes=1, footer_bytes=2, hop_bytes=hop)
        reading(program, reader, files, times=16)


def fixed_length_remainder(program):
    reading(program, tf.FixedLengthRecordReader(4), [write("rest", b"aaaabbbbcc")], times=3)


def fixed_length_compressed(program):
    body = b"HH" + b"".join(b"%04d" % i for i in range(6)) + b"F"
    wrapped = zlib.compressobj(6, zlib.DEFLATED, 31)
    files = {
        "ZLIB": write("fixed.zlib", zlib.compress(body)),
        "GZIP": write("fixed.gz", wrapped.compress(body) + wrapped.flush()),
    }
    for encoding, file in sorted(files.items()):
        reader = tf.FixedLengthRecordReader(4, header_bytes=2, footer_bytes=1, encoding=encoding)
        reading(program, reader, [file], times=7)


def record_file(name, records, kind=""):
    options = tf.python_io.TFRecordOptions(
        getattr(tf.python_io.TFRecordCompressionType, kind or "NONE")
    )
    with tf.python_io.TFRecordWriter(path(name), options) as writer:
        for record in records:
            writer.write(record)
    return path(name)


RECORDS = [b"first", b"", b"z" * 300000, b"last"]


def records(program):
    for kind in ("", "ZLIB", "GZIP"):
        options = tf.python_io.TFRecordOptions(
            getattr(tf.python_io.TFRecordCompressionType, kind or "NONE")
        )
        files = [record_file("records" + kind, RECORDS, kind), record_file("no" + kind, [], kind)]
        reading(program, tf.TFRecordReader(options=options), files + files, times=10)


def damaged_records(program):
    with open(record_file("whole", [b"good", b"bad", b"after"]), "rb") as file:
        good = file.read()
    for at in (0, 9, 13, 16 + 4 + 13):
        damaged = bytearray(good)
        damaged[at] ^= 1
        reading(program, tf.TFRecordReader(), [write("damaged%d" % at, bytes(damaged))], times=3)


def records_cut_off(program):
    with open(record_file("uncut", [b"good", b"bad"]), "rb") as file:
        good = file.read()
    for size in (3, 12, 14, 19, 25, 36):
        reading(program, tf.TFRecordReader(), [write("cut%d" % size, good[:size])], times=2)


def lmdb_entries(program):
    short = [(b"b", b"2"), (b"a", b"1"), (b"c\0", b""), (b"d", b"z" * 100000)]
    folder = lmdb_folder(path("lmdb"), short)
    empty = lmdb_folder(path("no lmdb"), [])
    reading(program, tf.LMDBReader(), [folder, empty, os.path.join(folder, "data.mdb")], times=9)


def many_lmdb_entries(program):
    entries = [(b"%05d" % i, b"%d" % i * 30) for i in range(3000)]
    folder = lmdb_folder(path("large lmdb"), entries, transactions=3)
    reading(program, tf.LMDBReader(), [folder, folder], times=5, up_to=1000)
    program.run(tf.LMDBReader().serialize_state())


def many_at_once(program):
    files = [write("many%d" % i, b"".join(b"%d\n" % j for j in range(i))) for i in (3, 0, 5)]
    reading(program, tf.TextLineReader(), files, times=6, up_to=2)
    reading(program, tf.WholeFileReader(), files, times=4, up_to=5)
    reading(program, tf.IdentityReader(), files, times=4, up_to=5)
    record = record_file("many", [b"%d" % i for i in range(7)])
    reading(program, tf.TFRecordReader(), [record, record], times=6, up_to=3)
    reading(program, tf.FixedLengthRecordReader(2), [files[0]], times=3, up_to=100)


def states(program):
    for kind in (tf.IdentityReader, tf.WholeFileReader):
        reader = kind()
        files = [write("state%d" % i, b"%d" % i) for i in range(4)]
        queue = tf.FIFOQueue(10, tf.string, shapes=[[]])
        program.run(queue.enqueue_many([files]))
        key, value = reader.read(queue)
        counts = [reader.num_records_produced(), reader.num_work_units_completed()]
        state = reader.serialize_state()
        program.run([key, value], times=2)
        kept = program.session.run(state)
        program.results.append(kept)
        program.run([key, value])
        program.run(reader.restore_state(kept))
        program.run(counts)
        program.run(reader.reset())
        program.run(counts)
        program.run([key, value])
        program.run(reader.restore_state(b"\xff\xff"))
        program.run(reader.restore_state(kept[:-1]))
    for kind in (tf.TextLineReader(), tf.TFRecordReader(), tf.FixedLengthRecordReader(4)):
        program.run(kind.serialize_state())
        program.run(kind.restore_state(b""))


def old_handles(program):
    """Handles that are references to two strings."""
    names = {"container": "", "shared_name": ""}
    reader = raw_v1("WholeFileReader", **names)
    string, shape = [tf.string], [tf.TensorShape([])]
    queue = raw_v1("FIFOQueue", component_types=string, shapes=shape, capacity=5, **names)
    file = tf.constant(write("old", b"contents"))
    put = raw_v1("QueueEnqueue", handle=queue, components=[file], timeout_ms=-1)
    key, value = raw_v1("ReaderRead", reader_handle=reader, queue_handle=queue)
    count = raw_v1("ReaderNumRecordsProduced", reader_handle=reader)
    program.run(put, times=2)
    program.run([key, value], times=2)
    program.run(count)


def raw_v1(name, **inputs):
    from tensorflow.python.framework import op_def_library

    if hasattr(op_def_library, "apply_op"):
        return op_def_library.apply_op(name, **inputs)
    from tensorflow.core.framework import op_def_pb2
    from tensorflow.python.framework import op_def_registry

    library = op_def_library.OpDefLibrary()
    library.add_op_list(op_def_pb2.OpList(op=[op_def_registry.get_registered_ops()[name]]))
    return library.apply_op(name, **inputs)


def wrong_queues(program):
    for queue in (
        tf.FIFOQueue(2, tf.int32, shapes=[[]]),
        tf.FIFOQueue(2, [tf.string, tf.string], shapes=[[], []]),
    ):
        values = [
            tf.zeros([], dtype) if dtype == tf.int32 else tf.constant("x") for dtype in queue.dtypes
        ]
        program.run(queue.enqueue(values))
        program.run(list(tf.TextLineReader().read(queue)))
    queue = tf.FIFOQueue(2, tf.string)
    program.run(queue.enqueue(tf.constant(["x", "y"])))
    program.run(list(tf.IdentityReader().read(queue)))


def input_pipeline(program):
    """The classic one: names, records, parsed into batches by runners' threads."""
    files = [record_file("batch%d" % i, [b"%d" % (10 * i + j) for j in range(6)]) for i in range(3)]
    names = tf.train.string_input_producer(files, num_epochs=2, shuffle=False)
    _, value = tf.TFRecordReader().read(names)
    batch = tf.train.batch([value], batch_size=4)
    program.run(tf.local_variables_initializer())
    coordinator = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(program.session, coordinator)
    batches = 0
    try:
        while not coordinator.should_stop():
            program.results.append(program.session.run(batch))
            batches += 1
    except tf.errors.OutOfRangeError:
        coordinator.request_stop()
    coordinator.join(threads)
    program.results.append(batches)


# ---- files


def whole_file_ops(program):
    shutil.rmtree(path("new"), ignore_errors=True)
    name = tf.constant(path("new/folder/file"))
    wrote = raw.WriteFile(filename=name, contents=tf.constant(b"\0contents"))
    read = raw.ReadFile(filename=name)
    program.run(read)
    program.run(wrote)
    program.run(read)
    program.run(raw.WriteFile(filename=name, contents=tf.constant(b"short")))
    program.run(read)
    program.run(raw.ReadFile(filename=tf.constant(FOLDER)))
    program.run(raw.ReadFile(filename=tf.constant("file://" + path("new/folder/file"))))
    program.run(raw.WriteFile(filename=tf.constant(path("new/folder")), contents=tf.constant("x")))


def matching_files(program):
    for name in ("ab1.txt", "ab2.txt", "ac1.txt", ".ab.txt", "b"):
        os.makedirs(path("match/sub"), exist_ok=True)
        write("match/" + name, b"")
        write("match/sub/" + name, b"")
    for patterns in (
        "ab*.txt",
        "a?1.txt",
        "[ab]*",
        "none*",
        "*/ab1.txt",
        "b",
        "sub/*",
        "a[!b]1.txt",
    ):
        program.run(raw.MatchingFiles(pattern=tf.constant(path("match/" + patterns))))
    both = tf.constant([path("match/b*"), path("match/a*")])
    program.run(raw.MatchingFiles(pattern=both))
    program.run(raw.MatchingFiles(pattern=tf.zeros([0], tf.string)))


CASES = [
    staging_area,
    staging_area_with_limits,
    pipeline_over_steps,
    map_staging_area,
    ordered_map_staging_area,
    critical_section,
    lock_misused,
    whole_files,
    identities,
    lines,
    lines_behind_a_header,
    missing_file,
    fixed_length,
    fixed_length_with_hops,
    fixed_length_remainder,
    fixed_length_compressed,
    records,
    damaged_records,
    records_cut_off,
    many_at_once,
    states,
    old_handles,
    wrong_queues,
    input_pipeline,
    whole_file_ops,
    matching_files,
]
if tensorflow.__version__.startswith("1."):  # TensorFlow 2 has the op and no kernel
    CASES += [lmdb_entries, many_lmdb_entries]


def results_of(case, target):
    with tf.Graph().as_default(), tf.device(HERE), tf.Session(target) as session:
        program = Program(session)
        case(program)
        return program.results


def describe(result):
    if isinstance(result, Exception):
        return type(result).__name__
    return str(result)[:60]


def compare(case, ours, theirs):
    actual, expected = results_of(case, ours.target()), results_of(case, theirs.target())
    assert len(actual) == len(expected), (actual, expected)
    for i, (a, e) in enumerate(zip(actual, expected)):
        if isinstance(e, Exception) or isinstance(a, Exception):
            assert type(a) is type(e), "result %d is %s, TensorFlow's %s" % (i, a, e)
            continue
        np.testing.assert_array_equal(np.asarray(a), np.asarray(e), "result %d" % i)


def test_cancelling(checks, ours):
    """Waiting ops end soon after their step, and leave the resource unchanged."""
    with tf.Graph().as_default(), tf.device(HERE), tf.Session(ours.target()) as session:
        area = staging(["x"], [tf.float32], capacity=1, shared_name="cancelled")
        put, got = area.put({"x": tf.constant(3.0)}), area.get()["x"]
        queue = tf.FIFOQueue(1, tf.string, shapes=[[]])
        read = tf.TextLineReader().read(queue)[1]
        lock = raw.MutexLock(mutex=raw.MutexV2(shared_name="held", container=""))
        with tf.control_dependencies([lock]):
            again = raw.MutexLock(mutex=raw.MutexV2(shared_name="held", container=""))
        with tf.control_dependencies([again]):
            twice = tf.identity(tf.constant(1))
        with tf.control_dependencies([twice]):
            both = raw.ConsumeMutexLock(mutex_lock=lock)
        options = tf.RunOptions(timeout_in_ms=300)
        for name, fetch in (("unstage", got), ("reader", read), ("mutex", both)):
            started = time.time()
            try:
                session.run(fetch, options=options)
                checks.check("cancel " + name, False, "it ended")
            except tf.errors.DeadlineExceededError:
                checks.check("cancel " + name, time.time() - started < 2, time.time() - started)
        session.run(put)
        checks.check("staged afterwards", session.run(got) == 3.0)
        session.run(queue.enqueue(tf.constant(write("afterwards", b"line\n"))))
        checks.check("read afterwards", session.run(read) == b"line")


JOBS = {"worker": 2}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_case(ours, theirs, case):
    compare(case, ours, theirs)
