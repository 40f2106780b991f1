# SPDX-License-Identifier: Apache-2.0
"""Images whose size is known only in run(), sizes that are tensors, and images that are refused."""

import re

import numpy as np

ONLY_1X = True

_PIXELS = np.arange(6 * 5 * 3, dtype=np.uint8).reshape(6, 5, 3)
_SHAPES = ([6, 5, 3], [None, None, 3], [None, None, None], None)


def _text(error):
    """The class and the first line of an error, without the names of nodes and functions."""
    text = re.sub(r"\{\{[^}]*\}\}", "", str(error).split("\n")[0])
    return [type(error).__name__, text.strip()]


def _run(tf, call, image, shape, dtype=np.uint8):
    """What the call gives for an image of which only a shape is known: (static shape, values)."""
    with tf.Graph().as_default():
        place = tf.placeholder(dtype, shape)
        found = call(place)
        with tf.Session() as session:
            try:
                value = session.run(found, {place: image})
            except tf.errors.OpError as error:
                return [str(found.shape), type(error).__name__]
        return [str(found.shape), value]


def _each(tf, call, shapes=_SHAPES, image=_PIXELS):
    return [_run(tf, call, image, shape) for shape in shapes]


def crops_and_pads(tf):
    image = tf.image
    calls = [
        lambda x: image.crop_to_bounding_box(x, 1, 2, 3, 2),
        lambda x: image.pad_to_bounding_box(x, 1, 2, 9, 8),
        lambda x: image.resize_image_with_crop_or_pad(x, 4, 9),
        lambda x: image.resize_image_with_crop_or_pad(x, 9, 4),
        lambda x: image.resize_image_with_crop_or_pad(x, 7, 8),
        lambda x: image.resize_image_with_crop_or_pad(x, 6, 5),
    ]
    batch = np.stack([_PIXELS, _PIXELS[::-1]])
    shapes = ([2, 6, 5, 3], [None, 6, 5, 3], [None, None, None, 3], [None] * 4)
    return [[_each(tf, call), _each(tf, call, shapes, batch)] for call in calls]


def middles(tf):
    shapes = ([6, 5, 3], [None, None, 3], [6, None, 3], [None, 5, None])
    fractions = (0.1, 0.5, 0.6, 1.0)
    return [
        _each(tf, lambda x, part=part: tf.image.central_crop(x, part), shapes) for part in fractions
    ]


def sizes_that_are_tensors(tf):
    image = tf.image
    size = tf.placeholder_with_default(np.int32(4), [])
    calls = [
        lambda x: image.crop_to_bounding_box(x, size - 3, size - 3, size, size),
        lambda x: image.crop_to_bounding_box(x, 1, 1, size, 3),
        lambda x: image.pad_to_bounding_box(x, size, 1, size + 8, 10),
        lambda x: image.resize_image_with_crop_or_pad(x, size, 9),
        lambda x: image.resize_image_with_crop_or_pad(x, size + 5, size),
        lambda x: image.resize_image_with_pad(x, size, size + 1),
        lambda x: image.resize_images(x, [size, size + 3]),
        lambda x: image.rot90(x, size - 3),
        lambda x: image.rot90(x, size - 4),
        lambda x: image.rot90(x, k=size + 3),
        lambda x: image.rot90(x, k=size * 4 - 2),
    ]  # fmt: skip
    found = []
    for call in calls:
        for shape in ([None] * 3, [None, None, 3], [6, 5, 3]):
            place = tf.placeholder_with_default(_PIXELS, shape)
            result = call(place)
            with tf.Session() as session:
                found.append([result.shape.ndims, session.run(result)])
    return found


def turns_and_flips(tf):
    image = tf.image
    calls = [
        image.flip_left_right, image.flip_up_down, image.transpose_image, image.rot90,
        lambda x: image.rot90(x, 2), lambda x: image.rot90(x, -1), lambda x: image.rot90(x, 4),
    ]  # fmt: skip
    batch = np.stack([_PIXELS, _PIXELS[::-1]])
    cases = [(_PIXELS, shape) for shape in _SHAPES] + [(batch, [2, 6, 5, 3]), (batch, [None] * 4)]
    return [[_run(tf, call, *case)[1:] for case in cases] for call in calls]


def random_flips(tf):
    found = []
    batch = np.stack([_PIXELS + np.uint8(i) for i in range(8)])
    for flip in (tf.image.random_flip_left_right, tf.image.random_flip_up_down):
        for seed in range(6):
            with tf.Graph().as_default():
                tf.set_random_seed(7)
                one = flip(_PIXELS, seed=seed)
                unknown = flip(tf.placeholder_with_default(_PIXELS, None), seed=seed)
                several = flip(batch, seed=seed)
                floats = flip(batch.astype(np.float32), seed=seed)
                assert unknown.shape.ndims == 3
                with tf.Session() as session:
                    found.append([session.run([one, unknown, several, floats]) for _ in range(3)])
    return found


def resized(tf):
    image, method = tf.image, tf.image.ResizeMethod
    calls = [
        lambda x: image.resize_images(x, [6, 5]), lambda x: image.resize_images(x, [3, 7]),
        lambda x: image.resize_images(x, tf.constant([6, 5])),
        lambda x: image.resize_images(x, [6, 5], method.AREA, align_corners=True),
        lambda x: image.resize_images(x, np.array([6, 5]), method.NEAREST_NEIGHBOR),
        lambda x: image.resize_images(x, (12, 10), preserve_aspect_ratio=True),
        lambda x: image.resize_images(x, [6, 5], preserve_aspect_ratio=True),
        lambda x: image.resize_images(x, [4, 4], "nearest"),
        lambda x: image.resize_images(x, [4, 4], "bicubic"),
        lambda x: image.resize_images(x, [4, 4], "area"),
        lambda x: image.resize_images(x, [4, 4], "bilinear"),
    ]  # fmt: skip
    shapes = ([6, 5, 3], [None, None, 3], [None, None, None])
    return [_each(tf, call, shapes) for call in calls]


def dtypes_of_changed_images(tf):
    image = tf.image
    unit = np.linspace(0, 1, 90).reshape(6, 5, 3)
    calls = [
        lambda x: image.adjust_brightness(x, 0.1), lambda x: image.adjust_contrast(x, 0.5),
        lambda x: image.adjust_gamma(x, 0.5), lambda x: image.adjust_hue(x, 0.2),
        lambda x: image.adjust_saturation(x, 0.5), image.rgb_to_grayscale,
        lambda x: image.grayscale_to_rgb(image.rgb_to_grayscale(x)),
    ]  # fmt: skip
    kinds = (np.float64, np.float32, np.float16, np.uint8)
    return [
        [
            _run(tf, call, unit.astype(kind) if kind in kinds[:3] else _PIXELS, shape, kind)
            for kind in kinds
            for shape in ([6, 5, 3], [None, None, 3])
            if i != 1 or kind != np.float16  # its means are of half precision in TensorFlow
        ]
        for i, call in enumerate(calls)
    ]


def _refused(tf, call, *shapes):
    """What the call says of images of these shapes: when the graph is made, or in run()."""
    found = []
    for shape in shapes:
        for known in (shape, [None] * len(shape), None):
            with tf.Graph().as_default(), tf.Session() as session:
                place = tf.placeholder(tf.float32, known)
                try:
                    value = session.run(call(place), {place: np.ones(shape)})
                    found.append(list(value.shape))
                except Exception as error:
                    found.append(_text(error) if known == shape else type(error).__name__)
    return found


def images_that_do_not_fit(tf):
    image = tf.image
    single, no_rows = [4, 3, 1], [0, 3, 1]
    return [
        _refused(tf, lambda x: image.crop_to_bounding_box(x, 0, 0, 5, 2), single),
        _refused(tf, lambda x: image.crop_to_bounding_box(x, 0, 2, 2, 2), single),
        _refused(tf, lambda x: image.crop_to_bounding_box(x, -1, 0, 2, 2), single, no_rows),
        _refused(tf, lambda x: image.crop_to_bounding_box(x, 0, -1, 2, 2), single, [4, 3]),
        _refused(tf, lambda x: image.crop_to_bounding_box(x, 0, 0, 0, 2), single),
        _refused(tf, lambda x: image.crop_to_bounding_box(x, 0, 0, 2, 0), single),
        _refused(tf, lambda x: image.pad_to_bounding_box(x, 0, 0, 3, 4), single, no_rows),
        _refused(tf, lambda x: image.pad_to_bounding_box(x, 0, 2, 5, 4), single, [4, 3]),
        _refused(tf, lambda x: image.pad_to_bounding_box(x, -1, 0, 5, 4), single),
        _refused(tf, lambda x: image.pad_to_bounding_box(x, 0, -1, 5, 4), single),
        _refused(tf, lambda x: image.resize_image_with_crop_or_pad(x, 0, 4), single, no_rows),
        _refused(tf, lambda x: image.resize_image_with_crop_or_pad(x, 4, -1), single, [4, 3]),
        _refused(tf, lambda x: image.resize_image_with_pad(x, 0, 4), single, no_rows),
        _refused(tf, lambda x: image.resize_image_with_pad(x, 4, -1), single, [4, 3]),
        _refused(tf, image.flip_up_down, [4, 3], no_rows, [1, 1, 2, 3, 1]),
        _refused(tf, image.random_flip_up_down, [4, 3], [1, 1, 2, 3, 1]),
        _refused(tf, image.rot90, [4, 3], no_rows, [1, 1, 2, 3, 1]),
        _refused(tf, image.transpose_image, [4, 3], no_rows, [1, 1, 2, 3, 1]),
        _refused(tf, lambda x: image.resize_images(x, [2, 2]), [4, 3], [1, 1, 2, 3, 1]),
    ]  # fmt: skip


def arguments_that_do_not_fit(tf):
    image = tf.image
    x, gray = tf.ones([4, 3, 3]), tf.ones([4, 3, 1])
    unknown = tf.placeholder(tf.float32)
    calls = [
        lambda: image.central_crop(x, 0.0), lambda: image.central_crop(x, 1.01),
        lambda: image.central_crop(x[0], 0.5), lambda: image.central_crop(unknown, 0.5),
        lambda: image.resize_images(unknown, [2, 2]), lambda: image.resize_images(x, [2]),
        lambda: image.resize_images(x, [2, 2, 2]), lambda: image.resize_images(x, 2),
        lambda: image.resize_images(x, [2.5, 2]), lambda: image.resize_images(x, [2, 2], "none"),
        lambda: image.resize_images(x, [2, 2], 9),
        lambda: image.resize_images(x, tf.constant([2, 2], tf.int64)),
        lambda: image.rot90(x, [1, 2]), lambda: image.random_brightness(x, -0.1),
        lambda: image.random_contrast(x, 0.5, 0.5), lambda: image.random_contrast(x, -0.5, 0.5),
        lambda: image.random_saturation(x, 0.5, 0.4),
        lambda: image.random_saturation(x, -0.5, 0.5), lambda: image.random_hue(x, 0.51),
        lambda: image.random_hue(x, -0.1), lambda: image.adjust_gamma(x, -1),
        lambda: image.grayscale_to_rgb(x), lambda: image.grayscale_to_rgb(gray[:, 0, 0]),
        lambda: image.convert_image_dtype(x, tf.string), lambda: image.total_variation(x[0]),
        lambda: image.image_gradients(x), lambda: image.psnr(x, gray, 1.0),
        lambda: image.ssim(x[0], x[0], 1.0), lambda: image.ssim(x[:3], x, 1.0),
        lambda: image.ssim(tf.stack([x] * 2), tf.stack([x] * 3), 1.0),
        lambda: image.decode_image(b"", channels=2),
        lambda: image.random_jpeg_quality(x, -1, 5), lambda: image.random_jpeg_quality(x, 5, 5),
    ]  # fmt: skip
    texts = [
        "central_fraction must be within (0, 1]", "central_fraction must be within (0, 1]",
        "'image' must be at least three-dimensional.",
        "`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = None.",
        "'images' contains no shape.",
        "'size' must be a 1-D Tensor of 2 elements: new_height, new_width",
        "'size' must be a 1-D Tensor of 2 elements: new_height, new_width",
        "'size' must be a 1-D Tensor of 2 elements: new_height, new_width",
        "'size' must be a 1-D int32 Tensor", "Resize method is not implemented.",
        "Resize method is not implemented.", "'size' must be a 1-D int32 Tensor", "rank 0",
        "max_delta must be non-negative.", "upper must be > lower.", "lower must be non-negative.",
        "upper must be > lower.", "lower must be non-negative.", "max_delta must be <= 0.5.",
        "max_delta must be non-negative.", "Gamma should be a non-negative real number.",
        "Last dimension of a grayscale image should be size 1.",
        "A grayscale image must be at least two-dimensional.",
        "dtype must be either floating point or integer",
        "'images' must be either 3 or 4-dimensional.", "image_gradients expects a 4D tensor",
        "are incompatible", "rank", "are incompatible", "Two images are not compatible",
        "channels must be in (None, 0, 1, 3, 4)",
        "jpeg encoding range must be between 0 and 100.",
        "`min_jpeg_quality` must be less than `max_jpeg_quality`.",
    ]  # fmt: skip
    found = []
    for call, text in zip(calls, texts):
        try:
            call()
            found.append("fine")
        except Exception as error:
            found.append([type(error).__name__, text in str(error), text])
    return found


def files_that_are_not_decoded(tf):
    jpeg = tf.image.encode_jpeg(_PIXELS)
    cases = [
        (b"text", None, "Unable to decode bytes as JPEG, PNG, GIF, or BMP"),
        (b"", None, "Unable to decode bytes as JPEG, PNG, GIF, or BMP"),
        (jpeg, 4, "Channels must be in (None, 0, 1, 3) when decoding JPEG images"),
    ]  # fmt: skip
    found = []
    for contents, channels, text in cases:
        with tf.Session() as session:
            try:
                found.append(session.run(tf.image.decode_image(contents, channels)))
            except tf.errors.OpError as error:
                found.append([type(error).__name__, text in error.message])
    return found


def measures(tf):
    images = np.random.RandomState(1).rand(2, 24, 24, 2).astype(np.float32)
    shapes = ([2, 24, 24, 2], [None, None, None, 2], None)
    calls = [
        lambda x: tf.image.ssim(x, x * 0.9, 1.0),
        lambda x: tf.image.ssim_multiscale(x, x * 0.9, 1.0, (0.4, 0.6)),
        lambda x: tf.image.sobel_edges(x),
    ]
    return [_run(tf, call, images, shape, np.float32)[1] for call in calls for shape in shapes]
