# SPDX-License-Identifier: Apache-2.0
"""An optimizer whose gradients are those of all ranks."""

import functools

from . import clients
from .aggregation import LocalGradients, ReducedGradients
from .compression import Compression
from .process_sets import global_process_set
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
    local_variables_initializer() initializes them, and for an optimizer of Keras the session of its
    backend does.

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
        process_set: The ProcessSet whose ranks take part. The others apply their own gradients.

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
    if backward_passes_per_step < 1:
        raise ValueError("backward_passes_per_step must be 1 or more")
    name = name or f"Distributed{type(optimizer).__name__}"
    local = None
    if backward_passes_per_step > 1:
        local = LocalGradients(backward_passes_per_step, average_aggregated_gradients, name)
    reduced = _reduction(
        name, op, gradient_predivide_factor, process_set, sparse_as_dense, local,
        device_dense=device_dense, device_sparse=device_sparse, compression=compression,
    )  # fmt: skip
    if of_keras:
        return _keras_class(type(optimizer), reduced).from_config(optimizer.get_config())
    return _class_of(tf.train.Optimizer)(optimizer, name, use_locking, reduced)


def DistributedGradientTape(  # noqa: N802, the name of a class there
    gradtape, device_dense="", device_sparse="", compression=Compression.none,
    sparse_as_dense=False, op=Average, gradient_predivide_factor=1.0, num_groups=0, groups=None,
    process_set=global_process_set,
):  # fmt: skip
    """Makes a tape whose gradient() reduces the gradients over all ranks. For graph mode.

    Args:
        gradtape: A GradientTape of the client. The new tape has the same operations.
        device_dense: Device of the reductions, a str.
        device_sparse: Device of the operations for gradients that are IndexedSlices, a str.
        compression: Compression.none or Compression.fp16.
        sparse_as_dense: Whether IndexedSlices become tensors before they are reduced. A bool.
        op: Average or Sum.
        gradient_predivide_factor: As of DistributedOptimizer().
        num_groups: Accepted. The runtime joins reductions by their size.
        groups: Accepted, as num_groups.
        process_set: The ProcessSet whose ranks take part. The others get their own gradients.

    Returns:
        A GradientTape of the client.

    Raises:
        ValueError: op is another one, or the arguments contradict each other.
        RuntimeError: TensorFlow is in eager mode.
    """
    del num_groups, groups
    tf = clients.v1()
    reduced = _reduction(
        "DistributedGradientTape", op, gradient_predivide_factor, process_set, sparse_as_dense,
        None, device_dense=device_dense, device_sparse=device_sparse, compression=compression,
    )  # fmt: skip
    base = type(gradtape)

    def gradient(self, target, sources, *args, **kwargs):
        flat = tf.nest.flatten(sources)
        found = base.gradient(self, target, flat, *args, **kwargs)
        pairs = [(g, x if hasattr(x, "initializer") else None) for g, x in zip(found, flat)]
        return tf.nest.pack_sequence_as(sources, [g for g, _ in reduced.of(pairs)])

    made = object.__new__(type(base.__name__, (base,), {"gradient": gradient}))
    made.__dict__ = gradtape.__dict__
    return made


def _reduction(name, op, factor, process_set, sparse_as_dense, local, **options):
    """The ReducedGradients of an optimizer's arguments."""
    if chosen_op(op) not in (Average, Sum):
        raise ValueError(f"the gradients are reduced with Average or Sum, not {op}")
    if factor != 1.0 and op is not Average:
        raise ValueError("gradient_predivide_factor needs op=Average")
    reduce = functools.partial(
        _reduced, scope=name + "_Allreduce", op=op, factor=factor, process_set=process_set,
        options=options,
    )  # fmt: skip
    return ReducedGradients(reduce, sparse_as_dense, process_set, local)


def _reduced(pairs, scope, op, factor, process_set, options):
    """The gradients of pairs (gradient, variable), reduced; None stays."""
    tf, before, after = clients.v1(), 1.0, 1.0
    if factor != 1.0:
        op, before, after = Sum, 1.0 / factor, factor / process_set.size()
    with tf.name_scope(scope):
        return [
            None if gradient is None else allreduce(
                gradient, op=op, prescale_factor=before, postscale_factor=after,
                name=None if variable is None else variable.op.name.replace("/", "_"),
                process_set=process_set, **options,
            )
            for gradient, variable in pairs
        ]  # fmt: skip


def _keras_class(base, reduced):
    """A class of optimizers of Keras, of the same name, with the gradients of all ranks."""

    def get_gradients(self, loss, params):
        return self._allreduce(base.get_gradients(self, loss, params), params)

    class OfPairs(base):
        """Newer optimizers compute pairs of gradients and variables."""

        def _compute_gradients(self, *args, **kwargs):
            pairs = list(super()._compute_gradients(*args, **kwargs))
            variables = [v for _, v in pairs]
            return list(zip(self._allreduce([g for g, _ in pairs], variables), variables))

    def allreduce_(self, grads, variables=None):
        grads = list(grads)
        variables = clients.v1().nest.flatten(variables or [None] * len(grads))
        found = [g for g, _ in reduced.of(zip(grads, variables))]
        if reduced.local is not None:
            initializers = [v.initializer for v in reduced.local.variables]
            clients.v1().keras.backend.get_session().run(initializers)
        return found

    def apply_gradients(self, grads_and_vars, *args, **kwargs):
        tf, pairs = clients.v1(), list(grads_and_vars)
        if reduced.local is None:
            return base.apply_gradients(self, pairs, *args, **kwargs)
        with tf.control_dependencies(None), tf.name_scope(self._name):
            count = self.iterations
            self._create_hypers()
            self._create_slots([v for g, v in pairs if g is not None])
        return reduced.local.applied(
            pairs, lambda: base.apply_gradients(self, pairs, *args, **kwargs), count, None
        )

    methods = {
        "get_gradients": get_gradients, "_allreduce": allreduce_,
        "apply_gradients": apply_gradients,
    }  # fmt: skip
    if not hasattr(base, "apply_gradients"):  # an older one, which writes its updates itself
        if reduced.local is not None:
            raise ValueError(
                f"backward_passes_per_step needs an optimizer with apply_gradients(): "
                f"{base.__name__} has none"
            )
        del methods["apply_gradients"]
    extended = OfPairs if hasattr(base, "_compute_gradients") else base
    return type(base.__name__, (extended,), methods)


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
        name = f"Distributed{base.__name__}"
        made = _keras_class(base, _reduction(
            name, Average, 1.0, global_process_set, False, None, compression=compression
        ))  # fmt: skip
        objects.update({base.__name__: made, base.__name__.lower(): made})
    return keras.models.load_model(filepath, custom_objects={**objects, **(custom_objects or {})})


@functools.lru_cache(None)
def _class_of(base):
    """The class, derived from the Optimizer of a client."""

    class DistributedOptimizerOf(base):
        def __init__(self, optimizer, name, use_locking, reduced):
            super().__init__(use_locking, name)
            self._optimizer, self._reduced = optimizer, reduced

        def compute_gradients(self, *args, **kwargs):
            """The gradients of the inner optimizer, reduced over all ranks."""
            return self._reduced.of(self._optimizer.compute_gradients(*args, **kwargs))

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            """Applies them with the inner optimizer."""
            apply, local = self._optimizer.apply_gradients, self._reduced.local
            if local is None:
                return apply(grads_and_vars, global_step, name)
            pairs = list(grads_and_vars)
            with clients.v1().control_dependencies(None):
                self._optimizer._create_slots([v for g, v in pairs if g is not None])
            return local.applied(pairs, lambda: apply(pairs, global_step), global_step, name)

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
