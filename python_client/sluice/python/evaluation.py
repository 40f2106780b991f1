# SPDX-License-Identifier: Apache-2.0
"""The functions of TensorFlow's training.evaluation."""

from ..estimator.base.evaluating import StopAfterEvaluations, eval_step
from ..estimator.base.evaluating import evaluate_once as _evaluate_once


def evaluate_once(checkpoint_path, master="", scaffold=None, eval_ops=None, feed_dict=None,
                  final_ops=None, final_ops_feed_dict=None, hooks=None, config=None):  # fmt: skip
    """Evaluates a model once: steps until a hook stops it, then the final operations.

    Args:
        checkpoint_path: Path of the checkpoint, a str. None: the variables are initialised.
        master: The target of the session, a str.
        scaffold: A Scaffold, or None.
        eval_ops: The operations of each step, one or a structure of them. None: no step runs.
        feed_dict: What is fed in each step, a dict.
        final_ops: What is run at the end, tensors or a structure of these.
        final_ops_feed_dict: What is fed then, a dict.
        hooks: SessionRunHooks, a list.
        config: A ConfigProto, or None.

    Returns:
        The values of final_ops.
    """
    return _evaluate_once(
        checkpoint_path, master, scaffold, eval_ops, final_ops, hooks or (), config, feed_dict,
        final_ops_feed_dict,
    )  # fmt: skip


NAMES = {
    "_StopAfterNEvalsHook": StopAfterEvaluations, "_evaluate_once": evaluate_once,
    "_get_or_create_eval_step": eval_step,
}  # fmt: skip
