# SPDX-License-Identifier: Apache-2.0
"""Images before training: random changes and batches. (No Pillow and no SciPy need be there.)"""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True
IMAGES = (np.arange(5 * 4 * 3 * 3).reshape(5, 4, 3, 3) * 7 % 256).astype(np.float32)
KINDS = [
    dict(rotation_range=30), dict(width_shift_range=0.5, height_shift_range=2),
    dict(width_shift_range=[-2, 1, 3], zoom_range=0.25), dict(zoom_range=(0.5, 0.75)),
    dict(shear_range=10.0, horizontal_flip=True, vertical_flip=True),
    dict(channel_shift_range=20.0, brightness_range=(0.5, 1.5), height_shift_range=1.5),
]  # fmt: skip


def _turning(tf, **kwargs):
    """A generator whose changes need no SciPy."""

    class Turning(tf.keras.preprocessing.image.ImageDataGenerator):
        def apply_transform(self, x, transform_parameters):
            return x[::-1] if transform_parameters["flip_horizontal"] else x + 1.0

    return Turning(horizontal_flip=True, **kwargs)


def random_changes(tf):
    make, found = tf.keras.preprocessing.image.ImageDataGenerator, []
    for kwargs in KINDS:
        for seed in (0, 1, 2):
            drawn = make(**kwargs).get_random_transform((8, 6, 3), seed)
            found.append({k: v if v is None else float(v) for k, v in drawn.items()})
    first = make(data_format="channels_first", width_shift_range=0.5)
    found.append(float(first.get_random_transform((3, 8, 6), 4)["ty"]))
    return found


def standardized(tf):
    make, found = tf.keras.preprocessing.image.ImageDataGenerator, []
    for kwargs in (
        dict(rescale=1 / 255.0), dict(samplewise_center=True),
        dict(samplewise_std_normalization=True), dict(featurewise_center=True),
        dict(featurewise_std_normalization=True, rescale=0.5),
        dict(preprocessing_function=lambda x: x[::-1] * 2.0),
    ):  # fmt: skip
        generator = make(**kwargs)
        unfitted = generator.standardize(IMAGES[0].copy())
        generator.fit(IMAGES)
        found.append([unfitted, generator.standardize(IMAGES[0].copy())])
        found.append([None if v is None else v for v in (generator.mean, generator.std)])
    return found


def batches_of_arrays(tf):
    y, weights, found = np.arange(5) % 2, np.linspace(0, 1, 5), []
    for kwargs in (
        dict(batch_size=2, seed=3), dict(batch_size=2, shuffle=False),
        dict(batch_size=3, seed=1, sample_weight=weights), dict(batch_size=4, seed=2),
    ):  # fmt: skip
        batches = _turning(tf, rescale=0.5).flow(IMAGES, y, **kwargs)
        found.append([len(batches), batches.n, [list(next(batches)) for _ in range(4)]])
        found.append(list(batches[1]))
        batches.reset()
        found.append(list(next(batches)))
    split = _turning(tf, validation_split=0.4)
    for subset in ("training", "validation"):
        batches = split.flow(IMAGES, np.zeros(5), subset=subset, seed=5)
        found.append([batches.n, list(next(batches))])
    both = _turning(tf).flow((IMAGES, [y, weights]), y, batch_size=2, seed=7)
    found += [list(part) if isinstance(part, list) else part for part in next(both)]
    found.append(next(_turning(tf).flow(IMAGES, batch_size=2, seed=8)))
    return found


def trained_from_batches(tf):
    keras = tf.keras
    model = keras.Sequential([
        keras.layers.Flatten(input_shape=(4, 3, 3)),
        keras.layers.Dense(1, kernel_initializer=keras.initializers.Constant(0.01)),
    ])  # fmt: skip
    model.compile("sgd", "mse")
    batches = _turning(tf, rescale=1 / 255.0).flow(IMAGES, np.arange(5.0), batch_size=5, seed=3,
                                                   shuffle=False)  # fmt: skip
    return [float(model.train_on_batch(*next(batches))) for _ in range(3)]


def of_one_image(tf):
    image = tf.keras.preprocessing.image
    found = [image.img_to_array(IMAGES[0, :, :, 0]), image.img_to_array(IMAGES[0], dtype="int32")]
    found.append(image.img_to_array(IMAGES[0], "channels_first"))
    found.append(image.img_to_array(IMAGES[0, :, :, 0], data_format="channels_first"))
    found.append(image.apply_channel_shift(IMAGES[0], 50.0, 2))
    np.random.seed(3)
    found.append(image.random_channel_shift(IMAGES[1], 50.0, 2))
    found.append(image.random_channel_shift(IMAGES[1].transpose(2, 0, 1), 50.0))
    return found


def of_numbers(tf):
    class Numbers(tf.keras.preprocessing.image.Iterator):
        def _get_batches_of_transformed_samples(self, index_array):
            return index_array

    found = []
    for kwargs in (dict(shuffle=True, seed=1), dict(shuffle=False, seed=None)):
        numbers = Numbers(7, 3, **kwargs)
        found.append([next(numbers) for _ in range(5)])
        numbers.on_epoch_end()
        found.append([numbers[i] for i in range(len(numbers))])
        found.append([numbers.total_batches_seen, numbers.batch_index])
    return found


def wrong_arguments(tf):
    image = tf.keras.preprocessing.image
    make = image.ImageDataGenerator
    return [
        outcome(make, data_format="first"),
        outcome(make, validation_split=2.0),
        outcome(make, zoom_range=(1, 2, 3)),
        outcome(make, brightness_range=3),
        outcome(make().fit, IMAGES[0]),
        outcome(make().flow, IMAGES[0]),
        outcome(make().flow, IMAGES, np.zeros(3)),
        outcome(make().flow, IMAGES, sample_weight=np.zeros(3)),
        outcome(make().flow, IMAGES, subset="test"),
        outcome(make(validation_split=0.4).flow, IMAGES, np.arange(5), subset="training"),
        outcome(lambda: make().flow(IMAGES)[7]),
        outcome(image.img_to_array, IMAGES),
        outcome(image.img_to_array, IMAGES[0], "first"),
        outcome(image.random_zoom, IMAGES[0], (1, 2, 3)),
        outcome(image.random_brightness, IMAGES[0], (1, 2, 3)),
    ]
