# SPDX-License-Identifier: Apache-2.0
"""nn, image and signal: values against NumPy, gradients against differences."""

import functions
import harness
import numpy as np
import sluice as sl
from functions import table, value_of
from gradients_test import cases

nn, im, sg = sl.nn, sl.image, sl.signal
RNG = np.random.RandomState(5)
X = RNG.normal(size=(2, 3))
L = np.array([[0.2, 0.8, 0.0], [1.0, 0.0, 0.0]])
IMAGE = RNG.uniform(size=(2, 4, 6, 3))
ONE = IMAGE[:1, :, :, :1]


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def test_activations():
    table(
        ("relu", lambda: nn.relu(X), np.maximum(X, 0)),
        ("relu6", lambda: nn.relu6(9 * X), np.clip(9 * X, 0, 6)),
        ("elu", lambda: nn.elu(X), np.where(X > 0, X, np.expm1(X))),
        ("selu", lambda: nn.selu(X),
         1.0507009873554805 * np.where(X > 0, X, 1.6732632423543772 * np.expm1(X))),
        ("leaky_relu", lambda: nn.leaky_relu(X, 0.1), np.where(X > 0, X, 0.1 * X)),
        ("crelu", lambda: nn.crelu(X), np.maximum(np.concatenate([X, -X], 1), 0)),
        ("swish", lambda: nn.swish(X), X / (1 + np.exp(-X))),
        ("sigmoid", lambda: nn.sigmoid(X), 1 / (1 + np.exp(-X))),
        ("log_sigmoid", lambda: nn.log_sigmoid(X), -np.log1p(np.exp(-X))),
        ("tanh", lambda: nn.tanh(X), np.tanh(X)),
        ("softplus", lambda: nn.softplus(X), np.log1p(np.exp(X))),
        ("softsign", lambda: nn.softsign(X), X / (1 + np.abs(X))),
        ("softmax", lambda: nn.softmax(X), softmax(X)),
        ("softmax 0", lambda: nn.softmax(X, 0), softmax(X, 0)),
        ("log_softmax", lambda: nn.log_softmax(X), np.log(softmax(X))),
        ("l2_loss", lambda: nn.l2_loss(X), np.sum(X * X) / 2),
        ("l2_normalize", lambda: nn.l2_normalize(X, 1),
         X / np.linalg.norm(X, axis=1, keepdims=True)),
        ("bias_add", lambda: nn.bias_add(X, [1.0, 2, 3]), X + [1, 2, 3]),
        ("xw_plus_b", lambda: nn.xw_plus_b(X, X.T, [1.0, 2]), X @ X.T + [1, 2]),
        ("relu_layer", lambda: nn.relu_layer(X, X.T, [-9.0, 2]), np.maximum(X @ X.T + [-9, 2], 0)),
        ("zero_fraction", lambda: nn.zero_fraction(L), 0.5),
        ("top_k", lambda: nn.top_k(L, 1)[1], [[1], [0]]),
        ("in_top_k", lambda: nn.in_top_k(np.float32(L), [1, 1], 1), [True, False]),
    )  # fmt: skip
    x = np.float32(IMAGE)
    square = np.pad(x * x, [[0, 0], [0, 0], [0, 0], [1, 1]])
    near = square[..., :-2] + square[..., 1:-1] + square[..., 2:]
    table(
        ("lrn", lambda: nn.lrn(x, 1), x / np.sqrt(1 + near)),
        ("lrn", lambda: nn.local_response_normalization(x, 1), x / np.sqrt(1 + near)),
    )
    drawn = value_of(lambda: nn.dropout(np.ones(4000), rate=0.25, seed=1))
    assert set(np.round(drawn, 6)) == {0.0, round(4 / 3, 6)} and abs(drawn.mean() - 1) < 0.05
    ones = np.ones((50, 4))
    rows = value_of(lambda: nn.dropout(ones, keep_prob=0.5, noise_shape=[50, 1], seed=1))
    assert np.all(rows == rows[:, :1]) and 0 < rows.mean() < 2
    harness.raises(ValueError, lambda: nn.dropout(1.0), "rate")


def test_normalisation():
    m, v = IMAGE.mean((0, 1, 2)), IMAGE.var((0, 1, 2))
    w = RNG.uniform(size=(2, 3))
    wm = np.sum(w * X) / np.sum(w)
    table(
        ("moments", lambda: nn.moments(IMAGE, [0, 1, 2]), (m, v)),
        ("moments, kept", lambda: nn.moments(X, [1], keepdims=True)[1],
         X.var(1, keepdims=True)),
        ("weighted", lambda: nn.weighted_moments(X, [0, 1], w),
         (wm, np.sum(w * (X - wm) ** 2) / np.sum(w))),
        ("sums", lambda: nn.sufficient_statistics(X, [0])[:3], (2.0, X.sum(0), (X * X).sum(0))),
        ("batch_normalization", lambda: nn.batch_normalization(IMAGE, m, v, m, v, 1e-3),
         (IMAGE - m) / np.sqrt(v + 1e-3) * v + m),
        ("no offset", lambda: nn.batch_normalization(X, 1.0, 4.0, None, None, 0.0), (X - 1) / 2),
        ("fused", lambda: nn.fused_batch_norm(
            np.float32(IMAGE), np.float32(v), np.float32(m))[0],
         (IMAGE - m) / np.sqrt(v + 1e-3) * v + m),
        rtol=1e-4,
    )  # fmt: skip


def test_losses_of_logits():
    xent = -np.sum(L * np.log(softmax(X)), 1)
    s = 1 / (1 + np.exp(-X))
    many = np.stack([X, 2 * X])
    bce = -L * np.log(s) - (1 - L) * np.log(1 - s)
    z = np.array([0.5, 3.0])
    stirling = z * np.log(z) - z + 0.5 * np.log(2 * np.pi * z)
    table(
        ("softmax", lambda: nn.softmax_cross_entropy_with_logits(labels=L, logits=X), xent),
        ("v2", lambda: nn.softmax_cross_entropy_with_logits_v2(labels=L.T, logits=X.T, axis=0),
         xent),
        ("rank 3",
         lambda: nn.softmax_cross_entropy_with_logits(labels=np.stack([L, L]), logits=many)[0],
         xent),
        ("sparse", lambda: nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0], logits=X),
         -np.log(softmax(X)[[0, 1], [1, 0]])),
        ("sparse, rank 3",
         lambda: nn.sparse_softmax_cross_entropy_with_logits(labels=[[1, 0]] * 2, logits=many)[0],
         -np.log(softmax(X)[[0, 1], [1, 0]])),
        ("sigmoid", lambda: nn.sigmoid_cross_entropy_with_logits(labels=L, logits=X), bce),
        ("weighted", lambda: nn.weighted_cross_entropy_with_logits(L, X, 3.0),
         -3 * L * np.log(s) - (1 - L) * np.log(1 - s)),
        ("poisson", lambda: nn.log_poisson_loss(z, [0.5, 1.0]), np.exp([0.5, 1]) - z * [0.5, 1]),
        ("in full", lambda: nn.log_poisson_loss(z, [0.5, 1.0], True),
         np.exp([0.5, 1]) - z * [0.5, 1] + [0, stirling[1]]),
    )  # fmt: skip


def conv(x, f, pad=0, step=1, dilation=1):
    """A convolution as sums of products, NHWC."""
    x = np.pad(x, [[0, 0], [pad, pad], [pad, pad], [0, 0]])
    h = (x.shape[1] - dilation * (f.shape[0] - 1) - 1) // step + 1
    w = (x.shape[2] - dilation * (f.shape[1] - 1) - 1) // step + 1
    out = 0
    for i in range(f.shape[0]):
        for j in range(f.shape[1]):
            a, b = i * dilation, j * dilation
            part = x[:, a : a + step * (h - 1) + 1 : step, b : b + step * (w - 1) + 1 : step]
            out = out + part @ f[i, j]
    return out


def test_convolution_and_pooling():
    f = RNG.normal(size=(3, 3, 3, 4))
    deep = RNG.normal(size=(3, 3, 3, 1))
    each = np.zeros((3, 3, 3, 3))
    for c in range(3):
        each[:, :, c, c] = deep[:, :, c, 0]
    point = RNG.normal(size=(1, 1, 3, 2))
    k = RNG.normal(size=(2, 2, 3))
    windows = np.stack([IMAGE[:, i : 3 + i, j : 5 + j] for i in (0, 1) for j in (0, 1)])
    kernel = np.stack([k[i, j] for i in (0, 1) for j in (0, 1)])[:, None, None, None]
    blocks = IMAGE.reshape(2, 2, 2, 3, 2, 3)
    line = IMAGE[:, 0]
    volume = IMAGE[..., None]
    table(
        ("conv2d", lambda: nn.conv2d(IMAGE, f, 1, "SAME"), conv(IMAGE, f, 1)),
        ("conv2d, 2", lambda: nn.conv2d(IMAGE, filters=f, strides=[1, 2, 2, 1], padding="VALID"),
         conv(IMAGE, f, 0, 2)),
        ("transposed", lambda: nn.conv2d_transpose(
            nn.conv2d(IMAGE, f, 1, "SAME"), np.eye(3)[None, None, :, :1].repeat(4, 3) * 0,
            [2, 4, 6, 3], 1), 0 * IMAGE),
        ("conv1d", lambda: nn.conv1d(line, f[1], 1, "VALID"), conv(line[:, None], f[1:2], 0)[:, 0]),
        ("conv3d", lambda: nn.conv3d(volume, f[:2, :1, :1, :1, None] * 1.0, 1, "VALID"),
         volume[:, :-1] * f[0, 0, 0, 0] + volume[:, 1:] * f[1, 0, 0, 0]),
        ("conv3d_transpose", lambda: nn.conv3d_transpose(
            volume, np.ones((1, 1, 1, 2, 1)), [2, 4, 6, 3, 2], 1), volume.repeat(2, 4)),
        ("atrous", lambda: nn.atrous_conv2d(IMAGE, f[:2, :2], 2, "VALID"),
         conv(IMAGE, f[:2, :2], dilation=2)),
        ("depthwise", lambda: nn.depthwise_conv2d(IMAGE, deep, 1, "VALID"), conv(IMAGE, each)),
        ("native", lambda: nn.depthwise_conv2d_native(IMAGE, deep, 1, "VALID"), conv(IMAGE, each)),
        ("separable", lambda: nn.separable_conv2d(IMAGE, deep, point, 1, "VALID"),
         conv(conv(IMAGE, each), point)),
        ("dilation2d", lambda: nn.dilation2d(IMAGE, k, 1, 1, "VALID"), (windows + kernel).max(0)),
        ("erosion2d", lambda: nn.erosion2d(IMAGE, k, 1, 1, "VALID"),
         (windows - kernel[::-1]).min(0)),
        ("max_pool", lambda: nn.max_pool(IMAGE, 2, 2, "VALID"), blocks.max((2, 4))),
        ("max_pool2d", lambda: nn.max_pool2d(IMAGE, [1, 2, 2, 1], 2, "SAME"), blocks.max((2, 4))),
        ("avg_pool", lambda: nn.avg_pool(IMAGE, 2, 2, "VALID"), blocks.mean((2, 4))),
        ("avg_pool2d", lambda: nn.avg_pool2d(IMAGE, 2, 2, "VALID"), blocks.mean((2, 4))),
        ("max_pool1d", lambda: nn.max_pool1d(line, 2, 2, "VALID"), blocks[:, 0, 0].max(2)),
        ("avg_pool1d", lambda: nn.avg_pool1d(line, 2, 2, "VALID"), blocks[:, 0, 0].mean(2)),
        ("max_pool3d", lambda: nn.max_pool3d(np.float32(volume), [2, 2, 1], [2, 2, 1], "VALID"),
         np.float32(blocks.max((2, 4)))[..., None]),
        ("avg_pool3d", lambda: nn.avg_pool3d(np.float32(volume), [2, 2, 1], [2, 2, 1], "VALID"),
         blocks.mean((2, 4))[..., None]),
        ("argmax", lambda: nn.max_pool_with_argmax(np.float32(ONE), 2, 2, "VALID")[0],
         np.float32(ONE.reshape(1, 2, 2, 3, 2, 1).max((2, 4)))),
        ("fractional_max", lambda: nn.fractional_max_pool(IMAGE, [1.0, 1.0, 1.0, 1.0])[0], IMAGE),
        ("fractional_avg", lambda: nn.fractional_avg_pool(IMAGE, [1.0, 1.0, 1.0, 1.0])[0], IMAGE),
        ("space_to_depth", lambda: nn.space_to_depth(IMAGE, 2),
         blocks.transpose(0, 1, 3, 2, 4, 5).reshape(2, 2, 3, 12)),
        ("depth_to_space", lambda: nn.depth_to_space(nn.space_to_depth(IMAGE, 2), 2), IMAGE),
        ("space_to_batch", lambda: nn.batch_to_space(
            nn.space_to_batch(IMAGE, [[0, 0]] * 2, 2), [[0, 0]] * 2, 2), IMAGE),
        rtol=1e-4, atol=1e-5,
    )  # fmt: skip


def test_embeddings_and_samples():
    table10 = RNG.normal(size=(10, 2))
    ids = [[0, 7], [3, 9]]
    mod = [table10[i::3] for i in range(3)]
    div = [table10[:4], table10[4:7], table10[7:]]
    sparse_ids = lambda: sl.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 3, 3], [2, 2])  # noqa: E731
    weights = lambda: sl.SparseTensor([[0, 0], [0, 1], [1, 0]], [1.0, 3.0, 2.0], [2, 2])  # noqa: E731
    norm = np.linalg.norm(table10, axis=1, keepdims=True)
    lookup = nn.embedding_lookup
    both = nn.embedding_lookup_sparse
    table(
        ("one table", lambda: lookup(table10, ids), table10[ids]),
        ("mod", lambda: lookup(mod, ids), table10[ids]),
        ("div", lambda: lookup(div, ids, "div"), table10[ids]),
        ("max_norm", lambda: lookup(table10, ids, max_norm=0.5),
         (table10 * np.minimum(1, 0.5 / norm))[ids]),
        ("sum", lambda: both(table10, sparse_ids(), combiner="sum"),
         [table10[1] + table10[3], table10[3]]),
        ("mean, weights", lambda: both(table10, sparse_ids(), weights()),
         [(table10[1] + 3 * table10[3]) / 4, table10[3]]),
        ("sqrtn", lambda: both(table10, sparse_ids(), weights(), combiner="sqrtn"),
         [(table10[1] + 3 * table10[3]) / np.sqrt(10), table10[3]]),
    )  # fmt: skip
    true = np.array([[1], [2]], np.int64)
    uniform = lambda: nn.uniform_candidate_sampler(true, 1, 4, True, 9, seed=3)  # noqa: E731
    for make in (
        uniform,
        lambda: nn.log_uniform_candidate_sampler(true, 1, 4, True, 9, seed=3),
        lambda: nn.learned_unigram_candidate_sampler(true, 1, 4, True, 9, seed=3),
        lambda: nn.fixed_unigram_candidate_sampler(true, 1, 4, True, 9, unigrams=[1.0] * 9, seed=3),
        lambda: nn.all_candidate_sampler(true, 1, 4, True),
    ):
        drawn, expected, sampled = value_of(make)
        assert len(set(drawn.tolist())) == 4 and drawn.max() < 9
        assert expected.shape == (2, 1) and sampled.shape == (4,)
    hits = value_of(lambda: nn.compute_accidental_hits(true, np.int64([5, 2, 1]), 1))
    assert hits[0].tolist() == [0, 1] and hits[1].tolist() == [2, 1] and np.all(hits[2] < -1e30)

    w, b, x = RNG.normal(size=(9, 3)), RNG.normal(size=9), X
    values = np.int64([5, 0, 2]), np.full((2, 1), 0.5), np.full(3, 0.25)
    logits = np.concatenate(
        [np.sum(x * w[true[:, 0]], 1, keepdims=True) + b[true] - np.log(0.5),
         x @ w[values[0]].T + b[values[0]] - np.log(0.25)], 1
    )  # fmt: skip
    y = np.array([[1.0, 0, 0, 0]] * 2)
    bce = np.maximum(logits, 0) - logits * y + np.log1p(np.exp(-np.abs(logits)))
    soft = logits.copy()
    soft[1, 3] = -np.inf  # class 2 was sampled, and is the second row's own
    table(
        ("nce_loss", lambda: nn.nce_loss(w, b, true, x, 3, 9, sampled_values=values), bce.sum(1)),
        ("sampled softmax", lambda: nn.sampled_softmax_loss(w, b, true, x, 3, 9,
                                                            sampled_values=values),
         -np.log(softmax(soft)[:, 0])),
    )  # fmt: skip
    drawn = value_of(lambda: nn.nce_loss(w, b, true, x, 3, 9))
    assert drawn.shape == (2,) and np.all(drawn > 0)
    cases(
        (
            "nce",
            lambda w, x: nn.nce_loss(w, b, true, x, 3, 9, sampled_values=values),
            (9, 3),
            (2, 3),
        ),
        ("mod", lambda x, y: lookup([x, y], [0, 1, 3, 0]), (2, 2), (2, 2)),
        ("norm", lambda x: lookup(x, [0, 2], max_norm=0.5), (3, 2)),
    )


def test_gradients():
    images = (1, 3, 4, 2)
    cases(
        ("softmax 0", lambda x: nn.softmax(x, 0), (2, 3)),
        ("xent 3",
         lambda x: nn.softmax_cross_entropy_with_logits(labels=np.stack([L, L]), logits=x),
         (2, 2, 3)),
        ("bce", lambda x: nn.sigmoid_cross_entropy_with_logits(labels=L, logits=x), (2, 3)),
        ("weighted", lambda x: nn.weighted_cross_entropy_with_logits(L, x, 3.0), (2, 3)),
        ("moments", lambda x: nn.moments(x, [0])[1], (3, 2)),
        ("weighted moments", lambda x: nn.weighted_moments(x, [0], 2.0)[1], (3, 2)),
        ("batch norm", lambda x, m: nn.batch_normalization(x, m, 2.0, m, m, 0.1), (3, 2), (2,)),
        ("conv1d", lambda x, f: nn.conv1d(x, f, 1, "SAME"), (1, 5, 2), (3, 2, 2)),
        ("transpose", lambda x, f: nn.conv2d_transpose(x, f, [1, 3, 4, 1], 1), images,
         (2, 2, 1, 2)),
        ("depthwise", lambda x, f: nn.depthwise_conv2d(x, f, 1, "SAME"), images, (2, 2, 2, 1)),
        ("separable", lambda x, f, g: nn.separable_conv2d(x, f, g, 1, "SAME"), images, (2, 2, 2, 1),
         (1, 1, 2, 3)),
        ("erosion", lambda x, k: nn.erosion2d(x, k, 1, 1, "VALID"), images, (2, 2, 2)),
        ("pool1d", lambda x: nn.avg_pool1d(x, 2, 1, "SAME"), (1, 5, 2)),
        ("variation", im.total_variation, (2, 3, 2)),
        ("crop or pad", lambda x: im.resize_with_crop_or_pad(x, 2, 5), (3, 3, 1)),
        ("frame", lambda x: sg.frame(x, 3, 2, pad_end=True), (6,)),
        ("overlap", lambda x: sg.overlap_and_add(x, 2), (3, 4)),
        ("dct", lambda x: sg.dct(x, norm="ortho"), (2, 4)),
    )  # fmt: skip


def test_images():
    gray = IMAGE @ [0.2989, 0.587, 0.114]
    pixels = np.array([[[0, 128, 255]]], np.uint8)
    mean = IMAGE.mean((1, 2), keepdims=True)
    table(
        ("nearest", lambda: im.resize_nearest_neighbor(IMAGE, [2, 3]), IMAGE[:, ::2, ::2]),
        ("bilinear", lambda: im.resize_bilinear(IMAGE, [2, 3]), np.float32(IMAGE[:, ::2, ::2])),
        ("bicubic", lambda: im.resize_bicubic(IMAGE, [4, 6]), np.float32(IMAGE)),
        ("area", lambda: im.resize_area(IMAGE, [2, 3]),
         np.float32(IMAGE.reshape(2, 2, 2, 3, 2, 3).mean((2, 4)))),
        ("resize", lambda: im.resize(IMAGE[0], [2, 3], im.ResizeMethod.AREA),
         np.float32(IMAGE[0].reshape(2, 2, 3, 2, 3).mean((1, 3)))),
        ("resize_images", lambda: im.resize_images(IMAGE, [2, 3], 1), IMAGE[:, ::2, ::2]),
        ("hsv", lambda: im.hsv_to_rgb(im.rgb_to_hsv(np.float32(IMAGE))), np.float32(IMAGE)),
        ("yiq", lambda: im.yiq_to_rgb(im.rgb_to_yiq(IMAGE)), IMAGE),
        ("yuv", lambda: im.yuv_to_rgb(im.rgb_to_yuv(IMAGE)), IMAGE),
        ("grayscale", lambda: im.rgb_to_grayscale(IMAGE)[..., 0], gray),
        ("rgb", lambda: im.grayscale_to_rgb(ONE), ONE.repeat(3, 3)),
        ("to float", lambda: im.convert_image_dtype(pixels, sl.float32), np.float32(pixels) / 255),
        ("to bytes", lambda: im.convert_image_dtype(np.float32([0, 0.5, 2]), sl.uint8, True),
         np.uint8([0, 127, 255])),
        ("to int16", lambda: im.convert_image_dtype(pixels, sl.int16),
         np.int16([[[0, 128 * 128, 255 * 128]]])),
        ("brightness", lambda: im.adjust_brightness(IMAGE, 0.25), IMAGE + 0.25),
        ("brightness of bytes", lambda: im.adjust_brightness(pixels, 0.5),
         np.uint8([[[127, 255, 255]]])),
        ("contrast", lambda: im.adjust_contrast(np.float32(IMAGE), 2.0), (IMAGE - mean) * 2 + mean),
        ("gamma", lambda: im.adjust_gamma(IMAGE, 2.0, 3.0), 3 * IMAGE**2),
        ("hue", lambda: im.adjust_hue(np.float32([[[1, 0, 0]]]), 1 / 3), np.float32([[[0, 1, 0]]])),
        ("saturation", lambda: im.adjust_saturation(np.float32([[[1, 0.5, 0.5]]]), 0.0),
         np.ones((1, 1, 3))),
        rtol=2e-5, atol=2e-5,
    )  # fmt: skip


def test_flips_crops_and_measures_of_images():
    table(
        ("left_right", lambda: im.flip_left_right(IMAGE), IMAGE[:, :, ::-1]),
        ("up_down", lambda: im.flip_up_down(IMAGE[0]), IMAGE[0, ::-1]),
        ("transpose", lambda: im.transpose(IMAGE), IMAGE.transpose(0, 2, 1, 3)),
        ("transpose_image", lambda: im.transpose_image(IMAGE[0]), IMAGE[0].transpose(1, 0, 2)),
        ("rot90", lambda: im.rot90(IMAGE[0]), np.rot90(IMAGE[0])),
        ("rot90 3", lambda: im.rot90(IMAGE, 3), np.rot90(IMAGE, 3, (1, 2))),
        ("rot90 2", lambda: im.rot90(IMAGE, 2), np.rot90(IMAGE, 2, (1, 2))),
        ("crop", lambda: im.crop_to_bounding_box(IMAGE, 1, 2, 2, 3), IMAGE[:, 1:3, 2:5]),
        ("pad", lambda: im.pad_to_bounding_box(IMAGE, 1, 2, 6, 9),
         np.pad(IMAGE, [[0, 0], [1, 1], [2, 1], [0, 0]])),
        ("crop or pad", lambda: im.resize_with_crop_or_pad(IMAGE, 6, 3),
         np.pad(IMAGE[:, :, 1:4], [[0, 0], [1, 1], [0, 0], [0, 0]])),
        ("long name", lambda: im.resize_image_with_crop_or_pad(IMAGE[0], 2, 6), IMAGE[0, 1:3]),
        ("central_crop", lambda: im.central_crop(IMAGE, 0.5), IMAGE[:, 1:3, 1:5]),
        ("standard", lambda: im.per_image_standardization(IMAGE),
         (IMAGE - IMAGE.mean((1, 2, 3), keepdims=True)) / IMAGE.std((1, 2, 3), keepdims=True)),
        ("variation", lambda: im.total_variation(IMAGE),
         np.abs(np.diff(IMAGE, axis=1)).sum((1, 2, 3))
         + np.abs(np.diff(IMAGE, axis=2)).sum((1, 2, 3))),
        ("image_gradients", lambda: im.image_gradients(ONE),
         (np.diff(ONE, axis=1, append=ONE[:, -1:]), np.diff(ONE, axis=2, append=ONE[:, :, -1:]))),
        ("psnr", lambda: im.psnr(IMAGE, IMAGE + 0.1, 1.0), [20.0, 20.0]),
        ("crop_and_resize", lambda: im.crop_and_resize(
            np.float32(ONE), [[0.0, 0, 1, 1]], [0], [4, 6]), np.float32(ONE)),
        ("patches", lambda: im.extract_image_patches(
            ONE, [1, 1, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"),
         np.concatenate([ONE[:, :, :-1], ONE[:, :, 1:]], 3)),
        ("glimpse", lambda: im.extract_glimpse(np.float32(ONE), [2, 2], [[0.0, 0.0]]),
         np.float32(ONE[:, 1:3, 2:4])),
        ("boxes", lambda: im.draw_bounding_boxes(
            np.zeros((1, 4, 4, 3), np.float32), [[[0.0, 0, 0, 0]]])[0, 1:, 1:],
         np.zeros((3, 3, 3))),
        ("best boxes", lambda: im.non_max_suppression(
            [[0.0, 0, 1, 1], [0, 0, 1, 0.9], [2, 2, 3, 3]], [0.5, 0.9, 0.3], 3), [1, 2]),
        ("overlaps", lambda: im.non_max_suppression_overlaps(
            [[1.0, 0.9], [0.9, 1.0]], [0.5, 0.9], 2), [1]),
        ("distorted", lambda: sl.shape(im.sample_distorted_bounding_box(
            [4, 6, 3], [[[0.0, 0, 1, 1]]], seed=1)[2]), [1, 1, 4]),
        ("random_brightness", lambda: im.random_brightness(IMAGE, 1e-9, 1), IMAGE),
        ("random_contrast", lambda: im.random_contrast(np.float32(IMAGE), 1, 1 + 1e-6, 1),
         np.float32(IMAGE)),
        ("random_hue", lambda: im.random_hue(np.float32(IMAGE), 1e-9, 1), np.float32(IMAGE)),
        ("random_saturation", lambda: im.random_saturation(np.float32(IMAGE), 1, 1 + 1e-6, 1),
         np.float32(IMAGE)),
        rtol=2e-5, atol=2e-5,
    )  # fmt: skip
    for flip, axis in ((im.random_flip_left_right, 2), (im.random_flip_up_down, 1)):
        batch = np.repeat(IMAGE[:1], 64, 0)
        flipped = value_of(lambda flip=flip, batch=batch: flip(batch, 1))
        same = [np.array_equal(f, IMAGE[0]) for f in flipped]
        turned = [np.array_equal(f, np.flip(IMAGE[0], axis - 1)) for f in flipped]
        assert all(a != b for a, b in zip(same, turned)) and 10 < sum(same) < 54
    functions.uses_every_name(im, "im", "nn_functions_test.py")


def test_signals():
    x = RNG.normal(size=(2, 8))
    z = (x + 1j * x[::-1]).astype(np.complex128)
    cube = RNG.normal(size=(2, 4, 6))
    n = np.arange(8)
    basis = np.cos(np.pi * np.outer(n, 2 * n + 1) / 16)
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(4) / 4)
    frames = np.stack([x[:, i : i + 4] for i in (0, 2, 4)], 1)

    def there_and_back():
        window = sg.inverse_stft_window_fn(2)
        return sg.inverse_stft(sg.stft(x, 4, 2), 4, 2, window_fn=window)[:, 2:-2]

    table(
        ("fft", lambda: sg.fft(z), np.fft.fft(z)),
        ("ifft", lambda: sg.ifft(z), np.fft.ifft(z)),
        ("fft2d", lambda: sg.fft2d(z), np.fft.fft2(z)),
        ("ifft2d", lambda: sg.ifft2d(z), np.fft.ifft2(z)),
        ("fft3d", lambda: sg.fft3d(cube.astype(complex)), np.fft.fftn(cube)),
        ("ifft3d", lambda: sg.ifft3d(cube.astype(complex)), np.fft.ifftn(cube)),
        ("rfft", lambda: sg.rfft(np.float32(x), [6]), np.fft.rfft(x, 6)),
        ("irfft", lambda: sg.irfft(sg.rfft(np.float32(x))), np.float32(x)),
        ("rfft2d", lambda: sg.rfft2d(np.float32(cube)), np.fft.rfft2(cube)),
        ("irfft2d", lambda: sg.irfft2d(sg.rfft2d(np.float32(cube))), np.float32(cube)),
        ("rfft3d", lambda: sg.rfft3d(np.float32(cube)), np.fft.rfftn(cube)),
        ("irfft3d", lambda: sg.irfft3d(sg.rfft3d(np.float32(cube))), np.float32(cube)),
        ("fftshift", lambda: sg.fftshift(x[:, :7]), np.fft.fftshift(x[:, :7])),
        ("ifftshift", lambda: sg.ifftshift(x[:, :7], 1), np.fft.ifftshift(x[:, :7], 1)),
        ("hann", lambda: sg.hann_window(4), hann),
        ("hann, symmetric", lambda: sg.hann_window(5, periodic=False), np.hanning(5)),
        ("hamming, odd", lambda: sg.hamming_window(5), np.hamming(5)),
        ("hamming of 1", lambda: sg.hamming_window(1), [1.0]),
        ("frame", lambda: sg.frame(x, 4, 2), frames),
        ("frame to the end", lambda: sg.frame([1, 2, 3], 2, 2, pad_end=True), [[1, 2], [3, 0]]),
        ("overlap_and_add", lambda: sg.overlap_and_add([[1, 2, 3], [4, 5, 6]], 2), [1, 2, 7, 5, 6]),
        ("stft", lambda: sg.stft(np.float32(x), 4, 2), np.fft.rfft(frames * hann)),
        ("inverse_stft", there_and_back, x[:, 2:-2]),
        ("dct", lambda: sg.dct(x), 2 * x @ basis.T),
        ("dct, ortho", lambda: sg.idct(sg.dct(x, norm="ortho"), norm="ortho"), x),
        ("idct", lambda: sg.idct(sg.dct(x)), 16 * x),
        rtol=1e-4, atol=1e-5,
    )  # fmt: skip
    functions.uses_every_name(sg, "sg", "nn_functions_test.py")


def test_nothing_is_left_out():
    functions.uses_every_name(nn, "nn", "nn_functions_test.py")
