# SPDX-License-Identifier: Apache-2.0
"""Trains on records that another process writes to FIFOs, as in SageMaker's Pipe mode. Rank 0
writes summaries for TensorBoard.

    build/sluice run -np 2 python3 examples/horovod/pipe_mode.py --logs /tmp/logs
    tensorboard --logdir /tmp/logs

Each rank has a channel of its own, `train0`, `train1`, ..., with an epoch in each FIFO. Here all
channels carry the same records, and rank R of N takes every N-th one from R on. In SageMaker the
platform writes to the FIFOs of --pipes; without it a thread of this program does.
"""

import argparse
import os
import tempfile
import threading

import numpy as np
import sluice as tf
import sluice.hvd as hvd

options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
options.add_argument("--epochs", type=int, default=3)
options.add_argument("--batch", type=int, default=16, help="records of a step and rank")
options.add_argument("--pipes", help="folder of FIFOs that the platform writes")
options.add_argument("--logs", help="folder for TensorBoard")
options = options.parse_args()

RECORDS = 512  # of an epoch
COLUMNS = {
    "x": tf.io.FixedLenFeature([3], tf.float32),
    "y": tf.io.FixedLenFeature([1], tf.float32),
}


def write_records(path):
    """The examples of an epoch: points of a plane."""
    with tf.io.TFRecordWriter(path) as writer:
        for x in np.random.RandomState(0).uniform(-1, 1, [RECORDS, 3]):
            example = tf.train.Example()
            example.features.feature["x"].float_list.value.extend(x)
            example.features.feature["y"].float_list.value.append(2 * x[0] - x[1] + 0.5)
            writer.write(example.SerializeToString())


def write_pipes(folder, channel):
    """What the platform does: it writes each epoch to a FIFO, once a reader has opened it."""
    records = os.path.join(folder, "records")
    write_records(records)
    with open(records, "rb") as file:
        data = file.read()
    for epoch in range(options.epochs):
        path = os.path.join(folder, f"{channel}_{epoch}")
        os.mkfifo(path)
        with open(path, "wb") as fifo:
            fifo.write(data)


def batches(folder, channel):
    """Tensors of the rank's records: a dict with x [batch, 3] and y [batch, 1], float32."""
    data = tf.contrib.data.PipeModeDataset(
        channel, "TFRecord", os.path.join(folder, "state"), folder,
        num_shards=hvd.size(), shard_index=hvd.rank(),
    )  # fmt: skip
    data = data.repeat(options.epochs).batch(options.batch, drop_remainder=True)
    data = data.map(lambda records: tf.io.parse_example(records, COLUMNS)).prefetch(2)
    return data.make_one_shot_iterator().get_next()


def main():
    hvd.init()
    tf.set_random_seed(1)
    folder, channel = options.pipes or tempfile.mkdtemp(), f"train{hvd.rank()}"
    if not options.pipes:
        threading.Thread(target=write_pipes, args=(folder, channel), daemon=True).start()

    batch = batches(folder, channel)
    predictions = tf.layers.dense(batch["x"], 1, name="plane")
    loss = tf.reduce_mean(tf.square(predictions - batch["y"]))
    step = tf.train.get_or_create_global_step()
    optimizer = hvd.DistributedOptimizer(tf.train.MomentumOptimizer(0.1, 0.8))
    train = optimizer.minimize(loss, global_step=step)
    mean_loss = hvd.allreduce(loss, name="mean_loss")
    tf.summary.scalar("loss", mean_loss)
    tf.summary.histogram("slopes", tf.trainable_variables()[0])

    # All ranks must run the same number of steps, though some may have a record more.
    last = options.epochs * (RECORDS // hvd.size()) // options.batch
    hooks = [hvd.BroadcastGlobalVariablesHook(0), tf.train.StopAtStepHook(last_step=last)]
    if hvd.rank() == 0 and options.logs:
        hooks.append(
            tf.train.SummarySaverHook(5, output_dir=options.logs, summary_op=tf.summary.merge_all())
        )
    with tf.train.MonitoredTrainingSession(
        hvd.target(), config=hvd.config(), hooks=hooks
    ) as session:
        steps = 0
        while not session.should_stop():
            value, _ = session.run([mean_loss, train])
            steps += 1
            if hvd.rank() == 0 and steps % 8 == 1:
                print(f"step {steps}: loss {value:.5f}", flush=True)
    print(f"{channel}: {options.batch * steps} records", flush=True)


if __name__ == "__main__":
    main()
