# SPDX-License-Identifier: Apache-2.0
"""Models that are trained, evaluated and exported from functions that make their graphs."""

import copy
import os
import tempfile

from ... import logging
from ...files import gfile
from ...graph.default_graph import device, get_default_graph
from ...graph.graph import Graph
from ...graph.keys import GraphKeys
from ...ops.control_flow.grouping import group
from ...session.cluster import replica_device_setter
from ...strategies.strategy import scaling_losses
from ...training import summary
from ...training.basic_hooks import (
    CheckpointSaverHook,
    CheckpointSaverListener,
    LoggingTensorHook,
    NanTensorHook,
    StepCounterHook,
    StopAtStepHook,
    SummarySaverHook,
)
from ...training.checkpoints.reader import NewCheckpointReader, list_variables, load_variable
from ...training.checkpoints.state import latest_checkpoint
from ...training.global_step import create_global_step, get_global_step, global_step_read
from ...training.metrics import mean
from ...training.saver import Saver
from ...training.scaffold import Scaffold
from ...training.sessions.creators import ChiefSessionCreator
from ...training.sessions.monitored_session import MonitoredSession, MonitoredTrainingSession
from . import distributing, evaluating, exporting, predicting, warm_starting
from .arguments import check_model_fn, checked, checked_hooks, names_of
from .inputs import features_and_labels
from .modes import ModeKeys, TaskType
from .run_config import RunConfig, default_session_config
from .spec import EstimatorSpec, checked_metrics

# The global step in checkpoints by objects: see model_to_estimator().
_STEP_OF_OBJECTS = "estimator_global_step/.ATTRIBUTES/VARIABLE_VALUE"


class Estimator:
    """A model that is trained, evaluated, asked for predictions and exported.

    Each of these makes a graph: the input function adds the features and labels, the model function
    the model. Variables come from the newest checkpoint of model_dir.

    Args:
        model_fn: The model function. It takes features and, if it has such arguments, labels, mode,
            params and config, and returns an EstimatorSpec.
        model_dir: Directory of checkpoints and summaries, a str. None: that of config, else a
            temporary one.
        config: A RunConfig. None: a default one.
        params: A dict that the model function gets. None: an empty one.
        warm_start_from: The path of a checkpoint or a SavedModel whose values variables begin with,
            or WarmStartSettings. None: none.

    Raises:
        ValueError: The model function has other arguments, model_dir differs from that of
            config, or a subclass has a method of this class as its own.

    Example:
        >>> def model_fn(features, labels, mode):
        ...     w = sl.get_variable("w", [], initializer=sl.zeros_initializer())
        ...     loss = sl.reduce_mean(sl.square(w * features - labels))
        ...     step = sl.train.GradientDescentOptimizer(0.1)
        ...     train_op = step.minimize(loss, sl.train.get_global_step())
        ...     return sl.estimator.EstimatorSpec(mode, w * features, loss, train_op)
        >>> def input_fn():
        ...     return sl.data.Dataset.from_tensors(([1.0, 2.0], [2.0, 4.0])).repeat()
        >>> model = sl.estimator.Estimator(model_fn).train(input_fn, steps=50)
        >>> round(float(model.get_variable_value("w")), 3)
        2.0
    """

    def __init__(self, model_fn, model_dir=None, config=None, params=None, warm_start_from=None):
        self._check_members()
        self._config = _with_model_dir(config, model_dir)
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        check_model_fn(model_fn, params)
        self._model_fn, self._params = model_fn, copy.deepcopy(params or {})
        self._warm_start = warm_starting.settings_of(warm_start_from)

    def _check_members(self):
        """ValueError: the class has a public member of Estimator as its own, but model_fn."""
        own = set(vars(type(self))) & {name for name in vars(Estimator) if name[0] != "_"}
        if type(self) is not Estimator and own - {"model_fn"}:
            raise ValueError(
                f"Subclasses of Estimator cannot override members of Estimator. {type(self)} does"
                f" override {sorted(own - {'model_fn'})}"
            )

    @property
    def model_dir(self):
        """Directory of checkpoints and summaries, a str."""
        return self._config.model_dir

    @property
    def config(self):
        """A copy of the RunConfig."""
        return copy.copy(self._config)

    @property
    def params(self):
        """A copy of the dict that the model function gets."""
        return copy.deepcopy(self._params)

    @property
    def model_fn(self):
        """The model function, as a function of features, labels, mode and config."""
        return lambda features, labels, mode, config: self._call_model_fn(
            features, labels, mode, config
        )

    def get_variable_value(self, name):
        """Reads a variable of the newest checkpoint.

        Args:
            name: Name of the variable, a str.

        Returns:
            An array.

        Raises:
            ValueError: The folder has no checkpoint.
        """
        self._check_trained()
        return load_variable(self.model_dir, name)

    def get_variable_names(self):
        """Returns the names of the variables of the newest checkpoint.

        Returns:
            A list of str.

        Raises:
            ValueError: The folder has no checkpoint.
        """
        self._check_trained()
        return [name for name, _ in list_variables(self.model_dir)]

    def latest_checkpoint(self):
        """Finds the newest checkpoint.

        Returns:
            Its path, a str; None if there is none.
        """
        return latest_checkpoint(self.model_dir)

    def _check_trained(self):
        if not self.latest_checkpoint():
            raise ValueError(f"Could not find trained model in model_dir: {self.model_dir}.")

    # ---- training

    def train(self, input_fn, hooks=None, steps=None, max_steps=None, saving_listeners=None):
        """Trains the model, from the newest checkpoint on.

        Args:
            input_fn: The input function. It takes mode, params and config, if it has such
                arguments, and returns a data set, or features and labels.
            hooks: SessionRunHooks, a list.
            steps: How many steps, an int. None: until the input ends.
            max_steps: The last global step, an int. None: none.
            saving_listeners: CheckpointSaverListeners, a list.

        Returns:
            The Estimator.

        Raises:
            ValueError: steps and max_steps are both given, or not above 0.
            TypeError: An item of hooks or saving_listeners is of another class.
        """
        if self._config.task_type in (TaskType.EVALUATOR, TaskType.PS):
            raise ValueError(
                f"a task of job {self._config.task_type} does not train: call train_and_evaluate()"
            )
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        for name, value in (("steps", steps), ("max_steps", max_steps)):
            if value is not None and value <= 0:
                raise ValueError(f"Must specify {name} > 0, given: {value}")
        if max_steps is not None and max_steps <= _step_of(self.latest_checkpoint()):
            logging.info("Skipping training since max_steps has already saved.")
            return self
        hooks = checked_hooks(hooks)
        if steps is not None or max_steps is not None:
            hooks.append(StopAtStepHook(steps, max_steps))
        listeners = checked(
            saving_listeners, CheckpointSaverListener,
            "saving_listeners must be a list of CheckpointSaverListener",
        )  # fmt: skip
        loss = self._train(input_fn, hooks, listeners)
        logging.info("Loss for final step: %s.", loss)
        return self

    def _train(self, input_fn, hooks, listeners):
        if self._config.train_distribute is not None:
            return self._train_distributed(input_fn, hooks, listeners)
        with Graph().as_default() as graph, device(self._device_fn()):
            graph.seed = self._config.tf_random_seed
            create_global_step(graph)
            global_step_read(graph)
            features, labels, input_hooks = self._input(input_fn, ModeKeys.TRAIN)
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN, self.config)
            return self._run_training(spec, [*input_hooks, *hooks], listeners)

    def _train_distributed(self, input_fn, hooks, listeners):
        config, strategy = self._config, self._config.train_distribute
        strategy.configure(config.session_config)
        with Graph().as_default(), strategy.scope(), scaling_losses(strategy):
            spec, input_hooks = distributing.trained(
                strategy, *self._calls(input_fn), config.tf_random_seed
            )
            return self._run_training(spec, [*input_hooks, *hooks], listeners)

    def _device_fn(self):
        config = self._config
        if config.device_fn is not None:
            return config.device_fn
        worker = f"/job:{config.task_type}/task:{config.task_id}"
        return replica_device_setter(
            config.num_ps_replicas, worker_device=worker, cluster=config.cluster_spec
        )

    def _run_training(self, spec, hooks, listeners):
        config, graph = self._config, get_default_graph()
        if self._warm_start:
            warm_starting.apply(self._warm_start)
        if not any(s.op.name == "loss" for s in graph.get_collection(GraphKeys.SUMMARIES)):
            summary.scalar("loss", spec.loss)
        graph.add_to_collection(GraphKeys.LOSSES, spec.loss)
        hooks = [*hooks, NanTensorHook(spec.loss)]
        if config.log_step_count_steps is not None:
            shown = {"loss": spec.loss, "step": get_global_step(graph)}
            hooks.append(LoggingTensorHook(shown, every_n_iter=config.log_step_count_steps))
        hooks += spec.training_hooks
        if not spec.scaffold.saver and not graph.get_collection(GraphKeys.SAVERS):
            saver = Saver(
                sharded=True, max_to_keep=config.keep_checkpoint_max, defer_build=True,
                keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours,
                save_relative_paths=True,
            )  # fmt: skip
            graph.add_to_collection(GraphKeys.SAVERS, saver)
        chief_hooks = [*self._saver_hooks(spec, hooks, listeners), *spec.training_chief_hooks]
        save_summary_steps, log_steps = config.save_summary_steps, config.log_step_count_steps
        if {TaskType.WORKER, TaskType.MASTER} <= set(config.cluster_spec.jobs):
            # The master evaluates, too: the first worker writes instead.
            hooks += self._writing_hooks(spec)
            save_summary_steps, log_steps = 0, None
        with MonitoredTrainingSession(
            config.master, config.is_chief, self.model_dir, spec.scaffold, hooks, chief_hooks,
            save_checkpoint_secs=0, save_summaries_steps=save_summary_steps,
            config=config.session_config, max_wait_secs=config.session_creation_timeout_secs,
            log_step_count_steps=log_steps,
        ) as session:  # fmt: skip
            loss = None
            while not session.should_stop():
                _, loss = session.run([spec.train_op, spec.loss])
        if loss is None:
            logging.warning("Training with estimator made no steps: is the input empty?")
        return loss

    def _saver_hooks(self, spec, hooks, listeners):
        """The hooks that write checkpoints, with the listeners; those of the program, if it has."""
        config, own = self._config, []
        theirs = [
            h for h in (*hooks, *spec.training_chief_hooks) if isinstance(h, CheckpointSaverHook)
        ]
        if not theirs and (config.save_checkpoints_secs or config.save_checkpoints_steps):
            own.append(CheckpointSaverHook(
                self.model_dir, config.save_checkpoints_secs, config.save_checkpoints_steps,
                scaffold=spec.scaffold,
            ))  # fmt: skip
        savers = theirs or own
        if listeners and not savers:
            raise ValueError(
                "There should be a CheckpointSaverHook to use saving_listeners. Please set one of"
                " RunConfig.save_checkpoints_steps or RunConfig.save_checkpoints_secs."
            )
        for listener in listeners:
            if listener not in savers[0].listeners:
                savers[0].listeners.append(listener)
        return own

    def _writing_hooks(self, spec):
        config, hooks = self._config, []
        if config.task_type == TaskType.WORKER and config.task_id == 0:
            if config.save_summary_steps:
                hooks.append(SummarySaverHook(
                    config.save_summary_steps, output_dir=self.model_dir, scaffold=spec.scaffold
                ))  # fmt: skip
            if config.log_step_count_steps:
                hooks.append(
                    StepCounterHook(config.log_step_count_steps, output_dir=self.model_dir)
                )
        return hooks

    # ---- evaluation

    def eval_dir(self, name=None):
        """Returns the directory of an evaluation's summaries.

        Args:
            name: Name of the evaluation, a str. None: the one without name.

        Returns:
            A str.
        """
        return os.path.join(self.model_dir, f"eval_{name}" if name else "eval")

    def evaluate(self, input_fn, steps=None, hooks=None, checkpoint_path=None, name=None):
        """Evaluates the model, and writes the values of its metrics to eval_dir().

        Args:
            input_fn: The input function: see train().
            steps: How many steps, an int. None: until the input ends.
            hooks: SessionRunHooks, a list.
            checkpoint_path: Path of the checkpoint, a str. None: the newest one; without any the
                model is initialised.
            name: Name of the evaluation, a str. None: none.

        Returns:
            A dict: name of the metric -> value. It has "loss" and "global_step", too.

        Raises:
            ValueError: steps is not above 0.
        """
        hooks = checked_hooks(hooks) + self._convert_eval_steps_to_hooks(steps)
        checkpoint_path = checkpoint_path or self.latest_checkpoint()
        strategy = self._config.eval_distribute
        if strategy is not None:
            strategy.configure(self._config.session_config)
        with Graph().as_default():
            scaffold, update, metrics, all_hooks = self._evaluate_build_graph(
                input_fn, hooks, checkpoint_path
            )
            return self._evaluate_run(
                checkpoint_path, scaffold, update, metrics, all_hooks, self.eval_dir(name)
            )

    @staticmethod
    def _convert_eval_steps_to_hooks(steps):
        """The hooks that end an evaluation after so many steps."""
        if steps is None:
            return []
        if steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        return [evaluating.StopAfterEvaluations(steps)]

    def _evaluate_build_graph(self, input_fn, hooks, checkpoint_path):
        """Makes the graph of an evaluation: scaffold, update operation, metrics, hooks."""
        graph = get_default_graph()
        graph.seed = self._config.tf_random_seed
        create_global_step(graph)
        strategy = self._config.eval_distribute
        if strategy is not None:
            with strategy.scope():
                scaffold, model_hooks, metrics = distributing.measured(
                    strategy, *self._calls(input_fn)
                )
        else:
            features, labels, input_hooks = self._input(input_fn, ModeKeys.EVAL)
            spec = self._call_model_fn(features, labels, ModeKeys.EVAL, self.config)
            scaffold, metrics = spec.scaffold, checked_metrics(spec)
            metrics["loss"] = mean(spec.loss)
            model_hooks = [*input_hooks, *spec.evaluation_hooks]
        ordered = sorted(metrics.items())
        update = group(*(update for _, (_, update) in ordered))
        values = {key: value for key, (value, _) in ordered}
        if not checkpoint_path and self._warm_start:
            warm_starting.apply(self._warm_start)
        values[GraphKeys.GLOBAL_STEP] = get_global_step(graph)
        if scaffold.local_init_op is not None:
            evaluating.eval_step()
            both = group(scaffold.local_init_op, Scaffold.default_local_init_op())
            scaffold = Scaffold(local_init_op=both, copy_from_scaffold=scaffold)
        return scaffold, update, values, [*model_hooks, *hooks]

    def _evaluate_run(self, checkpoint_path, scaffold, update, metrics, hooks, folder):
        """Runs an evaluation that _evaluate_build_graph() made; the values of the metrics."""
        results = evaluating.evaluate_once(
            checkpoint_path, self._config.evaluation_master, scaffold, update, metrics, hooks,
            self._config.session_config,
        )  # fmt: skip
        step = results[GraphKeys.GLOBAL_STEP]
        evaluating.write_results(folder, results, step)
        if checkpoint_path:
            evaluating.write_checkpoint_path(folder, checkpoint_path, step)
        return results

    # ---- predictions

    def predict(self, input_fn, predict_keys=None, hooks=None, checkpoint_path=None,
                yield_single_examples=True):  # fmt: skip
        """Yields predictions, until the input ends.

        Args:
            input_fn: The input function: see train(). Labels are not used.
            predict_keys: The names of the predictions to compute, a list of str. None: all.
            hooks: SessionRunHooks, a list.
            checkpoint_path: Path of the checkpoint, a str. None: the newest one; without any the
                model is initialised.
            yield_single_examples: Whether each row of a batch is yielded alone. A bool.

        Returns:
            A generator of arrays, or of dicts: name -> array, as the model function's predictions.

        Raises:
            ValueError: No prediction has one of the names, or batches differ in length.
        """
        hooks = checked_hooks(hooks)
        checkpoint_path = checkpoint_path or self.latest_checkpoint()
        with Graph().as_default() as graph:
            graph.seed = self._config.tf_random_seed
            create_global_step(graph)
            features, _, input_hooks = self._input(input_fn, ModeKeys.PREDICT)
            if not predicting.ends(graph, features):
                logging.warning(
                    "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means"
                    " predict yields forever. This is probably a mistake."
                )
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT, self.config)
            if not checkpoint_path and self._warm_start:
                warm_starting.apply(self._warm_start)
            predictions = predicting.chosen(spec.predictions, predict_keys)
            creator = ChiefSessionCreator(
                spec.scaffold, self._config.master, self._config.session_config,
                checkpoint_filename_with_path=checkpoint_path,
            )  # fmt: skip
            all_hooks = [*input_hooks, *hooks, *spec.prediction_hooks]
            with MonitoredSession(creator, all_hooks) as session:
                while not session.should_stop():
                    found = session.run(predictions)
                    yield from predicting.rows(found) if yield_single_examples else [found]

    # ---- export

    def export_saved_model(self, export_dir_base, serving_input_receiver_fn, assets_extra=None,
                           as_text=False, checkpoint_path=None,
                           experimental_mode=ModeKeys.PREDICT):  # fmt: skip
        """Writes a SavedModel of the newest checkpoint, in a directory named by the time.

        Args:
            export_dir_base: Directory of the SavedModels, a str.
            serving_input_receiver_fn: A function without arguments that returns a
                ServingInputReceiver.
            assets_extra: Files to copy: a dict, path below assets.extra -> path. None: none.
            as_text: Whether the graph is written in the text form. A bool.
            checkpoint_path: Path of the checkpoint, a str. None: the newest one.
            experimental_mode: What the graph is for, of ModeKeys.

        Returns:
            The path of the directory, bytes.

        Raises:
            ValueError: The folder has no checkpoint, or no function is given.
        """
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        return self.experimental_export_all_saved_models(
            export_dir_base, {experimental_mode: serving_input_receiver_fn}, assets_extra, as_text,
            checkpoint_path,
        )  # fmt: skip

    def export_savedmodel(self, export_dir_base, serving_input_receiver_fn, assets_extra=None,
                          as_text=False, checkpoint_path=None,
                          strip_default_attrs=False):  # fmt: skip
        """Writes a SavedModel. Older name of export_saved_model().

        Args:
            export_dir_base: Directory of the SavedModels, a str.
            serving_input_receiver_fn: A function without arguments that returns a
                ServingInputReceiver.
            assets_extra: Files to copy: a dict, path below assets.extra -> path. None: none.
            as_text: Whether the graph is written in the text form. A bool.
            checkpoint_path: Path of the checkpoint, a str. None: the newest one.
            strip_default_attrs: Accepted: attributes with default values are always removed.

        Returns:
            The path of the directory, bytes.

        Raises:
            ValueError: The folder has no checkpoint, or no function is given.
        """
        return self.export_saved_model(
            export_dir_base, serving_input_receiver_fn, assets_extra, as_text, checkpoint_path
        )

    def experimental_export_all_saved_models(self, export_dir_base, input_receiver_fn_map,
                                             assets_extra=None, as_text=False,
                                             checkpoint_path=None):  # fmt: skip
        """Writes a SavedModel with one graph for each mode.

        Args:
            export_dir_base: Directory of the SavedModels, a str.
            input_receiver_fn_map: A dict: mode -> function that returns the receiver of its graph.
            assets_extra: Files to copy: a dict, path below assets.extra -> path. None: none.
            as_text: Whether the graphs are written in the text form. A bool.
            checkpoint_path: Path of the checkpoint, a str. None: the newest one.

        Returns:
            The path of the directory, bytes.

        Raises:
            ValueError: The folder has no checkpoint, or the dict no mode.
        """
        return exporting.export(
            self, export_dir_base, input_receiver_fn_map, assets_extra, as_text,
            checkpoint_path or self._checkpoint_to_export(),
        )  # fmt: skip

    def _checkpoint_to_export(self):
        found = self.latest_checkpoint()
        if found is None and self._warm_start:
            found = self._warm_start.ckpt_to_initialize_from
            found = latest_checkpoint(found) if gfile.isdir(found) else found
        if found is None:
            raise ValueError(f"Couldn't find trained model at {self.model_dir}.")
        return found

    # ---- the functions of the program

    def _input(self, input_fn, mode):
        return features_and_labels(self._call_input_fn(input_fn, mode))

    def _calls(self, input_fn):
        """The functions with which a strategy calls an input function and the model function."""
        return (
            lambda mode, context: self._call_input_fn(input_fn, mode, context),
            lambda features, labels, mode: self._call_model_fn(features, labels, mode, self.config),
        )

    def _call_input_fn(self, input_fn, mode, input_context=None):
        names = names_of(input_fn)
        values = {"mode": mode, "params": self._params_for(mode, False), "config": self.config}
        if input_context is not None:
            values["input_context"] = input_context
        with device("/cpu:0"):
            return input_fn(**{k: v for k, v in values.items() if k in names})

    def _call_model_fn(self, features, labels, mode, config):
        names = names_of(self._model_fn)
        if labels is not None and "labels" not in names:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        params = self._params_for(mode, True)
        values = {"labels": labels, "mode": mode, "params": params, "config": config}
        given = {k: v for k, v in values.items() if k in names}
        return self._spec_of(self._model_fn(features=features, **given))

    def _params_for(self, mode, of_model):
        """What the model function (of_model), or an input function, gets as params, a dict."""
        del mode, of_model
        return self.params

    def _spec_of(self, returned):
        """The EstimatorSpec of what the model function returned."""
        if not isinstance(returned, EstimatorSpec):
            raise ValueError("model_fn should return an EstimatorSpec.")
        return returned


def _with_model_dir(config, model_dir):
    """The config with a directory and a session config. ValueError: two directories."""
    config = RunConfig() if config is None else config
    if not isinstance(config, RunConfig):
        raise ValueError(f"config must be an instance of `RunConfig`, but provided {config}.")
    if config.session_config is None:
        config = config.replace(session_config=default_session_config())
    model_dir = None if model_dir is None else os.fsdecode(model_dir)
    if model_dir and config.model_dir not in (None, model_dir):
        raise ValueError(
            "`model_dir` are set both in constructor and `RunConfig`, but with different values. In"
            f" constructor: '{model_dir}', in `RunConfig`: '{config.model_dir}' "
        )
    if not model_dir and config.model_dir is None:
        model_dir = tempfile.mkdtemp()
        logging.warning("Using temporary folder as model directory: %s", model_dir)
    return config.replace(model_dir=model_dir) if model_dir else config


def _step_of(path):
    if path is None:
        return 0
    reader, names = NewCheckpointReader(path), (GraphKeys.GLOBAL_STEP, _STEP_OF_OBJECTS)
    return int(reader.get_tensor(next(filter(reader.has_tensor, names), names[0])))
