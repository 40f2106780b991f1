# SPDX-License-Identifier: Apache-2.0
"""The common part of all optimizers."""

from .. import dtypes, nest
from ..graph.convert import convert_to_tensor, is_resource_variable
from ..graph.default_graph import colocate_with, control_dependencies, get_default_graph, name_scope
from ..graph.elements import IndexedSlices, Tensor
from ..graph.keys import GraphKeys
from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.building import with_names
from ..ops.control_flow import grouping
from ..ops.differentiate import gradients
from ..ops.math.segments import unsorted_segment_sum
from ..ops.state.listing import trainable_variables
from ..ops.state.partitioned import PartitionedVariable
from ..ops.state.variables import Variable
from ..strategies import contexts, values
from ..strategies.reductions import ReduceOp
from .slots import create_slot, create_slot_with_initializer, create_zeros_slot


class Optimizer:
    """Changes variables to make a loss smaller. It is the base class of all optimizers.

    Args:
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.

    Raises:
        ValueError: name is empty.
    """

    # When the gradients of an op may be used: at once; when all of this op, or of the graph, exist.
    GATE_NONE, GATE_OP, GATE_GRAPH = range(3)

    # Of several base classes, Python takes the one with slots for __base__. Libraries look there
    # for this class.
    __slots__ = ("_use_locking", "__dict__", "__weakref__")

    def __init__(self, use_locking, name):
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking = use_locking
        self._name = name
        self._slots = {}  # slot -> {key of the variable -> slot variable}
        self._non_slot_dict = {}  # (name, graph) -> variable

    def get_name(self):
        """Returns the name of the operations.

        Returns:
            A str.
        """
        return self._name

    def minimize(self, loss, global_step=None, var_list=None, gate_gradients=GATE_OP,
                 aggregation_method=None, colocate_gradients_with_ops=False, name=None,
                 grad_loss=None):  # fmt: skip
        """Adds an operation that makes one step: compute_gradients(), then apply_gradients().

        Args:
            loss: The loss, a scalar tensor; or a function that returns it.
            global_step: A variable that is increased by 1 after the update. None: none.
            var_list: Variables to change, a list. None: the trainable ones of the graph.
            gate_gradients: GATE_NONE, GATE_OP or GATE_GRAPH: which gradients must exist before one
                is used.
            aggregation_method: Accepted. It has no effect.
            colocate_gradients_with_ops: Whether a gradient has the device of the operation it
                belongs to. A bool.
            name: Name of the operation, a str. None: a default name.
            grad_loss: The gradient of the loss, a tensor. None: 1.

        Returns:
            The Operation.

        Raises:
            ValueError: There are no variables, or none has a gradient.

        Example:
            >>> v = sl.Variable(4.0)
            >>> step = sl.train.GradientDescentOptimizer(0.25).minimize(v * v)
            >>> with sl.Session() as session:
            ...     session.run(v.initializer)
            ...     session.run(step)
            ...     print(session.run(v))
            2.0
        """
        pairs = self.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops,
            grad_loss,
        )  # fmt: skip
        if all(grad is None for grad, _ in pairs):
            names = [str(v) for _, v in pairs]
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not "
                f"support gradients, between variables {names} and loss {loss}."
            )
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(self, loss, var_list=None, gate_gradients=GATE_OP,
                          aggregation_method=None, colocate_gradients_with_ops=False,
                          grad_loss=None):  # fmt: skip
        """Computes the gradients of a loss by variables.

        Args:
            loss: The loss, a scalar tensor; or a function that returns it.
            var_list: Variables to change, a list. None: the trainable ones of the graph.
            gate_gradients: GATE_NONE, GATE_OP or GATE_GRAPH: which gradients must exist before one
                is used.
            aggregation_method: Accepted. It has no effect.
            colocate_gradients_with_ops: Whether a gradient has the device of the operation it
                belongs to. A bool.
            grad_loss: The gradient of the loss, a tensor. None: 1.

        Returns:
            A list of pairs (gradient, variable). The gradient is None if the loss does not depend
            on the variable.

        Raises:
            ValueError: There are no variables.
        """
        if gate_gradients not in (self.GATE_NONE, self.GATE_OP, self.GATE_GRAPH):
            raise ValueError(f"gate_gradients must be one of GATE_*, not {gate_gradients}")
        loss = loss() if callable(loss) else loss
        if contexts.has_strategy():
            loss = contexts.get_strategy().scaled_loss(loss)
        self._assert_valid_dtypes([loss, *([] if grad_loss is None else [grad_loss])])
        var_list = trainable_variables() if var_list is None else nest.flatten(var_list)
        var_list = [part for v in var_list for part in _parts(v)]
        if not var_list:
            raise ValueError("No variables to optimize.")
        grads = gradients(
            loss, var_list, grad_loss, aggregation_method=aggregation_method,
            gate_gradients=gate_gradients == self.GATE_OP,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )  # fmt: skip
        if gate_gradients == self.GATE_GRAPH:
            grads = grouping.tuple(grads)
        self._assert_valid_dtypes([v for g, v in zip(grads, var_list) if g is not None])
        return list(zip(grads, var_list))

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """Adds an operation that applies gradients to variables.

        Args:
            grads_and_vars: A list of pairs (gradient, variable). A gradient that is None is left
                out.
            global_step: A variable that is increased by 1 after the update. None: none.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.

        Raises:
            ValueError: There are no gradients.
        """
        pairs = [(_as_gradient(g), v) for g, v in grads_and_vars]
        if not pairs:
            raise ValueError("No variables provided.")
        var_list = [v for g, v in pairs if g is not None]
        if not var_list:
            names = [str(v) for _, v in pairs]
            raise ValueError(f"No gradients provided for any variable: {names}.")
        if contexts.has_strategy():
            replica = contexts.get_replica_context()
            if replica is None:
                raise RuntimeError(
                    "apply_gradients() and minimize() must be called in a replica: in a function "
                    "that strategy.run() calls"
                )
            pairs = [(g, v) for g, v in pairs if g is not None]
            return replica.merge_call(self._applied_by_all, args=(pairs, global_step, name))
        with control_dependencies(None):
            self._create_slots(var_list)
        with name_scope(name, self._name) as scope:
            self._prepare()
            updates = [self._updated(g, v) for g, v in pairs if g is not None]
            if global_step is None:
                train_op = self._finish(updates, scope)
            else:
                with control_dependencies([self._finish(updates, "update")]):
                    with colocate_with(global_step.op):
                        train_op = global_step.assign_add(1, name=scope, read_value=False)
        return _collected(train_op)

    def _applied_by_all(self, strategy, pairs, global_step, name):
        """Applies the sums of the gradients of all replicas: see merge_call()."""
        extended = strategy.extended
        sums = extended.batch_reduce_to(ReduceOp.SUM, pairs)
        var_list = [v for _, v in pairs]
        with control_dependencies(None):
            self._create_slots(var_list)
        with name_scope(name, self._name) as scope:
            self._prepare()
            updates = []
            for gradient, var in zip(sums, var_list):
                found = extended.update(
                    var, lambda v, g: self._updated(g, v), (gradient,), group=False
                )
                updates.append(values.Mirrored(found) if len(found) > 1 else found[0])
            beside = extended.non_slot_devices(var_list)
            done = extended.update_non_slot(beside, self._finish, (updates, "update"))
            with control_dependencies([done]):
                if global_step is not None:
                    done = global_step.assign_add(1, read_value=False)
                train_op = grouping.group(done, name=scope)
        return _collected(train_op)

    def _updated(self, grad, var):
        """Updates one variable with its gradient, on its device."""
        if not isinstance(var, Variable):
            raise NotImplementedError(f"{var!r} is a tensor, and only variables can be updated")
        with name_scope("update_" + var.op.name), colocate_with(var.op):
            if isinstance(grad, IndexedSlices):
                if var.constraint is not None:
                    raise RuntimeError(
                        f"variable {var.name} has a constraint, which sparse gradients cannot obey"
                    )
                if is_resource_variable(var):
                    return self._resource_apply_sparse_duplicate_indices(
                        grad.values, var, grad.indices
                    )
                return self._apply_sparse_duplicate_indices(grad, var)
            apply = self._resource_apply_dense if is_resource_variable(var) else self._apply_dense
            update = apply(grad, var)
            if var.constraint is None:
                return update
            with control_dependencies([update]):
                return var.assign(var.constraint(var))

    # ---- what subclasses override

    def _valid_dtypes(self):
        """The dtypes that losses, variables and gradients may have."""
        return {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}

    def _create_slots(self, var_list):
        """Makes what is kept beside the variables."""

    def _prepare(self):
        """Makes the tensors that all updates use, in the name scope of the step."""

    def _apply_dense(self, grad, var):
        """Updates a reference variable with a tensor; the operation."""
        raise NotImplementedError

    def _resource_apply_dense(self, grad, var):
        """Updates a resource variable with a tensor; the operation."""
        raise NotImplementedError

    def _apply_sparse_duplicate_indices(self, grad, var):
        """Updates a reference variable with IndexedSlices whose rows may repeat."""
        values, indices = _unique_rows(grad.values, grad.indices)
        return self._apply_sparse(IndexedSlices(values, indices, grad.dense_shape), var)

    def _apply_sparse(self, grad, var):
        """Updates a reference variable with IndexedSlices, each row once."""
        raise NotImplementedError

    def _resource_apply_sparse_duplicate_indices(self, grad, var, indices):
        """Updates rows of a resource variable; they may repeat."""
        values, indices = _unique_rows(grad, indices)
        return self._resource_apply_sparse(values, var, indices)

    def _resource_apply_sparse(self, grad, var, indices):
        """Updates rows of a resource variable, each once."""
        raise NotImplementedError

    def _finish(self, update_ops, name_scope):
        """The operation, of this name, that ends after the updates."""
        return grouping.group(*update_ops, name=name_scope)

    # ---- slots and other variables

    def get_slot(self, var, name):
        """Returns a variable that this optimizer keeps for another one.

        Args:
            var: A variable.
            name: Name of the slot, a str.

        Returns:
            The variable; None if there is none.
        """
        return self._slots.get(name, {}).get(_key(var))

    def get_slot_names(self):
        """Returns the names of all slots.

        Returns:
            A sorted list of str.
        """
        return sorted(self._slots)

    def variables(self):
        """Returns the variables that this optimizer keeps.

        Returns:
            A list of variables, sorted by name.
        """
        kept = [*self._non_slot_dict.values()]
        kept += [slot for slots in self._slots.values() for slot in slots.values()]
        graph = get_default_graph()
        return sorted((v for v in kept if v.graph is graph), key=lambda v: v.name)

    def checkpoint_children(self):
        """Returns the variables that a checkpoint saves besides slots.

        Returns:
            A list of pairs of a name and a variable.
        """
        graph, made = get_default_graph(), self._non_slot_dict.items()
        found = [(name, v) for (name, of), v in made if of is graph]
        return sorted(found, key=lambda pair: pair[0])

    def _slot_dict(self, slot_name):
        return self._slots.setdefault(slot_name, {})

    def _made_slot(self, var, slot_name, make):
        slots = self._slot_dict(slot_name)
        if _key(var) not in slots:
            slots[_key(var)] = make()
        return slots[_key(var)]

    def _get_or_make_slot(self, var, val, slot_name, op_name):
        """The slot beside var; made with the tensor `val` where it is not there yet."""
        return self._made_slot(var, slot_name, lambda: create_slot(var, val, op_name))

    def _get_or_make_slot_with_initializer(self, var, initializer, shape, dtype, slot_name,
                                           op_name):  # fmt: skip
        """The slot beside var; made by the initializer where it is not there yet."""
        return self._made_slot(
            var, slot_name,
            lambda: create_slot_with_initializer(var, initializer, shape, dtype, op_name),
        )  # fmt: skip

    def _zeros_slot(self, var, slot_name, op_name):
        """The slot beside var; made of zeros where it is not there yet."""
        return self._made_slot(var, slot_name, lambda: create_zeros_slot(var, op_name))

    def _create_non_slot_variable(self, initial_value, name, colocate_with):
        """A variable that belongs to no single one, on the device of another."""
        key = (name, colocate_with.graph)
        if key not in self._non_slot_dict:
            with get_default_graph().colocate_with(colocate_with.op):
                self._non_slot_dict[key] = Variable(
                    initial_value, name=name, trainable=False,
                    use_resource=is_resource_variable(colocate_with),
                )  # fmt: skip
        return self._non_slot_dict[key]

    def _get_non_slot_variable(self, name, graph=None):
        return self._non_slot_dict.get((name, graph))

    def _non_slot_variables(self):
        return self._non_slot_dict.values()

    def _call_if_callable(self, param):
        return param() if callable(param) else param

    def _assert_valid_dtypes(self, tensors):
        valid = self._valid_dtypes()
        for tensor in tensors:
            if tensor.dtype.base_dtype not in valid:
                names = ", ".join(sorted(d.name for d in valid))
                raise ValueError(
                    f"Invalid type tf.{tensor.dtype.name} for {tensor.name}, expected: {names}."
                )

    def __repr__(self):
        numbers = (getattr(self, "_numbers", None) or {}).items()
        pairs = [value if isinstance(value, tuple) else (name, value) for name, value in numbers]
        shown = [f" {name}={value}" for name, value in pairs if not callable(value)]
        return f"<sluice.train.{type(self).__name__} {self._name!r}{''.join(shown)}>"


def _collected(train_op):
    """The Operation of a step, which the collection of such operations gets."""
    train_op = getattr(train_op, "op", train_op)
    collected = get_default_graph().get_collection_ref(GraphKeys.TRAIN_OP)
    if train_op not in collected:
        collected.append(train_op)
    return train_op


def _key(var):
    """What slots are kept under; components of distributed variables have the same slots."""
    var = values.container_of(var)
    return var.graph, var.name


def _parts(variable):
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]


def _as_gradient(grad):
    if grad is None or isinstance(grad, (IndexedSlices, Tensor)):
        return grad
    return convert_to_tensor(grad)


def _unique_rows(values, indices):
    """Each row once, with the sum of the values that it had."""
    rows, positions = raw_ops.Unique(x=indices)
    return unsorted_segment_sum(values, positions, arrays.shape(rows)[0]), rows


__all__ = with_names(globals())
