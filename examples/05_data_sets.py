# SPDX-License-Identifier: Apache-2.0
"""Fits a plane to records that the server reads, parses, shuffles and joins to batches."""

import os
import tempfile

import numpy as np
import sluice as sl

path = os.path.join(tempfile.mkdtemp(), "train.tfrecord")
with sl.io.TFRecordWriter(path) as writer:
    for x in np.random.RandomState(1).uniform(-1, 1, [200, 2]):
        columns = {"x": x, "y": [2 * x[0] - x[1] + 3]}
        features = {
            name: sl.train.Feature(float_list=sl.train.FloatList(value=column))
            for name, column in columns.items()
        }
        example = sl.train.Example(features=sl.train.Features(feature=features))
        writer.write(example.SerializeToString())

wanted = {
    "x": sl.io.FixedLenFeature([2], sl.float32),
    "y": sl.io.FixedLenFeature([1], sl.float32),
}
data = sl.data.TFRecordDataset(path)
data = data.map(lambda record: sl.io.parse_single_example(record, wanted), num_parallel_calls=2)
data = data.shuffle(50, seed=1).repeat().batch(20).prefetch(1)
batch = data.make_one_shot_iterator().get_next()

slopes = sl.Variable([[0.0], [0.0]], name="slopes")
offset = sl.Variable([0.0], name="offset")
loss = sl.reduce_mean(sl.square(sl.matmul(batch["x"], slopes) + offset - batch["y"]))
train = sl.train.GradientDescentOptimizer(0.3).minimize(loss)

with sl.Session() as session:
    session.run(sl.global_variables_initializer())
    for step in range(101):
        _, error = session.run([train, loss])
        if step % 25 == 0:
            print(f"step {step:3d}  loss {error:.6f}")
    found = session.run([slopes, offset])

print(f"y = {found[0][0, 0]:.3f} x0 + {found[0][1, 0]:.3f} x1 + {found[1][0]:.3f}")
assert np.allclose(found[0], [[2], [-1]], atol=0.01) and abs(found[1][0] - 3) < 0.01
