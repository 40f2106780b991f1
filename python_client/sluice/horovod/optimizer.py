# SPDX-License-Identifier: Apache-2.0
"""An optimizer whose gradients are those of all ranks."""

import functools

from . import clients
from .aggregation import LocalGradients
from .compression import Compression
from .process_sets import check, global_process_set
from .reductions import Average, Sum, allreduce, chosen_op


def DistributedOptimizer(  # noqa: N802, the name of a class there
    optimizer, name=None, use_locking=False, device_dense="", device_sparse="",
    compression=Compression.none, sparse_as_dense=False, backward_passes_per_step=1, op=Average,
    gradient_predivide_factor=1.0, average_aggregated_gradients=False, num_groups=0, groups=None,
    process_set=global_process_set,
):  # fmt: skip
    """Makes an optimizer that reduces the gradients over all ranks before it applies them.

    With backward_passes_per_step above 1, each step adds up the gradients of this rank, and every
    so many steps they are reduced and applied. The sums are local variables:
    local_variables_initializer() initializes them.

    Args:
        optimizer: A train.Optimizer of the client, which computes and applies the gradients; or an
            optimizer of its Keras, in graph mode.
        name: Name of the operations, a str. None: "Distributed" and the optimizer's class.
        use_locking: Whether updates of the variables take their lock. A bool.
        device_dense: Device of the reductions, a str.
        device_sparse: Device of the operations for gradients that are IndexedSlices, a str.
        compression: Compression.none or Compression.fp16.
        sparse_as_dense: Whether IndexedSlices become tensors before they are reduced. A bool.
        backward_passes_per_step: How many steps a reduction is for, an int.
        op: Average or Sum.
        gradient_predivide_factor: With Average, gradients are divided by this factor before the
            sum, and the rest of the division follows after it. A float.
        average_aggregated_gradients: Whether the gradients of several steps are averaged, and not
            added. A bool.
        num_groups: Accepted. The runtime joins reductions by their size.
        groups: Accepted, as num_groups.
        process_set: The ProcessSet whose ranks take part.

    Returns:
        An optimizer of the client, of the kind of the given one.

    Raises:
        TypeError: It is no optimizer.
        ValueError: op is another one, or the arguments contradict each other.
    """
    del num_groups, groups
    tf = clients.v1()
    of_keras = not isinstance(optimizer, tf.train.Optimizer)
    if of_keras and not isinstance(optimizer, tf.keras.optimizers.Optimizer):
        raise TypeError(
            f"DistributedOptimizer() takes a train.Optimizer or one of Keras, not "
            f"{type(optimizer).__name__}"
        )
    if of_keras and backward_passes_per_step != 1:
        raise ValueError("backward_passes_per_step is for a train.Optimizer")
    if chosen_op(op) not in (Average, Sum):
        raise ValueError(f"the gradients are reduced with Average or Sum, not {op}")
    if gradient_predivide_factor != 1.0 and op is not Average:
        raise ValueError("gradient_predivide_factor needs op=Average")
    if backward_passes_per_step < 1:
        raise ValueError("backward_passes_per_step must be 1 or more")
    name = name or f"Distributed{type(optimizer).__name__}"
    reduce = functools.partial(
        _reduced, scope=name + "_Allreduce", op=op, factor=gradient_predivide_factor,
        process_set=process_set,
        options={
            "device_dense": device_dense, "device_sparse": device_sparse,
            "compression": compression,
        },
    )  # fmt: skip
    if of_keras:
        return _of_keras(optimizer, reduce, process_set)
    local = None
    if backward_passes_per_step > 1:
        local = LocalGradients(
            backward_passes_per_step, average_aggregated_gradients, name, process_set
        )
    made = _class_of(tf.train.Optimizer)
    return made(optimizer, name, use_locking, reduce, local, sparse_as_dense, process_set)


def _reduced(pairs, scope, op, factor, process_set, options):
    """The gradients of pairs (gradient, variable), reduced; None stays."""
    tf, before, after = clients.v1(), 1.0, 1.0
    if factor != 1.0:
        op, before, after = Sum, 1.0 / factor, factor / process_set.size()
    with tf.name_scope(scope):
        return [
            None if gradient is None else allreduce(
                gradient, op=op, prescale_factor=before, postscale_factor=after,
                name=variable.op.name.replace("/", "_"), process_set=process_set, **options,
            )
            for gradient, variable in pairs
        ]  # fmt: skip


def _of_keras(optimizer, reduce, process_set):
    """An optimizer of Keras of the same class and numbers, with the gradients of all ranks."""
    made = _keras_class(type(optimizer), reduce, process_set)
    return made.from_config(optimizer.get_config())


def _keras_class(base, reduce, process_set):
    def get_gradients(self, loss, params):
        check(process_set)
        found = base.get_gradients(self, loss, params)
        return found if process_set.size() == 1 else reduce(zip(found, params))

    return type(base.__name__, (base,), {"get_gradients": get_gradients})


def load_model(filepath, custom_optimizers=None, custom_objects=None, compression=Compression.none):
    """Makes the Keras model of a file, whose optimizer reduces the gradients over all ranks.

    Args:
        filepath: Path of what Model.save() wrote, a str.
        custom_optimizers: Classes of optimizers of the program, a list. None: none.
        custom_objects: A dict: name -> class or function of the program. They come before those of
            custom_optimizers. None: none.
        compression: Compression.none or Compression.fp16.

    Returns:
        A Model of the client's Keras.

    Raises:
        OSError: The file does not exist.
        ValueError: It has no model, or a name is not known.
    """
    keras, objects = clients.v1().keras, {}
    known = [c for c in vars(keras.optimizers).values()
             if isinstance(c, type) and issubclass(c, keras.optimizers.Optimizer)]  # fmt: skip
    for base in (*known, *(custom_optimizers or ())):
        reduce = functools.partial(
            _reduced, scope=f"Distributed{base.__name__}_Allreduce", op=Average, factor=1.0,
            process_set=global_process_set, options={"compression": compression},
        )  # fmt: skip
        made = _keras_class(base, reduce, global_process_set)
        objects.update({base.__name__: made, base.__name__.lower(): made})
    return keras.models.load_model(filepath, custom_objects={**objects, **(custom_objects or {})})


@functools.lru_cache(None)
def _class_of(base):
    """The class, derived from the Optimizer of a client."""

    class DistributedOptimizerOf(base):
        def __init__(
            self, optimizer, name, use_locking, reduce, local, sparse_as_dense, process_set
        ):
            super().__init__(use_locking, name)
            self._optimizer, self._reduce, self._local = optimizer, reduce, local
            self._sparse_as_dense, self._process_set = sparse_as_dense, process_set

        def compute_gradients(self, *args, **kwargs):
            """The gradients of the inner optimizer, reduced over all ranks."""
            check(self._process_set)
            tf = clients.v1()
            pairs = self._optimizer.compute_gradients(*args, **kwargs)
            if self._sparse_as_dense:
                pairs = [
                    (tf.convert_to_tensor(g) if isinstance(g, tf.IndexedSlices) else g, v)
                    for g, v in pairs
                ]
            if self._local is not None:
                return self._local.added(pairs, self._reduce)
            if self._process_set.size() == 1:
                return pairs
            return list(zip(self._reduce(pairs), [v for _, v in pairs]))

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            """Applies them with the inner optimizer."""
            apply = self._optimizer.apply_gradients
            if self._local is not None:
                return self._local.applied(self._optimizer, grads_and_vars, global_step, name)
            return apply(grads_and_vars, global_step, name)

        def get_slot(self, var, name):
            """A slot of the inner optimizer."""
            return self._optimizer.get_slot(var, name)

        def get_slot_names(self):
            """The slots of the inner optimizer."""
            return self._optimizer.get_slot_names()

        def variables(self):
            """The variables of the inner optimizer."""
            return self._optimizer.variables()

    return DistributedOptimizerOf
