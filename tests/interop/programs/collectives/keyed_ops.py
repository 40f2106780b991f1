# SPDX-License-Identifier: Apache-2.0
"""Both families of TensorFlow's collective ops, with keys that are equal on all workers.

Operations of different workers belong together if they have the same group key and the same
instance key. Instance keys count from 1. All workers build the same operations in the same order,
so the keys match.
"""

import itertools

from cluster_task import tf
from tensorflow.python.ops import collective_ops

GROUP_KEY = 1


class KeysAsAttributes:
    """The ops of TensorFlow 1.15; later releases have them too."""

    def __init__(self, size):
        self._size = size
        self._instances = itertools.count(1)

    def run_options(self, graph=0):
        """Options of Session.run. `graph` numbers the steps that run at the same time."""
        del graph
        return None

    def _keys(self):
        return self._size, GROUP_KEY, next(self._instances)

    def _named_keys(self):
        return dict(zip(("group_size", "group_key", "instance_key"), self._keys()))

    # For one worker TensorFlow's Python functions refuse to make a group; its ops do not.

    def all_reduce(self, x, merge, final="Id"):
        if self._size > 1:
            return collective_ops.all_reduce(x, *self._keys(), merge, final)
        return tf.raw_ops.CollectiveReduce(
            input=x, merge_op=merge, final_op=final, subdiv_offsets=[0], **self._named_keys()
        )

    def all_gather(self, x):
        if self._size > 1:
            return collective_ops.all_gather(x, *self._keys())
        return tf.raw_ops.CollectiveGather(input=x, shape=x.shape, **self._named_keys())

    def broadcast_send(self, x):
        if self._size > 1:
            return collective_ops.broadcast_send(x, x.shape, x.dtype, *self._keys())
        return tf.raw_ops.CollectiveBcastSend(input=x, shape=x.shape, **self._named_keys())

    def broadcast_recv(self, shape, dtype):
        return collective_ops.broadcast_recv(tf.TensorShape(shape), dtype, *self._keys())


class KeysAsTensors(KeysAsAttributes):
    """The ops of TensorFlow 2.

    TensorFlow's own servers cannot read the keys before a step. The number of the graph tells them
    which steps of the workers belong together; Sluice's servers do not need it.
    """

    def run_options(self, graph=0):
        options = tf.RunOptions()
        options.experimental.collective_graph_key = 1 + graph
        return options

    def all_reduce(self, x, merge, final="Id"):
        return collective_ops.all_reduce_v2(x, *self._keys(), merge, final)

    def all_gather(self, x):
        return collective_ops.all_gather_v2(x, *self._keys())

    def broadcast_send(self, x):
        return collective_ops.broadcast_send_v2(x, *self._keys())

    def broadcast_recv(self, shape, dtype):
        shape = tf.constant(shape, tf.int32)
        return collective_ops.broadcast_recv_v2(shape, dtype, *self._keys())


OPS = {"attributes": KeysAsAttributes, "tensors": KeysAsTensors}
