# SPDX-License-Identifier: Apache-2.0
"""Short programs like those of short_programs.py, over corners that fewer programs reach.

Long because: eleven programs, each over a family.
"""

import numpy as np
import tensorflow

from interop.programs.short_programs import ONCE, numbers, symmetric

tf = tensorflow.compat.v1
TF1 = tensorflow.__version__.startswith("1.")

PROGRAMS = {}


def program(build):
    PROGRAMS[build.__name__] = build
    return build


def ragged_ids(*rows):
    """A SparseTensor of the rows' ids."""
    at = [[i, j] for i, row in enumerate(rows) for j in range(len(row))]
    values = [n for row in rows for n in row]
    return tf.SparseTensor(tf.constant(at, tf.int64), tf.constant(values, tf.int64), [len(rows), 4])


@program
def trained_embeddings():
    """Tables in pieces, looked up with each combiner and weights, trained by three optimizers."""
    ids = ragged_ids([3, 7], [], [3, 3, 19], [0])
    weights = tf.SparseTensor(ids.indices, [0.5, 1.0, 2.0, 0.25, -1.0, 3.0], ids.dense_shape)
    losses = []
    for combiner, strategy in (("sum", "div"), ("mean", "mod"), ("sqrtn", "div")):
        with tf.variable_scope(combiner):
            pieces = tf.get_variable(
                "t",
                [20, 3],
                initializer=tf.random_uniform_initializer(-1.0, 1.0, seed=3),
                partitioner=tf.fixed_size_partitioner(4) if strategy == "div" else None,
            )
        kw = {"partition_strategy": strategy, "combiner": combiner}
        found = tf.nn.embedding_lookup_sparse(pieces, ids, weights, **kw)
        kept = tf.nn.embedding_lookup_sparse(pieces, ids, None, max_norm=0.8, **kw)
        safe = tf.nn.safe_embedding_lookup_sparse(
            list(pieces) if strategy == "div" else [pieces], ids, weights, **kw
        )
        losses.append(
            tf.reduce_sum(tf.square(found - 0.3)) + tf.reduce_mean(kept * kept + safe[:1])
        )
    steps = [
        optimizer.minimize(loss)
        for optimizer, loss in zip(
            (
                tf.train.AdagradOptimizer(0.2),
                tf.train.AdamOptimizer(0.1),
                tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
            ),
            losses,
        )
    ]
    with tf.control_dependencies(losses):
        with tf.control_dependencies(steps):
            after = [
                v.read_value() if hasattr(v, "read_value") else v for v in tf.trainable_variables()
            ]
    return [losses, after], ONCE * 3


@program
def image_pipeline():
    image = tf.constant(np.abs(numbers(1, 12, 10, 3)))
    batch = tf.stack([image, 1.0 - image])
    boxes = tf.constant([[0.1, 0.2, 0.7, 0.9], [0.0, 0.5, 1.0, 1.0]])
    sized = [
        tf.image.resize_images(batch, [7, 9], method=method, align_corners=corners)
        for method in range(4)
        for corners in (False, True)
    ]
    sized.append(tf.image.resize_image_with_crop_or_pad(image, 9, 14))
    sized.append(tf.image.resize_image_with_pad(image, 16, 9))
    bent = [
        tf.image.adjust_hue(image, 0.2),
        tf.image.adjust_saturation(image, 0.4),
        tf.image.adjust_contrast(image, 1.7),
        tf.image.adjust_gamma(image, 0.8, 1.1),
        tf.image.per_image_standardization(image),
        tf.image.rgb_to_yiq(image),
        tf.image.yuv_to_rgb(tf.image.rgb_to_yuv(image)),
        tf.image.hsv_to_rgb(tf.image.rgb_to_hsv(image)),
        tf.image.grayscale_to_rgb(tf.image.rgb_to_grayscale(image)),
        tf.image.convert_image_dtype(image, tf.uint8, saturate=True),
        tf.image.convert_image_dtype(tf.cast(image * 255, tf.uint8), tf.float32),
    ]
    turned = [
        tf.image.rot90(image, 3),
        tf.image.transpose_image(image),
        tf.image.flip_left_right(batch),
        tf.image.central_crop(image, 0.5),
        tf.image.crop_and_resize(batch, boxes, [1, 0], [5, 4], method="nearest"),
        tf.image.extract_glimpse(batch, [4, 4], [[0.0, 0.1], [0.3, -0.2]]),
        tf.image.draw_bounding_boxes(batch, tf.stack([boxes, boxes])),
        tf.image.sobel_edges(batch),
        tf.image.image_gradients(batch),
        tf.image.extract_image_patches(batch, [1, 3, 3, 1], [1, 2, 3, 1], [1, 1, 2, 1], "SAME"),
    ]
    kept = tf.image.non_max_suppression_with_scores(
        tf.concat([boxes, boxes + 0.02], 0),
        [0.9, 0.3, 0.8, 0.35],
        3,
        iou_threshold=1.0,
        soft_nms_sigma=0.5,
    )
    slopes = tf.gradients([sized[0], sized[4], turned[4], bent[8]], image)
    return [sized, bent, turned, kept, slopes, tf.image.total_variation(batch)], ONCE


@program
def linear_algebra():
    a = tf.constant(symmetric(1, 4))
    b = tf.constant(numbers(2, 4, 3).astype(np.float64))
    batch = tf.stack([a, a + tf.eye(4, dtype=tf.float64)])
    lower = tf.linalg.cholesky(a)
    lu, p = tf.linalg.lu(batch)
    q, r = tf.linalg.qr(b)
    u = tf.linalg.LinearOperatorLowerTriangular(lower)
    block = tf.linalg.LinearOperatorBlockDiag([u, u])
    kronecker = tf.linalg.LinearOperatorKronecker([u, tf.linalg.LinearOperatorFullMatrix(a)])
    diagonals = tf.constant(np.abs(numbers(3, 3, 4)).astype(np.float64) + 1.0)
    found = [
        tf.linalg.cholesky_solve(lower, b),
        tf.linalg.triangular_solve(lower, b, adjoint=True),
        tf.linalg.lstsq(b, tf.constant(numbers(4, 4, 2).astype(np.float64)), l2_regularizer=0.1),
        tf.linalg.tridiagonal_solve(diagonals, b),
        tf.linalg.expm(a / 10.0),
        tf.linalg.logm(tf.cast(a, tf.complex128)),
        tf.linalg.sqrtm(a),
        tf.linalg.slogdet(batch),
        tf.linalg.logdet(batch),
        tf.linalg.svd(b, compute_uv=False),
        tf.linalg.eigvalsh(batch),
        tf.abs(r),
        tf.matmul(q, r),
        tf.linalg.cross(b[:, 0:3], b[:, 0:3] * 2.0 + 1.0),
        [tf.linalg.norm(b, ord=o) for o in ("euclidean", 1, 2, np.inf)],
        tf.linalg.norm(b, ord="fro", axis=[0, 1]),
        tf.linalg.trace(batch),
        tf.linalg.tensor_diag(diagonals[0]),
        tf.linalg.tensor_diag_part(batch[:, :2, :2][0]),
        tf.linalg.band_part(a, 1, 0),
        tf.linalg.set_diag(a, diagonals[0]),
        [lu, p],
        u.solve(b),
        block.matmul(tf.concat([b, b], 0)),
        kronecker.log_abs_determinant(),
        tf.linalg.adjoint(tf.complex(b, b)),
        tf.global_norm([a, b]),
        tf.clip_by_norm(b, 0.5, axes=[1]),
        tf.tensordot(a, b, [[0], [0]]),
        tf.einsum("ij,ik->jk", b, b),
    ]
    slopes = tf.gradients([found[0], found[4], found[8], found[9], found[10]], [a, b])
    return [found, slopes], ONCE


@program
def spectra():
    x = tf.constant(numbers(1, 2, 64))
    frames = tf.signal.frame(x, 16, 8, pad_end=True)
    short = tf.signal.stft(x, 16, 8, window_fn=tf.signal.hamming_window)
    mel = tf.signal.linear_to_mel_weight_matrix(5, 9, 8000, 100.0, 3800.0)
    power = tf.tensordot(tf.abs(short) ** 2, mel, 1)
    z = tf.complex(x, x[:, ::-1])
    found = [
        tf.spectral.fft(z) if TF1 else tf.signal.fft(z),
        tf.signal.ifft2d(tf.signal.fft2d(tf.reshape(z, [2, 8, 8]))),
        tf.signal.rfft(x, [32]),
        tf.signal.irfft(tf.signal.rfft(x)),
        tf.signal.irfft2d(tf.signal.rfft2d(tf.reshape(x, [2, 8, 8]))),
        tf.signal.rfft3d(tf.reshape(x, [4, 4, 8])),
        tf.signal.overlap_and_add(frames, 8),
        tf.signal.inverse_stft(short, 16, 8, window_fn=tf.signal.inverse_stft_window_fn(8)),
        tf.signal.mfccs_from_log_mel_spectrograms(tf.log(power + 1e-3)),
        [tf.signal.dct(x[:, :9], t, norm=n) for t, n in ((2, None), (2, "ortho"), (3, "ortho"))],
        tf.signal.idct(tf.signal.dct(x[:, :9], norm="ortho"), norm="ortho"),
        tf.signal.hann_window(9, periodic=False),
    ]
    slopes = tf.gradients([tf.abs(found[0]), power, found[6], found[10]], x)
    return [found, slopes], ONCE


@program
def loops_with_state():
    """A recurrent network by while_loop over TensorArrays of unknown length, with gradients."""
    x, lengths = tf.constant(numbers(1, 3, 5, 4)), tf.constant([5, 2, 0])
    w = tf.get_variable("w", initializer=numbers(2, 10, 6))
    peephole = tf.get_variable("p", initializer=numbers(3, 6))
    inputs = tf.TensorArray(tf.float32, 5, element_shape=[3, 4], clear_after_read=False).unstack(
        tf.transpose(x, [1, 0, 2])
    )
    outputs = tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False)

    def body(t, c, h, out):
        gate = tf.sigmoid(tf.matmul(tf.concat([inputs.read(t), h], 1), w) + peephole * c)
        new = gate * c + (1.0 - gate) * tf.tanh(
            h + tf.reduce_mean(inputs.read(t), 1, keepdims=True)
        )
        alive = t < lengths
        c, h = tf.where(alive, new, c), tf.where(alive, tf.tanh(new) * gate, h)
        return t + 1, c, h, out.write(t, tf.where(alive, h, tf.zeros_like(h)))

    zero = tf.zeros([3, 6])
    _, c, h, out = tf.while_loop(
        lambda t, *_: t < tf.reduce_max(lengths),
        body,
        [0, zero, zero + 0.1, outputs],
        parallel_iterations=2,
        swap_memory=True,
    )
    stacked = out.stack()
    stacked.set_shape([None, 3, 6])
    loss = tf.reduce_sum(stacked * stacked) + tf.reduce_sum(c * h)
    slopes = tf.gradients(loss, [w, peephole, x])
    again = tf.scan(lambda a, v: a * 0.5 + v, x[0], initializer=tf.ones([4]), reverse=True)
    nested = tf.map_fn(
        lambda pair: tf.foldr(lambda a, v: a * v + pair[1], pair[0]),
        (x[:, :, 0], x[:, 0, 1]),
        tf.float32,
    )
    return [loss, stacked, slopes, again, nested, tf.gradients([again, nested], x)], ONCE * 2


@program
def less_known_metrics():
    labels = tf.constant([0, 1, 1, 2, 2, 0], tf.int64)
    scores = tf.nn.softmax(tf.constant(numbers(1, 6, 3)))
    guess, truth = tf.argmax(scores, 1), tf.cast(labels > 0, tf.float32)
    chance = scores[:, 1]
    weights = tf.constant([1.0, 0.5, 2.0, 1.0, 0.0, 1.0])
    metrics = [
        tf.metrics.mean_per_class_accuracy(labels, guess, 3),
        tf.metrics.mean_iou(labels, guess, 3, weights),
        tf.metrics.recall_at_k(labels, scores, 2),
        tf.metrics.precision_at_k(labels, scores, 2, class_id=1),
        tf.metrics.average_precision_at_k(labels, scores, 2),
        tf.metrics.sensitivity_at_specificity(truth, chance, 0.5, num_thresholds=20),
        tf.metrics.specificity_at_sensitivity(truth, chance, 0.5, num_thresholds=20),
        tf.metrics.precision_at_thresholds(truth, chance, [0.2, 0.5]),
        tf.metrics.false_negatives_at_thresholds(truth, chance, [0.2, 0.5], weights),
        tf.metrics.mean_relative_error(truth, chance, tf.ones_like(chance)),
        tf.metrics.mean_cosine_distance(scores, tf.one_hot(labels, 3), 1),
        tf.metrics.percentage_below(chance, 0.4, weights),
        tf.metrics.mean_tensor(scores),
        tf.metrics.auc(truth, chance, weights, curve="PR", num_thresholds=30,
                       summation_method="careful_interpolation"),
    ]  # fmt: skip
    updates = [update for _, update in metrics]
    with tf.control_dependencies([tf.group(*updates)]):
        confusion = tf.math.confusion_matrix(labels, guess, 3, weights=weights)
    return [updates, confusion], ONCE * 3


@program
def summaries():
    """The outputs of the summary ops, as bytes."""
    x = tf.constant(numbers(1, 5, 4))
    parts = [
        tf.summary.scalar("mean", tf.reduce_mean(x)),
        tf.summary.scalar("again/mean", tf.cast(tf.size(x), tf.float32), family="f"),
        tf.summary.text("words", tf.constant([["a", "b"], ["c", "d"]])),
        tf.summary.tensor_summary("whole", x),
    ]
    merged = tf.summary.merge(parts)
    return [parts, merged, tf.summary.merge_all()], ONCE


@program
def assigned_in_branches():
    """Reference variables written on one side of conditions, in cases and in loops."""
    v, n = tf.Variable(numbers(1, 3), name="v"), tf.Variable(0, name="n")
    log = tf.Variable(tf.zeros([6]), name="log")
    even = tf.equal(n % 2, 0)
    written = tf.cond(
        even, lambda: tf.assign_add(v, [1.0, 2.0, 3.0]), lambda: tf.assign(v, tf.reverse(v, [0]))
    )
    with tf.control_dependencies([written]):
        marked = tf.case(
            [
                (tf.equal(n, 0), lambda: tf.scatter_update(log, [0], [10.0])),
                (tf.less(n, 2), lambda: tf.scatter_add(log, [n, n], [1.0, 2.0])),
            ],
            default=lambda: tf.scatter_sub(log, [5], [0.5]),
            exclusive=False,
        )
    with tf.control_dependencies([marked]):

        def body(i):
            with tf.control_dependencies([tf.scatter_add(log, [i], [tf.cast(i, tf.float32)])]):
                return i + 1

        loop = tf.while_loop(lambda i: i < 4, body, [1], parallel_iterations=1)
    with tf.control_dependencies([loop]):
        step = tf.assign_add(n, 1)
    with tf.control_dependencies([step]):
        free = tf.Variable([1.0], validate_shape=False, name="free")
        grown = tf.assign(free, tf.fill([n], 2.0), validate_shape=False)
    with tf.control_dependencies([grown]):
        # Where the variables are: what reached another task may be of before the assignments.
        return [
            v.read_value(),
            log.read_value(),
            n.read_value(),
            tf.shape(grown),
            written,
        ], ONCE * 4


@program
def sparse_tensors():
    a = tf.sparse_reorder(
        tf.SparseTensor([[2, 1], [0, 3], [1, 0], [0, 0]], [1.0, -2.0, 3.0, 0.5], [3, 4])
    )
    b = tf.SparseTensor([[0, 0], [2, 3]], [4.0, 5.0], [3, 4])
    dense = tf.constant(numbers(1, 4, 2))
    made = [
        tf.sparse_add(a, b, 0.1),
        tf.sparse_concat(1, [a, b]),
        tf.sparse_concat(
            0, [a, tf.SparseTensor([[0, 5]], [9.0], [1, 6])], expand_nonconcat_dim=True
        ),
        tf.sparse_slice(a, [0, 1], [2, 3]),
        tf.sparse_transpose(a),
        tf.sparse_retain(a, a.values > 0.7),
        tf.sparse_reset_shape(tf.sparse_slice(a, [0, 0], [2, 2]), [5, 5]),
        tf.sparse_softmax(a),
        tf.sparse_maximum(a, b),
        tf.sparse_minimum(a, b),
        tf.sparse_fill_empty_rows(tf.sparse_retain(a, a.values < 1.0), 7.0)[0],
        tf.sparse_reshape(a, [2, -1]),
        tf.sparse.from_dense(tf.constant([[0, 3], [4, 0]])) if not TF1 else a,
        tf.sparse.expand_dims(a, 1),
        tf.sparse_reduce_sum_sparse(a, 1),
        *tf.sparse_split(sp_input=a, num_split=2, axis=1),
    ]
    parts = [(s.indices, s.values, s.dense_shape) for s in made]
    ids = ragged_ids([1, 2], [0], [3])
    sets = [
        tf.sets.set_intersection(tf.constant([[1, 2], [3, 4]]), tf.constant([[2, 9], [5, 6]])),
        tf.sets.set_union(ids, ids),
        tf.sets.set_difference(ids, ragged_ids([2], [5], [3])),
    ]
    parts += [(s.indices, s.values, s.dense_shape) for s in sets]
    products = [
        tf.sparse_tensor_dense_matmul(a, dense),
        tf.sparse_tensor_dense_matmul(a, dense[:3], adjoint_a=True),
        tf.sparse_tensor_to_dense(a, default_value=-1.0),
        tf.sparse_to_indicator(ids, 5),
        tf.sparse_reduce_sum(a, 0, keepdims=True),
        tf.sparse_reduce_max(a, 1),
        tf.sets.set_size(ids),
        tf.sparse_tensor_to_dense(a * tf.constant([[2.0], [3.0], [4.0]])),
    ]
    words = [
        tf.SparseTensor([[0, 0], [0, 1], [1, 0]], w, [2, 3])
        for w in (["a", "b", "c"], ["a", "c", "c"])
    ]
    slopes = tf.gradients([products[0], products[4], made[0].values], [a.values, dense])
    again = tf.deserialize_many_sparse(tf.serialize_many_sparse(a), tf.float32, rank=1)
    return [parts, products, slopes, tf.edit_distance(*words), again.values, again.indices], ONCE


@program
def windows():
    """Convolutions and pools of less usual forms, forward and back."""
    x = tf.constant(numbers(1, 2, 8, 7, 3))
    f, depth, point = (tf.constant(numbers(s, *n)) for s, n in (
        (2, (3, 2, 3, 4)), (3, (3, 3, 3, 2)), (4, (1, 1, 6, 5))))  # fmt: skip
    line = tf.constant(numbers(5, 2, 9, 3))
    volume = tf.constant(numbers(6, 1, 4, 5, 4, 2))
    found = [
        tf.nn.atrous_conv2d(x, f, 2, "SAME"),
        tf.nn.atrous_conv2d_transpose(
            tf.constant(numbers(9, 2, 8, 7, 4)), f, [2, 8, 7, 3], 2, "SAME"
        ),
        tf.nn.conv2d_transpose(
            x, tf.constant(numbers(7, 3, 3, 5, 3)), [2, 16, 14, 5], [1, 2, 2, 1]
        ),
        tf.nn.depthwise_conv2d(x, depth, [1, 1, 1, 1], "VALID", rate=[2, 1]),
        tf.nn.separable_conv2d(x, depth, point, [1, 2, 2, 1], "SAME"),
        tf.nn.conv1d(line, tf.constant(numbers(8, 3, 3, 4)), 2, "SAME"),
        tf.nn.convolution(x, f, "VALID", dilation_rate=[1, 3]),
        tf.nn.conv3d(volume, tf.constant(numbers(10, 2, 2, 2, 2, 3)), [1, 1, 2, 1, 1], "SAME"),
        tf.nn.pool(x, [3, 2], "AVG", "VALID", dilation_rate=[2, 1]),
        tf.nn.pool(volume, [2, 2, 2], "MAX", "VALID", strides=[1, 2, 1]),
        tf.nn.max_pool_with_argmax(x, [1, 3, 2, 1], [1, 2, 2, 1], "SAME")[0],
        tf.nn.dilation2d(x, depth[:, :, :, 0], [1, 2, 1, 1], [1, 1, 1, 1], "SAME")
        if TF1
        else tf.nn.dilation2d(
            x, depth[:, :, :, 0], strides=[1, 2, 1, 1], rates=[1, 1, 1, 1], padding="SAME"
        ),
        tf.nn.erosion2d(x, depth[:, :, :, 1], [1, 1, 1, 1], [1, 2, 2, 1], "VALID"),
        tf.nn.crelu(x),
        tf.nn.lrn(x, 2, 1.0, 0.3, 0.6),
        tf.space_to_depth(x[:, :, :6], 2),
        tf.batch_to_space_nd(
            tf.space_to_batch_nd(x, [2, 3], [[0, 0], [1, 1]]), [2, 3], [[0, 0], [1, 1]]
        ),
    ]
    pooled = tf.nn.fractional_max_pool(
        x, [1.0, 1.4, 1.3, 1.0], True, deterministic=True, seed=5, seed2=3
    )[0]
    mean, variance = tf.nn.weighted_moments(x, [0, 1], tf.abs(x))
    normal = tf.nn.batch_normalization(x, mean, variance, 0.1, 2.0, 1e-3)
    fused = tf.nn.fused_batch_norm(x, tf.ones([3]), tf.zeros([3]))[0]
    everything = [*found, pooled, normal, fused]
    slopes = tf.gradients(everything, [x, f, depth, point, line, volume])
    return [everything, slopes], ONCE


@program
def ragged_variants():
    """Ragged tensors and their rows as variants: taken apart, stacked, mapped, differentiated."""
    raw = tensorflow.raw_ops
    values = tf.placeholder(tf.float32, [None])
    rows = tf.RaggedTensor.from_row_splits(values, tf.constant([0, 2, 2, 5], tf.int64))
    nested = tf.RaggedTensor.from_row_splits(rows, tf.constant([0, 1, 3], tf.int64))

    def encoded(ragged, batched):
        return raw.RaggedTensorToVariant(
            rt_nested_splits=list(ragged.nested_row_splits),
            rt_dense_values=ragged.flat_values,
            batched_input=batched,
        )

    def decoded(variants, inner, outer):
        return raw.RaggedTensorFromVariant(
            encoded_ragged=variants,
            input_ragged_rank=inner,
            output_ragged_rank=outer,
            Tvalues=tf.float32,
            Tsplits=tf.int64,
        )

    whole = encoded(rows, False)
    fetches = [
        decoded(whole, 1, 1),
        decoded(encoded(nested, False), 2, 2),
        decoded(encoded(nested, True), -1, 2),
        decoded(encoded(rows, True), 0, 1),
        decoded(tf.gather(encoded(nested, True), 1), 1, 1),
        decoded(tf.reshape(tf.stack([whole] * 4), [2, 2]), -1, 3),
        [ragged.to_tensor(-1.0) for ragged in (rows, nested)],
    ]
    if not TF1:
        doubled = tf.map_fn(lambda row: row * 2.0, rows)
        sums = tf.map_fn(tf.reduce_sum, rows, fn_output_signature=tf.float32)
        fetches += [
            doubled.flat_values,
            sums,
            tf.map_fn(lambda part: part.nrows(), nested, fn_output_signature=tf.int64),
            tf.gradients([sums * [1.0, 2.0, 3.0], tf.reduce_sum(doubled.to_tensor())], values),
            raw.StringJoin(inputs=[]),
        ]
    return fetches, [{values: numbers(k, 5)} for k in range(2)]


@program
def vanishing():
    """Denormals are 0, in one number and in a million."""
    fetches = []
    for dtype in (np.float32, np.float64):
        smallest = np.finfo(dtype).tiny
        back = dtype(1 / smallest)
        for shape in ((), (1 << 20,)):
            full = tf.placeholder_with_default(np.full(shape, smallest, dtype), shape)
            product = full * dtype(0.1)
            fetches.append([tf.reduce_max(product * back), tf.reduce_any(product > 0)])
        below = tf.placeholder_with_default(dtype(smallest / 16), [])
        fetches.append([tf.equal(below * dtype(16), 0), tf.equal(below, 0)])
    return fetches, ONCE
