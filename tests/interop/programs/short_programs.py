# SPDX-License-Identifier: Apache-2.0
"""Short programs in the manner of tutorials and of the API's own examples.

Each returns (what is fetched, the feeds of its runs); random ops have seeds, so that every answer
is equal wherever the graph runs.
"""

import numpy as np
import tensorflow

tf = tensorflow.compat.v1
TF1 = tensorflow.__version__.startswith("1.")

PROGRAMS = {}
ONCE = [{}]


def program(build):
    PROGRAMS[build.__name__] = build
    return build


def numbers(seed, *shape):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype(np.float32)


def symmetric(seed, n):
    a = numbers(seed, n, n).astype(np.float64)
    return a @ a.T + n * np.eye(n)


# ---- Images and sound.


@program
def augmentation():
    """The preprocessing of the image tutorials, for a batch by map_fn."""
    images = tf.placeholder(tf.float32, [None, 24, 20, 3])

    def distorted(image):
        image = tf.image.resize_image_with_crop_or_pad(image, 26, 26)
        image = tf.random_crop(image, [18, 18, 3], seed=3)
        image = tf.image.random_flip_left_right(image, seed=4)
        image = tf.image.random_flip_up_down(image, seed=14)
        image = tf.image.random_brightness(image, max_delta=0.3, seed=5)
        image = tf.image.random_contrast(image, lower=0.2, upper=1.8, seed=6)
        image = tf.image.random_saturation(image, 0.5, 1.5, seed=7)
        image = tf.image.random_hue(image, 0.2, seed=8)
        return tf.image.per_image_standardization(tf.clip_by_value(image, 0.0, 1.0))

    batch = tf.map_fn(distorted, images, parallel_iterations=1)
    return [batch], [{images: np.abs(numbers(k, 2, 24, 20, 3))} for k in range(3)]


@program
def evaluation_crop():
    image = tf.placeholder(tf.uint8, [None, None, 3])
    x = tf.image.convert_image_dtype(image, tf.float32)
    x = tf.image.central_crop(x, central_fraction=0.875)
    x = tf.squeeze(tf.image.resize_bilinear(tf.expand_dims(x, 0), [13, 11], align_corners=False))
    others = [tf.image.resize_images(x, [7, 9], method=method) for method in range(4)]
    grey = tf.image.rgb_to_grayscale(x)
    angles = [tf.image.rot90(x), tf.image.transpose_image(x), tf.image.flip_up_down(x)]
    colours = [tf.image.adjust_gamma(x, 0.7), tf.image.adjust_hue(x, 0.1), tf.image.rgb_to_hsv(x)]
    colours += [tf.image.rgb_to_yuv(x), tf.image.adjust_saturation(x, 0.4), tf.image.rgb_to_yiq(x)]
    back = tf.image.convert_image_dtype(x, tf.uint8, saturate=True)
    r = np.random.RandomState(4)
    feeds = [{image: r.randint(0, 256, (h, w, 3))} for h, w in ((20, 30), (17, 9))]
    return [x, others, grey, angles, colours, back], feeds


@program
def boxes():
    """The boxes of a detector: crops, overlaps, a few kept, drawn on the image."""
    r = np.random.RandomState(5)
    low = r.uniform(0, 0.5, (12, 2))
    corners = np.concatenate([low, low + r.uniform(0.1, 0.5, (12, 2))], 1).astype(np.float32)
    image = tf.constant(np.abs(numbers(6, 1, 16, 16, 3)))
    scores = tf.constant(r.uniform(size=12).astype(np.float32))
    kept = tf.image.non_max_suppression(corners, scores, 5, iou_threshold=0.4)
    chosen = tf.gather(corners, kept)
    crops = tf.image.crop_and_resize(image, chosen, tf.zeros_like(kept), [4, 4])
    drawn = tf.image.draw_bounding_boxes(image, tf.expand_dims(chosen, 0))
    begin, size, box = tf.image.sample_distorted_bounding_box(
        [16, 16, 3], tf.expand_dims(chosen, 0), seed=9, min_object_covered=0.1
    )
    return [kept, crops, drawn, begin, size, box], ONCE * 2


@program
def image_measures():
    a = tf.constant(np.abs(numbers(1, 2, 24, 24, 3)))
    b = tf.clip_by_value(a + 0.05 * tf.constant(numbers(2, 2, 24, 24, 3)), 0.0, 1.0)
    patches = tf.extract_image_patches(a, [1, 5, 5, 1], [1, 4, 4, 1], [1, 1, 1, 1], "VALID")
    edges = tf.image.sobel_edges(a)
    return [
        tf.image.psnr(a, b, max_val=1.0),
        tf.image.ssim(a, b, max_val=1.0),
        tf.image.total_variation(a),
        patches,
        edges,
        tf.image.image_gradients(a),
    ], ONCE


@program
def sound():
    """Log mel spectrograms and their cepstra; the sound rebuilt from its short-time transform."""
    signal = tf.placeholder(tf.float32, [None, 800])
    stft = tf.signal.stft(signal, frame_length=128, frame_step=64, fft_length=128)
    magnitude = tf.abs(stft)
    mel = tf.signal.linear_to_mel_weight_matrix(12, 65, 8000.0, 80.0, 3600.0)
    log_mel = tf.log(tf.tensordot(magnitude, mel, 1) + 1e-3)
    cepstra = tf.signal.mfccs_from_log_mel_spectrograms(log_mel)[..., :7]
    window = tf.signal.inverse_stft_window_fn(64)
    rebuilt = tf.signal.inverse_stft(stft, 128, 64, window_fn=window)
    slope = tf.gradients(tf.reduce_sum(tf.square(cepstra)), signal)
    feeds = [{signal: numbers(k, k + 1, 800)} for k in range(2)]
    return [magnitude, cepstra, rebuilt, slope], feeds


@program
def transforms():
    x = tf.constant(numbers(3, 4, 16))
    z = tf.complex(x, tf.reverse(x, [1]))
    filtered = tf.spectral.irfft(tf.spectral.rfft(x) * tf.cast(tf.range(9) < 4, tf.complex64))
    dct = tf.spectral.dct(x, type=2, norm="ortho")
    frames = tf.signal.frame(x, 6, 3, pad_end=True)
    return [
        tf.ifft(tf.fft(z)),
        tf.fft2d(z),
        filtered,
        dct,
        tf.spectral.idct(dct, norm="ortho"),
        frames,
        tf.signal.overlap_and_add(frames, 3),
        tf.signal.hann_window(7),
        tf.angle(z),
    ], ONCE


# ---- Linear algebra and numbers.


@program
def least_squares():
    a, b = tf.constant(numbers(1, 9, 4)), tf.constant(numbers(2, 9, 2))
    solved = tf.matrix_solve_ls(a, b, l2_regularizer=0.1)
    slow = tf.matrix_solve_ls(a, b, fast=False)
    normal = tf.matmul(a, a, transpose_a=True) + 0.5 * tf.eye(4)
    by_cholesky = tf.cholesky_solve(tf.cholesky(normal), tf.matmul(a, b, True))
    triangular = tf.matrix_triangular_solve(tf.cholesky(normal), tf.matmul(a, b, True))
    slope = tf.gradients(tf.reduce_sum(solved) + tf.reduce_sum(by_cholesky), [a, b])
    q, r = tf.qr(a)
    return [solved, slow, by_cholesky, triangular, slope, tf.abs(tf.matmul(q, r)), tf.abs(r)], ONCE


@program
def decompositions():
    m = tf.constant(symmetric(3, 5))
    values, vectors = tf.self_adjoint_eig(m)
    s, u, v = tf.svd(m[:, :3])
    sign, log_det = tf.linalg.slogdet(m)
    return [
        values,
        tf.matmul(vectors * values, vectors, adjoint_b=True),
        s,
        tf.matmul(u * s, v, adjoint_b=True),
        tf.matrix_inverse(m),
        tf.matrix_determinant(m),
        [sign, log_det],
        tf.linalg.expm(m / 10.0),
        tf.linalg.logm(tf.cast(m, tf.complex128)),
        tf.linalg.sqrtm(m),
        tf.trace(m),
        tf.norm(m, ord="fro", axis=[0, 1]),
        tf.matrix_band_part(m, 1, 0),
        tf.gradients(tf.reduce_sum(tf.log(values)) + tf.linalg.logdet(m), m),
        tf.linalg.lu(m) if hasattr(tf.linalg, "lu") else [],
    ], ONCE


@program
def operators():
    a = tf.linalg.LinearOperatorFullMatrix(symmetric(4, 3), is_positive_definite=True)
    d = tf.linalg.LinearOperatorDiag([1.0, 2.0, 4.0], is_non_singular=True)
    t = tf.linalg.LinearOperatorLowerTriangular(np.tril(symmetric(5, 3)))
    x = tf.constant(numbers(3, 3, 2).astype(np.float64))
    k = tf.linalg.LinearOperatorKronecker([a, t])
    c = tf.linalg.LinearOperatorCirculant(tf.constant([4.0, 1.0, 2.0], tf.complex64))
    return [
        a.matmul(x),
        a.solve(x),
        a.log_abs_determinant(),
        d.to_dense(),
        t.solve(x),
        k.to_dense(),
        k.determinant(),
        tf.real(c.to_dense()),
    ], ONCE


@program
def conjugate_gradients():
    """A while loop that ends by its data."""
    a, b = tf.constant(symmetric(7, 6)), tf.constant(numbers(8, 6, 1).astype(np.float64))

    def body(k, x, r, p, rr):
        ap = tf.matmul(a, p)
        alpha = rr / tf.reduce_sum(p * ap)
        x, r = x + alpha * p, r - alpha * ap
        new = tf.reduce_sum(r * r)
        return k + 1, x, r, r + new / rr * p, new

    start = [0, tf.zeros_like(b), b, b, tf.reduce_sum(b * b)]
    result = tf.while_loop(lambda k, x, r, p, rr: (rr > 1e-20) & (k < 50), body, start)
    return [result[1], tf.matmul(a, result[1])], ONCE


@program
def mandelbrot():
    y, x = np.mgrid[-1.3:1.3:0.1, -2:1:0.1]
    xs = tf.constant((x + 1j * y).astype(np.complex64))
    zs, ns = tf.Variable(xs), tf.Variable(tf.zeros_like(xs, tf.float32))
    new = zs * zs + xs
    inside = tf.abs(new) < 4
    step = tf.group(
        zs.assign(tf.where(inside, new, zs)), ns.assign_add(tf.cast(inside, tf.float32))
    )
    with tf.control_dependencies([step]):
        return [ns.read_value()], ONCE * 6


@program
def ripples():
    """The partial differential equation of the tutorial: a Laplacian by depthwise convolution."""
    u0 = np.zeros([20, 20], np.float32)
    u0[4, 7], u0[12, 3] = 1.0, -0.7
    u, ut = tf.Variable(u0), tf.Variable(np.zeros_like(u0))
    kernel = tf.constant(np.array([[0.5, 1, 0.5], [1, -6, 1], [0.5, 1, 0.5]], np.float32))
    image = tf.expand_dims(tf.expand_dims(u, 0), -1)
    laplace = tf.nn.depthwise_conv2d(image, tf.reshape(kernel, [3, 3, 1, 1]), [1, 1, 1, 1], "SAME")
    new_u = u + 0.03 * ut
    new_ut = ut + 0.03 * (laplace[0, :, :, 0] - 0.04 * ut)
    with tf.control_dependencies([new_u, new_ut]):
        step = tf.group(u.assign(new_u), ut.assign(new_ut))
    with tf.control_dependencies([step]):
        return [u.read_value(), ut.read_value()], ONCE * 6


@program
def k_means():
    r = np.random.RandomState(2)
    points = tf.constant(np.concatenate([r.normal(c, 0.3, (15, 2)) for c in (-2, 0, 3)]))
    centres = tf.Variable(
        points.initial_value if hasattr(points, "initial_value") else points[:45:15]
    )
    distances = tf.reduce_sum(tf.squared_difference(tf.expand_dims(points, 1), centres), 2)
    nearest = tf.argmin(distances, 1)
    sums = tf.unsorted_segment_sum(points, nearest, 3)
    counts = tf.unsorted_segment_sum(tf.ones([45, 1], tf.float64), nearest, 3)
    means = tf.dynamic_partition(points, tf.cast(nearest, tf.int32), 3)
    move = centres.assign(sums / tf.maximum(counts, 1.0))
    with tf.control_dependencies([nearest]):
        return [nearest, [tf.reduce_mean(m, 0) for m in means], move], ONCE * 3


@program
def nearest_neighbours():
    train = tf.constant(numbers(1, 30, 5))
    test = tf.placeholder(tf.float32, [5])
    distance = tf.reduce_sum(tf.abs(tf.add(train, tf.negative(test))), reduction_indices=1)
    values, places = tf.nn.top_k(-distance, k=4)
    labels = tf.gather(tf.constant([k % 3 for k in range(30)]), places)
    unique, _, counts = tf.unique_with_counts(labels)
    vote = unique[tf.argmax(counts)]
    return [values, places, vote], [{test: numbers(k, 5)} for k in (4, 5)]


@program
def distributions():
    """Draws of every kind, a Monte Carlo estimate, and special functions with their slopes."""
    tf.set_random_seed(17)
    x = tf.constant([0.2, 0.7, 1.9])
    xy = tf.random_uniform([500, 2], seed=1)
    pi = 4 * tf.reduce_mean(tf.to_float(tf.reduce_sum(xy**2, 1) < 1.0))
    draws = [
        tf.random_normal([3, 4], seed=2),
        tf.truncated_normal([5], seed=3),
        tf.random_gamma([4], [0.5, 2.0], seed=4),
        tf.random_poisson(np.float64([1, 9]), [3], seed=5),
        tf.multinomial([[0.1, 0.5, 0.4]], 7, seed=6),
        tf.random_shuffle(tf.range(9), seed=7),
        tf.random_uniform([4], 3, 19, tf.int64, seed=8),
        tf.random_normal([2]),
    ]
    special = [tf.lgamma(x), tf.digamma(x), tf.erf(x), tf.igamma(x, x + 1), tf.betainc(x, x, x / 2)]
    special += [tf.zeta(x + 1.5, x), tf.polygamma(1.0 + tf.zeros_like(x), x)]
    slope = tf.gradients(tf.lgamma(x) + tf.erf(x) + tf.igamma(2.0, x), x)
    return [pi, draws, special, slope], ONCE * 2


@program
def second_derivatives():
    x = tf.Variable(numbers(2, 3))
    w = tf.constant(numbers(3, 3, 3))
    y = tf.reduce_sum(tf.tanh(tf.linalg.matvec(w, x)) ** 2)
    slope = tf.gradients(y, x)[0]
    hessian = tf.hessians(y, x)[0]
    product = tf.gradients(tf.reduce_sum(slope * tf.constant([1.0, -1.0, 2.0])), x)[0]
    return [y, slope, hessian, product], ONCE


# ---- Sparse things, words and tables of columns.


@program
def sparse_products():
    places = [[0, 1], [0, 3], [2, 0], [3, 3]]
    a = tf.SparseTensor(places, [1.0, 2.0, -3.0, 0.5], [4, 5])
    dense = tf.constant(numbers(1, 5, 3))
    b = tf.sparse_placeholder(tf.float32)
    total = tf.sparse_add(a, b)
    fed = tf.SparseTensorValue([[0, 0], [0, 1], [3, 4]], np.float32([4, 5, 6]), [4, 5])
    return [
        tf.sparse_tensor_dense_matmul(a, dense),
        tf.sparse_tensor_dense_matmul(b, dense),
        tf.sparse_tensor_to_dense(total),
        tf.sparse_reduce_sum(total, 1),
        tf.sparse_tensor_to_dense(tf.sparse_transpose(total, [1, 0])),
        tf.sparse_tensor_to_dense(tf.sparse_concat(1, [a, b])),
        tf.sparse_tensor_to_dense(tf.sparse_slice(total, [0, 1], [3, 3])),
        tf.sparse_tensor_to_dense(tf.sparse_retain(a, a.values > 0)),
        tf.sparse_softmax(a).values,
        tf.sparse_fill_empty_rows(a, -1.0),
        [tf.sparse_tensor_to_dense(s) for s in tf.sparse_split(sp_input=a, num_split=2, axis=0)],
        tf.sparse_maximum(a, total).values,
        tf.sparse_to_indicator(tf.SparseTensor(places, [1, 2, 0, 3], [4, 5]), 5),
        (a * tf.constant(numbers(4, 4, 5))).values,
        tf.gradients(
            tf.reduce_sum(tf.sparse_tensor_dense_matmul(a, dense) ** 2), [a.values, dense]
        ),
    ], [{b: fed}]


@program
def wide_and_deep():
    """Feature columns: numbers in buckets, words hashed and crossed, embeddings with combiners."""
    r = np.random.RandomState(3)
    features = {
        "age": tf.constant(r.uniform(15, 70, (6, 1)).astype(np.float32)),
        "income": tf.constant(r.uniform(0, 1, (6, 1)).astype(np.float32)),
        "city": tf.constant([["a"], ["b"], ["a"], ["cc"], ["d"], ["b"]]),
        "level": tf.constant([[0], [1], [2], [1], [0], [2]], tf.int64),
    }
    columns = tf.feature_column
    buckets = columns.bucketized_column(columns.numeric_column("age"), [20, 30, 50])
    city = columns.categorical_column_with_hash_bucket("city", 11)
    level = columns.categorical_column_with_identity("level", 3)
    crossed = columns.crossed_column([buckets, "city"], 13)
    uniform = tf.random_uniform_initializer(-0.2, 0.2, seed=5)
    deep = columns.input_layer(
        features,
        [
            columns.numeric_column("income"),
            buckets,
            columns.indicator_column(level),
            columns.embedding_column(city, 4, initializer=uniform),
            columns.embedding_column(crossed, 3, combiner="sqrtn", initializer=uniform),
        ],
    )
    wide = columns.linear_model(features, [crossed, level, buckets], units=2)
    slopes = tf.gradients([wide, deep], tf.trainable_variables())
    return [deep, wide, slopes], ONCE


@program
def embeddings():
    table = tf.get_variable("t", [20, 4], initializer=tf.random_normal_initializer(seed=3))
    pieces = tf.get_variable(
        "p", [20, 4], initializer=tf.ones_initializer(), partitioner=tf.fixed_size_partitioner(3)
    )
    ids = tf.SparseTensor(
        [[0, 0], [0, 1], [2, 0], [3, 3]], tf.constant([3, 7, 3, 19], tf.int64), [4, 5]
    )
    weights = tf.SparseTensor(ids.indices, [0.5, 1.0, 2.0, 0.1], [4, 5])
    found = [
        tf.nn.embedding_lookup_sparse(table, ids, weights, combiner=c)
        for c in ("sum", "mean", "sqrtn")
    ]
    found.append(tf.nn.safe_embedding_lookup_sparse([table], ids, default_id=1))
    found.append(tf.nn.embedding_lookup_sparse(pieces, ids, None, "mod", combiner="mean"))
    found.append(tf.nn.embedding_lookup(table, [[1, 2], [2, 19]], max_norm=1.0))
    slope = tf.gradients(found[1], table)[0]
    return [found, slope.values, slope.indices, tf.convert_to_tensor(slope)], ONCE


@program
def strings():
    lines = tf.constant(["the quick  brown fox", "", "jumps over", "The end."])
    words = tf.string_split(lines)
    pairs = tf.string_split(tf.constant(["a=1,b=22", "c=3"]), delimiter=",=", skip_empty=True)
    joined = tf.string_join([lines, tf.as_string(tf.range(4))], separator="|")
    hashed = tf.string_to_hash_bucket_fast(words.values, 100)
    return [
        tf.sparse_tensor_to_dense(words, default_value="?"),
        pairs.values,
        joined,
        hashed,
        tf.string_to_hash_bucket_strong(words.values, 97, key=[3, 4]),
        tf.string_to_hash_bucket(words.values, 31),
        tf.regex_replace(lines, r"[aeiou](.)", r"<\1>"),
        tf.strings.regex_full_match(lines, ".*o.*"),
        tf.strings.length(lines),
        tf.substr(lines, [0, 0, 2, 4], [3, 0, 4, 2]),
        tf.reduce_join(tf.constant([["a", "b"], ["c", "d"]]), 1, separator="-"),
        tf.as_string(tf.constant([1.5, 2.25]), precision=2, width=8, fill="0"),
        tf.encode_base64(lines),
        tf.decode_base64(tf.encode_base64(lines)),
        tf.string_strip(tf.constant(["  x ", "y\n"])),
        tf.equal(lines, "jumps over"),
        tf.size(words.values),
    ], ONCE


@program
def bag_of_words():
    """Words to counts, without a table: hashed, sorted, counted."""
    text = tf.placeholder(tf.string, [None])
    tokens = tf.string_split(tf.string_strip(text))
    buckets = tf.string_to_hash_bucket_fast(tokens.values, 16)
    unique, where, count = tf.unique_with_counts(buckets)
    dense = tf.sparse_tensor_to_dense(
        tf.SparseTensor(tokens.indices, buckets, tokens.dense_shape), -1
    )
    order = tf.argsort(count, direction="DESCENDING", stable=True)
    bins = tf.bincount(tf.cast(buckets, tf.int32), minlength=16)
    return [unique, where, count, dense, tf.gather(unique, order), bins], [
        {text: ["a b a c", "b"]},
        {text: ["", "x"]},
        {text: ["One two two"] * 3},
    ]
