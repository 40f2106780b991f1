# SPDX-License-Identifier: Apache-2.0
"""Checkpoints read without a graph, and variables that begin with their values."""

import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome


def _saved(tf, folder, **values):
    """Path of a checkpoint of variables of these values."""
    with tf.Graph().as_default(), tf.Session() as sess:
        for name, value in values.items():
            tf.get_variable(name.replace("__", "/"), initializer=value)
        sess.run(tf.global_variables_initializer())
        return tf.train.Saver().save(sess, os.path.join(folder, "model"), global_step=7)


def _initial(tf, variables):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run(variables)


def reading(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = _saved(
            tf, folder, a=np.float32([[1, 2], [3, 4]]), b__c=np.int64(5), b__d=np.array([True]),
            text=np.array([b"x", b"yz"], object),
        )  # fmt: skip
        reader = tf.train.NewCheckpointReader(path)
        found = [
            sorted([n, list(s)] for n, s in reader.get_variable_to_shape_map().items()),
            sorted([n, t.name] for n, t in reader.get_variable_to_dtype_map().items()),
            [list(pair) for pair in tf.train.list_variables(folder)],
            reader.has_tensor("a"),
            reader.has_tensor("x"),
            reader.get_tensor("a"),
            tf.train.load_variable(folder, "b/c"),
            tf.train.load_variable(path, "b/d:0"),
            tf.train.load_checkpoint(folder).get_tensor("text").tolist(),
            reader.debug_string().count(b"\n"),
        ]
        errors = [
            outcome(tf.train.load_variable, path, "none"),
            outcome(tf.train.load_checkpoint, os.path.join(folder, "none")),
            outcome(tf.train.list_variables, tempfile.mkdtemp()),
        ]
        return found, errors


def many_variables(tf):
    """An index of several blocks."""
    with tempfile.TemporaryDirectory() as folder:
        path = _saved(tf, folder, **{f"layer_{i:04}__kernel": np.float32(i) for i in range(300)})
        listed = tf.train.list_variables(path)
        return [
            len(listed),
            listed[0][0],
            listed[-1][0],
            tf.train.load_variable(path, listed[7][0]),
        ]


def initial_values(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = _saved(
            tf, folder, a=np.float32([1, 2]), old__b=np.float32(5), old__c__d=np.float32([7]),
            whole=np.arange(12, dtype=np.float32).reshape(6, 2),
        )  # fmt: skip
        for resource in (False, True):
            with tf.variable_scope("r" if resource else "n", use_resource=resource):
                tf.get_variable("a", [2])
                tf.get_variable("own", [])
                with tf.variable_scope("new"):
                    tf.get_variable("b", [])
                    tf.get_variable("c/d", [1])
                parts = tf.get_variable("p", [6, 2], partitioner=tf.fixed_size_partitioner(2))
            scope = "r" if resource else "n"
            own = [v for v in tf.global_variables() if v.op.name == scope + "/own"][0]
            tf.train.init_from_checkpoint(path, {"a": scope + "/a", "old/b": own})
            tf.train.init_from_checkpoint(folder, {"old/": scope + "/new/", "whole": list(parts)})
        names = sorted(v.name for v in tf.global_variables())
        return [names, _initial(tf, tf.global_variables())]


def initial_values_of_everything(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = _saved(tf, folder, a=np.float32([1, 2]), b__c=np.float32(5))
        tf.get_variable("a", [2])
        tf.get_variable("b/c", [])
        tf.train.init_from_checkpoint(path, {"/": "/"})
        found = _initial(tf, tf.global_variables())
        ops = sorted(n.op for n in tf.get_default_graph().as_graph_def().node
                     if "checkpoint_initializer" in n.name)  # fmt: skip
        return [found, ops]


def warm_starts(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = _saved(
            tf, folder, net__a=np.float32([1, 2]), net__b=np.float32([3]), older=np.float32(9),
            counts=np.float32(4),
        )  # fmt: skip
        found = []
        for given in (
            {},
            {"vars_to_warm_start": ".*a"},
            {"vars_to_warm_start": ["net/", "counts"]},
            {"var_name_to_prev_var_name": {"newer": "older"}},
        ):
            with tf.Graph().as_default():
                ones = tf.ones_initializer()
                tf.get_variable("net/a", [2], initializer=ones)
                tf.get_variable("net/b", [1], initializer=ones)
                tf.get_variable("counts", [], initializer=ones, trainable=False)
                if "var_name_to_prev_var_name" in given:
                    tf.get_variable("newer", [], initializer=ones)
                tf.train.warm_start(path, **given)
                found.append(_initial(tf, tf.global_variables()))
        return found


def warm_starts_of_words(tf):
    with tempfile.TemporaryDirectory() as folder:
        for name, words in (("old", "a b c d"), ("new", "c x a"), ("classes", "p q")):
            with open(os.path.join(folder, name), "w") as file:
                file.write("\n".join(words.split()) + "\n")
        old, new = os.path.join(folder, "old"), os.path.join(folder, "new")
        path = _saved(
            tf, folder, rows=np.arange(8, dtype=np.float32).reshape(4, 2),
            columns=np.arange(8, dtype=np.float32).reshape(2, 4),
        )  # fmt: skip
        ones = tf.ones_initializer()
        tf.get_variable("rows", [4, 2])
        tf.get_variable("columns", [2, 4])
        tf.get_variable("parted", [4, 2], partitioner=tf.fixed_size_partitioner(2))
        tf.train.warm_start(
            path,
            var_name_to_vocab_info={
                "rows": tf.train.VocabInfo(new, 3, 1, old),
                "columns": tf.train.VocabInfo(new, 3, 1, old, 4, ones, axis=1),
                "parted": tf.train.VocabInfo(new, 3, 1, old, 2, ones),
            },
            var_name_to_prev_var_name={"parted": "rows"},
        )
        return _initial(tf, tf.global_variables())


def embeddings_of_checkpoints(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = _saved(tf, folder, table=np.arange(6, dtype=np.float32).reshape(3, 2))
        ids = tf.feature_column.categorical_column_with_identity("x", 3)
        column = tf.feature_column.embedding_column(
            ids, 2, ckpt_to_load_from=path, tensor_name_in_ckpt="table"
        )
        return _initial(tf, tf.feature_column.input_layer({"x": tf.constant([[2], [0]])}, [column]))


def wrong_starts(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = _saved(tf, folder, a=np.float32([1, 2]), b__c=np.float32(5))
        a = tf.get_variable("a", [2])
        wide = tf.get_variable("wide", [3])
        start = tf.train.init_from_checkpoint
        calls = [
            lambda: start(path, {"none": a}),
            lambda: start(path, {"a": wide}),
            lambda: start(path, {"a": "none"}),
            lambda: start(path, {"b/": "/"}),
            lambda: start(os.path.join(folder, "none"), {"a": a}),
            lambda: start(tempfile.mkdtemp(), {"a": a}),
            lambda: tf.train.warm_start(path, "a", {"x": tf.train.VocabInfo("n", 1, 0, "o")}),
            lambda: tf.train.warm_start(path, "a", None, {"x": "y"}),
            lambda: tf.train.warm_start(path, 7),
            lambda: tf.train.warm_start(path, "wide"),
            lambda: tf.train.VocabInfo("n", 1, 0, "o", axis=2),
        ]
        return [outcome(call) for call in calls]
