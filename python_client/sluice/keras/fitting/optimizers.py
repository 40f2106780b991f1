# SPDX-License-Identifier: Apache-2.0
"""The base class of Keras optimizers: hyperparameters and slots are variables."""

import functools
import weakref

from ... import dtypes
from ...graph.convert import constant
from ...graph.default_graph import colocate_with, control_dependencies, name_scope
from ...graph.elements import IndexedSlices
from ...ops import array as arrays
from ...ops import raw_ops
from ...ops.control_flow.grouping import group
from ...ops.differentiate import gradients
from ...ops.math import clipping
from ...ops.math.rounding import clip_by_value
from ...ops.state.kinds import VariableAggregation
from ...ops.state.variables import Variable
from ...strategies import contexts
from ...strategies.reductions import ReduceOp
from ...strategies.values import container_of
from ..base import initializers, settings, state, values
from .schedules import LearningRateSchedule, deserialize


class Optimizer:
    """Changes variables to make a loss smaller. It is the base class of all optimizers.

    Args:
        name: Name of the operations, a str.
        **kwargs: clipnorm: the largest norm of a gradient; clipvalue: the largest element of a
            gradient; lr: older name of learning_rate; decay: how fast the learning rate falls.
    """

    hypers = ()  # names of numbers that are variables, in the order in which get_config() has them
    options = ()  # names of further arguments

    def __init__(self, name, **kwargs):
        for key, value in kwargs.items():
            if key not in ("clipnorm", "clipvalue", "lr", "decay"):
                raise TypeError(f"Unexpected keyword argument passed to optimizer: {key}")
            if value is not None and value < 0:
                raise ValueError(f"Expected {key} >= 0, received: {value}")
        self._name = name
        self._hyper, self._made = {}, {}
        self._slots = weakref.WeakKeyDictionary()  # a variable -> {name of the slot -> variable}
        self._weights, self._iterations = [], None
        self._clip = {k: kwargs.pop(k) for k in ("clipnorm", "clipvalue") if k in kwargs}
        self._initial_decay = kwargs.get("decay", 0.0)
        if self._initial_decay < 0:
            raise ValueError(f"decay cannot be less than 0: {self._initial_decay}")

    # ---- hyperparameters

    def _set_hyper(self, name, value):
        if name in self._made:
            values.set_value(self._made[name], value)
        else:
            self._hyper[name] = value

    def _get_hyper(self, name, dtype=None):
        self._make_hypers()
        value = self._made[name]
        if callable(value) and not isinstance(value, LearningRateSchedule):
            value = value()
        return value if dtype is None else arrays.cast(value, dtype)

    def _read(self, name, dtype):
        """A hyperparameter's value as the update reads it."""
        return arrays.identity(self._get_hyper(name, dtype))

    def _make_hypers(self):
        if self._made:
            return
        self.iterations  # noqa: B018, the variable comes first
        for name, value in sorted(self._hyper.items()):
            if hasattr(value, "graph") or callable(value):
                self._made[name] = value
                continue
            self._made[name] = self.add_weight(
                name, [], trainable=False, initializer=functools.partial(_initial_value, value)
            )

    def __getattr__(self, name):
        name = "learning_rate" if name == "lr" else name
        hyper = vars(self).get("_hyper", {})
        if name in hyper:
            self._make_hypers()
            return self._made[name]
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def __setattr__(self, name, value):
        name = "learning_rate" if name == "lr" else name
        if name in vars(self).get("_hyper", {}):
            self._set_hyper(name, value)
        else:
            super().__setattr__(name, value)

    def add_weight(self, name, shape, dtype=None, initializer="zeros", trainable=None,
                   synchronization=None, aggregation=VariableAggregation.NONE):  # fmt: skip
        """Makes a variable of the optimizer.

        Args:
            name: Name of the variable, a str.
            shape: Shape of the variable, a list of ints.
            dtype: Dtype of the variable. None: the default one.
            initializer: A function of (shape, dtype), or its name.
            trainable: Accepted. It is not trainable.
            synchronization: Accepted. It has no effect.
            aggregation: Accepted. It has no effect.

        Returns:
            A Variable.
        """
        del trainable, synchronization, aggregation
        dtype = dtypes.as_dtype(dtype or settings.floatx())
        initializer = initializers.get(initializer)
        variable = Variable(
            functools.partial(initializer, list(shape), dtype=dtype), name=name, trainable=False,
            use_resource=True, dtype=dtype,
        )  # fmt: skip
        state.track_variable(variable)
        return variable

    @property
    def iterations(self):
        """How many updates there were, an int64 variable."""
        if self._iterations is None:
            self._iterations = self.add_weight("iter", [], "int64")
            self._weights.append(self._iterations)
        return self._iterations

    @iterations.setter
    def iterations(self, variable):
        if self._iterations is not None:
            raise RuntimeError("iterations cannot be set once they are made")
        self._iterations = variable
        self._weights.append(variable)

    # ---- slots

    def add_slot(self, var, slot_name, initializer="zeros"):
        """Makes a variable that belongs to another.

        Args:
            var: The other variable.
            slot_name: Name of the slot, a str.
            initializer: A function of (shape, dtype), or its name.

        Returns:
            A Variable.
        """
        slots = self._slots.setdefault(container_of(var), {})
        if slot_name not in slots:
            initializer = initializers.get(initializer)
            with control_dependencies(None), colocate_with(var.op):
                slots[slot_name] = Variable(
                    functools.partial(initializer, var.shape.as_list(), dtype=var.dtype),
                    name=f"{var.op.name}/{slot_name}", trainable=False, use_resource=True,
                    dtype=var.dtype,
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
        """
        return self._slots[container_of(var)][slot_name]

    def get_slot_names(self):
        """Returns the names of all slots.

        Returns:
            A list of str.
        """
        return list(dict.fromkeys(name for slots in self._slots.values() for name in slots))

    def checkpoint_children(self):
        """Returns the variables that a checkpoint saves besides slots.

        Returns:
            A list of pairs of a name and a variable.
        """
        own = [] if self._iterations is None else [("iter", self._iterations)]
        return own + [(n, v) for n, v in self._made.items() if isinstance(v, Variable)]

    # ---- updates

    def get_gradients(self, loss, params):
        """Adds operations that compute gradients.

        Args:
            loss: The loss, a scalar.
            params: Variables, a list.

        Returns:
            A list of tensors.

        Raises:
            ValueError: The loss does not depend on a variable.
        """
        with name_scope(f"{self._name}/gradients"):
            found = gradients(loss, params)
            for gradient, variable in zip(found, params):
                if gradient is None:
                    raise ValueError(f"the loss does not depend on variable {variable.name}")
            return self._clipped(found)

    def _clipped(self, found):
        if "clipnorm" in self._clip:
            found = [clipping.clip_by_norm(g, self._clip["clipnorm"]) for g in found]
        if "clipvalue" in self._clip:
            limit = self._clip["clipvalue"]
            found = [clip_by_value(g, -limit, limit) for g in found]
        return found

    def get_updates(self, loss, params):
        """Adds operations that make one step.

        Args:
            loss: The loss, a scalar.
            params: Variables to change, a list.

        Returns:
            A list with an Operation.
        """
        pairs = list(zip(self.get_gradients(loss, params), params))
        return [self.apply_gradients(pairs)]

    def minimize(self, loss, var_list, grad_loss=None, name=None):
        """Adds an operation that makes one step.

        Args:
            loss: The loss, a scalar; or a function that returns it.
            var_list: Variables to change, a list; or a function that returns it.
            grad_loss: Must be None.
            name: Name of the operation, a str. None: that of the optimizer.

        Returns:
            The Operation.
        """
        if grad_loss is not None:
            raise ValueError("grad_loss must be None")
        loss = loss() if callable(loss) else loss
        var_list = var_list() if callable(var_list) else var_list
        found = [pair for pair in zip(gradients(loss, var_list), var_list) if pair[0] is not None]
        return self.apply_gradients(found, name)

    def apply_gradients(self, grads_and_vars, name=None):
        """Adds an operation that changes variables by gradients.

        Args:
            grads_and_vars: A list of pairs of a gradient and a variable.
            name: Name of the operation, a str. None: that of the optimizer.

        Returns:
            The Operation.

        Raises:
            ValueError: No variable has a gradient.
        """
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        if not pairs:
            raise ValueError("no variable has a gradient")
        if not contexts.has_strategy():
            return self._applied(pairs, name, self._update)
        replica = contexts.get_replica_context()
        if replica is None:
            raise RuntimeError(
                "apply_gradients() must be called in a replica: in a function that strategy.run() "
                "calls"
            )
        return replica.merge_call(self._applied_by_all, args=(pairs, name))

    def _applied_by_all(self, strategy, pairs, name):
        """Applies the sums of the gradients of all replicas: see merge_call()."""
        extended = strategy.extended
        sums = extended.batch_reduce_to(ReduceOp.SUM, pairs)

        def update(gradient, variable, shared):
            return extended.update(variable, lambda v, g: self._update(g, v, shared), (gradient,))

        return self._applied(list(zip(sums, (v for _, v in pairs))), name, update)

    def _applied(self, pairs, name, update):
        """The operation that calls `update` for all pairs and counts the step."""
        with name_scope(self._name):
            with control_dependencies(None):
                self._make_hypers()
                self._create_slots([v for _, v in pairs])
            shared = self._prepare(pairs[0][1].dtype)
            with name_scope(name or self._name):
                updates = [update(g, v, shared) for g, v in pairs]
                with control_dependencies(updates):
                    return group(self.iterations.assign_add(1))

    def _update(self, gradient, variable, shared):
        with name_scope(f"update_{variable.op.name}"):
            if isinstance(gradient, IndexedSlices):
                update = self._sparse(gradient, variable, shared)
            else:
                update = self._dense(gradient, variable, shared)
            if variable.constraint is None:
                return update
            with control_dependencies([update]):
                return variable.assign(variable.constraint(variable)).op

    def _create_slots(self, variables):
        """Makes the slots of variables."""

    def _prepare(self, dtype):
        """What the updates of all variables share, a dict."""
        rate = self._get_hyper("learning_rate")
        if isinstance(rate, LearningRateSchedule):
            rate = arrays.cast(rate(arrays.cast(self.iterations, dtype)), dtype)
        else:
            rate = self._read("learning_rate", dtype)
        if self._initial_decay > 0:
            steps = arrays.cast(self.iterations, dtype)
            rate = rate / (1.0 + arrays.cast(self._get_hyper("decay"), dtype) * steps)
        return {"lr": rate}

    def _dense(self, gradient, variable, shared):
        raise NotImplementedError(f"{type(self).__name__} does not say how it updates variables")

    def _sparse(self, gradient, variable, shared):
        """Of slices; several of one row are added up first."""
        whole = raw_ops.UnsortedSegmentSum(
            data=gradient.values, segment_ids=gradient.indices,
            num_segments=variable.shape.as_list()[0],
        )  # fmt: skip
        return self._dense(whole, variable, shared)

    # ---- as data

    @property
    def weights(self):
        """The variables that hold its state, a list."""
        return list(self._weights)

    def variables(self):
        """Returns the variables that hold its state.

        Returns:
            A list.
        """
        return self.weights

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
            ValueError: There are not as many as variables.
        """
        if len(weights) != len(self.weights):
            raise ValueError(f"{len(self.weights)} arrays must be given, not {len(weights)}")
        values.batch_set_value(list(zip(self.weights, weights)))

    def get_config(self):
        """Returns the arguments that make an equal optimizer.

        Returns:
            A dict.
        """
        config = {"name": self._name, **self._clip}
        for name in self.hypers:
            config[name] = self._plain(name)
        config.update((name, getattr(self, name)) for name in self.options)
        return config

    def _plain(self, name):
        value = self._made.get(name, self._hyper[name])
        if isinstance(value, Variable):
            return values.get_value(value).item()
        if isinstance(value, LearningRateSchedule):
            return {"class_name": type(value).__name__, "config": value.get_config()}
        return value() if callable(value) else value

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """Makes an optimizer of what get_config() returned.

        Args:
            config: The dict.
            custom_objects: Accepted. It has no effect.

        Returns:
            An optimizer.
        """
        del custom_objects
        rate = config.get("learning_rate")
        if isinstance(rate, dict):
            config = {**config, "learning_rate": deserialize(rate)}
        return cls(**config)


def _initial_value(value, shape, dtype):
    return constant(value, dtype, shape, "initial_value")
