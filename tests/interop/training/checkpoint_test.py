# SPDX-License-Identifier: Apache-2.0
"""Checkpoints between TensorFlow and us: each reads what the other wrote, with tf.train.Saver.

Files are compared byte by byte too; damaged ones are refused, with an error that names them.
"""

import atexit
import os
import shutil
import tempfile

import numpy as np
import tensorflow

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
raw = tensorflow.raw_ops

FOLDER = tempfile.mkdtemp(prefix="sluice-checkpoints-")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
NUMPY = (
    "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex64 complex128"
    " bool"
).split()


def place(name):
    return os.path.join(FOLDER, name, "ckpt")


def values():
    """A tensor of every dtype that can be saved."""
    rng = np.random.RandomState(3)
    made = {t: tf.constant(rng.uniform(-3, 90, size=(2, 5)).astype(t)) for t in NUMPY}
    made["bfloat16"] = tf.cast(tf.constant(rng.normal(size=[7])), tf.bfloat16)
    made["string"] = tf.constant([b"", b"a", b"\x00\xff" * 40, b"x" * 300])
    made["strings/none"] = tf.constant(np.array([], dtype=object).reshape(0, 3), tf.string)
    made["scalar"] = tf.constant(2.5)
    made["empty"] = tf.constant(np.zeros((0, 4), np.float32))
    made["large"] = tf.constant(np.arange(300000, dtype=np.float32))
    for kind, plain in ((tf.qint8, tf.int8), (tf.quint8, tf.uint8), (tf.qint32, tf.int32)):
        made[kind.name] = tf.bitcast(tf.constant([1, 2, 77], plain), kind)
    return dict(sorted(made.items()))


def contents(prefix):
    folder, name = os.path.split(prefix)
    found = {}
    for path in sorted(os.listdir(folder)):
        if path.startswith(name):
            with open(os.path.join(folder, path), "rb") as f:
                found[path[len(name) :]] = f.read()
    return found


def same(actual, expected, what):
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.dtype == expected.dtype and actual.shape == expected.shape, what
    assert actual.tobytes() == expected.tobytes() or (actual == expected).all(), what


def restored(session, prefix, tensors):
    names = sorted(tensors)
    ops = raw.RestoreV2(
        prefix=prefix,
        tensor_names=names,
        shape_and_slices=[""] * len(names),
        dtypes=[tensors[n].dtype for n in names],
    )
    comparable = [tf.cast(t, tf.float32) if t.dtype == tf.bfloat16 else t for t in ops]
    comparable = [
        tf.bitcast(t, tf.int32 if t.dtype == tf.qint32 else tf.uint8) if t.dtype.is_quantized else t
        for t in comparable
    ]
    return dict(zip(names, session.run(comparable)))


def test_dtypes(checks, ours, theirs):
    """Every dtype saved by one, restored by both; the files are the same, byte by byte."""
    with tf.Graph().as_default():
        tensors = values()
        for who, cluster in (("ours", ours), ("theirs", theirs)):
            with tf.Session(cluster.target()) as session:
                saved = raw.SaveV2(
                    prefix=place(who),
                    tensor_names=list(tensors),
                    shape_and_slices=[""] * len(tensors),
                    tensors=list(tensors.values()),
                )
                session.run(saved)
        mine, wanted = contents(place("ours")), contents(place("theirs"))
        checks.check("the same files", sorted(mine) == sorted(wanted), sorted(mine))
        for name, expected in wanted.items():
            checks.check("bytes of " + name, mine.get(name) == expected)
        with tf.Session(theirs.target()) as session:
            expected = restored(session, place("theirs"), tensors)
            for name, value in restored(session, place("ours"), tensors).items():
                checks.run(
                    "theirs reads ours: " + name, lambda v=value, n=name: same(v, expected[n], n)
                )
        with tf.Session(ours.target()) as session:
            for name, value in restored(session, place("theirs"), tensors).items():
                checks.run(
                    "ours reads theirs: " + name, lambda v=value, n=name: same(v, expected[n], n)
                )
    reader = tf.train.NewCheckpointReader(place("ours"))
    checks.check("checkpoint reader", len(reader.get_variable_to_shape_map()) == len(tensors))


def test_many(checks, ours, theirs):
    """An index of many blocks."""
    names = ["layer_%05d/kernel/%s" % (i, "a" * (i % 40)) for i in range(9000)]
    with tf.Graph().as_default():
        for who, cluster in (("many", ours), ("many_theirs", theirs)):
            with tf.Session(cluster.target()) as session:
                each = tf.unstack(tf.range(len(names)))
                session.run(
                    raw.SaveV2(
                        prefix=place(who),
                        tensor_names=names,
                        shape_and_slices=[""] * len(names),
                        tensors=each,
                    )
                )
        checks.check("bytes of many", contents(place("many")) == contents(place("many_theirs")))
        picked = names[::97]
        with tf.Session(ours.target()) as session:
            read = raw.RestoreV2(
                prefix=place("many_theirs"),
                tensor_names=picked,
                shape_and_slices=[""] * len(picked),
                dtypes=[tf.int32] * len(picked),
            )
            checks.check("many", list(session.run(read)) == list(range(0, len(names), 97)))


def model(use_resource, slices, tasks=2):
    """Variables over two ps tasks, one of them partitioned."""
    chooser = tf.train.replica_device_setter(ps_tasks=tasks, worker_device="/job:worker/task:0")
    with tf.device(chooser), tf.variable_scope("net", use_resource=use_resource):
        partitioner = tf.fixed_size_partitioner(slices, axis=0) if slices else None
        rng = np.random.RandomState(11)
        wide = tf.get_variable(
            "wide",
            shape=[10, 4],
            initializer=tf.random_uniform_initializer(seed=5),
            partitioner=partitioner,
        )
        bias = tf.get_variable("bias", initializer=tf.constant(rng.normal(size=[6])))
        words = tf.get_variable(
            "words", initializer=tf.constant([b"ab", b"", b"c" * 50]), use_resource=False
        )
        step = tf.train.get_or_create_global_step()
    return {"wide": tf.convert_to_tensor(wide), "bias": bias, "words": words, "step": step}


def write_model(cluster, prefix, use_resource, slices, sharded):
    with tf.Graph().as_default():
        net = model(use_resource, slices)
        saver = tf.train.Saver(sharded=sharded)
        with tf.Session(cluster.target()) as session:
            session.run(tf.global_variables_initializer())
            session.run(tf.assign_add(net["step"], 7))
            path = saver.save(session, prefix, write_meta_graph=False)
            result = session.run(net)
    tf.Session.reset(cluster.target())
    return path, result


def read_model(cluster, path, use_resource, slices, sharded):
    with tf.Graph().as_default():
        net = model(use_resource, slices)
        saver = tf.train.Saver(sharded=sharded)
        with tf.Session(cluster.target()) as session:
            saver.restore(session, path)
            result = session.run(net)
    tf.Session.reset(cluster.target())
    return result


def test_saver(checks, ours, theirs):
    """Sharded over the ps tasks or not, partitioned in other ways than it is read."""
    for use_resource in (False, True):
        for sharded in (False, True):
            for slices, other in ((None, 3), (3, None), (3, 2), (2, 2)):
                name = f"saver resource={use_resource} sharded={sharded} {slices}-{other}"
                folders = [os.path.join(FOLDER, name.replace(" ", "_") + who) for who in ("a", "b")]
                for folder in folders:
                    os.makedirs(folder)

                def round_trip(
                    name=name, folders=folders, r=use_resource, s=sharded, n=slices, o=other
                ):
                    mine, wrote = write_model(ours, folders[0] + "/model", r, n, s)
                    for cluster in (theirs, ours):
                        for key, value in read_model(cluster, mine, r, o, s).items():
                            same(value, wrote[key], name + " " + key)
                    yours, wrote = write_model(theirs, folders[1] + "/model", r, n, s)
                    for key, value in read_model(ours, yours, r, o, not s).items():
                        same(value, wrote[key], name + " " + key)
                    left = [sorted(os.listdir(f)) for f in folders]
                    assert left[0] == left[1], left

                checks.run(name, round_trip)


def error_of(cluster, make):
    with tf.Graph().as_default(), tf.Session(cluster.target()) as session:
        try:
            session.run(make())
            return None, "no error"
        except tf.errors.OpError as error:
            return type(error).__name__, str(error)


def restore(prefix, name="scalar", dtype=tf.float32, part=""):
    return lambda: raw.RestoreV2(
        prefix=prefix,
        tensor_names=[name],
        shape_and_slices=tf.placeholder_with_default([part], [1]),
        dtypes=[dtype],
    )


def save(names, parts, tensors):
    return lambda: raw.SaveV2(
        prefix=place("bad"),
        tensor_names=tf.placeholder_with_default(names, [None]),
        shape_and_slices=tf.placeholder_with_default(parts, [None]),
        tensors=tensors(),
    )


def test_errors(checks, ours, theirs):
    here, two = place("ours"), lambda: [tf.ones([2, 2]), tf.ones([2])]
    cases = {
        "no key": (restore(here, "nobody"), "Key nobody not found in checkpoint"),
        "no file": (restore(place("ours") + "-nothing"), "Failed to find any matching files for"),
        "dtype": (
            restore(here, dtype=tf.int32),
            "expected dtype int32 does not equal original dtype",
        ),
        "shape": (restore(here, "float32", part="3 5 0,1:-"), "does not match the shape stored"),
        "slice text": (restore(here, "float32", part="2 5 0,x:-"), None),
        "duplicate": (save(["a", "a"], ["", ""], two), None),
        "slice of another shape": (save(["a", "b"], ["4 2 0,1:-", ""], two), None),
        "too few names": (save(["a"], [""], two), None),
    }
    answers = {name: error_of(ours, make) for name, (make, _) in cases.items()}
    folder = os.path.dirname(place("bad"))
    left = os.listdir(folder) if os.path.isdir(folder) else []
    checks.check("nothing half-written stays", not left, left)
    for name, (make, text) in cases.items():
        actual, our_text = answers[name]
        expected, theirs_text = error_of(theirs, make)
        checks.check("error " + name, actual == expected, (actual, expected, our_text, theirs_text))
        checks.check("text of " + name, text is None or text in our_text, our_text)
    outside = error_of(ours, restore(here, "float32", part="2 5 0,3:-"))  # theirs is INTERNAL
    checks.check("slice outside", outside[0] == "InvalidArgumentError", outside)
    checks.check("the file is named", place("ours") in error_of(ours, restore(here, "nobody"))[1])


def test_folders(checks, ours, theirs):
    """The folder of a checkpoint is created, its missing parents are not: Saver reports them."""

    def saved(cluster, version, path):
        with tf.Graph().as_default(), tf.Session(cluster.target()) as session:
            variable = tf.Variable(1.0, name="v")
            session.run(variable.initializer)
            path = os.path.join(FOLDER, cluster.kind, str(version), path)
            try:
                tf.train.Saver(write_version=version).save(session, path)
            except ValueError as error:
                assert f"Parent directory of {path} doesn't exist" in str(error), error
                return "no parent"
            return os.listdir(os.path.dirname(path))[:1]

    for version in (tf.train.SaverDef.V1, tf.train.SaverDef.V2):
        for cluster in (ours, theirs):
            os.makedirs(os.path.join(FOLDER, cluster.kind, str(version)))
        for path in ("new/x", "new/deep/er/x"):
            actual, expected = (saved(c, version, path) for c in (ours, theirs))
            checks.check(f"folders {version} {path}", actual == expected, (actual, expected))


def test_damage(checks, ours):
    """A byte changed, the end cut off: an error, and the server lives."""
    small = place("small")
    names = ["scalar", "words"]
    with tf.Graph().as_default(), tf.Session(ours.target()) as session:
        tensors = [tf.constant(1.5), tf.constant([b"one", b"two"])]
        session.run(
            raw.SaveV2(prefix=small, tensor_names=names, shape_and_slices=["", ""], tensors=tensors)
        )
    whole = contents(small)
    codes = set()
    with tf.Graph().as_default(), tf.Session(ours.target()) as session:
        prefix = tf.placeholder(tf.string, [])
        read = raw.RestoreV2(
            prefix=prefix,
            tensor_names=names,
            shape_and_slices=["", ""],
            dtypes=[tf.float32, tf.string],
        )
        damaged = place("damaged")
        os.makedirs(os.path.dirname(damaged))
        for suffix, good in whole.items():
            for at in range(len(good)):
                for kind in ("cut", "flip"):
                    bad = (
                        good[:at]
                        if kind == "cut"
                        else good[:at] + bytes([good[at] ^ 0x41]) + good[at + 1 :]
                    )
                    for other, content in whole.items():
                        with open(damaged + other, "wb") as f:
                            f.write(bad if other == suffix else content)
                    try:
                        session.run(read, {prefix: damaged})
                        codes.add("%s %s %d: no error" % (suffix, kind, at))
                    except (
                        tf.errors.DataLossError,
                        tf.errors.OutOfRangeError,
                        tf.errors.NotFoundError,
                        tf.errors.InvalidArgumentError,
                    ):
                        pass
        # The padding of the footer, the empty metaindex and its place say nothing.
        codes = {c for c in codes if ".index flip" not in c}
        checks.check("damage is found", not codes, sorted(codes)[:10])
        session.run(read, {prefix: small})
    code, text = error_of(ours, restore(damaged))
    checks.check("the damaged file is named", code and "damaged" in text, text)


def test_older(checks, ours, theirs):
    """Save, SaveSlices, Restore, RestoreSlice; RestoreV2 reads the older format too."""
    kinds = "float32 float64 int8 int16 int32 int64 uint8 complex64 bool string".split()
    with tf.Graph().as_default():
        tensors = {k: v for k, v in values().items() if k in kinds}
        for who, cluster in (("old_ours", ours), ("old_theirs", theirs)):
            path = place(who)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with tf.Session(cluster.target()) as session:
                session.run(
                    raw.Save(filename=path, tensor_names=list(tensors), data=list(tensors.values()))
                )
                rows = [tf.ones([2, 3]), tf.zeros([3, 3])]
                session.run(
                    raw.SaveSlices(
                        filename=path + "-slices",
                        tensor_names=["v", "v"],
                        shapes_and_slices=["5 3 0,2:-", "5 3 2,3:-"],
                        data=rows,
                    )
                )
        for who, cluster in (("old_ours", theirs), ("old_theirs", ours), ("old_ours", ours)):
            with tf.Session(cluster.target()) as session:
                wanted = session.run(tensors)
                for name, tensor in tensors.items():
                    got = raw.Restore(
                        file_pattern=place(who),
                        tensor_name=name,
                        dt=tensor.dtype,
                        preferred_shard=-1,
                    )
                    checks.run(
                        f"older {who} {name}",
                        lambda g=got, n=name, s=session, w=wanted: same(s.run(g), w[n], n),
                    )
                part = raw.RestoreSlice(
                    file_pattern=place(who) + "-slices",
                    tensor_name="v",
                    shape_and_slice="5 3 1,2:1,2",
                    dt=tf.float32,
                    preferred_shard=-1,
                )
                checks.check("older slice", session.run(part).tolist() == [[1, 1], [0, 0]])
                read = restored(session, place(who), tensors)
                checks.run(
                    "older by RestoreV2", lambda r=read, w=wanted: [same(r[n], w[n], n) for n in r]
                )

    def missing():
        return raw.Restore(
            file_pattern=place("old_ours"), tensor_name="nobody", dt=tf.int32, preferred_shard=-1
        )

    checks.check("older, no key", error_of(ours, missing)[0] == error_of(theirs, missing)[0])


def train(cluster, folder, last):
    """Losses of a monitored session up to a step."""
    losses = []
    with tf.Graph().as_default():
        chooser = tf.train.replica_device_setter(ps_tasks=2, worker_device="/job:worker/task:0")
        with tf.device(chooser):
            x = tf.constant(np.random.RandomState(1).normal(size=[16, 3]), tf.float32)
            w = tf.get_variable("w", initializer=tf.ones([3, 2]))
            b = tf.get_variable("b", initializer=tf.zeros([2]))
            loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - 1.0))
            step = tf.train.get_or_create_global_step()
            update = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step)
        hooks = [tf.train.StopAtStepHook(last_step=last)]
        with tf.train.MonitoredTrainingSession(
            cluster.target(),
            checkpoint_dir=folder,
            save_checkpoint_steps=5,
            save_summaries_steps=None,
            hooks=hooks,
            log_step_count_steps=None,
        ) as session:
            while not session.should_stop():
                losses.append(session.run([loss, update])[0])
    tf.Session.reset(cluster.target())
    return losses


def test_monitored(checks, ours, theirs):
    """A run that stops and goes on from its checkpoint is the run that does not stop."""
    unbroken = train(theirs, os.path.join(FOLDER, "unbroken"), 20)
    for first, second in ((ours, ours), (theirs, ours), (ours, theirs)):
        name = f"monitored {first.kind}-{second.kind}"
        folder = os.path.join(FOLDER, name.replace(" ", "_"))
        losses = train(first, folder, 10) + train(second, folder, 20)
        checks.run(name, lambda a=losses: np.testing.assert_allclose(a, unbroken, rtol=1e-4))
    folder = os.path.join(FOLDER, "killed")
    losses = train(ours, folder, 10)
    for task in (0, 1):
        ours.restart("ps", task)
    losses += train(ours, folder, 20)
    checks.run("ps restarted", lambda: np.testing.assert_allclose(losses, unbroken, rtol=1e-4))


JOBS = {"ps": 2, "worker": 1}
