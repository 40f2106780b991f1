# SPDX-License-Identifier: Apache-2.0
"""k-means, as an estimator and as a graph."""

import glob
import os
import tempfile

import numpy as np

from interop.programs.client._contrib import contrib_of

ONLY_1X = True

_DRAWN = np.random.RandomState(3)
_HEARTS = np.array([[0, 0, 5], [8, 1, 0], [1, 9, 1]], np.float32)
_POINTS = (_HEARTS[_DRAWN.randint(0, 3, 30)] + _DRAWN.randn(30, 3) * 0.4).astype(np.float32)
_FIRST = np.array([[0.5, 0.5, 4], [6, 0, 1], [0, 7, 0]], np.float32)


def _input(tf, size=30, repeats=True, points=_POINTS):
    def input_fn():
        rows = tf.data.Dataset.from_tensor_slices(points)
        return (rows.repeat() if repeats else rows).batch(size)

    return input_fn


def _found(tf, steps=3, size=30, kind=None, **options):
    """What a few steps, a score, predictions and distances give."""
    config = tf.estimator.RunConfig(tempfile.mkdtemp(), tf_random_seed=7, save_summary_steps=1)
    make = kind or tf.estimator.experimental.KMeans
    model = make(3, config=config, **options)
    model.train(_input(tf, size), steps=steps)
    all_of = _input(tf, repeats=False)
    return [
        model.cluster_centers(),
        float(model.score(all_of)),
        list(model.predict_cluster_index(all_of)),
        [
            np.round(d, 2) for d in model.transform(all_of)
        ],  # small ones are differences of large ones
        sorted(model.get_variable_names()),
        int(model.get_variable_value("global_step")),
        _tags(tf, model.model_dir),
    ]


def _tags(tf, folder):
    found = set()
    for path in glob.glob(os.path.join(folder, "*tfevents*")):
        for event in tf.train.summary_iterator(path):
            found |= {v.tag for v in event.summary.value}
    return sorted(found)


def all_points_in_each_step(tf):
    return _found(tf, initial_clusters=_FIRST, use_mini_batch=False)


def by_angles(tf):
    kind = tf.estimator.experimental.KMeans.COSINE_DISTANCE
    found = _found(tf, initial_clusters=_FIRST, use_mini_batch=False, distance_metric=kind)
    return [found, _found(tf, 1, initial_clusters=_FIRST, distance_metric=kind)[2]]


def _coarse(found):
    """Without what depends on the order in which TensorFlow reads and changes counts of points."""
    centers, score, nearest, distances, *names = found
    near = bool(np.abs(centers - _HEARTS).max() < 2)
    return [near, score < 40, nearest, np.shape(distances), *names]


def by_batches(tf):
    return _coarse(_found(tf, steps=7, size=7, initial_clusters=_FIRST))


def by_iterations_of_batches(tf):
    options = {"initial_clusters": _FIRST, "mini_batch_steps_per_iteration": 3}
    return _coarse(_found(tf, 8, 10, **options))


def first_centers_are_drawn(tf):
    kinds = tf.estimator.experimental.KMeans
    return [
        _found(tf, 1, initial_clusters=kinds.RANDOM_INIT, seed=4, use_mini_batch=False),
        _found(
            tf, 1, initial_clusters=kinds.KMEANS_PLUS_PLUS_INIT, seed=4, use_mini_batch=False
        ),
        _found(tf, 2, 2, initial_clusters=kinds.RANDOM_INIT)[4:],
        _found(
            tf, 1, initial_clusters=kinds.KMEANS_PLUS_PLUS_INIT, distance_metric="cosine",
            kmeans_plus_plus_num_retries=-1, use_mini_batch=False,
        ),
    ]  # fmt: skip


def first_centers_by_a_function(tf):
    def two(inputs, count):
        return inputs[0][: tf.minimum(count, 2)]

    first = _found(tf, 2, 4, initial_clusters=two)
    return [first[4:], _found(tf, 2, 30, initial_clusters=two, use_mini_batch=False)]


def features_with_names(tf):
    def input_fn():
        parts = {"b": _POINTS[:, 1:], "a": _POINTS[:, :1]}
        return tf.data.Dataset.from_tensors(parts)

    found = []
    for columns in (None, [tf.feature_column.numeric_column("b", 2)]):
        first = _FIRST if columns is None else _FIRST[:, 1:]
        model = tf.estimator.experimental.KMeans(
            3, initial_clusters=first, use_mini_batch=False, feature_columns=columns
        )
        for _ in range(2):
            model.train(input_fn)
        found.append([model.cluster_centers(), float(model.score(input_fn))])
    return found


def ends_at_a_tolerance(tf):
    return _found(tf, 50, initial_clusters=_FIRST, use_mini_batch=False, relative_tolerance=0.01)


def exported(tf):
    model = tf.estimator.experimental.KMeans(3, initial_clusters=_FIRST)
    model.train(_input(tf), steps=1)
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {"points": tf.placeholder(tf.float32, [None, 3])}
    )
    path = model.export_saved_model(tempfile.mkdtemp(), receiver).decode()
    with tf.Graph().as_default(), tf.Session() as sess:
        found = tf.saved_model.load(sess, ["serve"], path).signature_def
        served = found["serving_default"]
        values = sess.run(
            served.outputs["output"].name, {served.inputs["points"].name: _POINTS[:5]}
        )
        return [
            {key: [s.method_name, sorted(s.inputs), sorted(s.outputs)] for key, s in found.items()},
            values,
        ]


def unknown_choice(tf):
    tf.estimator.experimental.KMeans(3, initial_clusters="farthest")


def unknown_distance(tf):
    tf.estimator.experimental.KMeans(3, distance_metric="manhattan")


def too_few_points(tf):
    kind = tf.estimator.experimental.KMeans.KMEANS_PLUS_PLUS_INIT
    _found(tf, 1, 2, initial_clusters=kind)


def names_of_the_class(tf):
    kinds = tf.estimator.experimental.KMeans
    return [
        kinds.SQUARED_EUCLIDEAN_DISTANCE, kinds.COSINE_DISTANCE, kinds.RANDOM_INIT,
        kinds.KMEANS_PLUS_PLUS_INIT, kinds.SCORE, kinds.CLUSTER_INDEX, kinds.ALL_DISTANCES,
        kinds.CLUSTER_CENTERS_VAR_NAME,
    ]  # fmt: skip


def _run_graph(tf, make, steps=3):
    """What the graph of contrib gives."""
    graph = make(contrib_of(tf).factorization.KMeans).training_graph()
    distances, nearest, scores, ready, init_op, step = graph
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        runs = 0
        while not sess.run(ready) and runs < 20:
            sess.run(init_op)
            runs += 1
        for _ in range(steps):
            sess.run(step)
        return [runs, *sess.run([distances, nearest, scores])]


def graph_ofcontrib_of(tf):
    points = tf.constant(_POINTS)
    return [
        _run_graph(tf, lambda k: k(points, 3, initial_clusters=_FIRST)),
        _run_graph(tf, lambda k: k([points[:10], points[10:]], 3, initial_clusters=_FIRST)),
        _run_graph(tf, lambda k: k(points, 3, "random", "cosine", random_seed=2)),
    ]


def chains_ofcontrib_of(tf):
    """How many batches it takes."""
    points, found = tf.constant(_POINTS), []
    for arguments in ((3, "kmc2"), (3, "kmc2", "cosine")):
        for length in (8, 40):
            runs, *_ = _run_graph(
                tf, lambda k, a=arguments, n=length: k(points, *a, kmc2_chain_length=n), 1
            )
            found.append(runs)
    return found


def estimator_ofcontrib_of(tf):
    names = contrib_of(tf).factorization
    kind = names.KMeansClustering
    return [
        _found(tf, 2, 30, kind, initial_clusters=names.KMEANS_PLUS_PLUS_INIT, random_seed=5)[4:],
        _found(tf, 2, 30, kind, initial_clusters=names.RANDOM_INIT, use_mini_batch=False),
        [names.COSINE_DISTANCE, names.SQUARED_EUCLIDEAN_DISTANCE],
    ]
