"""What all optimizers have in common."""

from . import arrays, raw_ops
from .building import with_names
from .convert import constant, convert_to_tensor
from .differentiate import gradients
from .graph import (
    GraphKeys,
    IndexedSlices,
    colocate_with,
    control_dependencies,
    get_default_graph,
    name_scope,
)
from .partitioned import PartitionedVariable
from .variables import SaveSliceInfo, Variable, trainable_variables


class Optimizer:
    """Changes variables to make a loss smaller."""

    GATE_NONE, GATE_OP, GATE_GRAPH = range(3)  # when gradients may be used: GRAPH: all are made

    def __init__(self, use_locking, name):
        if not name:
            raise ValueError("an optimizer has a name")
        self._use_locking = use_locking
        self._name = name
        self._slots = {}

    def minimize(self, loss, global_step=None, var_list=None, gate_gradients=GATE_OP,
                 aggregation_method=None, colocate_gradients_with_ops=False, name=None,
                 grad_loss=None):  # fmt: skip
        """An operation that makes one step: compute_gradients, then apply_gradients."""
        pairs = self.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops,
            grad_loss,
        )  # fmt: skip
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(self, loss, var_list=None, gate_gradients=GATE_OP,
                          aggregation_method=None, colocate_gradients_with_ops=False,
                          grad_loss=None):  # fmt: skip
        """Pairs (gradient, variable); the gradient is None for a variable the loss does not depend
        on. ValueError: there are no variables."""
        if gate_gradients not in (self.GATE_NONE, self.GATE_OP, self.GATE_GRAPH):
            raise ValueError(f"gate_gradients must be one of GATE_*, not {gate_gradients}")
        loss = loss() if callable(loss) else loss
        var_list = trainable_variables() if var_list is None else var_list
        var_list = list(var_list) if isinstance(var_list, (list, tuple)) else [var_list]
        var_list = [part for v in var_list for part in _parts(v)]
        if not var_list:
            raise ValueError("there are no variables to optimize")
        grads = gradients(
            loss, var_list, grad_loss, aggregation_method=aggregation_method,
            gate_gradients=gate_gradients == self.GATE_GRAPH,
        )  # fmt: skip
        return list(zip(grads, var_list))

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """An operation that applies the gradients, then adds 1 to global_step."""
        grads_and_vars = list(grads_and_vars)
        if not grads_and_vars:
            raise ValueError("no gradients and variables were given")
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        if not pairs:
            names = ", ".join(v.op.name for _, v in grads_and_vars)
            raise ValueError(f"no gradients for any of the variables {names}")
        with control_dependencies(None):
            self._prepare([v for _, v in pairs])
        with name_scope(name, self._name) as scope:
            updates = []
            for grad, var in pairs:
                with name_scope("update_" + var.op.name.split("/")[-1]), colocate_with(var.op):
                    updates.append(self._constrained(self._apply(_as_gradient(grad), var), var))
            with control_dependencies(updates):
                updates += self._finish()
            if global_step is None:
                train_op = arrays.group(*updates, name=scope)
            else:
                with control_dependencies([arrays.group(*updates, name="update")]):
                    with colocate_with(global_step.op):
                        train_op = global_step.assign_add(1, name=scope, read_value=False)
        collected = get_default_graph().get_collection_ref(GraphKeys.TRAIN_OP)
        if train_op not in collected:
            collected.append(train_op)
        return train_op

    def _constrained(self, update, var):
        if var.constraint is None:
            return update
        with control_dependencies([update]):
            return var.assign(var.constraint(var.read_value()), read_value=False)

    def get_slot(self, var, name):
        """The variable that this optimizer keeps beside `var`, or None."""
        return self._slots.get((var, name))

    def variables(self):
        """What the optimizer keeps, by name."""
        return sorted(self._slots.values(), key=lambda v: v.op.name)

    def get_name(self):
        return self._name

    def get_slot_names(self):
        """The names that get_slot takes."""
        return sorted({slot for _, slot in self._slots})

    def _slot(self, var, slot, initial=0.0):
        """A variable of var's shape beside it, full of one value."""
        if (var, slot) not in self._slots:
            with colocate_with(var.op, ignore_existing=True):
                value = constant(initial, var.dtype, shape=var.shape.as_list())
                self._slots[var, slot] = self._beside(var, value, f"{var.op.name}/{self._name}")
        return self._slots[var, slot]

    def _beside(self, var, value, name):
        with get_default_graph().name_scope(None):
            made = Variable(value, trainable=False, name=name, use_resource=var._is_resource)
        info = var._save_slice_info
        if info is not None and made.shape == var.shape:  # is saved as the same piece
            full = f"{info.full_name}/{made.op.name[len(var.op.name) + 1:]}"
            made._save_slice_info = SaveSliceInfo(
                full, info.full_shape, info.var_offset, info.var_shape
            )
        return made

    def _prepare(self, var_list):
        """Makes slots."""

    def _finish(self):
        """Operations that run after all updates."""
        return []

    def _apply(self, grad, var):
        if isinstance(grad, IndexedSlices):
            return self._apply_sparse(*_merged(grad), var)
        return self._apply_dense(grad, var)

    def _run(self, op, var, **arguments):
        """Apply`op`, or its resource form, with `arguments`; variables among them as what that
        form takes."""
        resource = var._is_resource
        name = ("Resource" if resource else "") + op
        arguments = {"var": var, **arguments, "use_locking": self._use_locking}
        for key, value in arguments.items():
            if isinstance(value, Variable) and not key.endswith("_power"):
                arguments[key] = value.handle
        result = raw_ops.apply_op(name, **arguments)
        return result if resource else result.op

    def _scalar(self, value, var):
        return value if hasattr(value, "graph") else constant(value, var.dtype)


def _parts(variable):
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]


def _as_gradient(grad):
    return grad if isinstance(grad, IndexedSlices) else convert_to_tensor(grad)


def _merged(slices):
    """Each row once: the sum of those that repeat."""
    rows, positions = raw_ops.Unique(x=slices.indices)
    values = raw_ops.UnsortedSegmentSum(
        data=slices.values, segment_ids=positions, num_segments=arrays.size(rows)
    )
    return values, rows


def _scatter(op, var, rows, values):
    if var._is_resource:
        return raw_ops.apply_op("Resource" + op, resource=var.handle, indices=rows, updates=values)
    return raw_ops.apply_op(op, ref=var, indices=rows, updates=values)


__all__ = with_names(globals())
