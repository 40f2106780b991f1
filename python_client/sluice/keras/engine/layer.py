# SPDX-License-Identifier: Apache-2.0
"""The base class of Keras layers."""

import contextlib
import functools
import inspect

import numpy as np

from ... import dtypes, nest
from ...autograph.calls import converted
from ...graph.convert import convert_to_tensor, placeholder
from ...graph.default_graph import name_scope
from ...graph.elements import Operation, Tensor
from ...graph.tensor_shape import TensorShape
from ...layers import layer as plain
from ...layers.arguments import arguments_by_name, without_training
from ...layers.input_spec import check_inputs
from ...layers.recorded import mask_of
from ...ops import array as arrays
from ...ops.ragged.elementwise import map_flat_values
from ...ops.sparse.sparse_tensor import SparseTensor
from ...ops.state.kinds import VariableAggregation, VariableSynchronization
from ...ops.state.variables import Variable
from ..base import constraints, initializers, policies, regularizers, settings, state, values
from ..base.autocast import AutoCastVariable, reading_as
from . import documents
from .calls import calling, current_call
from .measured import metric_of
from .node import Node, history_of, reachable, set_mask
from .parts import Parts
from .registry import aggregations, record_derived
from .weight_rules import initializer_of, is_trainable

_OF_CONTROL = "You are attempting to use Python control flow"
_OPTIONS = "input_shape input_dim batch_input_shape batch_size weights autocast".split()


class Layer(Parts, plain.Layer):
    """A function with variables of its own, and a record of its calls. Derived classes define
    call() and, if they have variables, build().

    Args:
        trainable: Whether optimizers change the variables. A bool.
        name: Name of the layer, a str. None: the class's name.
        dtype: Dtype of the variables, or a Policy. None: that of the first input.
        dynamic: Whether call() needs eager execution: a model of the layer cannot be compiled.
        **kwargs: input_shape: shape of the input without the batch; batch_input_shape: with it;
            weights: first values of the variables; activity_regularizer: a function of the output
            that returns a loss; autocast: whether inputs are cast to the dtype of the policy.
    """

    stateful = supports_masking = False
    _casts_variables = True  # if its policy says so

    def __init__(self, trainable=True, name=None, dtype=None, dynamic=False, **kwargs):
        regularizer = kwargs.pop("activity_regularizer", None)
        options = {key: kwargs.pop(key, None) for key in _OPTIONS}
        if kwargs:
            raise TypeError("Keyword argument not understood:", sorted(kwargs)[0])
        self._parts()
        self._dynamic = dynamic
        self.trainable, self.built = trainable, False
        self._policy, self._autocast = policies.policy_of(dtype), bool(options["autocast"])
        for key in ("_trainable_weights", "_non_trainable_weights"):
            vars(self).setdefault(key, [])  # attributes set before may hold variables
        self._updates, self._losses, self._loss_functions = [], [], []
        self.measured = []  # pairs: a Metric and its result
        self.inbound_nodes, self.outbound_nodes = [], []
        self._activity_regularizer = regularizers.get(regularizer)
        self._name = name or state.unique_name(plain.snake_case(type(self).__name__), True)
        self._initial_weights = options["weights"]
        self._take_shape(options)

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        documents.complete(cls)

    def _take_shape(self, options):
        """Keeps the shape of the input, which Sequential makes a placeholder of."""
        shape = options["input_shape"]
        if shape is None and options["input_dim"] is not None:
            shape = (options["input_dim"],)
        self.batch_input_shape = options["batch_input_shape"]
        if self.batch_input_shape is None and shape is not None:
            self.batch_input_shape = (options["batch_size"], *shape)
        if self.batch_input_shape is not None:
            self.batch_input_shape = tuple(self.batch_input_shape)
            self.take_dtype(settings.floatx())

    # ---- the layers and variables that it is made of

    @property
    def trainable(self):
        """Whether optimizers change the variables. Setting it sets that of the layers that
        attributes hold, not of those in their lists and dicts, as in TensorFlow 1.15."""
        return self._trainable

    @trainable.setter
    def trainable(self, value):
        self._trainable = value
        for part in vars(self).get("_layers", ()):
            if isinstance(part, plain.Layer):
                part.trainable = value

    @property
    def dynamic(self):
        """Whether it or a layer inside needs eager execution. A bool."""
        return vars(self).get("_dynamic", False) or any(
            getattr(part, "dynamic", False) for part in self._parts()
        )

    @property
    def dtype(self):
        """The name of the dtype of the variables; None before the first call, if it was not
        given."""
        return self._policy.variable_dtype

    @property
    def _dtype(self):
        name = self._policy.variable_dtype
        return None if name is None else dtypes.as_dtype(name)

    @_dtype.setter
    def _dtype(self, dtype):
        self._policy = policies.policy_of(dtype)

    def take_dtype(self, dtype):
        """Gives the layer a dtype if it has none yet.

        Args:
            dtype: Dtype of the variables.
        """
        if self._dtype is None and dtype is not None:
            self._dtype = dtypes.as_dtype(dtype)

    @property
    def trainable_weights(self):
        """The variables that optimizers change, a list."""
        if not self.trainable:
            return []
        return self._trainable_weights + self._nested("trainable_weights")

    @property
    def non_trainable_weights(self):
        """The other variables, a list."""
        if self.trainable:
            return self._non_trainable_weights + self._nested("non_trainable_weights")
        own = self._trainable_weights + self._non_trainable_weights
        return own + self._nested("weights")

    @property
    def updates(self):
        """The operations that a training step must run too, a list."""
        if not self.trainable and not self.stateful:
            return []
        return [op for op, _ in self._updates] + self._nested("updates")

    @property
    def losses(self):
        """The losses of variables and outputs, a list of tensors. Those of variables are made at
        each use."""
        made = [loss() for loss in self._loss_functions]
        made = [loss for loss in made if loss is not None]
        return [*self._losses, *made, *self._nested("losses")]

    @property
    def metrics(self):
        """The metrics that add_metric() added, a list."""
        return [*(metric for metric, _ in self.measured), *self._nested("metrics")]

    def get_updates_for(self, inputs):
        """Returns the operations that a training step must run too.

        Args:
            inputs: A tensor or a list of tensors: the updates that depend on them. None: those that
                depend on no input.

        Returns:
            A list.
        """
        if inputs is not None:
            return reachable(self.updates, nest.flatten(inputs))
        if not self.trainable and not self.stateful:
            return []
        free = [op for op, conditional in self._updates if not conditional]
        return free + [op for part in self._parts() for op in part.get_updates_for(None)]

    def get_losses_for(self, inputs=None):
        """Returns losses.

        Args:
            inputs: A tensor or a list of tensors: the losses that depend on them. None: those that
                were added without inputs.

        Returns:
            A list of tensors.
        """
        if inputs is None:
            return [loss for loss in self.losses if is_free(loss)]
        conditional = [loss for loss in self.losses if not is_free(loss)]
        return reachable(conditional, nest.flatten(inputs))

    def get_weights(self):
        """Reads all variables.

        Returns:
            A list of arrays.
        """
        return values.batch_get_value(self.weights)

    def set_weights(self, weights):
        """Sets all variables.

        Args:
            weights: A list of arrays, in the order of `weights`.

        Raises:
            ValueError: The arrays do not fit the variables.
        """
        variables = self.weights
        if len(variables) != len(weights):
            raise ValueError(
                f'You called `set_weights(weights)` on layer "{self._name}" with a  weight list of '
                f"length {len(weights)}, but the layer was expecting {len(variables)} weights. "
                f"Provided weights: {str(weights)[:50]}..."
            )
        for variable, value in zip(variables, weights):
            if tuple(variable.shape.as_list()) != np.shape(value):
                raise ValueError(
                    f"Layer weight shape {variable.shape} not compatible with provided weight "
                    f"shape {np.shape(value)}"
                )
        values.batch_set_value(list(zip(variables, weights)))

    def count_params(self):
        """Counts the elements of all variables.

        Returns:
            An int.

        Raises:
            ValueError: The layer has no variables yet.
        """
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self._name}, but the layer isn't built. You "
                f"can build it manually via: `{self._name}.build(batch_input_shape)`."
            )
        return int(sum(np.prod(v.shape.as_list(), dtype=int) for v in self.weights))

    # ---- what derived classes use

    def add_weight(self, name=None, shape=None, dtype=None, initializer=None, regularizer=None,
                   trainable=None, constraint=None, partitioner=None, use_resource=None,
                   synchronization=VariableSynchronization.AUTO,
                   aggregation=VariableAggregation.NONE, **kwargs):  # fmt: skip
        """Makes a variable of the layer.

        Args:
            name: Name of the variable, a str.
            shape: Shape of the variable, a list of ints. None: a scalar.
            dtype: Dtype of the variable. None: that of the layer, else the default one.
            initializer: A function of (shape, dtype), or its name. None: glorot_uniform(), for
                integers zeros.
            regularizer: A function of the variable that returns a loss. None: no loss.
            trainable: Whether optimizers change it. A bool. None: True.
            constraint: A function of the value that optimizers apply after an update.
            partitioner: Must be None.
            use_resource: Kind of the variable, a bool. None: a resource variable.
            synchronization: Accepted. With ON_READ the variable is not trainable.
            aggregation: Accepted. It has no effect.
            **kwargs: collections: keys of the graph's collections that get the variable, a list.
                None: global_variables, and trainable_variables if it is trainable.
                experimental_autocast: False: a policy does not cast it. getter is accepted and
                has no effect.

        Returns:
            A Variable.

        Raises:
            ValueError: It is trainable and ON_READ, has a partitioner, or has a dtype that needs an
                initializer.
            TypeError: An argument in kwargs is unknown.
        """
        trainable = is_trainable(name, trainable, synchronization, partitioner, kwargs)
        dtype = dtypes.as_dtype(dtype or self._dtype or settings.floatx()).base_dtype
        if self._dtype is None:
            self._dtype = dtype
        if initializer is None:
            initializer = initializer_of(name, dtype, self)
        initializer = initializers.get(initializer)
        shape = [] if shape is None else TensorShape(shape).as_list()
        variable = Variable(
            functools.partial(initializer, shape, dtype=dtype), name=name, trainable=trainable,
            constraint=constraints.get(constraint),
            use_resource=True if use_resource is None else use_resource, dtype=dtype,
            synchronization=synchronization, aggregation=aggregation,
            collections=kwargs.get("collections"),
        )  # fmt: skip
        casts = kwargs.get("experimental_autocast", True) and self._casts_variables
        if casts and self._policy.should_cast_variables:
            variable = AutoCastVariable(variable)
        state.track_variable(variable)
        own = self._trainable_weights if variable.trainable else self._non_trainable_weights
        own.append(variable)
        vars(self).setdefault("_tracked", {}).setdefault(name, variable)
        if regularizer is not None:
            self._loss_functions.append(
                functools.partial(_loss_of, regularizers.get(regularizer), name, variable)
            )
        return variable

    _in_one_piece = staticmethod(contextlib.nullcontext)

    def add_loss(self, losses, inputs=None):
        """Adds losses to those of the layer.

        Args:
            losses: A tensor, a function without arguments that returns one, or a list of these.
            inputs: What the losses depend on; True: the inputs of the call. None: they count for
                all calls of the layer.
        """
        for loss in nest.flatten(losses):
            if callable(loss):
                self._loss_functions.append(functools.partial(_made_loss, loss, inputs is None))
            elif loss is not None:
                self._losses.append(_made_loss(loss, inputs is None))

    def add_metric(self, value, aggregation=None, name=None):
        """Adds a value that training and evaluate() return.

        Args:
            value: The value, a tensor, or what the call of a Metric returned.
            aggregation: "mean": the mean over the batches of an epoch. None: the value is that of
                a Metric.
            name: Name of the value, a str. None: that of the Metric.

        Raises:
            ValueError: aggregation is not one of these, the value has no name, or it needs an
                aggregation.
        """
        if self._follows_calls and not hasattr(value, "graph"):
            raise ValueError(f"Expected a symbolic Tensor for the metric value, received: {value}")
        metric = metric_of(value)
        if aggregation not in (None, "mean"):
            raise ValueError(
                "We currently support only `mean` sample-wise metric aggregation. You provided "
                f"aggregation=`{aggregation}`"
            )
        if name is None and metric is None:
            raise ValueError(
                "Please provide a name for your metric like `self.add_metric(tf.reduce_sum(inputs)"
                ", name='mean_activation', aggregation='mean')`"
            )
        if metric is not None and self._follows_calls and current_call() is None:
            raise ValueError(
                "Using the result of calling a `Metric` object when calling `add_metric` on a "
                "Functional Model is not supported. Please pass the Tensor to monitor directly."
            )
        name = name if metric is None else metric.name
        if aggregation is not None:
            self._measure_new(value, aggregation, name)
        elif metric is not None:
            self._measure_one(metric, value)
        else:
            raise ValueError(
                "We do not support adding an aggregated metric result tensor that is not the "
                "output of a `tf.keras.metrics.Metric` metric instance. Without having access to "
                "the metric instance we cannot reset the state of a metric after every epoch "
                "during training. You can create a `tf.keras.metrics.Metric` instance and pass the "
                "result here or pass an un-aggregated result with `aggregation` parameter set as "
                "`mean`. For example: `self.add_metric(tf.reduce_sum(inputs), "
                "name='mean_activation', aggregation='mean')`"
            )

    _follows_calls = False  # whether it is a network of the calls of layers

    def _measure_new(self, value, aggregation, name):
        """Measures a value by a Metric of the layer."""
        known = (own for own, _ in self.measured if own.name == name)
        metric = next(known, None) or aggregations[aggregation](name=name)
        self._measure_one(metric, metric(value))

    def _measure_one(self, metric, value):
        """Keeps the value of the last call."""
        self.measured = [pair for pair in self.measured if pair[0] is not metric]
        self.measured.append((metric, value))

    def add_update(self, updates, inputs=None):
        """Adds operations that a training step must run too.

        Args:
            updates: An Operation, a tensor, a function that returns one, or a list of these.
            inputs: Accepted. It has no effect.
        """
        del inputs
        call = current_call()
        around = nest.flatten(call.inputs) if call else []
        for update in nest.flatten(updates):
            while callable(update):
                update = update()
            op = update if isinstance(update, Operation) else update.op
            self._updates.append((op, bool(reachable([op], around))))

    def compute_mask(self, inputs, mask=None):
        """Computes the mask of the output.

        Args:
            inputs: The input, a tensor or a list of tensors.
            mask: The mask of the input, or a list of masks.

        Returns:
            The mask of the input.

        Raises:
            TypeError: There is a mask, and the layer supports none.
        """
        if not self.supports_masking:
            if any(m is not None for m in nest.flatten(mask)):
                raise TypeError(
                    f"Layer {self._name} does not support masking, but was passed an input_mask: "
                    f"{mask}"
                )
            return None
        return mask

    # ---- calls

    def __call__(self, *args, **kwargs):
        if "inbound_nodes" not in vars(self):
            raise RuntimeError("You must call `super().__init__()` in the layer constructor.")
        inputs, args, kwargs = self._split(args, kwargs)
        inputs = nest.map_structure(_tensor, inputs)
        given = without_training(arguments_by_name(self.call, args, kwargs), self.call)
        if current_call() is None:
            record_derived(inputs, given)
        kwargs = self._with_mask(inputs, args, kwargs)
        kwargs = self._with_training(args, kwargs)
        training = kwargs.get("training")
        kwargs = without_training(kwargs, self.call)
        with calling(self, inputs, training), name_scope(self._scope_name()):
            self._build_for(inputs)
            if self.dynamic:
                outputs = self._promised(inputs)
            else:
                with reading_as(self._policy.compute_dtype):
                    outputs = self._called(self._cast(inputs), args, kwargs)
            if outputs is None:
                raise ValueError(
                    "A layer's `call` method should return a Tensor or a list of Tensors, not None "
                    f"(layer: {self._name})."
                )
            recorded = all(history_of(t) is not None for t in nest.flatten(inputs))
            if recorded:
                outputs = _unlike(outputs, inputs)
            self._regularize(outputs)
            self._mask_outputs(inputs, outputs, kwargs.get("mask"))
        if recorded and nest.flatten(inputs):
            Node(self, inputs, outputs, given)
        return outputs

    def _called(self, inputs, args, kwargs):
        try:
            return converted(self.call)(inputs, *args, **kwargs)
        except TypeError as error:
            if "not allowed in Graph execution" not in str(error) or _OF_CONTROL in str(error):
                raise
            raise TypeError(
                f"{_OF_CONTROL} in a layer that was not declared to be dynamic. Pass "
                '`dynamic=True` to the class constructor.\nEncountered error:\n"""\n'
                f'{error}\n"""'
            ) from error

    def _cast(self, inputs):
        """The inputs in the dtype in which the layer computes, if it casts them."""
        name = self._policy.compute_dtype
        if not self._autocast or name is None or not dtypes.as_dtype(name).is_floating:
            return inputs

        def cast(x):
            floating = isinstance(x, (Tensor, SparseTensor)) and x.dtype.is_floating
            return arrays.cast(x, name) if floating and x.dtype.base_dtype.name != name else x

        return nest.map_structure(cast, inputs)

    def _promised(self, inputs):
        """Placeholders of the shapes that a layer returns whose call() cannot run in a graph."""
        shapes = self.compute_output_shape(nest.map_structure(lambda t: t.shape, inputs))
        if not isinstance(shapes, list):
            return placeholder(self._dtype or settings.floatx(), shapes)
        return [placeholder(self._dtype or settings.floatx(), shape) for shape in shapes]

    def _split(self, args, kwargs):
        """(inputs, further arguments, those by name) of a call: the inputs may have a name too."""
        if args:
            return args[0], args[1:], kwargs
        first = next(iter(inspect.signature(self.call).parameters), "inputs")
        for name in (first, "inputs"):
            if name in kwargs:
                return kwargs.pop(name), (), kwargs
        raise ValueError("The first argument to `Layer.call` must always be passed.")

    def _scope_name(self):
        return self._name

    def takes(self, argument):
        """Tests whether call() takes an argument.

        Args:
            argument: Name of the argument, a str.

        Returns:
            A bool.
        """
        return argument in inspect.signature(self.call).parameters

    def _with_mask(self, inputs, args, kwargs):
        if "mask" in kwargs or not self.takes("mask"):
            return kwargs
        if args and "mask" in list(inspect.signature(self.call).parameters)[1 : 1 + len(args)]:
            return kwargs
        masks = nest.map_structure(mask_of, inputs)
        has = any(m is not None for m in nest.flatten(masks))
        return {**kwargs, "mask": masks} if has else kwargs

    def _with_training(self, args, kwargs):
        outer = current_call()
        if args or kwargs.get("training") is not None or not self.takes("training"):
            return kwargs
        if outer is None or outer.training is None:
            return kwargs
        return {**kwargs, "training": outer.training}

    def _build_for(self, inputs):
        check_inputs(self.input_spec, inputs, self._name)
        if self.built:
            return
        flat = nest.flatten(inputs)
        if self._policy.compute_dtype is None and flat and hasattr(flat[0], "dtype"):
            self._policy = policies.for_input(self._policy, flat[0].dtype)
        self.build(nest.map_structure(lambda x: TensorShape(getattr(x, "shape", None)), inputs))
        self.built = True
        if self._initial_weights is not None:
            self.set_weights(self._initial_weights)
            self._initial_weights = None
        check_inputs(self.input_spec, inputs, self._name)

    def _mask_outputs(self, inputs, outputs, given):
        flat = nest.flatten(outputs)
        if not flat or all(mask_of(t) is not None for t in flat):
            return
        if not self.supports_masking and type(self).compute_mask is Layer.compute_mask:
            return  # the mask ends here
        masks = given
        if given is None:
            masks = nest.map_structure(mask_of, inputs)
        masks = self.compute_mask(inputs, masks)
        masks = [None] * len(flat) if masks is None else nest.flatten(masks)
        for tensor, mask in zip(flat, masks):
            if mask_of(tensor) is None:
                set_mask(tensor, mask)


def _tensor(value):
    is_array = isinstance(value, (np.ndarray, np.generic, int, float))
    return convert_to_tensor(value) if is_array else value


def _loss_of(regularizer, name, variable):
    with name_scope(f"{variable.op.name}/Regularizer"):
        return _made_loss(regularizer(variable), True)


def _made_loss(loss, free):
    """A loss as a tensor, which knows whether it counts for all calls of its layer."""
    loss = loss() if callable(loss) else loss
    if loss is not None:
        loss = loss if isinstance(loss, Tensor) else convert_to_tensor(loss, settings.floatx())
        loss._keras_counts = free
    return loss


def is_free(loss):
    """Whether a loss was added without the inputs that it depends on."""
    return getattr(loss, "_keras_counts", True)


def _unlike(outputs, inputs):
    """Outputs that are not the inputs themselves, so that each has one origin."""
    taken = {id(t) for t in nest.flatten(inputs)}
    return nest.map_structure(
        lambda t: map_flat_values(arrays.identity, t) if id(t) in taken else t, outputs
    )
