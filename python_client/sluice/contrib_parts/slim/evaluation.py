# SPDX-License-Identifier: Apache-2.0
"""Evaluations of slim models: so many steps of checkpoints, and a summary at the end."""

from ...training import summary
from ...training.saver import Saver
from ...training.scaffold import Scaffold
from ..training import evaluation
from ..training.evaluation import checkpoints_iterator, wait_for_new_checkpoint

_USE_DEFAULT = 0


def _hooks(logdir, num_evals, summary_op, summary_op_feed_dict, hooks):
    if isinstance(summary_op, int) and summary_op == _USE_DEFAULT:
        summary_op = summary.merge_all()
    found = [evaluation.StopAfterNEvalsHook(num_evals)]
    if summary_op is not None:
        found.append(
            evaluation.SummaryAtEndHook(
                log_dir=logdir, summary_op=summary_op, feed_dict=summary_op_feed_dict
            )
        )
    return [*found, *(hooks or ())]


def _saver(variables):
    return None if variables is None else Saver(variables)


def evaluate_once(master, checkpoint_path, logdir, num_evals=1, initial_op=None,
                  initial_op_feed_dict=None, eval_op=None, eval_op_feed_dict=None, final_op=None,
                  final_op_feed_dict=None, summary_op=_USE_DEFAULT, summary_op_feed_dict=None,
                  variables_to_restore=None, session_config=None, hooks=None):  # fmt: skip
    """Evaluates a checkpoint.

    Args:
        master: "" for this process, or "grpc://host:port" of a task.
        checkpoint_path: Path of the checkpoint, a str.
        logdir: Folder of the event file, a str.
        num_evals: How many steps there are, an int.
        initial_op: What initialises variables, an Operation. None: the usual.
        initial_op_feed_dict: What is fed then, a dict.
        eval_op: The operations of each step. None: no step runs.
        eval_op_feed_dict: What is fed in each step, a dict.
        final_op: What is run at the end.
        final_op_feed_dict: What is fed then, a dict.
        summary_op: The summary that is written at the end; by default all of the graph. None: none.
        summary_op_feed_dict: What is fed then, a dict.
        variables_to_restore: The variables of the checkpoint, a list or dict. None: all.
        session_config: A ConfigProto, or None.
        hooks: More SessionRunHooks, a list.

    Returns:
        The values of final_op.
    """
    return evaluation.evaluate_once(
        checkpoint_path, master=master,
        scaffold=Scaffold(
            init_op=initial_op, init_feed_dict=initial_op_feed_dict,
            saver=_saver(variables_to_restore),
        ),
        eval_ops=eval_op, feed_dict=eval_op_feed_dict, final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict, config=session_config,
        hooks=_hooks(logdir, num_evals, summary_op, summary_op_feed_dict, hooks),
    )  # fmt: skip


def evaluation_loop(master, checkpoint_dir, logdir, num_evals=1, initial_op=None,
                    initial_op_feed_dict=None, init_fn=None, eval_op=None, eval_op_feed_dict=None,
                    final_op=None, final_op_feed_dict=None, summary_op=_USE_DEFAULT,
                    summary_op_feed_dict=None, variables_to_restore=None, eval_interval_secs=60,
                    max_number_of_evaluations=None, session_config=None, timeout=None,
                    timeout_fn=None, hooks=None):  # fmt: skip
    """Evaluates the checkpoints of a folder as they are written.

    Args:
        master: "" for this process, or "grpc://host:port" of a task.
        checkpoint_dir: Folder of the checkpoints, a str.
        logdir: Folder of the event file, a str.
        num_evals: How many steps each evaluation has, an int.
        initial_op: What initialises variables, an Operation. None: the usual.
        initial_op_feed_dict: What is fed then, a dict.
        init_fn: A function of (scaffold, session) that is called then. None: none.
        eval_op: The operations of each step. None: no step runs.
        eval_op_feed_dict: What is fed in each step, a dict.
        final_op: What is run at the end of each evaluation.
        final_op_feed_dict: What is fed then, a dict.
        summary_op: The summary that is written then; by default all of the graph. None: none.
        summary_op_feed_dict: What is fed then, a dict.
        variables_to_restore: The variables of checkpoints, a list or dict. None: all.
        eval_interval_secs: The least time between two evaluations, in seconds.
        max_number_of_evaluations: How many evaluations there are. None: no bound.
        session_config: A ConfigProto, or None.
        timeout: How long a checkpoint is waited for, in seconds. None: for ever.
        timeout_fn: A function that is called when the time is over: whether it is all. None: it is.
        hooks: More SessionRunHooks, a list.

    Returns:
        The values of final_op in the last evaluation.
    """
    return evaluation.evaluate_repeatedly(
        checkpoint_dir, master=master,
        scaffold=Scaffold(
            init_op=initial_op, init_feed_dict=initial_op_feed_dict, init_fn=init_fn,
            saver=_saver(variables_to_restore),
        ),
        eval_ops=eval_op, feed_dict=eval_op_feed_dict, final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict, eval_interval_secs=eval_interval_secs,
        hooks=_hooks(logdir, num_evals, summary_op, summary_op_feed_dict, hooks),
        config=session_config, max_number_of_evaluations=max_number_of_evaluations,
        timeout=timeout, timeout_fn=timeout_fn,
    )  # fmt: skip


__all__ = ["checkpoints_iterator", "evaluate_once", "evaluation_loop", "wait_for_new_checkpoint"]
