# SPDX-License-Identifier: Apache-2.0
"""Training of slim models: a step of a loss, and a loop of it with a Supervisor."""

import os
import sys
import time

from ... import errors, gfile, logging
from ...graph.convert import constant
from ...graph.default_graph import control_dependencies, get_default_graph, name_scope
from ...messages import RunMetadata, RunOptions
from ...ops import math
from ...ops.control_flow.grouping import group
from ...ops.state.initializing import (
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
)
from ...session.timeline import Timeline
from ...training import summary
from ...training.global_step import get_or_create_global_step
from ...training.global_step import global_step as value_of_step
from ...training.optimizer import Optimizer
from ...training.saver import Saver
from ...training.scaffold import tables_initializer
from ...training.supervisor import Supervisor
from ...training.sync_replicas import SyncReplicasOptimizer
from ..training import gradients as of_training
from ..training.gradients import USE_GLOBAL_STEP, clip_gradient_norms, multiply_gradients

_USE_DEFAULT = 0


def _is_default(value):
    return isinstance(value, int) and value == _USE_DEFAULT


def add_gradients_summaries(grads_and_vars):
    """Makes summaries of gradients and of their norms.

    Args:
        grads_and_vars: Pairs of a gradient and a variable, a list.

    Returns:
        A list of summaries, strings.
    """
    return of_training.summarize_gradients(grads_and_vars, "/")


def create_train_op(total_loss, optimizer, global_step=USE_GLOBAL_STEP, update_ops=None,
                    variables_to_train=None, clip_gradient_norm=0, summarize_gradients=False,
                    gate_gradients=Optimizer.GATE_OP, aggregation_method=None,
                    colocate_gradients_with_ops=False, gradient_multipliers=None,
                    check_numerics=True):  # fmt: skip
    """Makes a training step.

    Args:
        total_loss: The loss, a scalar.
        optimizer: The Optimizer.
        global_step: Variable that counts steps; by default that of the graph. None: none.
        update_ops: Operations that run before the loss, a list. None: those of UPDATE_OPS.
        variables_to_train: The variables that change, a list. None: all trainable ones.
        clip_gradient_norm: The largest norm of each gradient, a number. 0: no bound.
        summarize_gradients: Whether gradients get summaries. A bool.
        gate_gradients: See Optimizer.compute_gradients().
        aggregation_method: See Optimizer.compute_gradients().
        colocate_gradients_with_ops: Whether gradients are on the devices of operations. A bool.
        gradient_multipliers: A dict: variable or its name -> factor of its gradient. None: none.
        check_numerics: Whether a step fails if the loss is not finite. A bool.

    Returns:
        The loss, which is read after the step.
    """

    def changed(grads):
        if gradient_multipliers:
            with name_scope("multiply_grads"):
                grads = multiply_gradients(grads, gradient_multipliers)
        if clip_gradient_norm > 0:
            with name_scope("clip_grads"):
                grads = clip_gradient_norms(grads, clip_gradient_norm)
        return grads

    return of_training.create_train_op(
        total_loss, optimizer, global_step, update_ops, variables_to_train, changed,
        summarize_gradients, gate_gradients, aggregation_method, colocate_gradients_with_ops,
        check_numerics,
    )  # fmt: skip


def train_step(sess, train_op, global_step, train_step_kwargs):
    """Runs one step, and logs and traces it if it is time.

    Args:
        sess: The Session.
        train_op: The step, a tensor of the loss.
        global_step: Variable that counts steps.
        train_step_kwargs: A dict; its keys "should_log", "should_trace" and "should_stop" are bool
            tensors, "logdir" a str and "summary_writer" a FileWriter.

    Returns:
        The loss, and whether it was the last step.

    Raises:
        ValueError: There is "should_trace" and no "logdir".
    """
    begin, options, metadata = time.time(), None, None
    if "should_trace" in train_step_kwargs:
        if "logdir" not in train_step_kwargs:
            raise ValueError(
                "logdir must be present in train_step_kwargs when should_trace is present"
            )
        if sess.run(train_step_kwargs["should_trace"]):
            options = RunOptions(trace_level=RunOptions.FULL_TRACE)
            metadata = RunMetadata()
    loss, step = sess.run([train_op, global_step], options=options, run_metadata=metadata)
    elapsed = time.time() - begin
    if metadata is not None:
        _write_trace(metadata, step, train_step_kwargs)
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, elapsed)
    stops = "should_stop" in train_step_kwargs and sess.run(train_step_kwargs["should_stop"])
    return loss, stops


def _write_trace(metadata, step, train_step_kwargs):
    path = os.path.join(train_step_kwargs["logdir"], f"tf_trace-{step}.json")
    logging.info("Writing trace to %s", path)
    with gfile.GFile(path, "w") as file:
        file.write(Timeline(metadata.step_stats).generate_chrome_trace_format())
    if train_step_kwargs.get("summary_writer") is not None:
        train_step_kwargs["summary_writer"].add_run_metadata(metadata, f"run_metadata-{step}")


def _check(train_op, logdir, summary_op, saver, trace_every_n_steps, sync_optimizer, delay, steps):
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if logdir is None:
        given = {
            "summary_op": not _is_default(summary_op), "saver": saver is not None,
            "trace_every_n_steps": trace_every_n_steps is not None,
        }  # fmt: skip
        for name, there in given.items():
            if there:
                raise ValueError(f"Cannot provide {name} because logdir=None")
    if sync_optimizer is not None and delay > 0:
        raise ValueError("startup_delay_steps must be zero when sync_optimizer is supplied.")
    if steps is not None and steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")
    for one in sync_optimizer or ():
        if not isinstance(one, SyncReplicasOptimizer):
            raise ValueError("`sync_optimizer` must be a tf.train.SyncReplicasOptimizer.")


def _initial(init_op, ready_op, local_init_op, sync_optimizer, is_chief):
    """The Supervisor's arguments for operations that initialise."""
    with name_scope("init_ops"):
        if _is_default(init_op):
            init_op = global_variables_initializer()
        if _is_default(ready_op):
            ready_op = report_uninitialized_variables()
        if _is_default(local_init_op):
            local_init_op = group(local_variables_initializer(), tables_initializer())
        ready_for_local = None
        if sync_optimizer is not None:
            with control_dependencies([] if local_init_op is None else [local_init_op]):
                local_init_op = group(*[
                    one.chief_init_op if is_chief else one.local_step_init_op
                    for one in sync_optimizer
                ])  # fmt: skip
            ready_for_local = group(*[one.ready_for_local_init_op for one in sync_optimizer])
    return {
        "init_op": init_op, "ready_op": ready_op, "local_init_op": local_init_op,
        "ready_for_local_init_op": ready_for_local,
    }  # fmt: skip


def _step_arguments(global_step, steps, log_every, trace_every, logdir):
    """The default train_step_kwargs."""
    with name_scope("train_step"):
        found = {
            "should_stop": math.greater_equal(global_step, steps) if steps else constant(False)
        }
        if log_every > 0:
            found["should_log"] = math.equal(math.mod(global_step, log_every), 0)
        if trace_every is not None:
            found["should_trace"] = math.equal(math.mod(global_step, trace_every), 0)
            found["logdir"] = logdir
    return found


def train(train_op, logdir, train_step_fn=train_step, train_step_kwargs=_USE_DEFAULT,
          log_every_n_steps=1, graph=None, master="", is_chief=True, global_step=None,
          number_of_steps=None, init_op=_USE_DEFAULT, init_feed_dict=None,
          local_init_op=_USE_DEFAULT, init_fn=None, ready_op=_USE_DEFAULT, summary_op=_USE_DEFAULT,
          save_summaries_secs=600, summary_writer=_USE_DEFAULT, startup_delay_steps=0, saver=None,
          save_interval_secs=600, sync_optimizer=None, session_config=None, session_wrapper=None,
          trace_every_n_steps=None, ignore_live_threads=False):  # fmt: skip
    """Runs a training step until it is the last one, with a Supervisor.

    Args:
        train_op: The step, as create_train_op() makes it.
        logdir: Folder of checkpoints and summaries, a str. None: none are written.
        train_step_fn: A function such as train_step() that runs one step.
        train_step_kwargs: Its last argument, a dict; by default that of train_step().
        log_every_n_steps: Steps between two logged losses, an int.
        graph: The Graph. None: the default graph.
        master: "" for this process, or "grpc://host:port" of a task.
        is_chief: Whether this program initialises variables. A bool.
        global_step: Variable that counts steps. None: that of the graph.
        number_of_steps: At which count it ends, an int. None: never.
        init_op: What initialises variables; by default all of them. None: nothing.
        init_feed_dict: What is fed then, a dict.
        local_init_op: What initialises local variables; by default all of them, and tables.
        init_fn: A function of the session that is called after init_op. None: none.
        ready_op: A tensor that is empty if all is initialised.
        summary_op: The summary that is written; by default all of the graph. None: none.
        save_summaries_secs: Seconds between two summaries.
        summary_writer: The FileWriter; by default that of logdir. None: none.
        startup_delay_steps: At which count programs but the chief begin, an int.
        saver: The Saver. None: one of all variables.
        save_interval_secs: Seconds between two checkpoints.
        sync_optimizer: A SyncReplicasOptimizer, or a list of them. None: none.
        session_config: A ConfigProto, or None.
        session_wrapper: A function of the session that returns the one to use. None: none.
        trace_every_n_steps: Steps between two traces, an int. None: none.
        ignore_live_threads: Whether threads may go on at the end. A bool.

    Returns:
        The last loss.

    Raises:
        ValueError: Arguments contradict each other.
    """
    if isinstance(sync_optimizer, SyncReplicasOptimizer):
        sync_optimizer = [sync_optimizer]
    _check(train_op, logdir, summary_op, saver, trace_every_n_steps, sync_optimizer,
           startup_delay_steps, number_of_steps)  # fmt: skip
    graph = graph or get_default_graph()
    runners = tokens = None
    with graph.as_default():
        if global_step is None:
            global_step = get_or_create_global_step()
        saver = saver or Saver()
        initial = _initial(init_op, ready_op, local_init_op, sync_optimizer, is_chief)
        if _is_default(summary_op):
            summary_op = summary.merge_all()
        if is_chief and sync_optimizer is not None:
            tokens = [one.get_init_tokens_op() for one in sync_optimizer]
            runners = [one.get_chief_queue_runner() for one in sync_optimizer]
        if _is_default(train_step_kwargs):
            traces = trace_every_n_steps if is_chief else None
            train_step_kwargs = _step_arguments(
                global_step, number_of_steps, log_every_n_steps, traces, logdir
            )
    supervisor = Supervisor(
        graph=graph, is_chief=is_chief, logdir=logdir, init_feed_dict=init_feed_dict,
        summary_op=summary_op, global_step=global_step, saver=saver, init_fn=init_fn,
        summary_writer=Supervisor.USE_DEFAULT if _is_default(summary_writer) else summary_writer,
        save_summaries_secs=save_summaries_secs, save_model_secs=save_interval_secs, **initial,
    )  # fmt: skip
    if summary_writer is not None:
        train_step_kwargs["summary_writer"] = supervisor.summary_writer
    delay = min(startup_delay_steps, number_of_steps or sys.maxsize) if not is_chief else 0

    def prepared(session):
        if session_wrapper is not None:
            session = session_wrapper(session)
        if is_chief and logdir:
            supervisor.start_standard_services(session)
        while delay > 0 and value_of_step(session, global_step) < delay:
            time.sleep(1.0)
        threads = supervisor.start_queue_runners(session)
        if runners is not None:
            supervisor.start_queue_runners(session, runners)
            session.run(tokens)
        return session, threads

    loss, again = None, True
    while again:
        again = False
        try:
            with supervisor.managed_session(
                master, start_standard_services=False, config=session_config
            ) as session:
                logging.info("Starting Session.")
                session, threads = prepared(session)
                loss = _steps(
                    supervisor, session, train_step_fn, train_op, global_step, train_step_kwargs,
                    loss,
                )  # fmt: skip
                if logdir and supervisor.is_chief:
                    logging.info("Finished training! Saving model to disk.")
                    supervisor.saver.save(
                        session, supervisor.save_path, global_step=supervisor.global_step
                    )
                    supervisor.stop(
                        threads, close_summary_writer=True, ignore_live_threads=ignore_live_threads
                    )
        except errors.AbortedError:
            logging.info("Retrying training!")
            again = True
    return loss


def _steps(supervisor, session, train_step_fn, train_op, global_step, arguments, loss):
    """The loss of the last step of a session."""
    try:
        while not supervisor.should_stop():
            loss, stops = train_step_fn(session, train_op, global_step, arguments)
            if stops:
                logging.info("Stopping Training.")
                supervisor.request_stop()
                break
    except errors.OutOfRangeError as error:
        logging.info("Caught OutOfRangeError. Stopping Training. %s", error)
    return loss


__all__ = """
    add_gradients_summaries clip_gradient_norms create_train_op multiply_gradients train train_step
""".split()
