# SPDX-License-Identifier: Apache-2.0
"""A task of a cluster that trains with a strategy until step LAST, and resumes from checkpoints.

Run: restarted_task.py mirrored|ps FOLDER, with TF_CONFIG.
"""

import json
import os
import sys
import time

import numpy as np
import sluice as sl

LAST = 20
X = np.cos(np.arange(24)).reshape(12, 2).astype(np.float32)
Y = np.sin(np.arange(12)).reshape(12, 1).astype(np.float32)


def trained(strategy, target, config, folder, is_chief, seconds):
    """Trains on the same batch until step LAST."""
    with strategy.scope():
        data = strategy.make_dataset_iterator(sl.data.Dataset.from_tensors((X, Y)).repeat())
        counter = sl.train.get_or_create_global_step()
        optimizer = sl.train.MomentumOptimizer(0.02, 0.9)

        def step(element):
            x, y = element
            w = sl.get_variable("w", [2, 1], initializer=sl.constant_initializer(0.5))
            loss = sl.reduce_sum(sl.square(sl.matmul(x, w) - y)) / 12
            with sl.control_dependencies([optimizer.minimize(loss, global_step=counter)]):
                return sl.identity(loss)

        losses = strategy.run(step, args=(data.get_next(),))
        loss = strategy.reduce(sl.distribute.ReduceOp.SUM, losses, axis=None)
        sl.add_to_collection(sl.GraphKeys.TABLE_INITIALIZERS, data.initialize())
        hooks = [sl.train.StopAtStepHook(last_step=LAST)]
        with sl.train.MonitoredTrainingSession(
            target, is_chief, folder, hooks=hooks, config=config, save_checkpoint_steps=5,
            save_checkpoint_secs=None, save_summaries_steps=None, log_step_count_steps=None,
            stop_grace_period_secs=5,
        ) as session:  # fmt: skip
            while not session.should_stop():
                session.run(loss)
                time.sleep(seconds)


def main():
    kind, folder = sys.argv[1:]
    place = json.loads(os.environ["TF_CONFIG"])
    job, number = place["task"]["type"], place["task"]["index"]
    server = sl.train.Server(place["cluster"], job, number)
    if job == "ps":
        server.join()
    made = sl.distribute.MultiWorkerMirroredStrategy
    strategy = (made if kind == "mirrored" else sl.distribute.ParameterServerStrategy)()
    config = strategy.update_config_proto(sl.ConfigProto())
    trained(strategy, server.target, config, folder, number == 0, 0.05)
    print("ended", flush=True)
    os._exit(0)  # without waiting for the others


if __name__ == "__main__":
    main()
