# SPDX-License-Identifier: Apache-2.0
"""The base class of Keras optimizers: gradients and updates."""

import abc
import inspect

from ... import dtypes, logging, nest
from ...graph.default_graph import control_dependencies, device, name_scope
from ...graph.elements import IndexedSlices, Tensor
from ...graph.seeds import count_more_nodes
from ...ops import array as arrays
from ...ops import raw_ops
from ...ops.control_flow.grouping import group
from ...ops.differentiate import gradients
from ...ops.math import clipping
from ...ops.math.rounding import clip_by_value
from ...ops.math.segments import unsorted_segment_sum
from ...strategies import contexts
from ...strategies.reductions import ReduceOp
from . import schedules
from .optimizer_variables import OptimizerVariables


class Optimizer(OptimizerVariables, metaclass=abc.ABCMeta):
    """Changes variables to make a loss smaller. It is the base class of all optimizers.

    A subclass defines get_config() and, with a meaning and arguments as in TensorFlow 1.15, some
    of the methods _create_slots(), _prepare_local(), _resource_apply_dense() and
    _resource_apply_sparse(). Its numbers are set by _set_hyper().

    Args:
        name: Name of the operations, a str. None: that of the class.
        **kwargs: clipnorm: the largest norm of a gradient; clipvalue: the largest element of a
            gradient; lr: older name of learning_rate; decay: how fast the learning rate falls.
    """

    # ---- gradients

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
        params = nest.flatten(params)
        with name_scope(f"{self._name}/gradients"):
            found = gradients(loss, params)
            for gradient, variable in zip(found, params):
                if gradient is None:
                    raise ValueError(
                        f"Variable {variable} has `None` for gradient. Please make sure that all "
                        "of your ops have a gradient defined (i.e. are differentiable). Common ops "
                        "without gradient: K.argmax, K.round, K.eval."
                    )
            return self._clipped(found)

    def _clipped(self, found):
        norm, limit = getattr(self, "clipnorm", None), getattr(self, "clipvalue", None)
        if norm is not None:
            found = [g if g is None else clipping.clip_by_norm(g, norm) for g in found]
        if limit is not None:
            found = [g if g is None else clip_by_value(g, -limit, limit) for g in found]
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
        self._assert_valid_dtypes([v for g, v in pairs if g is not None])
        return [self.apply_gradients(pairs)]

    def minimize(self, loss, var_list, grad_loss=None, name=None):
        """Adds an operation that makes one step.

        Args:
            loss: The loss, a scalar; or a function that returns it.
            var_list: Variables to change, a list; or a function that returns it.
            grad_loss: The gradient of the loss, a tensor. None: 1.
            name: Name of the operation, a str. None: that of the optimizer.

        Returns:
            The Operation.
        """
        return self.apply_gradients(self._compute_gradients(loss, var_list, grad_loss), name=name)

    def _compute_gradients(self, loss, var_list, grad_loss=None):
        """The pairs of a gradient and a variable of minimize(), a list."""
        loss = loss() if callable(loss) else loss
        var_list = nest.flatten(var_list() if callable(var_list) else var_list)
        with name_scope(f"{self._name}/gradients"):
            pairs = list(zip(self._clipped(gradients(loss, var_list, grad_loss)), var_list))
        self._assert_valid_dtypes([v for g, v in pairs if g is not None])
        return pairs

    def _valid_dtypes(self):
        """The dtypes that variables may have."""
        return {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}

    def _assert_valid_dtypes(self, tensors):
        valid = self._valid_dtypes()
        for tensor in tensors:
            if tensor.dtype.base_dtype not in valid:
                raise ValueError(
                    f"Invalid type {tensor.dtype.base_dtype!r} for {tensor.name}, expected: "
                    f"{list(valid)}."
                )

    # ---- updates

    def apply_gradients(self, grads_and_vars, name=None):
        """Adds an operation that changes variables by gradients.

        Args:
            grads_and_vars: Pairs of a gradient and a variable. One whose gradient is None is left
                out.
            name: Name of the operation, a str. None: that of the optimizer.

        Returns:
            The Operation.

        Raises:
            ValueError: No variable has a gradient.
        """
        pairs = _with_gradients(grads_and_vars)
        if not contexts.has_strategy():
            return self._applied(contexts.get_strategy(), pairs, name)
        replica = contexts.get_replica_context()
        if replica is None:
            raise RuntimeError(
                "apply_gradients() must be called in a replica: in a function that strategy.run() "
                "calls"
            )
        return replica.merge_call(self._applied, args=(pairs, name))

    def _applied(self, strategy, pairs, name):
        """Makes what an update needs, and updates: see merge_call()."""
        variables = [v for _, v in pairs]
        with name_scope(self._name):
            with control_dependencies(None):
                self.iterations  # noqa: B018, the variable comes first
                self._create_hypers()
                self._create_slots(variables)
            apply_state = self._prepare(variables)
            return self._distributed_apply(strategy, pairs, name, apply_state)

    def _distributed_apply(self, distribution, grads_and_vars, name, apply_state):
        """The operation that updates all variables, by the sums of the gradients of all replicas
        of a strategy, and counts the step."""
        pairs, update = list(grads_and_vars), self._update
        if contexts.has_strategy():
            extended = distribution.extended
            sums = extended.batch_reduce_to(ReduceOp.SUM, pairs)
            pairs = list(zip(sums, (v for _, v in pairs)))

            def update(gradient, variable, apply_state):
                return extended.update(
                    variable, lambda v, g: self._update(g, v, apply_state), (gradient,)
                )

        with name_scope(name or self._name):
            updates = []
            for gradient, variable in pairs:
                with name_scope(f"update_{variable.op.name}"):
                    updates.append(update(gradient, variable, apply_state))
            with control_dependencies(updates):
                if contexts.has_strategy():
                    return group(self.iterations.assign_add(1))
                count_more_nodes(1)  # TensorFlow reads it, which counts for later seeds
                return self.iterations.assign_add(1, read_value=False)

    def _update(self, gradient, variable, apply_state):
        """Updates one variable, on its device. NotImplementedError: it is a tensor."""
        if isinstance(variable, Tensor):
            raise NotImplementedError("Trying to update a Tensor ", variable)
        if isinstance(gradient, IndexedSlices):
            if variable.constraint is not None:
                raise RuntimeError("Cannot use a constraint function on a sparse variable.")
            return self._resource_apply_sparse_duplicate_indices(
                gradient.values, variable, gradient.indices,
                **_accepted(self._resource_apply_sparse, apply_state),
            )  # fmt: skip
        update = self._resource_apply_dense(
            gradient, variable, **_accepted(self._resource_apply_dense, apply_state)
        )
        if variable.constraint is None:
            return update
        with control_dependencies([update]):
            return variable.assign(variable.constraint(variable)).op

    # ---- what subclasses override, and what they call there

    def _create_slots(self, var_list):
        """Makes the slots of variables."""

    def _prepare(self, var_list):
        """What updates share: (device, dtype) -> {name -> tensor}."""
        places = dict.fromkeys(
            (place, var.dtype.base_dtype)
            for var in var_list
            for place in getattr(var, "devices", None) or [var.device]
        )
        apply_state = {}
        for place, dtype in places:
            apply_state[(place, dtype)] = {}
            with device(place):
                self._prepare_local(place, dtype, apply_state)
        return apply_state

    def _prepare_local(self, var_device, var_dtype, apply_state):
        """Adds what the updates of variables of a device and a dtype share."""
        if "learning_rate" in self._hyper:
            rate = arrays.identity(self._decayed_lr(var_dtype))
            apply_state[(var_device, var_dtype)]["lr_t"] = rate

    def _fallback_apply_state(self, var_device, var_dtype):
        """What _prepare_local() adds, where _prepare() was not called."""
        apply_state = {(var_device, var_dtype): {}}
        self._prepare_local(var_device, var_dtype, apply_state)
        return apply_state[(var_device, var_dtype)]

    def _coefficients(self, var, apply_state):
        """What the updates of variables such as this one share, a dict."""
        key = var.device, var.dtype.base_dtype
        return (apply_state or {}).get(key) or self._fallback_apply_state(*key)

    def _resource_apply_dense(self, grad, var, apply_state):
        """Updates a variable by a gradient, a tensor."""
        raise NotImplementedError

    def _resource_apply_sparse_duplicate_indices(self, grad, var, indices, **kwargs):
        """Updates rows of a variable, of which one may come more than once."""
        rows, places = arrays.unique(indices)
        sums = unsorted_segment_sum(grad, places, arrays.shape(rows)[0])
        return self._resource_apply_sparse(sums, var, rows, **kwargs)

    def _resource_apply_sparse(self, grad, var, indices, apply_state):
        """Updates rows of a variable, each of which comes once."""
        raise NotImplementedError

    def _resource_scatter_add(self, x, i, v):
        """Adds to rows of a variable; the value afterwards."""
        added = raw_ops.ResourceScatterAdd(resource=x.handle, indices=i, updates=v)
        with control_dependencies([added]):
            return x.read_value()

    def _resource_scatter_update(self, x, i, v):
        """Replaces rows of a variable; the value afterwards."""
        set_ = raw_ops.ResourceScatterUpdate(resource=x.handle, indices=i, updates=v)
        with control_dependencies([set_]):
            return x.read_value()

    def _call_if_callable(self, param):
        return param() if callable(param) else param

    # ---- as data

    @abc.abstractmethod
    def get_config(self):
        """Returns the arguments that make an equal optimizer.

        Returns:
            A dict.
        """
        limits = ((key, getattr(self, key, None)) for key in ("clipnorm", "clipvalue"))
        return {"name": self._name, **{key: v for key, v in limits if v is not None}}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """Makes an optimizer of what get_config() returned.

        Args:
            config: The dict.
            custom_objects: A dict: name -> class, of the program. None: none.

        Returns:
            An optimizer.
        """
        if "lr" in config:
            config["learning_rate"] = config.pop("lr")
        rate = config.get("learning_rate")
        if isinstance(rate, dict):
            config["learning_rate"] = schedules.deserialize(rate, custom_objects)
        return cls(**config)


def _accepted(hook, apply_state):
    """The arguments by name that a method of a subclass takes; older ones do not know it."""
    known = "apply_state" in inspect.getfullargspec(hook).args
    return {"apply_state": apply_state} if known else {}


def _with_gradients(grads_and_vars):
    """The pairs that have a gradient."""
    given = list(grads_and_vars)
    pairs = [(g, v) for g, v in given if g is not None]
    without = [v.name for g, v in given if g is None]
    if given and not pairs:
        raise ValueError(f"No gradients provided for any variable: {without}.")
    if without:
        logging.warning(
            "Gradients do not exist for variables %s when minimizing the loss.", without
        )
    return pairs
