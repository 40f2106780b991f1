# SPDX-License-Identifier: Apache-2.0
"""Models: networks that can be trained."""

import collections

from ...autograph.calls import converted
from ...data import Dataset
from ...errors import InvalidArgumentError
from ...graph.convert import placeholder
from ...graph.default_graph import name_scope
from ...graph.tensor_shape import TensorShape
from ..base import state
from ..base.callables import Function, checked_arguments
from ..base.ragged_rows import op_of
from ..fitting import metrics
from . import checks, compiling, feeding, loops, replicated, sources, trained
from .called import Called
from .files import InFiles
from .generators import ByGenerators
from .known_names import KnownNames
from .measured import Measured
from .network import Network
from .summary import print_summary

_Plan = collections.namedtuple(
    "_Plan", "epochs initial_epoch verbose callbacks validation validation_freq"
)


class Model(Called, InFiles, ByGenerators, KnownNames, Measured, Network):
    """A network that can be trained: of inputs and outputs, or a class that defines call().

    Args:
        *args: inputs: a tensor or a list of tensors of Input(); outputs: tensors that layers made
            of them; name.
        **kwargs: The same by name, and trainable.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.optimizer = self.loss = self.history = None
        self.stop_training = False
        self._compiled, self._of_outputs = None, []
        self._functions, self._restoring, self._descended = {}, None, None
        self._compiled_states = []
        self._session_arguments = {}

    # ---- compile

    def compile(self, optimizer="rmsprop", loss=None, metrics=None, loss_weights=None,
                sample_weight_mode=None, weighted_metrics=None, target_tensors=None,
                distribute=None, **kwargs):  # fmt: skip
        """Says how the model is trained.

        Args:
            optimizer: An optimizer, or its name.
            loss: A loss, a function of (y_true, y_pred), or a name; or a list or dict of these,
                one for each output.
            metrics: Metrics, functions or names, a list; or a list or dict of lists.
            loss_weights: How much the loss of each output counts, a list or dict of floats. None:
                all the same.
            sample_weight_mode: "temporal": an output of sequences takes a weight for each step of
                each example. None or "samplewise": one for each example. Or a list or dict of
                these, one for each output.
            weighted_metrics: Metrics for which the weights of examples count.
            target_tensors: Tensors in place of the placeholders of right values. None: none.
            distribute: A strategy of sluice.distribute, whose replicas train a copy of the model.
                None: that in whose scope the model was made.
            **kwargs: run_eagerly: must be False. options, run_metadata, fetches, feed_dict: as of
                backend.function(), for all batches. The first batch refuses others.

        Raises:
            ValueError: An argument does not fit the outputs, or is not known; run_eagerly is True;
                the scope of a strategy is entered that did not make the variables.
        """
        checks.check_static(self)
        if kwargs.pop("run_eagerly", False):
            raise ValueError("You can only set `run_eagerly=True` if eager execution is enabled.")
        replicated.require_made_in_scope(self)
        kwargs.pop("experimental_run_tf_function", None)
        self._session_arguments = kwargs
        self.sample_weight_mode = sample_weight_mode
        self.optimizer, self.loss = compiling.optimizer_of(optimizer, self._policy), loss or {}
        self._compiled = {
            "loss": loss, "metrics": metrics, "loss_weights": loss_weights,
            "weighted_metrics": weighted_metrics, "target_tensors": target_tensors,
            "sample_weight_mode": sample_weight_mode,
        }  # fmt: skip
        self.loss_weights, self._weighted, self._functions = loss_weights, False, {}
        self._of_outputs = []
        self._compiled_states = trained.states(self)
        if self.outputs:
            self._prepare()
        replicated.distribute(self, distribute, self._compiled)

    def _prepare(self):
        """Makes targets, losses and metrics, once the outputs are known."""
        given, names = self._compiled, self.output_names
        every = compiling.for_outputs(given["loss"], names, "loss")
        compiling.warn_without_loss(given["loss"], names)
        weights = compiling.for_outputs(given["loss_weights"], names, "loss_weights")
        targets = compiling.for_outputs(given["target_tensors"], names, "target_tensors")
        self._of_outputs = [
            compiling.Output(name, tensor, compiling.loss_of(loss), 1.0 if w is None else w)
            for name, tensor, loss, w in zip(names, self.outputs, every, weights)
        ]
        for output, target in zip(self._of_outputs, targets):
            output.make_target(target)
        modes = compiling.for_outputs(given["sample_weight_mode"], names, "sample_weight_mode")
        for output, mode in zip(self._of_outputs, modes):
            output.weight_mode = mode
        taken = []
        compiling.make_metrics(self._of_outputs, given["metrics"], given["weighted_metrics"], taken)
        if len(self._of_outputs) > 1:
            for output in self._trained():
                output.loss_metric = metrics.Mean(name=f"{output.name}_loss")
        self._measure()
        self._descended = self.trained_weights

    def _measure(self, added=None):
        self._results = compiling.measured(self._of_outputs)
        found = compiling.total_loss(self._of_outputs, self, added)
        self.total_loss, of_losses, self.added_losses = found
        self._results = [*of_losses, *self._results]

    def _trained(self):
        return [output for output in self._of_outputs if output.loss is not None]

    def _check_compiled(self):
        if self._compiled is None:
            raise RuntimeError(
                "You must compile your model before training/testing. Use "
                "`model.compile(optimizer, loss)`."
            )

    # ---- the functions of a batch

    def _fed(self):
        fed = [t for t in self.inputs if op_of(t).type == "Placeholder"]
        return fed, [o.target for o in self._trained() if o.target.op.type == "Placeholder"]

    def _function(self, name, outputs, updates, training):
        """The Function of a kind of batch, and how what is fed becomes its arguments."""
        if name in self._functions:
            return self._functions[name]
        inputs, targets = self._fed()
        fed = list(inputs)
        if name != "predict":
            fed += [*targets, *(o.weights for o in self._trained() if o.weights is not None)]
        phase = state.phase_placeholder() if training else None
        given = checked_arguments(self._session_arguments)
        made = Function([*fed, phase] if training else fed, outputs, updates, name, **given)

        def run(arrays_):
            if len(inputs) < len(arrays_) < len(fed):
                # The data for validation is from before the first weights.
                arrays_ = feeding.with_weights(arrays_, len(inputs), self._trained())
            return made([*arrays_, True] if training else list(arrays_))

        run.made = made
        self._functions[name] = run
        return run

    def train_function(self):
        """Makes the function of a step of training.

        Returns:
            A function of a list of arrays: inputs, targets and weights.
        """
        self._check_compiled()
        if "training" not in self._functions:
            state.phase_placeholder()
            strategy = replicated.strategy_of(self)
            if strategy is not None:
                made = replicated.training(self, self._of_outputs, strategy)
            else:
                with trained.as_compiled(self._compiled_states):
                    made = self._fetched(), replicated.in_replica(self.make_updates)
            self._function("training", *made, True)
            self._restore_made()
        return self._functions["training"]

    def make_updates(self):
        """Makes the operations that change variables in a step of training.

        Returns:
            A list of operations and tensors.
        """
        with name_scope("training"):
            updates = self.optimizer.get_updates(
                params=self.compiled_weights(), loss=self.total_loss
            )
        return [*self._updates_of_inputs(), *updates]

    def compiled_weights(self):
        """The variables that training changes: those trainable when the model was compiled.

        A later change of `trainable` counts from the next compile() on, so that a discriminator
        learns by itself and is fixed within a model that is compiled after it.

        Returns:
            A list of variables.
        """
        return self._descended

    def _updates_of_inputs(self):
        return [*self.get_updates_for(None), *self.get_updates_for(self.inputs)]

    def _fetched(self):
        return [self.total_loss, *self._results, *(t for _, t in self.added_metrics())]

    def test_function(self):
        """Makes the function of a step of evaluate().

        Returns:
            A function of a list of arrays: inputs, targets and weights.
        """
        self._check_compiled()
        return self._measuring("evaluation")

    def _measuring(self, name):
        """The Function of a step that changes no variable."""
        if name in self._functions:
            return self._functions[name]
        strategy = replicated.strategy_of_one_process(self)
        if strategy is None:
            fetched = self._fetched() if name == "evaluation" else self.outputs
        elif name == "evaluation":
            fetched = replicated.measured(self, self._of_outputs, strategy)
        else:
            fetched = replicated.predicted(self, strategy)
        return self._function(name, fetched, self.state_updates, False)

    def predict_function(self):
        """Makes the function of a step of predict().

        Returns:
            A function of a list of arrays: the inputs.
        """
        return self._measuring("predict")

    # ---- what is given

    def build(self, input_shape):
        """Makes the variables.

        Args:
            input_shape: Shape of the input with the batch, or a list of shapes.

        Raises:
            ValueError: It is not a shape, or call() does not take placeholders of float32 alone.
        """
        if self.is_functional or self.built:
            self.built = True
            return
        checks.check_shape_to_build(input_shape)
        given = checks.arguments_to_build(self.call)
        several = isinstance(input_shape, list)
        shapes = input_shape if several else [input_shape]
        made = [placeholder(self.dtype or "float32", TensorShape(s).as_list()) for s in shapes]
        try:
            converted(self.call)(made if several else made[0], **given)
        except (InvalidArgumentError, TypeError) as e:
            raise ValueError(checks.NOT_OF_FLOATS) from e
        self.built = True

    def _given(self, x, y=None, sample_weight=None, class_weight=None, targets=True):
        """What is fed for a batch or for all, a list of arrays."""
        x, y, sample_weight = sources.computed(x, y, sample_weight)
        self._ensure_inputs(x)
        inputs, fed_targets = self._fed()
        names = [n for n, t in zip(self.input_names, self.inputs) if any(t is f for f in inputs)]
        shapes = [t.shape.as_list() if self.is_functional else None for t in inputs]
        arrays_ = feeding.as_arrays(x, names, shapes, "input")
        if not targets:
            return arrays_
        self._check_compiled()
        trained = [o for o in self._trained() if any(o.target is t for t in fed_targets)]
        if not trained:  # weights of examples need targets that are fed
            sample_weight = class_weight = None
        elif y is None:  # as in TensorFlow 1.15, what runs reports targets that are not fed
            return arrays_
        names = [output.name for output in trained]
        arrays_y = feeding.as_arrays(y, names, [None] * len(names), "target")
        arrays_y = compiling.with_column_of_classes(arrays_y, trained)
        self._need_weights(sample_weight is not None or class_weight is not None)
        modes = [output.weight_mode for output in trained]
        weights = feeding.as_weights(sample_weight, class_weight, arrays_y, names, modes)
        weights = feeding.with_ones(weights, arrays_y, modes) if self._weighted else []
        checks.check_batch(arrays_, arrays_y, weights, trained if self.is_functional else [])
        return [*arrays_, *arrays_y, *weights]

    def _need_weights(self, wanted):
        if not wanted or self._weighted:
            return
        self._weighted, self._functions = True, {}
        for output in self._trained():
            output.make_weights()
        self._measure(self.added_losses)

    def _prepared(self, class_weight=None, targets=True):
        """A function of what a generator yields that returns what is fed."""

        def prepare(element):
            if isinstance(element, tuple) and len(element) not in (1, 2, 3):
                raise ValueError(
                    "Output of generator should be a tuple of 1 or 2 or 3 elements: (input,) or "
                    f"(input, target) or (input, target, sample_weights). Received {element}"
                )
            x, y, weights = (*element, None, None)[:3] if isinstance(element, tuple) else (
                element, None, None
            )  # fmt: skip
            return self._given(x, y, weights, class_weight, targets)

        return prepare

    # ---- train, evaluate, predict

    def fit(self, x=None, y=None, batch_size=None, epochs=1, verbose=1, callbacks=None,
            validation_split=0.0, validation_data=None, shuffle=True, class_weight=None,
            sample_weight=None, initial_epoch=0, steps_per_epoch=None, validation_steps=None,
            validation_freq=1, max_queue_size=10, workers=1, use_multiprocessing=False,
            **kwargs):  # fmt: skip
        """Trains the model.

        Args:
            x: The inputs: an array, a list or dict of arrays; or a generator, a Sequence, a data
                set or an iterator of (inputs, targets) or (inputs, targets, weights).
            y: The targets: an array, a list or dict of arrays.
            batch_size: Size of a batch, an int. None: 32.
            epochs: The number of the last epoch, an int.
            verbose: 0: silent, 1: a progress bar, 2: a line for each epoch.
            callbacks: Callbacks, a list.
            validation_split: Which part of the data at the end is not trained on but measured.
            validation_data: (x, y) or (x, y, weights) that are measured after each epoch; or a
                generator, a data set.
            shuffle: Whether examples come in another order each epoch. A bool, or "batch".
            class_weight: How much examples of a class count, a dict class -> float. It has no
                effect on data sets.
            sample_weight: How much each example counts, an array.
            initial_epoch: How many epochs there were before, an int.
            steps_per_epoch: How many batches make an epoch, an int. A batch of arrays has all
                examples then. None: all batches.
            validation_steps: How many batches of validation data are measured. None: all.
            validation_freq: After how many epochs it is measured, an int; or a list of epochs.
            max_queue_size: Accepted. It has no effect.
            workers: Batches are made in this thread. 0: on_epoch_end() of a Sequence is not
                called, and its batches are not shuffled.
            use_multiprocessing: Accepted. It has no effect.
            **kwargs: nb_epoch: older name of epochs.

        Returns:
            A History.

        Raises:
            RuntimeError: The model is not compiled.
            ValueError: The data do not fit the model.
        """
        epochs = kwargs.pop("nb_epoch", epochs)
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        self._check_compiled()
        x, y, sample_weight = sources.joined(
            x, y, sample_weight, steps_per_epoch, "steps_per_epoch"
        )
        if sources.is_stream(x):
            sources.check(
                x, steps_per_epoch, "steps_per_epoch", batch_size=batch_size, y=y,
                sample_weight=sample_weight, validation_split=validation_split or None,
            )  # fmt: skip
            class_weight = None if isinstance(x, Dataset) else class_weight
            x, prepare = self._with_inputs(x), self._prepared(class_weight)
            source = sources.stream(x, prepare, steps_per_epoch, shuffle, workers)
        else:
            checks.check_validation(validation_data, validation_split, validation_steps)
            fed = self._given(x, y, sample_weight, class_weight)
            random = replicated.common_random(self)
            if 0.0 < validation_split < 1.0 and validation_data is None:
                at = int(len(fed[0]) * (1.0 - validation_split))
                kept, fed = [a[at:] for a in fed], [a[:at] for a in fed]
                validation_data = self._arrays(kept, batch_size, True, validation_steps, random)
            source = self._arrays(fed, batch_size, shuffle, steps_per_epoch, random)
            if replicated.strategy_of(self) is not None and source.has_partial_batch():
                source = sources.across_epochs(
                    fed, source.batch_size, epochs - initial_epoch, shuffle, random
                )
        validation = self._validation(validation_data, batch_size, validation_steps, workers)
        trained.warn_of_change(self, "fit" if isinstance(source, sources.Arrays) else "steps")
        plan = _Plan(epochs, initial_epoch, verbose, callbacks, validation, validation_freq)
        return loops.fit(self, source, plan)

    def _with_inputs(self, x):
        """The stream x, of whose first batch the inputs of a class that defines call() are made."""
        first, x = (None, x) if self.outputs else sources.first_of(x)
        self._ensure_inputs(first)
        return x

    def _validation(self, given, batch_size, steps, workers):
        if given is None or isinstance(given, sources.Arrays):
            return given
        if sources.is_stream(given):
            sources.check(given, steps, "validation_steps")
            return sources.stream(given, self._prepared(), steps, workers=workers)
        checks.check_validation_data(given)
        x, y, weights = (*given, None)[:3]
        if sources.is_symbolic(x):
            given = sources.joined(x, y, weights, steps, "validation_steps")[0]
            return self._validation(given, batch_size, steps, workers)
        random = replicated.common_random(self)
        return self._arrays(self._given(x, y, weights), batch_size, True, steps, random)

    def _arrays(self, fed, batch_size, shuffle=False, steps=None, random=None, equal=True):
        count = len(fed[0]) if fed and fed[0] is not None else None
        size = checks.batch_size_of(self, batch_size, count)
        whole = bool(self.inputs) and not self._fed()[0]
        if steps is not None and replicated.strategy_of(self) is None:
            checks.warn_of_steps()
            whole = True  # as in TensorFlow 1.15, each step has all examples
        elif steps and count and batch_size is None:
            size, shuffle = max(1, int(count // steps)), False
        return sources.Arrays(fed, size, shuffle, steps, random, equal, whole)

    def evaluate(self, x=None, y=None, batch_size=None, verbose=1, sample_weight=None, steps=None,
                 callbacks=None, max_queue_size=10, workers=1,
                 use_multiprocessing=False):  # fmt: skip
        """Measures the model.

        Args:
            x: The inputs, as of fit().
            y: The targets, as of fit().
            batch_size: Size of a batch, an int. None: 32.
            verbose: 0: silent, 1: a progress bar, 2: a line at the end.
            sample_weight: How much each example counts, an array.
            steps: How many batches are measured, an int. None: all. Of arrays, each step measures
                all examples.
            callbacks: Callbacks, a list.
            max_queue_size: Accepted. It has no effect.
            workers: Batches are made in this thread. 0: on_epoch_end() of a Sequence is not
                called, and its batches are not shuffled.
            use_multiprocessing: Accepted. It has no effect.

        Returns:
            The loss; with metrics a list of the loss and the metrics.

        Raises:
            RuntimeError: The model is not compiled.
            ValueError: The data do not fit the model.
        """
        self._check_compiled()
        x, y, sample_weight = sources.joined(x, y, sample_weight, steps, "steps")
        if sources.is_stream(x):
            sources.check(
                x, steps, "steps", batch_size=batch_size, y=y, sample_weight=sample_weight
            )
            source = sources.stream(self._with_inputs(x), self._prepared(), steps, workers=workers)
        else:
            source = self._arrays(self._given(x, y, sample_weight), batch_size, steps=steps)
        found = loops.evaluate(self, source, callbacks, verbose)
        return found[0] if len(found) == 1 else found

    def predict(self, x, batch_size=None, verbose=0, steps=None, callbacks=None,
                max_queue_size=10, workers=1, use_multiprocessing=False):  # fmt: skip
        """Computes the outputs.

        Args:
            x: The inputs, as of fit().
            batch_size: Size of a batch, an int. None: 32.
            verbose: 0: silent, 1: a progress bar, 2: a line at the end.
            steps: How many batches are computed, an int. None: all. Of arrays, each step computes
                all examples.
            callbacks: Callbacks, a list.
            max_queue_size: Accepted. It has no effect.
            workers: Batches are made in this thread. 0: on_epoch_end() of a Sequence is not
                called, and its batches are not shuffled.
            use_multiprocessing: Accepted. It has no effect.

        Returns:
            An array, or a list with an array for each output.

        Raises:
            ValueError: The data do not fit the model.
        """
        x = sources.joined(x, None, None, steps, "steps")[0]
        if sources.is_stream(x):
            sources.check(x, steps, "steps", batch_size=batch_size)
            source = sources.stream(
                self._with_inputs(x), self._prepared(targets=False), steps, workers=workers
            )
        else:
            fed = self._given(x, targets=False)
            source = self._arrays(fed, batch_size, steps=steps, equal=False)
        found = loops.predict(self, source, callbacks, verbose)
        return found[0] if len(found) == 1 else found

    def train_on_batch(self, x, y=None, sample_weight=None, class_weight=None,
                       reset_metrics=True):  # fmt: skip
        """Makes one step of training.

        Args:
            x: The inputs, an array, a list or a dict; or a data set, of which the first element
                counts.
            y: The targets, an array, a list or a dict.
            sample_weight: How much each example counts, an array.
            class_weight: How much examples of a class count, a dict class -> float.
            reset_metrics: Whether metrics begin anew at the next batch. A bool.

        Returns:
            The loss; with metrics a list of the loss and the metrics.
        """
        self._check_compiled()
        x, y, sample_weight = sources.batch_of(x, y, sample_weight)
        fed = self._given(x, y, sample_weight, class_weight)
        trained.warn_of_change(self, trained.place_of_caller())
        found = self.train_function()(fed)
        if reset_metrics:
            self.reset_metrics()
        return found[0] if len(found) == 1 else found

    def test_on_batch(self, x, y=None, sample_weight=None, reset_metrics=True):
        """Measures one batch.

        Args:
            x: The inputs, an array, a list or a dict; or a data set, of which the first element
                counts.
            y: The targets, an array, a list or a dict.
            sample_weight: How much each example counts, an array.
            reset_metrics: Whether metrics begin anew at the next batch. A bool.

        Returns:
            The loss; with metrics a list of the loss and the metrics.
        """
        self._check_compiled()
        x, y, sample_weight = sources.batch_of(x, y, sample_weight)
        fed = self._given(x, y, sample_weight)  # weights make another function
        found = self.test_function()(fed)
        if reset_metrics:
            self.reset_metrics()
        return found[0] if len(found) == 1 else found

    def predict_on_batch(self, x):
        """Computes the outputs of one batch.

        Args:
            x: The inputs, an array, a list or a dict; or a data set, of which the first element
                counts.

        Returns:
            An array, or a list with an array for each output.
        """
        fed = self._given(sources.batch_of(x)[0], targets=False)
        found = self.predict_function()(fed)
        return found[0] if len(found) == 1 else found

    # ---- as text and files

    def summary(self, line_length=None, positions=None, print_fn=None):
        """Prints the layers with the shapes of their outputs and the numbers of their variables.

        Args:
            line_length: How many columns a line has, an int.
            positions: Where columns end, a list of floats from 0 to 1.
            print_fn: A function of a line. None: print().

        Raises:
            ValueError: The model has no variables yet.
        """
        print_summary(self, line_length, positions, print_fn)

    def compile_arguments(self):
        """Returns what compile() was given.

        Returns:
            A dict; None if the model is not compiled.
        """
        return self._compiled


Model.build.by_calling = True
