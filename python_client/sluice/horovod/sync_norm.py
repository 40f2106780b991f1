# SPDX-License-Identifier: Apache-2.0
"""Batch normalisation by the moments of the batches of all ranks."""

import functools
import inspect

from . import clients, places
from .reductions import Average, allreduce


def SyncBatchNormalization(fused=False, **kwargs):  # noqa: N802, the name of a class there
    """Makes a layer of Keras that normalises by the mean and variance of the batches of all ranks.

    The batches have the same size. While it trains, the layer is a collective operation of all
    ranks, and so is its gradient. It adds its updates to the collection UPDATE_OPS.

    Args:
        fused: Must be False.
        **kwargs: Arguments of the client's keras.layers.BatchNormalization.

    Returns:
        A BatchNormalization of the client.

    Raises:
        TypeError: The client has Keras 3, which has no sessions.
        ValueError: fused is not False.
    """
    if fused or fused is None:
        raise ValueError("SyncBatchNormalization does not support fused=True.")
    return _class_of(_base())(fused=False, **kwargs)


def _base():
    base = clients.v1().keras.layers.BatchNormalization
    if "reduction_axes" not in inspect.signature(base._moments).parameters:
        raise TypeError("SyncBatchNormalization needs a client whose Keras has sessions: Sluice's,"
                        " or TensorFlow 1.15's")  # fmt: skip
    return base


@functools.lru_cache(None)
def _class_of(base):
    """The class, derived from the BatchNormalization of a client."""

    class SyncBatchNormalization(base):
        def _moments(self, inputs, reduction_axes, keep_dims, **more):
            mean, variance = super()._moments(inputs, reduction_axes, keep_dims=keep_dims, **more)
            if places.size() == 1:
                return mean, variance
            tf = clients.v1()
            both = tf.stack([mean, variance + tf.square(mean)])  # means of x and of its square
            mean, of_squares = tf.unstack(allreduce(both, op=Average), 2)
            return mean, of_squares - tf.square(mean)

        def call(self, *args, **kwargs):
            """Computes the output, and adds the updates to UPDATE_OPS."""
            tf, known = clients.v1(), list(self.updates)
            outputs = super().call(*args, **kwargs)
            for update in self.updates:
                if not any(update is other for other in known):
                    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, update)
            return outputs

    return SyncBatchNormalization
