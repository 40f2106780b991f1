# SPDX-License-Identifier: Apache-2.0
"""Images and sounds as the bytes of files."""

import numpy as np

from interop.programs.client._outcomes import outcome


def _image():
    rows, columns = np.mgrid[:12, :10]
    return np.stack([rows * 20, columns * 25, (rows + columns) * 11], -1).astype(np.uint8)


def encoded(tf):
    image, grey = _image(), _image()[..., :1]
    deep = image.astype(np.uint16) * 257
    with tf.Session() as sess:
        png, jpeg, small = sess.run(
            [
                tf.image.encode_png(image),
                tf.image.encode_jpeg(image),
                tf.image.encode_jpeg(grey, format="grayscale", quality=20, progressive=True),
            ]
        )
        return [
            sess.run(tf.image.decode_png(png)),
            sess.run(tf.image.decode_png(png, channels=4, dtype=tf.uint16)),
            sess.run(tf.image.decode_png(tf.image.encode_png(deep, 9), dtype=tf.uint16)),
            sess.run(tf.image.decode_jpeg(jpeg)),
            sess.run(
                tf.image.decode_jpeg(jpeg, channels=1, ratio=2, dct_method="INTEGER_ACCURATE")
            ),
            sess.run(tf.image.decode_and_crop_jpeg(jpeg, [2, 1, 5, 6])),
            sess.run(tf.image.decode_jpeg(small)),
            sess.run(tf.image.extract_jpeg_shape(jpeg)),
            sess.run(tf.io.extract_jpeg_shape(small, output_type=tf.int64)),
            [bool(b) for b in sess.run([tf.image.is_jpeg(jpeg), tf.io.is_jpeg(png)])],
        ]


_GIF = (
    b"GIF89a\x02\x00\x02\x00\x80\x00\x00\xff\x00\x00\x00\x00\xff,\x00\x00\x00\x00\x02\x00\x02\x00"
    b"\x00\x02\x03D\x02\x05\x00;"
)
_BMP = (
    b"BM>\x00\x00\x00\x00\x00\x00\x006\x00\x00\x00(\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00"
    b"\x01\x00\x18\x00\x00\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    b"\x00\x00\x00\x00\x00\x00\x01\x02\x03\x00\x04\x05\x06\x00"
)


def of_any_kind(tf):
    with tf.Session() as sess:
        png, jpeg = sess.run([tf.image.encode_png(_image()), tf.image.encode_jpeg(_image())])
        found = []
        for data in (png, jpeg, _GIF, _BMP):
            for more in ({}, {"dtype": tf.float32}, {"channels": 3, "expand_animations": False}):
                found.append(sess.run(tf.image.decode_image(data, **more)))
        holder = tf.placeholder(tf.string, [])
        image = tf.io.decode_image(holder)
        found += [sess.run(image, {holder: data}).shape for data in (png, jpeg, _GIF)]
        for data, channels in ((jpeg, 4), (_GIF, 1), (_BMP, 1), (b"nothing", 0)):
            found.append(outcome(sess.run, tf.image.decode_image(data, channels)))
        found.append(sess.run(tf.image.decode_gif(_GIF)))
        found.append(sess.run(tf.image.decode_bmp(_BMP)))
    return [*found, image.shape.ndims]


def qualities(tf):
    image = _image()
    tf.set_random_seed(3)
    with tf.Session() as sess:
        return [
            sess.run(tf.image.adjust_jpeg_quality(image, 30)),
            sess.run(tf.image.adjust_jpeg_quality(image.astype(np.float32) / 255, 70)),
            sess.run(tf.image.random_jpeg_quality(image, 10, 90, seed=5)),
        ]


def standardized_of_unknown_size(tf):
    pixels = tf.image.decode_png(tf.image.encode_png(_image()))
    data = tf.image.convert_image_dtype(pixels, tf.float32)
    rows = tf.placeholder(tf.float32, [None, None, 3])
    found = [tf.image.per_image_standardization(one) for one in (data, rows, tf.zeros_like(rows))]
    with tf.Session() as sess:
        return sess.run(found, {rows: _image().astype(np.float32)[:5]})


def sounds(tf):
    waves = np.sin(np.arange(40) / 5.0).astype(np.float32).reshape(20, 2)
    data = tf.audio.encode_wav(waves, 8000)
    with tf.Session() as sess:
        whole = sess.run(tf.audio.decode_wav(data))
        part = tf.audio.decode_wav(data, desired_channels=1, desired_samples=30)
        return [sess.run(data), whole.audio, whole.sample_rate, list(sess.run(part))]


def mistakes(tf):
    with tf.Session() as sess:
        return [
            outcome(tf.image.random_jpeg_quality, _image(), 5, 101),
            outcome(tf.image.random_jpeg_quality, _image(), 50, 50),
            outcome(tf.image.encode_jpeg, _image().astype(np.float32)),
            outcome(tf.image.encode_jpeg, _image(), "other"),
            outcome(tf.image.decode_png, b"", dtype=tf.float32),
            outcome(sess.run, tf.image.decode_jpeg(b"nothing")),
            outcome(sess.run, tf.image.decode_png(b"nothing")),
            outcome(sess.run, tf.audio.decode_wav(b"nothing")),
        ]
