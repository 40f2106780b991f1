# SPDX-License-Identifier: Apache-2.0
"""Saves, and goes on from the checkpoint when it is started again."""

import argparse
import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

parser = argparse.ArgumentParser()
parser.add_argument("--ps_hosts", required=True)
parser.add_argument("--worker_hosts", required=True)
parser.add_argument("--job_name", required=True)
parser.add_argument("--task_index", type=int, default=0)
parser.add_argument("--logdir", required=True)
parser.add_argument("--until", type=int, required=True)
args = parser.parse_args()

cluster = tf.train.ClusterSpec(
    {"ps": args.ps_hosts.split(","), "worker": args.worker_hosts.split(",")}
)
server = tf.train.Server(cluster, job_name=args.job_name, task_index=args.task_index)
if args.job_name == "ps":
    server.join()
    sys.exit()

with tf.device(tf.train.replica_device_setter(cluster=cluster)):
    step = tf.train.get_or_create_global_step()
    total = tf.get_variable("total", [], initializer=tf.zeros_initializer())
    history = tf.get_variable("history", [100], initializer=tf.zeros_initializer())
    written = tf.scatter_update(history, step, tf.assign_add(total, 1.0))
    largest = tf.reduce_max(written)
    with tf.control_dependencies([largest]):
        train = tf.assign_add(step, 1)

saver_hook = tf.train.CheckpointSaverHook(args.logdir, save_steps=10)
stop_hook = tf.train.StopAtStepHook(last_step=args.until)
creator = tf.train.ChiefSessionCreator(
    master=server.target, checkpoint_dir=args.logdir,
    config=tf.ConfigProto(allow_soft_placement=True, log_device_placement=False),
)
with tf.train.MonitoredSession(creator, hooks=[saver_hook, stop_hook]) as session:
    first = session.run(step)
    while not session.should_stop():
        last, value = session.run([train, largest])
print("from %d to %d, total %d" % (first, last, value))
print("latest checkpoint", tf.train.latest_checkpoint(args.logdir))
