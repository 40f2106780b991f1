# SPDX-License-Identifier: Apache-2.0
"""Savers, meta graphs, summaries."""

import glob
import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import says


def saved_and_restored(tf):
    a = tf.Variable([1.0, 2.0], name="a")
    b = tf.Variable(np.int64(3), name="b", use_resource=True)
    with tempfile.TemporaryDirectory() as folder:
        saver = tf.train.Saver(max_to_keep=2)
        prefix = os.path.join(folder, "model")
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for step in range(3):
                sess.run([tf.assign(a, [step, 7.0]), b.assign(step)])
                path = saver.save(sess, prefix, global_step=step)
            names = [os.path.basename(p) for p in saver.last_checkpoints]
            files = sorted(os.path.basename(f) for f in glob.glob(folder + "/*"))
            state = tf.train.get_checkpoint_state(folder)
            latest = os.path.basename(tf.train.latest_checkpoint(folder))
            saver.restore(sess, prefix + "-1")
            found = sess.run([a, b])
            errors = []
            for call in (
                lambda: saver.restore(sess, prefix + "-0"),
                lambda: saver.restore(sess, None),
                lambda: saver.save(sess, folder + "/none/model"),
                lambda: saver.save(None, prefix),
                lambda: saver.restore(sess, ""),
            ):
                try:
                    call()
                except Exception as e:
                    errors.append(type(e).__name__)
            paths = [os.path.basename(p) for p in state.all_model_checkpoint_paths]
            return [os.path.basename(path), names, files, latest, paths, found, errors]


def by_other_names(tf):
    a = tf.Variable([1.0], name="a")
    b = tf.Variable([2.0], name="b")
    with tempfile.TemporaryDirectory() as folder:
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            path = tf.train.Saver({"x": a, "y": b}).save(
                sess, folder + "/m", write_meta_graph=False
            )
            tf.train.Saver({"x": b}).restore(sess, path)
            found = sess.run([a, b])
            try:
                tf.train.Saver({"z": b}).restore(sess, path)
            except tf.errors.NotFoundError as e:
                found.append(e.error_code)
            other = tf.Variable([[3.0]], name="other")
            tf.train.Saver({"x": other}, reshape=True).restore(sess, path)
            return found + [sess.run(other), sorted(os.listdir(folder))]


def sharded_and_in_parts(tf):
    with tempfile.TemporaryDirectory() as folder:
        v = tf.get_variable(
            "v",
            initializer=lambda shape, **_: tf.reshape(tf.range(14.0), shape)
            if shape == [7, 2]
            else tf.ones(shape),
            shape=[7, 2],
            partitioner=tf.fixed_size_partitioner(3),
        )
        w = tf.get_variable("w", [3])
        saver = tf.train.Saver(sharded=True)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            whole = sess.run([tf.convert_to_tensor(v), w])
            path = saver.save(sess, folder + "/m", write_meta_graph=False)
        with tf.Graph().as_default(), tf.Session() as sess:
            v = tf.get_variable("v", [7, 2])
            w = tf.get_variable("w", [3])
            tf.train.Saver().restore(sess, path)
            again = sess.run([v, w])
    return [bool(np.all(x == y)) for x, y in zip(whole, again)]


def saver_protos(tf):
    tf.Variable([1.0], name="a")
    saver = tf.train.Saver(name="mine", max_to_keep=3)
    proto = saver.to_proto()
    again = tf.train.Saver.from_proto(proto)
    names = [proto.filename_tensor_name, proto.save_tensor_name, proto.restore_op_name]
    with tempfile.TemporaryDirectory() as folder, tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        path = again.save(sess, folder + "/m")
        return names + [os.path.basename(path), proto.max_to_keep, proto.sharded]


def empty_savers(tf):
    saver = tf.train.Saver(allow_empty=True)
    with tf.Session() as sess:
        found = [saver.save(sess, "/nowhere/m")]
    later = tf.train.Saver(defer_build=True, allow_empty=True)
    later.build()
    try:
        tf.train.Saver()
    except ValueError:
        found.append("ValueError")
    return found


def meta_graphs(tf):
    with tempfile.TemporaryDirectory() as folder:
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32, [None], name="x")
            v = tf.Variable(3.0, name="v")
            tf.Variable(1.0, name="w", collections=[tf.GraphKeys.LOCAL_VARIABLES], trainable=False)
            y = tf.multiply(x, v, name="y")
            tf.add_to_collection("outputs", y)
            tf.add_to_collection("numbers", 7)
            tf.add_to_collection("words", "hi")
            tf.train.get_or_create_global_step()
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                path = tf.train.Saver().save(sess, folder + "/m")
        found = []
        for scope in (None, "again"):
            with tf.Graph().as_default() as graph, tf.Session() as sess:
                saver = tf.train.import_meta_graph(path + ".meta", import_scope=scope)
                saver.restore(sess, path)
                (y,) = tf.get_collection("outputs")
                prefix = scope + "/" if scope else ""
                found += [
                    sess.run(y, {prefix + "x:0": [1, 2]}),
                    y.name,
                    tf.get_collection("numbers"),
                ]
                found += [
                    tf.get_collection("words") if scope is None else 0,
                    [v.name for v in tf.global_variables()],
                ]
                found += [
                    [v.name for v in tf.local_variables()],
                    sorted(graph.get_all_collection_keys()),
                ]
        meta = tf.train.export_meta_graph(folder + "/g.meta", as_text=True)
        tf.train.import_meta_graph(meta)
        return found + [os.path.exists(folder + "/g.meta")]


def written_graphs(tf):
    tf.constant(1.0, name="c")
    with tempfile.TemporaryDirectory() as folder:
        text = tf.train.write_graph(tf.get_default_graph(), folder, "g.pbtxt")
        data = tf.train.write_graph(
            tf.get_default_graph().as_graph_def(), folder, "g.pb", as_text=False
        )
        with open(text) as file:
            first = 'name: "c"' in file.read()
        with open(data, "rb") as file:
            return [first, [n.name for n in tf.GraphDef.FromString(file.read()).node]]


def _events(folder):
    """Payloads of the records in an event file."""
    import struct

    (path,) = glob.glob(folder + "/*")
    with open(path, "rb") as file:
        data = file.read()
    at, found = 0, []
    while at < len(data):
        (size,) = struct.unpack_from("<Q", data, at)
        found.append(data[at + 12 : at + 12 + size])
        at += size + 16
    return found


def event_files(tf):
    tf.summary.scalar("loss", 1.5)
    tf.summary.histogram("h", [1.0, 2.0])
    merged = tf.summary.merge_all()
    with tempfile.TemporaryDirectory() as folder, tf.Session() as sess:
        writer = tf.summary.FileWriter(folder, tf.get_default_graph(), flush_secs=1)
        writer.add_summary(sess.run(merged), 3)
        own = tf.Summary(value=[tf.Summary.Value(tag="mine", simple_value=2.5)])
        writer.add_summary(own, global_step=np.int64(4))
        writer.add_event(tf.Event(step=9, wall_time=1.0))
        writer.add_session_log(tf.SessionLog(status=tf.SessionLog.START), 5)
        writer.add_run_metadata(tf.RunMetadata(), "run", 6)
        writer.add_meta_graph(tf.train.export_meta_graph(), 7)
        writer.close()
        events = [tf.Event.FromString(e) for e in _events(folder)]
        found = [[e.step, e.WhichOneof("what")] for e in events]
        values = [[v.tag, v.simple_value] for e in events for v in e.summary.value if v.tag != "h"]
        return [found, values, writer.get_logdir() == folder]


def a_saved_model_of_averages(tf):
    v = tf.Variable(1.0, name="v")
    ema = tf.train.ExponentialMovingAverage(0.5)
    update = ema.apply([v])
    with tempfile.TemporaryDirectory() as folder, tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(v.assign(3.0))
        sess.run(update)
        path = tf.train.Saver().save(sess, folder + "/m")
        tf.train.Saver(ema.variables_to_restore()).restore(sess, path)
        return [sess.run(v), ema.average_name(v), sorted(ema.variables_to_restore())]


def _count(meta, key):
    """How many items of a collection are written."""
    return len(meta.collection_def[key].bytes_list.value) if key in meta.collection_def else 0


def smaller_meta_graphs(tf):
    """Without default attributes, and without the Savers that another program has no use for."""
    x = tf.placeholder(tf.float32, [], name="x")
    tf.complex(x, x, name="c")
    tf.Variable([1.0], name="v")
    first, second = tf.train.Saver(), tf.train.Saver()
    for saver in (first, second):
        tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
    whole = first.export_meta_graph()
    plain = first.export_meta_graph(strip_default_attrs=True)
    one = first.export_meta_graph(clear_extraneous_savers=True)
    other = tf.train.export_meta_graph(
        saver_def=second.as_saver_def(), clear_extraneous_savers=True
    )
    found = []
    for meta in (whole, plain, one, other):
        scopes = sorted({node.name.partition("/")[0] for node in meta.graph_def.node})
        attrs = next(sorted(n.attr) for n in meta.graph_def.node if n.name == "c")
        found.append([
            scopes, [a for a in attrs if a[0] != "_"], _count(meta, "savers"),
            meta.meta_info_def.stripped_default_attrs,
        ])  # fmt: skip
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(tf.global_variables_initializer())
        builder = tf.saved_model.Builder(folder + "/model")
        builder.add_meta_graph_and_variables(session, ["serve"], strip_default_attrs=True)
        builder.save()
        with tf.Graph().as_default(), tf.Session() as again:
            meta = tf.saved_model.load(again, ["serve"], folder + "/model")
            found.append(meta.meta_info_def.stripped_default_attrs)
    return found


def savers_of_scopes(tf):
    v = tf.Variable([1.0], name="v")
    with tf.name_scope("part"):
        inside = tf.train.Saver([v])
    outside = tf.train.Saver([v])
    proto = inside.to_proto(export_scope="part")
    names = [proto.save_tensor_name, proto.restore_op_name]
    again = tf.train.Saver.from_proto(proto, import_scope="part")
    return names + [
        outside.to_proto("part") is None,
        again.saver_def.filename_tensor_name, inside.saver_def.save_tensor_name,
    ]  # fmt: skip


def checkpoints_that_all_stay(tf):
    """A Saver that keeps all checkpoints has no list of them; a list from elsewhere stays."""
    v = tf.Variable([1.0], name="v")
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(v.initializer)
        saver = tf.train.Saver(max_to_keep=0)
        paths = [saver.save(session, folder + "/m", global_step=i) for i in range(3)]
        state = tf.train.get_checkpoint_state(folder)
        found = [saver.last_checkpoints, len(state.all_model_checkpoint_paths)]
        few = tf.train.Saver(max_to_keep=2)
        few.set_last_checkpoints(paths[:2])
        few.save(session, folder + "/n")
        found += [len(few.last_checkpoints), tf.train.checkpoint_exists(paths[0])]
        text = tf.train.NewCheckpointReader(paths[2]).debug_string().decode()
        return found + [text.split()]


def refused_checkpoints(tf):
    v, w = tf.Variable([1.0], name="v"), tf.Variable([2.0], name="w")
    saver = tf.train.Saver([v])
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = saver.save(session, folder + "/m")
        reader = tf.train.NewCheckpointReader(path)
        os.mkdir(folder + "/empty")
        return [
            says("valid checkpoint", saver.restore, session, folder + "/no"),
            says("when it is None", saver.restore, session, None),
            says("must be a Session", saver.save, None, folder + "/m"),
            says("path components", saver.save, session, folder + "/m", latest_filename="a/b"),
            says("collides", saver.save, session, folder + "/x", latest_filename="x"),
            says("Parent directory", saver.save, session, folder + "/no/such/m"),
            says("No variables to save", tf.train.Saver, []),
            says("same name: v", tf.train.Saver, [v, v]),
            says("two names", tf.train.Saver, {"a": v, "b": v}),
            says("Key w not found", tf.train.Saver([w]).restore, session, path),
            says("w not found", reader.get_tensor, "w"),
            says("Couldn't find 'checkpoint' file", tf.train.load_variable, folder + "/empty", "v"),
        ]


def paths_that_end_with_a_slash(tf):
    """The files have no name but their ending. An empty path is refused."""
    v = tf.get_variable("v", [], initializer=tf.ones_initializer())
    saver, folder = tf.train.Saver(), tempfile.mkdtemp()
    with tf.Session() as session:
        session.run(v.initializer)
        saved = [saver.save(session, folder + "/", global_step=step) for step in (3, None)]
        session.run(v.assign(2.0))
        saver.restore(session, saved[1])
        return [
            [path.replace(folder, "") for path in saved], session.run(v),
            tf.train.latest_checkpoint(folder).replace(folder, ""), sorted(os.listdir(folder)),
        ]  # fmt: skip


def checkpoints_of_version_1(tf):
    """One file, or one file of each device, whose pattern is the checkpoint's path."""
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    w = tf.get_variable("w", initializer=[[3, 4]], use_resource=True)
    s = tf.get_variable("s", initializer=["a", "bc"])
    found, folder = [], tempfile.mkdtemp()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for name in ("one", "shards"):
            saver = tf.train.Saver(
                write_version=tf.train.SaverDef.V1, max_to_keep=2, sharded=name == "shards"
            )
            paths = [saver.save(session, f"{folder}/{name}", global_step=i) for i in range(3)]
            session.run(v.assign([8.0, 8.0]))
            saver.restore(session, paths[-1])
            reader = tf.train.NewCheckpointReader(paths[-1])
            found.append([
                [path.replace(folder, "") for path in paths],
                [tf.train.checkpoint_exists(path) for path in paths],
                len(tf.train.get_checkpoint_mtimes(paths)),
                tf.train.latest_checkpoint(folder).replace(folder, ""),
                sorted(os.listdir(folder)), session.run([v, w, s]),
                reader.get_variable_to_shape_map(), reader.get_tensor("w"), reader.has_tensor("x"),
                {k: t.name for k, t in reader.get_variable_to_dtype_map().items()},
                saver.as_saver_def().version,
            ])  # fmt: skip
            tf.train.remove_checkpoint(paths[-1], saver.as_saver_def().version)
            found.append(sorted(os.listdir(folder)))
        found.append([os.path.basename(path) for path in glob.glob(f"{folder}/*.meta")])
    return found
