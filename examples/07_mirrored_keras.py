# SPDX-License-Identifier: Apache-2.0
"""Keras on two devices of a task, fed by a compressed file of records. Each device has a copy of
the variables and takes half of each batch. The devices are CPUs here; without the two lines that
divide the CPU, MirroredStrategy() takes all GPUs."""

import os
import tempfile

import numpy as np
import sluice as sl

BATCH, STEPS = 32, 16
COLUMNS = {
    "picture": sl.io.FixedLenFeature([], sl.string),
    "kind": sl.io.FixedLenFeature([], sl.int64),
}


def write_records(path, count):
    """Grey pictures [8, 8] of four kinds: a bright quarter, and noise."""
    random = np.random.RandomState(0)
    options = sl.io.TFRecordOptions(sl.io.TFRecordCompressionType.GZIP)
    with sl.io.TFRecordWriter(path, options) as writer:
        for kind in random.randint(4, size=count):
            picture = random.randint(0, 128, [8, 8])
            row, column = 4 * (kind // 2), 4 * (kind % 2)
            picture[row : row + 4, column : column + 4] += 64
            features = {
                "picture": sl.train.Feature(
                    bytes_list=sl.train.BytesList(value=[picture.astype(np.uint8).tobytes()])
                ),
                "kind": sl.train.Feature(int64_list=sl.train.Int64List(value=[kind])),
            }
            example = sl.train.Example(features=sl.train.Features(feature=features))
            writer.write(example.SerializeToString())


def parse(record):
    """A serialized Example -> (picture [8, 8, 1], float32, kind, int64)."""
    columns = sl.io.parse_single_example(record, COLUMNS)
    picture = sl.reshape(sl.io.decode_raw(columns["picture"], sl.uint8), [8, 8, 1])
    return sl.cast(picture, sl.float32) / 255.0, columns["kind"]


def main():
    cpu = sl.config.list_physical_devices("CPU")[0]
    sl.config.set_logical_device_configuration(cpu, [sl.config.LogicalDeviceConfiguration()] * 2)

    path = os.path.join(tempfile.mkdtemp(), "pictures.tfrecord.gz")
    write_records(path, BATCH * STEPS)
    data = sl.data.TFRecordDataset(path, compression_type="GZIP")
    data = data.map(parse, num_parallel_calls=2).shuffle(200, seed=1).repeat()
    data = data.batch(BATCH, drop_remainder=True).prefetch(1)

    sl.set_random_seed(1)
    strategy = sl.distribute.MirroredStrategy()
    print(f"replicas: {strategy.num_replicas_in_sync}")
    with strategy.scope():
        model = sl.keras.Sequential([
            sl.keras.layers.Conv2D(8, 3, activation="relu", input_shape=(8, 8, 1)),
            sl.keras.layers.Flatten(),
            sl.keras.layers.Dense(4, activation="softmax"),
        ])  # fmt: skip
        model.compile(
            sl.keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy", metrics=["accuracy"]
        )
    history = model.fit(data, epochs=3, steps_per_epoch=STEPS, verbose=2).history
    assert history["loss"][-1] < 0.5 * history["loss"][0]
    assert history["acc"][-1] > 0.9


if __name__ == "__main__":
    main()
