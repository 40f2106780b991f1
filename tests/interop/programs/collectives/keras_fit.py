# SPDX-License-Identifier: Apache-2.0
"""Keras with MultiWorkerMirroredStrategy, TensorFlow 1.15.

"environment": "google" in TF_CONFIG makes Keras connect to a server that runs already, instead of
starting one in this process.
"""

import numpy as np
from cluster_task import report, tf


def main():
    x = np.random.RandomState(3).randn(48, 4).astype(np.float32)
    y = x.sum(1, keepdims=True)
    data = tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(12, drop_remainder=True)
    strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
        model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    history = model.fit(data, epochs=2, steps_per_epoch=4, verbose=0)
    report(losses=[float(loss) for loss in history.history["loss"]])


if __name__ == "__main__":
    main()
