# SPDX-License-Identifier: Apache-2.0
"""Layers: functions with variables of their own, which the first call makes."""

import contextlib
import re

import numpy as np

from .. import dtypes, nest
from ..autograph.calls import converted
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import get_default_graph, name_scope
from ..graph.elements import Operation, Tensor
from ..graph.keys import GraphKeys
from ..graph.state import state_of
from ..graph.tensor_shape import TensorShape
from ..ops import array as arrays
from ..ops.functions.tracing import outermost
from ..ops.state.kinds import VariableAggregation, VariableSynchronization
from ..ops.state.listing import global_variables, trainable_variables
from ..ops.state.module import Module
from ..ops.state.partitioned import PartitionedVariable
from ..ops.state.variable_scope import get_variable, variable_scope
from ..ops.state.variables import Variable
from .arguments import Configured, resolved, without_training
from .input_spec import check_inputs
from .recorded import Recorded

_COUNTS, _MADE = ("layers",), ("variables of layers",)  # keys of a graph's state


def variables_of_layers():
    """The variables that layers of the default graph made, a list that grows."""
    return state_of(outermost(get_default_graph())).collections.setdefault(_MADE, [])


class Layer(Recorded, Configured, Module):
    """A function with variables of its own. Derived classes define call() and, if they have
    variables, build().

    Args:
        trainable: Whether optimizers change the variables by default. A bool.
        name: Name of the layer, a str. None: the class's name.
        dtype: Dtype of the variables. None: that of the first input.
        **kwargs: activity_regularizer: a function of the output that returns a loss.

    Example:
        >>> class Scale(sl.layers.Layer):
        ...     def build(self, input_shape):
        ...         self.factor = self.add_weight("factor", [], initializer=sl.ones_initializer())
        ...         super().build(input_shape)
        ...     def call(self, inputs):
        ...         return inputs * self.factor
        >>> layer = Scale(name="scale")
        >>> y = layer(sl.constant([1.0, 2.0]))
        >>> [v.name for v in layer.variables]
        ['scale/factor:0']
    """

    stateful = supports_masking = False

    _TF_MODULE_IGNORED_PROPERTIES = frozenset({"_tracked"})  # the weights are in lists too

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        scope, self._reuse = kwargs.pop("_scope", None), kwargs.pop("_reuse", None)
        regularizer = kwargs.pop("activity_regularizer", None)
        self._activity_regularizer = resolved("activity_regularizer", regularizer)
        kwargs.pop("autocast", None)
        if kwargs:
            raise TypeError(f"{type(self).__name__}() has no argument {sorted(kwargs)[0]!r}")
        self.trainable, self.built = trainable, False
        self._dtype = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
        self._trainable_weights, self._non_trainable_weights, self._named = [], [], {}
        self._updates, self._losses = [], []
        self._name_it(name)
        self._scope = self._current = None
        if scope:
            with variable_scope(scope) as self._scope:
                pass

    def _name_it(self, name):
        base = getattr(name, "name", name)  # the name may be a VariableScope
        if isinstance(name, str) and name:
            self._name = self._base_name = name
            return
        own = snake_case(type(self).__name__)
        counts = state_of(outermost(get_default_graph())).collections.setdefault(_COUNTS, {})
        counts[own] = counts.get(own, 0) + 1
        self._name, self._base_name = f"{own}_{counts[own]}", base or own

    # ---- what it is

    @property
    def name(self):
        """The name, a str."""
        return self._name

    @property
    def dtype(self):
        """The dtype of the variables; None before the first call, if it was not given."""
        return self._dtype

    @property
    def scope_name(self):
        """The name of the variable scope of its variables, a str. ValueError before the first
        call."""
        if self._scope is None:
            raise ValueError(f"layer {self._name} has no scope before it is called")
        return self._scope.name

    @property
    def activity_regularizer(self):
        """The function of the output that returns a loss, or None."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer):
        self._activity_regularizer = regularizer

    @property
    def trainable_weights(self):
        """The variables that optimizers change by default, a list."""
        return list(self._trainable_weights) if self.trainable else []

    @property
    def non_trainable_weights(self):
        """The other variables, a list."""
        if self.trainable:
            return list(self._non_trainable_weights)
        return self._trainable_weights + self._non_trainable_weights

    @property
    def weights(self):
        """All variables, a list."""
        return self.trainable_weights + self.non_trainable_weights

    @property
    def variables(self):
        """All variables, a list."""
        return self.weights

    @property
    def trainable_variables(self):
        """The variables that optimizers change by default, a list."""
        return self.trainable_weights

    @property
    def non_trainable_variables(self):
        """The other variables, a list."""
        return self.non_trainable_weights

    @property
    def updates(self):
        """The operations that a training step must run too, a list."""
        return list(self._updates) if self.trainable else []

    @property
    def losses(self):
        """The losses of variables and outputs, a list of tensors."""
        return list(self._losses)

    def get_updates_for(self, inputs):
        """Returns the operations that a training step must run too.

        Args:
            inputs: None: those that depend on no input, of which there are none.

        Returns:
            A list.
        """
        return [] if inputs is None else self.updates

    def get_losses_for(self, inputs=None):
        """Returns losses.

        Args:
            inputs: None: those of variables; else those of outputs.

        Returns:
            A list of tensors.
        """
        if inputs is not None:
            return self.conditional_losses()
        return [loss for loss in self._losses if "/Regularizer/" in loss.name]

    # ---- as a part of a layer of Keras

    metrics = measured = ()
    uses_resources = False  # whether all variables are resource variables

    def _parts(self):
        return ()

    def conditional_losses(self):
        """Returns the losses that depend on inputs.

        Returns:
            A list of tensors.
        """
        return [loss for loss in self._losses if "/Regularizer/" not in loss.name]

    def checkpoint_children(self):
        """Returns what a checkpoint saves of the layer.

        Returns:
            A list of pairs of a name and an object.
        """
        return [(name, v) for name, v in self._named.items() if isinstance(v, Variable)]

    def count_params(self):
        """Counts the elements of all variables.

        Returns:
            An int.

        Raises:
            ValueError: The layer was not called yet.
        """
        if not self.built:
            raise ValueError(f"layer {self._name} has no variables before it is called")
        return int(sum(np.prod(v.shape.as_list()) for v in self.weights))

    def get_weights(self):
        """Reads all variables in the default session.

        Returns:
            A list of arrays.

        Raises:
            ValueError: There is no session.
        """
        return [v.eval() for v in self.weights]

    def set_weights(self, weights):
        """Sets all variables in the default session.

        Args:
            weights: A list of arrays, in the order of `weights`.

        Raises:
            ValueError: There is no session, or the arrays do not fit the variables.
        """
        variables = self.weights
        shapes = [tuple(v.shape.as_list()) for v in variables]
        if [np.shape(w) for w in weights] != shapes:
            raise ValueError(f"the weights of layer {self._name} have the shapes {shapes}")
        for variable, value in zip(variables, weights):
            variable.load(value)

    # ---- what derived classes define

    def build(self, input_shape):
        """Makes the variables. The first call calls it.

        Args:
            input_shape: Shape of the input, a TensorShape.
        """
        del input_shape
        self.built = True

    def call(self, inputs):
        """Computes the output.

        Args:
            inputs: The input, a tensor.

        Returns:
            A tensor.
        """
        return inputs

    def compute_output_shape(self, input_shape):
        """Returns the shape of the output.

        Args:
            input_shape: Shape of the input.

        Returns:
            A TensorShape.

        Raises:
            NotImplementedError: The class does not say it.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say the shape of its output")

    # ---- what they use

    def add_weight(self, name, shape, dtype=None, initializer=None, regularizer=None,
                   trainable=None, constraint=None, use_resource=None,
                   synchronization=VariableSynchronization.AUTO,
                   aggregation=VariableAggregation.NONE, partitioner=None):  # fmt: skip
        """Makes or finds a variable of the layer.

        Args:
            name: Name of the variable, a str.
            shape: Shape of the variable, a list of ints.
            dtype: Dtype of the variable. None: that of the layer, else float32.
            initializer: A function of (shape, dtype). None: that of the scope, else
                glorot_uniform(), for integers zeros.
            regularizer: A function of the variable that returns a loss. None: no loss.
            trainable: Whether optimizers change it by default. A bool. None: True.
            constraint: A function of the value that optimizers apply after an update.
            use_resource: Kind of the variable, a bool. None: that of the scope.
            synchronization: Accepted. With ON_READ the variable is not trainable.
            aggregation: Accepted. It has no effect.
            partitioner: A function of (shape, dtype) that returns in how many parts each dimension
                is cut. None: that of the scope.

        Returns:
            A Variable; with a partitioner a PartitionedVariable.

        Raises:
            ValueError: The variable exists and must not, or is trainable and ON_READ.
        """
        if synchronization == VariableSynchronization.ON_READ:
            if trainable:
                raise ValueError(f"{name}: what is synchronised ON_READ cannot be trainable")
            trainable = False
        trainable = (trainable is None or bool(trainable)) and bool(self.trainable)
        self._set_scope(None)
        known = {id(v) for v in _in_home(global_variables)}
        with variable_scope(
            self._scope, reuse=self.built or self._reuse, auxiliary_name_scope=False
        ) as scope, name_scope(scope.original_name_scope):
            self._current = scope
            variable = get_variable(
                name, shape, dtypes.as_dtype(dtype or self._dtype or dtypes.float32), initializer,
                trainable=trainable, partitioner=partitioner,
                use_resource=use_resource or self.uses_resources or None,
                constraint=constraint, synchronization=synchronization, aggregation=aggregation,
            )  # fmt: skip
            parts = list(variable) if isinstance(variable, PartitionedVariable) else [variable]
            if regularizer is not None and not any(id(part) in known for part in parts):
                for part in parts:
                    with name_scope(f"{name}/Regularizer"):
                        loss = regularizer(part)
                    self.add_loss([] if loss is None else loss)
        collected = {id(v) for v in _in_home(trainable_variables)}
        is_trained = trainable and all(id(part) in collected for part in parts)
        self._named.setdefault(name, variable)
        self._own(variable, is_trained)
        return variable

    def _own(self, variable, trained):
        """Makes a variable, which may be partitioned, one of the layer's own, if it is not."""
        if not any(variable is v for v in self._trainable_weights + self._non_trainable_weights):
            (self._trainable_weights if trained else self._non_trainable_weights).append(variable)
            parts = [variable] if isinstance(variable, Variable) else variable
            variables_of_layers().extend(parts)

    @contextlib.contextmanager
    def _in_one_piece(self):
        """Variables that are made inside are not cut into parts."""
        partitioner = self._scope.partitioner
        self._scope.set_partitioner(None)
        try:
            yield
        finally:
            self._scope.set_partitioner(partitioner)

    def add_variable(self, *args, **kwargs):
        """Makes or finds a variable of the layer. Older name of add_weight().

        Args:
            *args: Arguments of add_weight().
            **kwargs: Further ones.

        Returns:
            A Variable.
        """
        return self.add_weight(*args, **kwargs)

    def add_loss(self, losses, inputs=None):
        """Adds losses to those of the layer and to the collection REGULARIZATION_LOSSES.

        Args:
            losses: A tensor, a function that returns one, or a list of these.
            inputs: Accepted. It has no effect.
        """
        del inputs
        losses = [loss() if callable(loss) else loss for loss in nest.flatten(losses)]
        losses = [convert_to_tensor(loss) for loss in losses if loss is not None]
        self._losses += losses
        _collect(GraphKeys.REGULARIZATION_LOSSES, losses)

    def add_update(self, updates, inputs=None):
        """Adds operations that a training step must run too. The call puts them in the collection
        UPDATE_OPS.

        Args:
            updates: An Operation, a tensor, a function that returns one, or a list of these.
            inputs: Accepted. It has no effect.
        """
        del inputs
        for update in nest.flatten(updates):
            while callable(update):
                update = update()
            self._updates.append(update if isinstance(update, Operation) else update.op)

    # ---- calls

    def apply(self, inputs, *args, **kwargs):
        """Calls the layer.

        Args:
            inputs: The input, a tensor.
            *args: Further arguments of call().
            **kwargs: Further arguments of call().

        Returns:
            A tensor.
        """
        return self(inputs, *args, **kwargs)

    def __call__(self, inputs, *args, **kwargs):
        self._set_scope(kwargs.pop("scope", None))
        inputs = nest.map_structure(lambda x: convert_to_tensor(x) if _is_array(x) else x, inputs)
        with variable_scope(
            self._scope, reuse=True if self.built else self._reuse, auxiliary_name_scope=False
        ) as scope, name_scope(scope.original_name_scope):
            self._current = scope
            self._build_for(inputs)
            kwargs = without_training(kwargs, self.call)
            outputs = converted(self.call)(inputs, *args, **kwargs)
            if outputs is None:
                raise ValueError(f"layer {self._name} returned None")
            self._regularize(outputs)
        for tensor in nest.flatten(outputs):
            if isinstance(tensor, Tensor):
                tensor._plain_layer = self
        _collect(GraphKeys.UPDATE_OPS, self.updates)
        return outputs

    def _set_scope(self, scope):
        """Opens the scope of the variables once: at the first call, or when it is asked for."""
        if self._scope is not None:
            return
        if self._reuse:
            opened = variable_scope(self._base_name if scope is None else scope)
        else:
            opened = variable_scope(scope, default_name=self._base_name)
        with opened as self._scope:
            pass

    def _build_for(self, inputs):
        if not self.built:
            flat = nest.flatten(inputs)
            check_inputs(self.input_spec, inputs, self._name)
            if self._dtype is None and flat and hasattr(flat[0], "dtype"):
                self._dtype = dtypes.as_dtype(flat[0].dtype).base_dtype
            shapes = nest.map_structure(lambda x: TensorShape(getattr(x, "shape", None)), inputs)
            self.build(shapes)
            self.built = True
        check_inputs(self.input_spec, inputs, self._name)

    def _regularize(self, outputs):
        if self._activity_regularizer is None:
            return
        with name_scope("ActivityRegularizer"):
            for output in nest.flatten(outputs):
                loss = self._activity_regularizer(output)
                batch = arrays.cast(arrays.shape(output)[0], loss.dtype)
                self.add_loss(loss / batch, inputs=True)

    def __repr__(self):
        name = vars(self).get("_name", "")  # its constructor may not have run
        return f"<sluice.layers.{type(self).__name__} '{name}'>"


def layer_of(tensor):
    """The layer that returned a tensor, if it is not one of Keras, else None."""
    return getattr(tensor, "_plain_layer", None)


def snake_case(name):
    """The name that a class of layers gives to scopes: "MaxPooling2D" -> "max_pooling2d"."""
    own = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    own = re.sub(r"([a-z])([A-Z])", r"\1_\2", own).lower()
    return own if own[0] != "_" else "private" + own


def _is_array(value):
    return isinstance(value, (np.ndarray, np.generic, int, float))


def _in_home(listing):
    with outermost(get_default_graph()).as_default():
        return listing()


def _collect(key, items):
    """Adds to a collection, which exists afterwards, what is not in it."""
    collection = get_default_graph().get_collection_ref(key)
    collection += [item for item in items if not any(item is old for old in collection)]
