# SPDX-License-Identifier: Apache-2.0
"""Everyday names of the modules: arguments by their older names, and functions of the graph."""

import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome


def _numbers(seed, *shape):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype(np.float32)


def older_arguments(tf):
    x = tf.constant(_numbers(1, 2, 6, 6, 2))
    flat = tf.constant(_numbers(2, 3, 4))
    f = tf.constant(_numbers(3, 2, 2, 2, 3))
    found = [
        tf.expand_dims(flat, dim=1),
        tf.squeeze(tf.expand_dims(flat, 1), squeeze_dims=[1]),
        tf.argmax(flat, dimension=1),
        tf.arg_min(flat, 1),
        tf.arg_max(flat, 0),
        tf.count_nonzero(flat > 0, reduction_indices=[1], keep_dims=True),
        tf.reduce_logsumexp(flat, reduction_indices=1, keep_dims=True),
        tf.nn.softmax(flat, dim=0),
        tf.nn.log_softmax(flat, dim=0),
        tf.nn.l2_normalize(flat, dim=1),
        tf.nn.moments(flat, [0], keep_dims=True),
        tf.nn.sufficient_statistics(flat, [0], None, True),
        tf.nn.dropout(flat, 1.0),
        tf.nn.crelu(flat, "named"),
        tf.nn.conv2d(x, f, [1, 2, 2, 1], "SAME", True, "NHWC", [1, 1, 1, 1], "conv"),
        tf.nn.conv2d(x, filters=f, strides=1, padding=[[0, 0], [1, 2], [0, 1], [0, 0]]),
        tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "VALID", dilations=[2, 2]),
        tf.nn.max_pool(input=x, ksize=2, strides=2, padding="VALID"),
        tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", "NHWC", tf.int32),
        tf.norm(flat, axis=1, keep_dims=True),
        tf.zeros_like(flat, tf.int32),
        tf.ones_like(flat, tf.float64),
        tf.split(flat, tf.constant([1, 3]), 1, 2),
        tf.gather_nd(flat, [[[0], [1]], [[3], [0]], [[2], [2]]], batch_dims=1),
        tf.transpose(tf.complex(flat, flat), conjugate=True),
        tf.linalg.transpose(flat),
        tf.space_to_depth(x, 2, "s2d", "NHWC"),
        tf.image.resize_images(x, [4, 3], preserve_aspect_ratio=True),
        tf.image.crop_and_resize(x, [[0.0, 0.0, 0.5, 0.9]], box_indices=[1], crop_size=[2, 3]),
        tf.losses.cosine_distance(flat, flat, dim=1),
        tf.reduce_join([["a", "b"], ["c", "d"]], reduction_indices=0, keep_dims=True),
        tf.string_length(["abc"], "named", "BYTE"),
        tf.confusion_matrix([0, 1, 1], [1, 1, 0], 3, tf.float32, "named", [1.0, 2.0, 3.0]),
        tf.signal.frame(flat, 2, 1, axis=0),
        tf.convert_to_tensor([1, 2], preferred_dtype=tf.float64),
        tf.setdiff1d([1, 2, 3, 4], [2, 4], tf.int64),
        tf.guarantee_const(flat),
        tf.sparse_matmul(flat, flat, transpose_b=True, a_is_sparse=True),
        tf.shape(tf.image.random_crop(x, [1, 3, 3, 2])),
    ]
    with tf.Session() as sess:
        return [sess.run(f) for f in found]


def sizes_of_numpy(tf):
    """Sizes and axes are often integers of numpy, such as an element of a shape."""
    n = np.int64
    x = tf.constant(_numbers(1, 2, 6, 6, 3))
    line = tf.constant(_numbers(2, 2, 3, 4))
    found = [
        tf.squeeze(line[:1], n(0)),
        tf.zeros(n(3)),
        tf.ones(np.int32(3)),
        tf.tensordot(line[0], tf.transpose(line[0]), axes=n(1)),
        tf.tensordot(line[0], line[0], axes=[n(1), n(1)]),
        tf.eye(n(3), num_columns=n(2)),
        tf.nn.max_pool2d(x, n(2), n(2), "SAME"),
        tf.nn.conv2d(x, _numbers(3, 2, 2, 3, 4), strides=n(2), padding="SAME"),
    ]
    queue = tf.FIFOQueue(n(3), [tf.int32], shapes=[[n(2)]])
    column = tf.feature_column.categorical_column_with_hash_bucket("a", n(5))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        with tempfile.TemporaryDirectory() as folder:
            path = tf.train.Saver().save(sess, os.path.join(folder, "m"), global_step=n(10))
        return (
            [sess.run(f) for f in found], queue.dequeue_many(n(2)).shape.as_list(),
            column.hash_bucket_size, os.path.basename(path), outcome(lambda: tf.split(line, n(2))),
        )  # fmt: skip


def texts(tf):
    words = tf.constant([b"Ab", "\u00e9T\u00c9 \u00df".encode(), b"c"])
    found = [
        tf.strings.lower(words),
        tf.strings.upper(words, encoding="utf-8", name="named"),
        tf.strings.unicode_transcode(words, "UTF-8", "UTF-16-BE"),
        tf.strings.unicode_transcode(["a\x01b"], "UTF-8", "UTF-8", "replace", 46, True),
        tf.strings.unicode_script([65, 0x3B1]),
        tf.strings.unsorted_segment_join(words, [1, 0, 1], 3, separator="-"),
        tf.strings.unsorted_segment_join([["a", "b"], ["c", "d"]], [[0, 1], [1, 1]], 2),
        tf.string_to_number(["1.5", " -2 "]),
        tf.strings.to_number(input="7", out_type=tf.int64),
        tf.decode_raw(["abcd", "efgh"], tf.int16),
        tf.io.decode_raw("abcd", tf.uint16, little_endian=False),
    ]
    with tf.Session() as sess:
        return sess.run(found)


def labels_get_no_gradient(tf):
    """Of the older loss; of its second version they do."""
    labels = tf.nn.softmax(tf.constant(_numbers(1, 2, 3)))
    logits = tf.constant(_numbers(2, 2, 3))
    older = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    newer = tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)
    slopes = tf.gradients(older, [labels, logits]), tf.gradients(newer, [labels, logits])
    with tf.Session() as sess:
        return [None if s is None else sess.run(s) for pair in slopes for s in pair]


def labels_of_other_types(tf):
    """The softmax loss casts its labels to the type of the logits."""
    logits, found = tf.constant(_numbers(1, 2, 3)), []
    for dtype in (tf.float64, tf.int32, tf.float16):
        labels = tf.constant([[0, 1, 0], [1, 0, 0]], dtype)
        found.append(tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        found.append(tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits))
    with tf.Session() as sess:
        return [f.dtype.name for f in found], sess.run(found)


def dropout_of_a_placeholder(tf):
    """Its result has the shape of its input, also if the rate's shape is not known."""
    x, keep = tf.placeholder(tf.float32, [None, 3, 4]), tf.placeholder(tf.float32)
    found = [tf.nn.dropout(x, keep), tf.nn.dropout(x, rate=1 - keep, noise_shape=[1, 3, 1])]
    with tf.Session() as sess:
        values = sess.run(found, {x: np.ones([2, 3, 4]), keep: 1.0})
    return [f.shape.as_list() for f in found], values


def tags_of_summaries(tf):
    """Names such as those of variables become tags: other characters become "_"."""
    with tf.name_scope("scope"):
        found = [
            tf.summary.histogram("w:0", [1.0, 2.0]),
            tf.summary.scalar("loss (raw)", 1.0),
            tf.summary.scalar("/a b", 1.0, family="c d"),
            tf.summary.image("i:0", np.zeros([1, 2, 2, 1], np.float32)),
            tf.summary.text("t\u00e9:", tf.constant("x")),
        ]
    tags = []
    with tf.Session() as sess:
        for text in sess.run(found):
            tags += [v.tag for v in tf.Summary.FromString(text).value]
    return [f.name for f in found], tags


def more_of_nn(tf):
    x = tf.constant(_numbers(1, 2, 7, 6, 2))
    line, volume = tf.constant(_numbers(2, 2, 7, 3)), tf.constant(_numbers(3, 1, 3, 4, 4, 2))
    f = tf.constant(_numbers(4, 3, 2, 2, 3))
    thin = tf.constant(_numbers(5, 3, 4, 3))
    ids = tf.SparseTensor([[0, 0], [0, 2], [2, 1], [2, 2]], [3, 7, -1, 1], [4, 3])
    weights = tf.SparseTensor(ids.indices, [1.0, 2.0, 3.0, 0.5], ids.dense_shape)
    table = tf.constant(_numbers(6, 10, 2))
    counts, mean_ss, variance_ss, _ = tf.nn.sufficient_statistics(x, [0, 1], keep_dims=True)
    found = [
        tf.nn.convolution(x, f, "SAME", [1, 2]),
        tf.nn.convolution(line, tf.constant(_numbers(7, 2, 3, 2)), "VALID", dilation_rate=[2]),
        tf.nn.convolution(volume, tf.constant(_numbers(8, 2, 2, 2, 2, 1)), "VALID"),
        tf.nn.conv1d_transpose(line, thin, [2, 14, 4], 2),
        tf.nn.conv_transpose(x, tf.constant(_numbers(9, 2, 2, 3, 2)), [2, 14, 12, 3], 2),
        tf.nn.atrous_conv2d_transpose(
            tf.constant(_numbers(10, 2, 7, 6, 3)), f, [2, 7, 6, 2], 2, "SAME"
        ),
        tf.nn.conv2d_backprop_filter(
            x, [3, 2, 2, 3], tf.constant(_numbers(11, 2, 5, 5, 3)), [1, 1, 1, 1], "VALID"
        ),
        tf.nn.depthwise_conv2d_native_backprop_input(
            [2, 7, 6, 2], f, tf.constant(_numbers(12, 2, 5, 5, 6)), [1, 1, 1, 1], "VALID"
        ),
        tf.nn.pool(x, [2, 3], "MAX", "SAME", strides=[2, 1]),
        tf.nn.pool(line, [2], "AVG", "VALID"),
        tf.nn.avg_pool3d(volume, [1, 2, 2, 2, 1], [1, 1, 2, 2, 1], "SAME"),
        tf.nn.max_pool_v2(volume, 2, 2, "SAME"),
        tf.nn.conv2d_backprop_input(
            [2, 7, 6, 2], f, tf.constant(_numbers(13, 2, 5, 5, 3)), [1, 1, 1, 1], "VALID"
        ),
        tf.nn.depthwise_conv2d_native_backprop_filter(
            x, [3, 2, 2, 3], tf.constant(_numbers(14, 2, 5, 5, 6)), [1, 1, 1, 1], "VALID"
        ),
        tf.nn.depthwise_conv2d_backprop_filter(
            x, [3, 2, 2, 3], tf.constant(_numbers(14, 2, 5, 5, 6)), [1, 1, 1, 1], "VALID"
        ),
        tf.nn.depthwise_conv2d_backprop_input(
            [2, 7, 6, 2], f, tf.constant(_numbers(12, 2, 5, 5, 6)), [1, 1, 1, 1], "VALID"
        ),
        tf.nn.conv3d_backprop_filter(
            volume, [2, 2, 2, 2, 1], tf.constant(_numbers(16, 1, 2, 3, 3, 1)), [1] * 5, "VALID"
        ),
        tf.nn.conv3d_backprop_filter_v2(
            volume, [2, 2, 2, 2, 1], tf.constant(_numbers(15, 1, 2, 3, 3, 1)), [1] * 5, "VALID"
        ),
        tf.nn.avg_pool_v2(line, 2, 1, "VALID"),
        tf.nn.normalize_moments(counts, mean_ss, variance_ss, None),
        tf.nn.batch_norm_with_global_normalization(
            x, *tf.nn.moments(x, [0, 1, 2]), tf.constant([0.5, 1.0]), tf.constant([2.0, 1.0]),
            0.001, True,
        ),
        tf.nn.safe_embedding_lookup_sparse(table, ids, weights),
        tf.nn.safe_embedding_lookup_sparse(table, ids, combiner="sum", default_id=2),
        tf.nn.safe_embedding_lookup_sparse(table, ids, weights, "sqrtn", max_norm=0.5),
    ]  # fmt: skip
    with tf.Session() as sess:
        return [sess.run(f) for f in found]


def more_of_images(tf):
    a = tf.constant(np.abs(_numbers(1, 2, 24, 24, 3)))
    b = tf.clip_by_value(a + 0.1 * tf.constant(_numbers(2, 2, 24, 24, 3)), 0.0, 1.0)
    boxes = [[0.0, 0.0, 0.5, 0.5], [0.05, 0.0, 0.5, 0.5], [0.4, 0.4, 1.0, 1.0]]
    found = [
        tf.image.ssim(a, b, 1.0),
        tf.image.ssim_multiscale(a, b, 1.0, power_factors=(0.5, 0.5), filter_size=5),
        tf.image.sobel_edges(a),
        tf.image.resize_image_with_pad(a, 30, 17),
        tf.image.resize_image_with_pad(a[0], 11, 20, method=tf.image.ResizeMethod.BICUBIC),
        tf.image.non_max_suppression_with_scores(boxes, [0.5, 0.9, 0.3], 2, soft_nms_sigma=0.5),
        tf.image.non_max_suppression_padded(boxes, [0.5, 0.9, 0.3], 3, pad_to_max_output_size=True),
        tf.image.combined_non_max_suppression(
            tf.reshape(tf.constant(boxes), [1, 3, 1, 4]),
            tf.constant([[[0.5, 0.1], [0.9, 0.2], [0.3, 0.8]]]),
            2,
            3,
        ),
        tf.image.extract_patches(a, [1, 5, 5, 1], [1, 9, 9, 1], [1, 1, 1, 1], "VALID"),
        tf.extract_volume_patches(
            tf.reshape(a, [1, 4, 12, 24, 3]), [1, 2, 3, 4, 1], [1, 2, 5, 5, 1], "SAME"
        ),
        tf.image.draw_bounding_boxes(a, tf.stack([boxes, boxes]), colors=[[1.0, 0.0, 0.5]]),
    ]
    with tf.Session() as sess:
        return [list(r) if isinstance(r, tuple) else r for r in map(sess.run, found)]


def more_of_arrays(tf):
    x = tf.constant(_numbers(1, 3, 4))
    d = tf.constant(_numbers(2, 3, 4)) + 3.0
    rhs = tf.constant(_numbers(3, 4, 2))
    found = [
        tf.searchsorted([[1.0, 3.0, 5.0]], [[0.0, 3.0, 9.0]]),
        tf.searchsorted([1, 3, 5], [3, 5], side="right", out_type=tf.int64),
        tf.parallel_stack([x, x]),
        tf.tensor_scatter_sub(x, [[0, 1], [2, 2]], [1.0, 2.0]),
        tf.broadcast_dynamic_shape(tf.constant([3, 1]), tf.constant([4])),
        tf.histogram_fixed_width(x, [-0.5, 0.5], 5),
        tf.histogram_fixed_width_bins(x, [-0.5, 0.5], 5),
        tf.switch_case(tf.constant(1), [lambda: x, lambda: -x, lambda: 2 * x]),
        tf.switch_case(tf.constant(7), {1: lambda: x, 0: lambda: -x}, lambda: 0 * x),
        tf.linalg.tridiagonal_solve(d, rhs),
        tf.linalg.tridiagonal_solve((d[0], d[1], d[2]), rhs, "sequence"),
        tf.linalg.tridiagonal_solve(
            tf.constant(_numbers(4, 4, 4)) + 3 * tf.eye(4), rhs, "matrix"
        ),
        tf.linalg.tridiagonal_matmul(d, rhs),
        tf.fingerprint(["abc", "d"]),
        tf.fake_quant_with_min_max_args(x, -0.4, 0.6, 4),
        tf.fake_quant_with_min_max_vars_per_channel(x, -tf.ones([4]), tf.ones([4]), 3),
        tf.quantization.quantize_and_dequantize(x, -1.0, 1.0, range_given=True),
        tf.quantize_v2(x, -1.0, 1.0, tf.quint8)[1:],
        tf.edit_distance(
            tf.SparseTensor([[0, 0], [0, 1]], ["a", "b"], [1, 2]),
            tf.SparseTensor([[0, 0]], ["b"], [1, 1]),
        ),
        tf.sparse_tensor_to_dense(tf.sparse_reset_shape(tf.SparseTensor([[0, 1]], [5], [4, 4]))),
        tf.sparse_tensor_to_dense(tf.sparse_concat(
            0, [tf.SparseTensor([[0, 1]], [5], [1, 2]), tf.SparseTensor([[0, 2]], [6], [2, 3])],
            expand_nonconcat_dim=True,
        )),
        tf.sparse_tensor_to_dense(tf.sparse.reset_shape(
            tf.SparseTensor([[0, 1]], [5], [2, 2]), tf.constant([3, 4], tf.int64)
        )),
        tf.sparse_tensor_to_dense(tf.sparse.merge(
            tf.SparseTensor([[0, 0], [1, 0]], [3, 1], [2, 2]),
            tf.SparseTensor([[0, 0], [1, 0]], [0.5, 0.25], [2, 2]),
            5,
        )),
        tf.sparse.mask(
            tf.IndexedSlices(x, tf.constant([7, 2, 5]), tf.constant([9, 4])), tf.constant([2, 9])
        ).values,
        tf.signal.linear_to_mel_weight_matrix(4, 9, 8000, 100.0, 3000.0),
        tf.signal.mfccs_from_log_mel_spectrograms(x),
        tf.losses.mean_pairwise_squared_error(x, d, weights=2.0),
        tf.losses.get_regularization_loss(),
        tf.debugging.is_strictly_increasing([1, 2, 3]),
        tf.manip.roll(x, 1, 0),
    ]  # fmt: skip
    plain = [
        tf.broadcast_static_shape(tf.TensorShape([2, 1]), tf.TensorShape([3])).as_list(),
        outcome(lambda: tf.broadcast_static_shape(tf.TensorShape([2]), tf.TensorShape([3]))),
        tf.TensorShape([2, 3]).most_specific_compatible_shape([2, 4]).as_list(),
        outcome(lambda: tf.TensorShape([2]).assert_has_rank(2)),
        tf.nest.flatten({"b": [1, (2, 3)], "a": 0}),
        tf.nest.map_structure(lambda a, b: a + b, {"x": (1, 2)}, {"x": (3, 4)}),
        outcome(lambda: tf.nest.assert_same_structure([1, 2], [1])),
        tf.DeviceSpec(job="ps", task=1).make_merged_spec(tf.DeviceSpec(task=2)).to_string(),
        [outcome(lambda: tf.assert_rank_in(x, [1, 3])), outcome(lambda: tf.assert_rank_in(x, [2]))],
        outcome(lambda: tf.debugging.assert_proper_iterable(x)),
        outcome(lambda: tf.constant([1.0], shape=[2], verify_shape=True)),
    ]
    with tf.Session() as sess:
        return [[sess.run(f) for f in found], plain]


def assertions_that_run(tf):
    x = tf.placeholder(tf.float32)
    checks = [
        tf.assert_near(x, 1.0, atol=0.1),
        tf.assert_rank_in(x, [0, 2]),
        tf.verify_tensor_all_finite(x=x, message="said"),
        tf.debugging.assert_all_finite(x, "said"),
    ]
    found = []
    with tf.Session() as sess:
        for check in checks:
            for value in (1.05, 1.5, [1.0], np.inf):
                try:
                    sess.run(check, {x: value})
                    found.append("fine")
                except tf.errors.InvalidArgumentError:
                    found.append("not")
    return found


def functions(tf):
    """tf.function in a graph: arguments, what is captured, state, gradients."""
    w = tf.constant(3.0)
    v = tf.get_variable("v", initializer=1.0, use_resource=True)

    @tf.function
    def wave(x, other=False):
        return {"scaled": x * w, "wave": tf.cos(x) if other else tf.sin(x)}

    @tf.function
    def bump(by):
        v.assign_add(by)
        return v.read_value() * 2.0

    @tf.function
    def cubed(x):
        return x * x * wave(x)["scaled"]

    x = tf.placeholder(tf.float32, [2])
    first, second = wave(x), wave(x, True)
    slope = tf.gradients([first["scaled"], first["wave"], second["wave"]], [x, w])
    y = cubed(tf.constant([2.0, -1.0]))
    inner = tf.constant([0.5, 1.5])
    slopes = tf.gradients(cubed(inner), inner)
    bumped = bump(2.0)
    with tf.Session() as sess:
        sess.run(v.initializer)
        return [
            sess.run([first, second, slope, y, slopes], {x: [1, 2]}),
            [sess.run(bumped), sess.run(bumped), sess.run(v)],
        ]


def references_in_branches(tf):
    """Reference variables written in conditionals and loops, also nested ones."""
    v = tf.Variable([1.0, 2.0], name="v")
    with tf.variable_scope("scope"):
        n = tf.get_variable("n", initializer=0, use_resource=False)
    p = tf.placeholder(tf.bool, [])
    either = tf.cond(p, lambda: tf.assign_add(v, [1.0, 1.0]), lambda: tf.assign(v, v * 10.0))

    def body(i):
        with tf.control_dependencies([tf.assign_add(n, i)]):
            return i + 1

    loop = tf.while_loop(lambda i: i < 4, body, [0], parallel_iterations=1)

    def inner():
        def step(i):
            with tf.control_dependencies([tf.scatter_add(v, [i], [1.0])]):
                return tf.cond(i > 0, lambda: i + tf.assign_add(n, 1), lambda: i + 1)

        return tf.while_loop(lambda i: i < 2, step, [0], parallel_iterations=1)

    nested = tf.cond(p, inner, lambda: tf.constant(7))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = []
        for step in (either, loop, nested):
            for value in (True, False):
                found.append([sess.run(step, {p: value}), sess.run(v), sess.run(n)])
        return found


def files(tf):
    import os
    import tempfile

    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a", "b")
        tf.gfile.MakeDirs(path)
        name = os.path.join(path, "f.txt")
        with tf.gfile.GFile(name, "w") as f:
            f.write("one\ntwo\n")
        with tf.gfile.Open(name, "a") as f:
            f.write("three")
        with tf.gfile.FastGFile(name, "rb") as f:
            found.append([f.read(4), f.tell(), f.size()])
        found.append([line for line in tf.io.gfile.GFile(name)])
        found.append([tf.gfile.Exists(name), tf.gfile.IsDirectory(path)])
        found.append(outcome(lambda: tf.gfile.GFile(name + "x").read()))
        found.append(outcome(lambda: tf.gfile.ListDirectory(name + "x")))
        tf.gfile.Copy(name, name + "2")
        found.append(outcome(lambda: tf.gfile.Copy(name, name + "2")))
        tf.gfile.Copy(name, name + "2", overwrite=True)
        tf.gfile.Rename(name + "2", name + "3")
        found.append(sorted(tf.gfile.ListDirectory(path)))
        names = tf.io.match_filenames_once(os.path.join(path, "*"))
        with tf.Session() as sess:
            sess.run(names.initializer)
            found.append([os.path.basename(n) for n in sess.run(names)])
        found.append([os.path.basename(g) for g in tf.gfile.Glob(os.path.join(path, "f*"))])
        tf.gfile.Remove(name)
        found.append(tf.gfile.Exists(name))
        found.append([sorted(names) for _, _, names in tf.gfile.Walk(folder)])
        tf.gfile.DeleteRecursively(os.path.join(folder, "a"))
        found.append(tf.gfile.Exists(path))
    return found


def raw_ops(tf):
    """TensorFlow's names of arguments, and named results."""
    x = tf.constant(_numbers(1, 2, 4))
    best = tf.raw_ops.TopKV2(input=x, k=2)
    parts = tf.raw_ops.SparseSplit(
        split_dim=tf.constant(1, tf.int64), indices=[[0, 0], [1, 3]], values=[1, 2], shape=[2, 4],
        num_split=2,
    )  # fmt: skip
    found = [
        best.values,
        best.indices,
        tf.raw_ops.Select(condition=x > 0, x=x, y=-x),
        tf.raw_ops.Sum(input=x, axis=1, keep_dims=True),
        tf.raw_ops.Where(condition=x > 0),
        tf.raw_ops.Squeeze(input=tf.raw_ops.ExpandDims(input=x, axis=0), axis=[0]),
        tf.raw_ops.Split(axis=1, value=x, num_split=2),
        tf.raw_ops.SplitV(value=x, size_splits=[1, 3], axis=1, num_split=2),
        parts.output_indices,
        parts.output_values,
        parts.output_shape,
        tf.raw_ops.Unpack(value=x, num=2),
    ]
    with tf.Session() as sess:
        return sess.run(found)


def empty_tensors(tf):
    found = [
        tf.zeros([0]),
        tf.ones([2, 0], tf.int64),
        tf.zeros([0, 3], tf.string),
        tf.zeros_like(tf.constant([], tf.bool)),
        tf.zeros([0], tf.complex64),
    ]
    v = tf.get_variable("v", [0, 2], initializer=tf.zeros_initializer())
    with tf.Session() as sess:
        sess.run(v.initializer)
        return [sess.run(found), [f.dtype.name for f in found], sess.run(v)]


def stored_elements(tf):
    """Functions of one tensor take sparse tensors; cast() takes rows of gradients too."""
    x = tf.SparseTensor([[0, 1], [2, 0]], [0.25, 4.0], [3, 2])
    found = [
        f(x)
        for f in (tf.abs, tf.negative, tf.sign, tf.sqrt, tf.square, tf.tanh, tf.erf, tf.to_double)
    ]
    found += [tf.cast(x, tf.int32), tf.cast(x=x, dtype=tf.float32, name="same"), x * 2.0, x / 2.0]
    rows = tf.cast(tf.IndexedSlices(tf.constant([1.5, 2.5]), tf.constant([2, 0])), tf.int64)
    with tf.Session() as session:
        values = [tuple(session.run(each)) for each in found]
        return values, tuple(session.run(rows))[:2], outcome(lambda: tf.exp(x))
