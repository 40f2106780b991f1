# SPDX-License-Identifier: Apache-2.0
"""train_and_evaluate() as the chief or the worker of a cluster with a ps, TensorFlow 1.15.

    estimator_tasks.py FOLDER    TF_CONFIG says which task this is; all tasks have the same folder

Trains a model twice: each task reads its shard of the records, then both read from an iterator on
the ps. The tasks take turns, so that losses do not depend on who is faster. Each leaves them in
FOLDER/PROGRAM-TASK.json.
"""

import json
import os
import sys
import time

import tensorflow as tf

from interop.programs.canned_estimators import Losses
from interop.programs.input_programs import rows, wide_and_deep_columns

TASKS = ("chief", "worker")
STEPS = 8


def await_file(path):
    deadline = time.time() + 60
    while not os.path.exists(path):
        if time.time() > deadline:
            raise RuntimeError(f"there is no {path}")
        time.sleep(0.02)


class Turns(tf.train.SessionRunHook):
    """The chief takes the steps of even numbers, the worker the others."""

    def __init__(self, turn):
        self.turn = turn

    def begin(self):
        self._step = tf.train.get_global_step()

    def before_run(self, run_context):
        while run_context.session.run(self._step) % len(TASKS) != self.turn:
            time.sleep(0.005)


def shard(path, turn):
    """A part of the records, read where the task computes."""
    return rows(path, part=(len(TASKS), turn))


def from_the_ps(path, turn):
    """Elements of one iterator, which the chief initialises."""
    with tf.device("/job:ps/task:0/device:CPU:0"):
        iterator = tf.data.make_initializable_iterator(rows(path), shared_name="rows")
        if turn == 0:
            tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
        return iterator.get_next()


def train(path, model_dir, turn, read):
    wide, deep = wide_and_deep_columns()
    config = tf.estimator.RunConfig(
        model_dir,
        tf_random_seed=3,
        save_checkpoints_steps=1000,
        save_summary_steps=1000,
        experimental_max_worker_delay_secs=0,
    )
    assert config.master.startswith("grpc://"), config.master
    estimator = tf.estimator.DNNLinearCombinedClassifier(
        linear_feature_columns=wide[1:3],
        dnn_feature_columns=deep[2:],
        dnn_hidden_units=[8, 4],
        config=config,
    )
    if turn > 0:
        # Whoever looks before the chief has initialised the variables, looks again after 30 s.
        await_file(os.path.join(model_dir, "model.ckpt-0.index"))
    losses = Losses()
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(lambda: read(path, turn), STEPS, [Turns(turn), losses]),
        tf.estimator.EvalSpec(lambda: read(path, turn)),
    )
    return losses.found


def main(folder):
    task = json.loads(os.environ["TF_CONFIG"])["task"]["type"]
    turn = TASKS.index(task)
    for read in (shard, from_the_ps):
        model_dir = os.path.join(folder, read.__name__)
        losses = train(os.path.join(folder, "census"), model_dir, turn, read)
        path = os.path.join(folder, f"{read.__name__}-%s.json")
        with open(path % task + ".part", "w") as out:
            json.dump([float(loss) for loss in losses], out)
        os.rename(path % task + ".part", path % task)
        for other in TASKS:
            await_file(path % other)


if __name__ == "__main__":
    main(sys.argv[1])
