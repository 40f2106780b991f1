# SPDX-License-Identifier: Apache-2.0
"""The numbers of an optimizer and its variables: slots, the count of steps, hyperparameters."""

import functools
import weakref

from ... import dtypes
from ...graph.convert import constant
from ...graph.default_graph import colocate_with, control_dependencies
from ...graph.elements import Tensor
from ...layers.layer import snake_case
from ...ops import array as arrays
from ...ops.state.kinds import VariableAggregation, VariableSynchronization
from ...ops.state.variables import Variable
from ...strategies.values import container_of
from ..base import initializers, state, values
from . import schedules
from .schedules import LearningRateSchedule


class OptimizerVariables:
    """The numbers and variables of an optimizer, of which it is the base class.

    Args:
        name: Name of the operations, a str. None: that of the class.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    def __init__(self, name, **kwargs):
        for key, value in kwargs.items():
            if key not in ("clipnorm", "clipvalue", "lr", "decay"):
                raise TypeError(f"Unexpected keyword argument passed to optimizer: {key}")
            if value is not None and value < 0:
                raise ValueError(f"Expected {key} >= 0, received: {value}")
        self._use_locking = True
        self._init_set_name(name)
        self._hyper, self._hypers_created = {}, False
        self._slots = weakref.WeakKeyDictionary()  # a variable -> {name of the slot -> variable}
        self._slot_names, self._weights, self._iterations = [], [], None
        self._tracked = {}  # name in checkpoints -> a variable, or another object
        for key in ("clipnorm", "clipvalue"):
            if kwargs.get(key) is not None:
                setattr(self, key, kwargs[key])
        self._initial_decay = kwargs.get("decay") or 0.0

    def _init_set_name(self, name, zero_based=True):
        self._name = name or state.unique_name(snake_case(type(self).__name__), zero_based)

    # ---- hyperparameters

    def _set_hyper(self, name, value):
        """Sets a number of the optimizer: a number, a tensor, a schedule or a function."""
        if isinstance(value, Variable):
            self._track_trackable(value, name, overwrite=True)
        old = self._hyper.get(name)
        if isinstance(old, Variable) and not isinstance(value, LearningRateSchedule):
            values.set_value(old, value)
        else:
            self._hyper[name] = value

    def _get_hyper(self, name, dtype=None):
        """The variable, tensor, value of the function, or schedule, of a number."""
        self._create_hypers()
        value = self._hyper[name]
        if isinstance(value, LearningRateSchedule):
            return value
        if callable(value):
            value = value()
        return value if dtype is None else arrays.cast(value, dtype)

    def _create_hypers(self):
        """Makes variables of the numbers."""
        if self._hypers_created:
            return
        for name, value in sorted(self._hyper.items()):
            if not (isinstance(value, (Tensor, Variable)) or callable(value)):
                self._hyper[name] = self.add_weight(
                    name, [], trainable=False, initializer=value,
                    aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
                )  # fmt: skip
        self._hypers_created = True

    def _decayed_lr(self, var_dtype):
        """The learning rate of this step, a tensor of a dtype."""
        rate = self._get_hyper("learning_rate", var_dtype)
        if isinstance(rate, LearningRateSchedule):
            rate = arrays.cast(rate(arrays.cast(self.iterations, var_dtype)), var_dtype)
        if self._initial_decay > 0:
            steps = arrays.cast(self.iterations, var_dtype)
            rate = rate / (1.0 + self._get_hyper("decay", var_dtype) * steps)
        return rate

    def __getattr__(self, name):
        name = "learning_rate" if name == "lr" else name
        if name in vars(self).get("_hyper", {}):
            return self._get_hyper(name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name, value):
        name = "learning_rate" if name == "lr" else name
        if name in vars(self).get("_hyper", {}):
            self._set_hyper(name, value)
        else:
            super().__setattr__(name, value)

    # ---- variables

    def add_weight(self, name, shape, dtype=None, initializer="zeros", trainable=None,
                   synchronization=VariableSynchronization.AUTO,
                   aggregation=VariableAggregation.NONE):  # fmt: skip
        """Makes a variable of the optimizer.

        Args:
            name: Name of the variable, a str.
            shape: Shape of the variable, a list of ints.
            dtype: Dtype of the variable. None: float32.
            initializer: A function of (shape, dtype), its name, or the value.
            trainable: Accepted. It is not trainable.
            synchronization: Accepted. It has no effect.
            aggregation: Accepted. It has no effect.

        Returns:
            A Variable.
        """
        del trainable, synchronization, aggregation
        dtype = dtypes.as_dtype(dtype or dtypes.float32)
        if isinstance(initializer, str) or callable(initializer):
            initializer = initializers.get(initializer)
        else:
            initializer = functools.partial(_initial_value, initializer)
        variable = Variable(
            functools.partial(initializer, list(shape), dtype=dtype), name=name, trainable=False,
            use_resource=True, dtype=dtype,
        )  # fmt: skip
        state.track_variable(variable)
        self._track_trackable(variable, name, overwrite=True)
        return variable

    def _track_trackable(self, trackable, name, overwrite=False):
        """Lets checkpoints have an object under a name."""
        if name in self._tracked and not overwrite:
            raise ValueError(
                f"Called Trackable._track_trackable() with name='{name}', but a Trackable with "
                "this name is already declared as a dependency."
            )
        self._tracked[name] = trackable
        return trackable

    @property
    def iterations(self):
        """How many updates there were, an int64 variable."""
        if self._iterations is None:
            self._iterations = self.add_weight(
                "iter", [], dtypes.int64, trainable=False,
                aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
            )  # fmt: skip
            self._weights.append(self._iterations)
        return self._iterations

    @iterations.setter
    def iterations(self, variable):
        if self._iterations is not None:
            raise RuntimeError(
                "Cannot set `iterations` to a new Variable after the Optimizer weights have been "
                "created"
            )
        self._iterations = variable
        self._weights.append(variable)

    def add_slot(self, var, slot_name, initializer="zeros"):
        """Makes a variable that belongs to another.

        Args:
            var: The other variable.
            slot_name: Name of the slot, a str.
            initializer: A function of (shape, dtype), its name, or the value.

        Returns:
            A Variable.
        """
        if slot_name not in self._slot_names:
            self._slot_names.append(slot_name)
        slots = self._slots.setdefault(container_of(var), {})
        if slot_name not in slots:
            if isinstance(initializer, str) or callable(initializer):
                initializer = functools.partial(
                    initializers.get(initializer), var.shape.as_list(), dtype=var.dtype
                )
            with control_dependencies(None), colocate_with(var.op):
                slots[slot_name] = Variable(
                    initializer, name=f"{var.op.name}/{slot_name}", trainable=False,
                    use_resource=True, dtype=var.dtype,
                )  # fmt: skip
            state.track_variable(slots[slot_name])
            self._weights.append(slots[slot_name])
        return slots[slot_name]

    def get_slot(self, var, slot_name):
        """Returns a variable that belongs to another.

        Args:
            var: The other variable.
            slot_name: Name of the slot, a str.

        Returns:
            A Variable.

        Raises:
            KeyError: There is none.
        """
        return self._slots[container_of(var)][slot_name]

    def get_slot_names(self):
        """Returns the names of all slots.

        Returns:
            A list of str.
        """
        return self._slot_names

    def checkpoint_children(self):
        """Returns what a checkpoint saves besides slots.

        Returns:
            A list of pairs of a name and a variable, or an object of variables.
        """
        return list(self._tracked.items())

    # ---- as data

    @property
    def weights(self):
        """The variables that hold its state, a list."""
        return self._weights

    def variables(self):
        """Returns the variables that hold its state.

        Returns:
            A list.
        """
        return self._weights

    def get_weights(self):
        """Reads its state.

        Returns:
            A list of arrays.
        """
        return values.batch_get_value(self.weights)

    def set_weights(self, weights):
        """Sets its state.

        Args:
            weights: A list of arrays, in the order of `weights`.

        Raises:
            ValueError: There are not as many as variables, or one has another shape.
        """
        variables = self.weights
        if len(weights) != len(variables):
            raise ValueError(
                f"You called `set_weights(weights)` on optimizer {self._name} with a  weight list "
                f"of length {len(weights)}, but the optimizer was expecting {len(variables)} "
                f"weights. Provided weights: {str(weights)[:50]}..."
            )
        for variable, array in zip(variables, weights):
            if tuple(variable.shape.as_list()) != array.shape:
                raise ValueError(
                    f"Optimizer weight shape {tuple(variable.shape.as_list())} not compatible "
                    f"with provided weight shape {array.shape}"
                )
        values.batch_set_value(list(zip(variables, weights)))

    def _serialize_hyperparameter(self, hyperparameter_name):
        """A number as get_config() has it."""
        value = self._hyper[hyperparameter_name]
        if isinstance(value, LearningRateSchedule):
            return schedules.serialize(value)
        if isinstance(value, (Tensor, Variable)):
            return values.get_value(value)
        return value() if callable(value) else value


def _initial_value(value, shape, dtype):
    return constant(value, dtype, shape, "initial_value")
