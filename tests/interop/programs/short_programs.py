"""Short programs in the manner of tutorials and of the API's own examples.

Long because: thirty programs of twenty lines.

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
    """What a detector does with its boxes: crops, overlaps, a few kept, drawn on the image."""
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


# ---- Control flow, arrays, state.


@program
def fibonacci():
    def body(k, array):
        return k + 1, array.write(k, array.read(k - 1) + array.read(k - 2))

    array = tf.TensorArray(tf.int64, 20, clear_after_read=False, element_shape=[])
    array = array.write(0, np.int64(0)).write(1, np.int64(1))
    _, array = tf.while_loop(lambda k, _: k < 20, body, [2, array])
    ragged = tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False)
    _, ragged = tf.while_loop(
        lambda k, _: k < 4,
        lambda k, a: (k + 1, a.write(k, tf.ones([k, 2]) * tf.to_float(k))),
        [0, ragged],
    )
    pieces = tf.TensorArray(tf.float32, 3, infer_shape=False).split(tf.range(6.0), [1, 2, 3])
    return [
        array.stack(),
        array.gather([3, 5]),
        ragged.concat(),
        ragged.size(),
        pieces.read(2),
    ], ONCE


@program
def loops_of_any_length():
    """Loops that run not at all, that grow, that are cut short; their gradients."""
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [1, 2])
    w = tf.get_variable("w", initializer=[[1.0, 0.2], [0.3, 0.4]])
    some = tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, tf.matmul(s, w)), [0, x])
    grown = tf.while_loop(
        lambda i, s: i < n,
        lambda i, s: (i + 1, tf.concat([s, s[:1] * 0.5], 0)),
        [0, x],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])],
    )
    short = tf.while_loop(
        lambda i, s: i < 50, lambda i, s: [i + 1, s * x], [0, x], maximum_iterations=n
    )
    blind = tf.while_loop(lambda s: tf.reduce_sum(s) < 9.0, lambda s: s * 2.0, [x], back_prop=False)
    slopes = tf.gradients([some[1], grown[1], short[1], blind], [x, w])
    return [some, grown, short, blind, slopes], [{n: k, x: [[0.7, 1.1]]} for k in (0, 1, 4)]


@program
def nested_structures():
    x = tf.placeholder(tf.float32, [3])
    loop = tf.while_loop(
        lambda i, s: i < 2,
        lambda i, s: (i + 1, {"a": s["a"] + s["b"][0], "b": [s["b"][0] * 2.0]}),
        [0, {"a": x, "b": [x + 1.0]}],
    )
    mapped = tf.map_fn(
        lambda t: {"s": t[0] + t[1]["u"], "p": (t[0] * 2.0,)},
        (x, {"u": x * 3.0}),
        dtype={"s": tf.float32, "p": (tf.float32,)},
    )
    scanned = tf.scan(lambda a, t: (a[0] + t[0], a[1] * t[1]), (x, x + 1.0), initializer=(0.0, 1.0))
    folded = tf.foldr(lambda a, t: a * 0.5 + t, x)
    slopes = tf.gradients([mapped["s"], scanned[1], folded, loop[1]["a"]], x)
    return [loop, mapped, scanned, folded, slopes], [{x: [1.0, -2.0, 3.0]}]


@program
def rows_in_loops():
    """Gradients of rows that a loop looks up and writes to a TensorArray."""
    ids = tf.placeholder(tf.int32, [3])
    table = tf.get_variable("table", initializer=numbers(8, 6, 2))

    def body(i, total, out):
        row = tf.gather(table, ids[i]) + tf.gather(table, 5 - i) * 0.5
        return i + 1, total + tf.reduce_sum(tf.gather(table, ids[i:])), out.write(i, row)

    loop = tf.while_loop(lambda i, *_: i < 3, body, [0, 0.0, tf.TensorArray(tf.float32, 3)])
    rows = loop[2].stack()
    slope = tf.convert_to_tensor(tf.gradients([loop[1], tf.reduce_sum(rows * rows)], table)[0])
    return [loop[1], rows, slope], [{ids: [1, 5, 1]}, {ids: [0, 0, 0]}]


@program
def conditions():
    x = tf.placeholder(tf.float32, [])
    v = tf.Variable(1.0)
    chosen = tf.case(
        [(x < -1, lambda: tf.constant(-1.0)), (x < 0, lambda: x * 2), (x < 1, lambda: tf.exp(x))],
        default=lambda: v + x,
        exclusive=False,
    )
    picked = (
        tf.switch_case(tf.cast(x, tf.int32) % 3, [lambda: x, lambda: -x, lambda: x * x])
        if (hasattr(tf, "switch_case"))
        else chosen
    )
    both = tf.cond(
        x > 0, lambda: tf.cond(x > 1, lambda: [x, 1.0], lambda: [x, 2.0]), lambda: [-x, 3.0]
    )
    slope = tf.gradients(chosen + both[0], [x])[0]
    with tf.control_dependencies([tf.assert_less(x, 10.0, message="too much")]):
        checked = tf.identity(x)
    return [chosen, picked, both, slope, checked], [{x: value} for value in (-2.0, -0.5, 0.5, 3.0)]


@program
def printing():
    """tf.Print, tf.Assert and the checks of numbers leave values as they are."""
    x = tf.placeholder(tf.float32, [2])
    shown = tf.Print(x, [x, tf.shape(x)], "x is", summarize=3, first_n=1)
    said = tf.print("sum", tf.reduce_sum(x), {"a": x})
    sound = tf.Assert(tf.reduce_all(x > -5), [x], summarize=2)
    with tf.control_dependencies([sound, said, tf.assert_rank(x, 1), tf.assert_equal(x, x)]):
        y = tf.check_numerics(shown * 2, "not a number")
    y = tf.verify_tensor_all_finite(y, "not finite")
    return [y, tf.is_finite(x)], [{x: [1.0, 2.0]}, {x: [0.0, -1.0]}]


@program
def slices():
    x = tf.reshape(tf.range(60), [3, 4, 5])
    v = tf.Variable(tf.reshape(tf.range(12.0), [3, 4]))
    with tf.control_dependencies([v[1:, ::2].assign(tf.zeros([2, 2]))]):
        assigned = v.read_value()
    lower, upper = tf.meshgrid(tf.range(3), tf.range(2), indexing="ij")
    return [
        x[..., -1],
        x[1, :, tf.newaxis, ::-2],
        x[:, 1:-1],
        tf.boolean_mask(x, x[:, 0, 0] > 5),
        tf.gather_nd(x, [[0, 1], [2, 3]]),
        tf.batch_gather(tf.constant([[1, 2, 3], [4, 5, 6]]), [[2, 0], [1, 1]]),
        tf.where(tf.equal(x % 7, 0)),
        tf.scatter_nd([[1], [3], [1]], [9, 10, 11], [5]),
        tf.tile(x[:1, :1], [2, 1, 2]),
        tf.pad(x[0], [[1, 1], [2, 0]], "REFLECT"),
        tf.reverse_sequence(x, [1, 2, 4], seq_axis=1),
        tf.space_to_depth(tf.reshape(tf.range(16.0), [1, 4, 4, 1]), 2),
        tf.batch_to_space(tf.reshape(tf.range(16), [4, 2, 2, 1]), [[0, 1], [1, 0]], 2),
        tf.split(x, [1, 3], axis=1),
        tf.unstack(x, axis=2)[3],
        tf.cumsum(x, 1, exclusive=True, reverse=True),
        tf.cumprod(tf.to_float(x[0]) / 7, 0),
        tf.searchsorted(tf.constant([[1, 3, 5, 7]]), [[4, 0, 7]], side="right"),
        tf.invert_permutation([2, 0, 1]),
        tf.one_hot([0, -1, 2], 3, on_value="x", off_value="y"),
        tf.setdiff1d([1, 2, 3, 4], [2, 4]),
        tf.dynamic_stitch([[0, 2], [1, 3]], [[10, 20], [30, 40]]),
        tf.confusion_matrix([0, 1, 2, 1], [0, 2, 2, 1], weights=[1, 2, 3, 4]),
        tf.histogram_fixed_width([0.1, 0.5, 2.0, -1.0], [0.0, 1.0], 4),
        tf.edit_distance(
            tf.SparseTensor([[0, 0], [0, 1]], ["a", "b"], [1, 2]),
            tf.SparseTensor([[0, 0]], ["a"], [1, 1]),
        ),
        tf.bitcast(tf.constant([1.0, -2.0]), tf.int32),
        [lower, upper],
        assigned,
    ], ONCE


@program
def metrics():
    labels = tf.placeholder(tf.int64, [6])
    logits = tf.placeholder(tf.float32, [6])
    guess = tf.cast(logits > 0.5, tf.int64)
    measures = [
        tf.metrics.accuracy(labels, guess),
        tf.metrics.precision(labels, guess),
        tf.metrics.recall(labels, guess),
        tf.metrics.auc(labels, logits, num_thresholds=30, summation_method="careful_interpolation"),
        tf.metrics.mean(logits),
        tf.metrics.mean_squared_error(tf.to_float(labels), logits),
        tf.metrics.root_mean_squared_error(tf.to_float(labels), logits, weights=[1, 2, 1, 0, 1, 1]),
        tf.metrics.mean_iou(labels, guess, 2),
        tf.metrics.mean_per_class_accuracy(labels, guess, 2),
        tf.metrics.sensitivity_at_specificity(labels, logits, 0.5, num_thresholds=20),
        tf.metrics.precision_at_thresholds(labels, logits, [0.3, 0.6]),
        tf.metrics.mean_cosine_distance(tf.to_float(labels), logits, dim=0),
        tf.metrics.recall_at_k(tf.reshape(labels, [3, 2]), tf.reshape(logits, [3, 2]), 1),
        tf.metrics.average_precision_at_k(
            tf.reshape(labels, [3, 2]), tf.reshape(logits, [3, 2]), 2
        ),
        tf.metrics.percentage_below(logits, 0.4),
    ]
    updates = [m[1] for m in measures]
    with tf.control_dependencies([tf.group(*updates)] if TF1 else updates):
        counted = tf.constant(1)
    r = np.random.RandomState(1)
    feeds = [{labels: r.randint(0, 2, 6), logits: r.uniform(size=6)} for _ in range(3)]
    # Values are read in a run of their own: in one run, TensorFlow promises no order.
    return [updates, counted], feeds


@program
def losses():
    labels, guess = tf.constant(np.abs(numbers(1, 4, 3))), tf.constant(np.abs(numbers(2, 4, 3)))
    each = [
        tf.losses.absolute_difference(labels, guess),
        tf.losses.cosine_distance(tf.nn.l2_normalize(labels, 1), guess, axis=1),
        tf.losses.hinge_loss(tf.round(labels), guess),
        tf.losses.huber_loss(labels, guess, delta=0.2),
        tf.losses.log_loss(labels, guess),
        tf.losses.mean_pairwise_squared_error(labels, guess),
        tf.losses.mean_squared_error(labels, guess, weights=[[1.0], [0.0], [2.0], [1.0]]),
        tf.losses.sigmoid_cross_entropy(tf.round(labels), guess, label_smoothing=0.1),
        tf.losses.softmax_cross_entropy(tf.one_hot([0, 1, 2, 1], 3), guess),
        tf.losses.sparse_softmax_cross_entropy([0, 1, 2, 1], guess),
    ]
    weighted = (
        tf.nn.weighted_cross_entropy_with_logits(targets=labels, logits=guess, pos_weight=2.0)
        if TF1
        else tf.nn.weighted_cross_entropy_with_logits(labels, guess, 2.0)
    )
    poisson = tf.nn.log_poisson_loss(labels, guess, compute_full_loss=True)
    return [each, weighted, poisson, tf.losses.get_total_loss()], ONCE


@program
def schedules():
    step = tf.train.get_or_create_global_step()
    rates = [
        tf.train.exponential_decay(0.1, step, 3, 0.9, staircase=True),
        tf.train.piecewise_constant(step, [2, 4], [1.0, 0.5, 0.1]),
        tf.train.polynomial_decay(0.1, step, 5, 0.01, power=0.5, cycle=True),
        tf.train.natural_exp_decay(0.1, step, 2, 0.5),
        tf.train.inverse_time_decay(0.1, step, 2, 0.5),
        tf.train.cosine_decay(0.1, step, 6),
        tf.train.cosine_decay_restarts(0.1, step, 2),
        tf.train.cosine_decay_restarts(0.1, step, 2, t_mul=1.5),
        tf.train.linear_cosine_decay(0.1, step, 6),
        tf.train.noisy_linear_cosine_decay(0.1, step, 6, initial_variance=0.0),
    ]
    with tf.control_dependencies([rate + 0 for rate in rates]):
        on = tf.assign_add(step, 1)
    return [rates, on], ONCE * 6


@program
def state():
    v = tf.Variable(tf.zeros([4, 2]))
    r = tf.Variable(tf.ones([4, 2]), use_resource=True)
    steps = [
        tf.scatter_add(v, [1, 1, 3], numbers(1, 3, 2)),
        tf.scatter_update(v, [0], [[5.0, 6.0]]),
        tf.scatter_nd_add(v, [[2, 1]], [7.0]),
        tf.scatter_mul(v, [1], [[2.0, 3.0]]),
        r.scatter_sub(tf.IndexedSlices(tf.constant(numbers(2, 2, 2)), tf.constant([0, 2]))),
        r.scatter_nd_update([[3, 0]], [9.0]),
        r.assign_add(tf.fill([4, 2], 0.5)),
        tf.count_up_to(tf.Variable(0), 9),
    ]
    for k in range(1, len(steps)):  # one after the other
        op = steps[k].op if hasattr(steps[k], "op") else steps[k]
        op._add_control_input(steps[k - 1].op)  # pylint: disable=protected-access
    with tf.control_dependencies([steps[-1]]):
        return [
            tf.identity(v.read_value()),
            r.read_value(),
            tf.is_variable_initialized(v),
        ], ONCE * 3


@program
def quantised():
    x = tf.constant(numbers(5, 4, 6) * 3)
    fake = tf.quantization.fake_quant_with_min_max_args(x, -2.0, 2.0, num_bits=5)
    low, high = tf.Variable(-1.0), tf.Variable(2.0)
    learnt = tf.quantization.fake_quant_with_min_max_vars(x, low, high)
    channels = tf.quantization.fake_quant_with_min_max_vars_per_channel(
        x, tf.fill([6], -1.5), tf.fill([6], 1.0)
    )
    q = tf.quantization.quantize(x, -3.0, 3.0, tf.quint8)
    back = tf.quantization.dequantize(q.output, q.output_min, q.output_max)
    half = tf.cast(tf.cast(x, tf.half) * 2, tf.float32)
    brain = tf.saturate_cast(x * 100, tf.int8)
    return [fake, learnt, channels, back, half, brain, tf.gradients(learnt, [low, high])], ONCE


@program
def functions():
    """Defuns, a recompute_grad, a custom gradient, a graph imported twice with a map."""
    from tensorflow.python.framework import function

    x = tf.placeholder(tf.float32, [3])

    @function.Defun(tf.float32, tf.float32)
    def hypotenuse(a, b):
        return tf.sqrt(a * a + b * b)

    @tf.custom_gradient
    def log1pexp(v):
        e = tf.exp(v)
        return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

    inner = tf.Graph()
    with inner.as_default():
        a = tf.placeholder(tf.float32, [3], name="a")
        tf.multiply(a, 3.0, name="b")
    (b,) = tf.import_graph_def(
        inner.as_graph_def(), input_map={"a:0": x}, return_elements=["b:0"], name="once"
    )
    y = hypotenuse(x, b)
    z = log1pexp(y)
    stopped = tf.gradients(z + tf.stop_gradient(y) * x, x)[0]
    return [y, z, tf.gradients(z, x)[0], stopped], [{x: numbers(k, 3)} for k in (1, 2)]


@program
def game_of_life():
    board = tf.Variable(tf.constant((numbers(4, 12, 12) > 0.2).astype(np.int32)))
    around = [
        tf.roll(board, [dy, dx], [0, 1]) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx
    ]
    count = tf.add_n(around)
    alive = tf.logical_or(
        tf.equal(count, 3), tf.logical_and(tf.equal(board, 1), tf.equal(count, 2))
    )
    return [board.assign(tf.cast(alive, tf.int32))], ONCE * 5


@program
def policy_gradient():
    """Returns by scan from the end, advantages normalised, sampled actions, one update."""
    states, rewards = tf.constant(numbers(1, 7, 4)), tf.constant(np.abs(numbers(2, 7)))
    w = tf.get_variable("w", [4, 3], initializer=tf.glorot_normal_initializer(seed=1))
    logits = tf.matmul(states, w)
    actions = tf.squeeze(tf.multinomial(logits, 1, seed=5), 1)
    returns = tf.scan(lambda a, r: a * 0.9 + r, rewards, reverse=True)
    mean, variance = tf.nn.moments(returns, [0])
    advantage = tf.stop_gradient((returns - mean) / tf.sqrt(variance + 1e-8))
    picked = tf.reduce_sum(tf.nn.log_softmax(logits) * tf.one_hot(actions, 3), 1)
    gradients, norm = tf.clip_by_global_norm(
        tf.gradients(-tf.reduce_mean(picked * advantage), w), 0.1
    )
    with tf.control_dependencies([logits]):
        update = tf.assign_sub(w, gradients[0])
    return [actions, returns, norm, update], ONCE * 4
