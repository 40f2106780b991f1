# SPDX-License-Identifier: Apache-2.0
"""The learning rate of large batches."""

from . import clients, task


def scaled_learning_rate(learning_rate, global_step, warmup_steps, scale=None, name=None):
    """Scales a learning rate by the number of ranks, with a gradual warm-up.

    The rate grows linearly from `learning_rate` to `scale * learning_rate` in the first
    `warmup_steps` steps (Goyal et al. 2017, "Accurate, Large Minibatch SGD", sections 2.1 and 2.2).

    Args:
        learning_rate: The rate for one rank, a float or a scalar tensor, which may be a schedule.
        global_step: The step, a variable or a scalar tensor.
        warmup_steps: How many steps the warm-up takes, an int. 0: none. The paper takes the steps
            of 5 epochs.
        scale: The factor after the warm-up, a float. None: size().
        name: Name of the operations, a str. None: a default name.

    Returns:
        A scalar tensor.

    Raises:
        ValueError: warmup_steps is negative.
    """
    if warmup_steps < 0:
        raise ValueError(f"warmup_steps must be 0 or more, not {warmup_steps}")
    tf = clients.v1()
    scale = float(task.numbers().size if scale is None else scale)
    with tf.name_scope(name or "scaled_learning_rate"):
        rate = tf.convert_to_tensor(learning_rate, name="learning_rate")
        if not warmup_steps:
            return rate * tf.constant(scale, rate.dtype)
        step = tf.cast(tf.convert_to_tensor(global_step), rate.dtype)
        part = tf.minimum(step / tf.constant(float(warmup_steps), rate.dtype),
                          tf.constant(1.0, rate.dtype))  # fmt: skip
        return rate * (1 + (scale - 1) * part)
