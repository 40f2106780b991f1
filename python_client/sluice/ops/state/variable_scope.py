# SPDX-License-Identifier: Apache-2.0
"""Variables by name: scopes in which get_variable() makes and finds them."""

import bisect
import contextlib
import functools
import inspect
import traceback

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import colocate_with, get_default_graph, name_scope
from ...graph.graph import Graph
from ...graph.keys import GraphKeys
from ...graph.state import state_of
from ...graph.tensor_shape import TensorShape
from ..functions.tracing import outermost
from . import initializers
from .kinds import VariableAggregation, VariableSynchronization, choose_kind_by
from .partitioned import PartitionedVariable, make_parts, requires_partition_info
from .variables import Variable


class _AutoReuse:
    def __repr__(self):
        return "AUTO_REUSE"


AUTO_REUSE = _AutoReuse()  # reuse what is there, make what is not

# The settings of a scope for the variables made in it, besides its name and reuse.
_SETTINGS = (
    "initializer", "regularizer", "caching_device", "partitioner", "custom_getter", "dtype",
    "use_resource", "constraint",
)  # fmt: skip
_NO_SETTINGS = dict.fromkeys(_SETTINGS)


class VariableScope:
    """A variable scope: a prefix for names of variables, and defaults for those made in it.

    Args:
        reuse: True: variables are found, never made; AUTO_REUSE: found or made; False or None:
            made.
        name: The prefix, a str.
        original_name_scope: The name scope that was entered with it, a str.
        **settings: Defaults for variables: initializer, regularizer, caching_device, partitioner,
            custom_getter, dtype, use_resource, constraint.
    """

    def __init__(self, reuse, name="", original_name_scope="", **settings):
        self._reuse, self.name, self.original_name_scope = reuse, name, original_name_scope
        self._settings = {**_NO_SETTINGS, **settings}

    @property
    def reuse(self):
        """True, AUTO_REUSE, False or None: whether variables are found or made."""
        return self._reuse

    def reuse_variables(self):
        """Lets variables be found, not made, from now on."""
        self._reuse = True

    def get_collection(self, name):
        """Returns the items of a collection whose names begin with this scope.

        Args:
            name: Name of the collection, a str.

        Returns:
            A list.
        """
        return get_default_graph().get_collection(name, f"{self.name}/" if self.name else None)

    def trainable_variables(self):
        """Returns the trainable variables of this scope.

        Returns:
            A list of variables.
        """
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self):
        """Returns the global variables of this scope.

        Returns:
            A list of variables.
        """
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self):
        """Returns the local variables of this scope.

        Returns:
            A list of variables.
        """
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(self, name, shape=None, dtype=None, initializer=None, regularizer=None,
                     reuse=None, trainable=None, collections=None, caching_device=None,
                     partitioner=None, validate_shape=True, use_resource=None, custom_getter=None,
                     constraint=None, synchronization=VariableSynchronization.AUTO,
                     aggregation=VariableAggregation.NONE):  # fmt: skip
        """Finds or makes a variable of this scope: see the function get_variable().

        Args:
            name: Name of the variable, a str.
            shape: Shape of the variable, a list of ints.
            dtype: Dtype of the variable. None: that of the scope, else float32.
            initializer: A function of (shape, dtype), or a value. None: that of the scope, else
                glorot_uniform(), for integers zeros.
            regularizer: A function of the variable that returns a loss for the collection
                REGULARIZATION_LOSSES. None: that of the scope.
            reuse: True: variables are found, never made; AUTO_REUSE: found or made; False or None:
                made.
            trainable: Whether optimizers change it by default. A bool. None: True.
            collections: Collections that get it, a list of str. None: GLOBAL_VARIABLES.
            caching_device: Device that keeps values that were read, a str. None: that of the scope.
            partitioner: A function of (shape, dtype) that returns in how many parts each dimension
                is cut. None: that of the scope.
            validate_shape: Whether the shape of the initial value must be known, and stays. A bool.
            use_resource: True: a resource variable; False: a reference variable. None: that of the
                scope.
            custom_getter: A function that is called in place of the one that makes variables, and
                gets it as its first argument.
            constraint: A function of the value that optimizers apply after an update. None: that of
                the scope.
            synchronization: Accepted. It has no effect.
            aggregation: Accepted. It has no effect.

        Returns:
            A Variable; with a partitioner a PartitionedVariable.

        Raises:
            ValueError: The variable exists and must not, does not exist and must, or has another
                shape or dtype.
        """
        _check_dtype(dtype, initializer)
        if not isinstance(name, str):
            raise TypeError(f"the name of a variable is a str, not {name!r}")
        given = {
            "initializer": initializer, "regularizer": regularizer, "partitioner": partitioner,
            "caching_device": caching_device, "use_resource": use_resource, "dtype": dtype,
            "constraint": constraint,
        }  # fmt: skip
        for key, value in given.items():
            given[key] = self._settings[key] if value is None else value
        given["dtype"] = dtypes.as_dtype(given["dtype"] or _dtype_of(given["initializer"]))
        getter = functools.partial(_get, get_default_graph())
        for outer in (custom_getter, self.custom_getter):
            if outer is not None:
                getter = functools.partial(outer, getter)
        with name_scope(""):
            return getter(
                f"{self.name}/{name}" if self.name else name, shape=shape,
                reuse=self._reuse if reuse is None else reuse, trainable=trainable,
                collections=collections, validate_shape=validate_shape,
                synchronization=synchronization, aggregation=aggregation, **given,
            )  # fmt: skip

    def __repr__(self):
        set_ = [f" {key}={value!r}" for key, value in self._settings.items() if value is not None]
        return f"<sluice.VariableScope {self.name!r} reuse={self._reuse}{''.join(set_)}>"


def _setter(key):
    def set_value(self, *args, **kwargs):
        (value,) = (*args, *(kwargs.pop(k) for k in [key] if k in kwargs))
        self._settings[key] = value

    set_value.__doc__ = f"""Sets the {key} of variables that are made from now on.

    Args:
        args: The {key}.
        kwargs: The {key} by its name.
    """
    return set_value


for _key in _SETTINGS:  # properties and their setters: scope.dtype, scope.set_dtype(...)
    _doc = f"The {_key} of variables that are made in this scope, or None."
    setattr(VariableScope, _key, property(lambda self, key=_key: self._settings[key], doc=_doc))
    setattr(VariableScope, f"set_{_key}", _setter(_key))


def _dtype_of(initializer):
    """The dtype of a value that initialises; of functions float32."""
    if initializer is None or callable(initializer):
        return dtypes.float32
    if hasattr(initializer, "dtype"):
        return dtypes.as_dtype(initializer.dtype).base_dtype
    with Graph().as_default():  # this one gets no constant
        return convert_to_tensor(initializer).dtype


def _check_dtype(dtype, initializer):
    """ValueError: the dtype that is asked for is not the one of the value."""
    if dtype is None or initializer is None or callable(initializer):
        return
    with name_scope(None):
        found = convert_to_tensor(initializer).dtype.base_dtype
    if found != dtypes.as_dtype(dtype).base_dtype:
        raise ValueError(
            f"the initializer is {found.name}, the variable {dtypes.as_dtype(dtype).name}"
        )


# ---- making and finding


def _get(graph, name, shape=None, dtype=dtypes.float32, initializer=None, regularizer=None,
         reuse=None, trainable=None, collections=None, caching_device=None, partitioner=None,
         validate_shape=True, use_resource=None, constraint=None,
         synchronization=VariableSynchronization.AUTO,
         aggregation=VariableAggregation.NONE):  # fmt: skip
    dtype = dtypes.as_dtype(dtype).base_dtype
    store, home = scopes_of(graph).variables, outermost(graph)
    found = store.get(name)
    if found is not None and name in state_of(home).retraced:
        return found
    if found is not None:
        return _found(found, name, shape, dtype, reuse)
    if reuse is True:
        raise ValueError(
            f"Variable {name} does not exist, or was not created with tf.get_variable(). Did you"
            " mean to set reuse=tf.AUTO_REUSE in VarScope?"
        )
    options = {
        "trainable": trainable, "collections": collections, "caching_device": caching_device,
        "validate_shape": validate_shape, "use_resource": use_resource, "constraint": constraint,
        "synchronization": synchronization, "aggregation": aggregation,
    }  # fmt: skip
    if home is not graph:  # made where the loop is, once
        with home.as_default(), home.name_scope(""), home.control_dependencies(None):
            variable = _get(home, name, shape, dtype, initializer, regularizer, reuse,
                            partitioner=partitioner, **options)  # fmt: skip
        state_of(home).made_by_bodies.add(name)
        return variable
    if partitioner is not None and shape is None and hasattr(initializer, "shape"):
        shape = initializer.shape
    if partitioner is not None and shape is not None:
        parts = partitioner(shape=TensorShape(shape), dtype=dtype)
        variable = make_parts(name, shape, dtype, _chosen(initializer, dtype), list(parts),
                              functools.partial(_make, **options))  # fmt: skip
    else:
        variable = _make(name, shape, dtype, _chosen(initializer, dtype), **options)
    store[name] = variable
    for part in variable if isinstance(variable, PartitionedVariable) else [variable]:
        store[part.op.name] = part
        _regularize(graph, part, regularizer)
    return variable


def _made_at(variable):
    """The lines of the program that made a variable, a str."""
    return "".join(traceback.format_list(variable.op.traceback))


def _found(found, name, shape, dtype, reuse):
    if not reuse:
        raise ValueError(
            f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or"
            f" reuse=tf.AUTO_REUSE in VarScope? Originally defined at:\n\n{_made_at(found)}"
        )
    if shape is not None and not found.shape.is_compatible_with(shape):
        raise ValueError(
            f"Trying to share variable {name}, but specified shape {TensorShape(shape)} and found"
            f" shape {found.shape}."
        )
    if found.dtype.base_dtype != dtype:
        raise ValueError(
            f"Trying to share variable {name}, but specified dtype {dtype.name} and found dtype"
            f" {found.dtype.name}."
        )
    return found


def _chosen(initializer, dtype):
    """The initializer, an instance of it where its function was given; by dtype where none is."""
    if initializer is None:
        if dtype.is_floating:
            return initializers.glorot_uniform()
        if dtype.is_integer or dtype in (dtypes.bool_, dtypes.string) or dtype.is_complex:
            return initializers.zeros()
        raise ValueError(f"a variable of {dtype.name} requires an initializer")
    made_by = getattr(initializer, "__module__", "") == initializers.__name__
    if made_by and vars(initializers).get(getattr(initializer, "__name__", "")) is initializer:
        return initializer()
    return initializer


def _make(name, shape, dtype, initializer, partition_info=None, **options):
    known = shape is not None and TensorShape(shape).is_fully_defined()
    if callable(initializer) and not known and _takes_nothing(initializer):
        value, dtype = initializer, None
    elif callable(initializer):
        if not known:
            raise ValueError(
                "The initializer passed is not valid. It should be a callable with no arguments and"
                " the shape should not be provided or an instance of `tf.keras.initializers.*' and"
                f" `shape` should be fully defined: variable {name}"
            )
        dims = TensorShape(shape).as_list()
        more = {"partition_info": partition_info}
        if partition_info is None and not requires_partition_info(initializer):
            more = {}

        def value():
            return initializer(dims, dtype=dtype, **more)
    elif shape is not None and partition_info is None:
        raise ValueError(f"If initializer is a constant, do not specify shape: variable {name}")
    else:
        value = initializer
    return Variable(value, name=name, dtype=dtype, **options)


def _takes_nothing(function):
    parameters = inspect.signature(function).parameters.values()
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return all(p.default is not p.empty or p.kind in variable for p in parameters)


def _regularize(graph, variable, regularizer):
    if regularizer is None:
        return
    with colocate_with(variable.op), name_scope(variable.op.name + "/Regularizer/"):
        loss = regularizer(variable)
    if loss is not None:
        graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)


def get_variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=None,
                 collections=None, caching_device=None, partitioner=None, validate_shape=True,
                 use_resource=None, custom_getter=None, constraint=None,
                 synchronization=VariableSynchronization.AUTO,
                 aggregation=VariableAggregation.NONE):  # fmt: skip
    """Finds or makes the variable "<variable scope>/<name>".

    Args:
        name: Name of the variable, a str.
        shape: Shape of the variable, a list of ints.
        dtype: Dtype of the variable. None: that of the scope, else float32.
        initializer: A function of (shape, dtype), or a value. None: that of the scope, else
            glorot_uniform(), for integers zeros.
        regularizer: A function of the variable that returns a loss for the collection
            REGULARIZATION_LOSSES. None: that of the scope.
        trainable: Whether optimizers change it by default. A bool. None: True.
        collections: Collections that get it, a list of str. None: GLOBAL_VARIABLES.
        caching_device: Device that keeps values that were read, a str. None: that of the scope.
        partitioner: A function of (shape, dtype) that returns in how many parts each dimension is
            cut. None: that of the scope.
        validate_shape: Whether the shape of the initial value must be known, and stays. A bool.
        use_resource: True: a resource variable; False: a reference variable. None: that of the
            scope.
        custom_getter: A function that is called in place of the one that makes variables, and gets
            it as its first argument.
        constraint: A function of the value that optimizers apply after an update. None: that of the
            scope.
        synchronization: Accepted. It has no effect.
        aggregation: Accepted. It has no effect.

    Returns:
        A Variable; with a partitioner a PartitionedVariable.

    Raises:
        ValueError: The variable exists and must not, does not exist and must, or has another shape
            or dtype.

    Example:
        >>> with sl.variable_scope("layer", reuse=sl.AUTO_REUSE):
        ...     v = sl.get_variable("weights", [2, 3])
        ...     same = sl.get_variable("weights", [2, 3])
        >>> v.name, same is v
        ('layer/weights:0', True)
    """
    return get_variable_scope().get_variable(
        name, shape, dtype, initializer, regularizer, None, trainable, collections, caching_device,
        partitioner, validate_shape, use_resource, custom_getter, constraint, synchronization,
        aggregation,
    )  # fmt: skip


def get_local_variable(name, shape=None, dtype=None, initializer=None, regularizer=None,
                       trainable=False, collections=None, **more):  # fmt: skip
    """Finds or makes a variable in the collection LOCAL_VARIABLES, which no Saver saves.

    Args:
        name: Name of the variable, a str.
        shape: Shape of the variable, a list of ints.
        dtype: Dtype of the variable. None: that of the scope, else float32.
        initializer: A function of (shape, dtype), or a value. None: that of the scope, else
            glorot_uniform(), for integers zeros.
        regularizer: A function of the variable that returns a loss for the collection
            REGULARIZATION_LOSSES. None: that of the scope.
        trainable: Accepted. Local variables are never trainable.
        collections: Collections that get it, a list of str. None: GLOBAL_VARIABLES.
        **more: Further arguments of get_variable().

    Returns:
        A Variable.

    Raises:
        ValueError: As of get_variable().
    """
    collections = (list(collections) if collections else []) + [GraphKeys.LOCAL_VARIABLES]
    return get_variable(name, shape, dtype, initializer, regularizer, False, collections, **more)


# ---- scopes


class _Opened:
    """The names of the scopes that were opened since the one around them was."""

    def __init__(self, names=()):
        self._names = list(names)  # sorted

    def __contains__(self, name):
        at = bisect.bisect_left(self._names, name)
        return self._names[at : at + 1] == [name]

    def add(self, name):
        if name not in self:
            bisect.insort(self._names, name)

    def drop_below(self, name):
        # "0" is the character after "/".
        first, end = (bisect.bisect_left(self._names, name + c) for c in "/0")
        del self._names[first:end]

    def copy(self):
        return _Opened(self._names)

    def unused(self, name):
        unique, count = name, 0
        while unique in self:
            count += 1
            unique = f"{name}_{count}"
        return unique


class _State:
    """Of a graph: the variables by name, the scope, and which names were opened."""

    def __init__(self):
        self.variables, self.scope, self.opened = {}, VariableScope(False), _Opened()


def scopes_of(graph):
    """Of a graph: the variables by name, the scope, and which names were opened."""
    collections = state_of(outermost(graph)).collections
    state = collections.get(_KEY)
    if state is None:
        state = collections[_KEY] = _State()
    return state


_KEY = ("variable_scope",)


def get_variable_scope():
    """Returns the current variable scope.

    Returns:
        A VariableScope.
    """
    return scopes_of(get_default_graph()).scope


@contextlib.contextmanager
def variable_scope(name_or_scope, default_name=None, values=None, initializer=None,
                   regularizer=None, caching_device=None, partitioner=None, custom_getter=None,
                   reuse=None, dtype=None, use_resource=None, constraint=None,
                   auxiliary_name_scope=True):  # fmt: skip
    """Enters a variable scope, and a name scope for operations.

    Args:
        name_or_scope: A name, a VariableScope to enter again, or None for default_name.
        default_name: A name that is made unique, if name_or_scope is None.
        values: Accepted. It has no effect.
        initializer: Initializer of variables. None: that of the outer scope.
        regularizer: Regularizer of variables. None: that of the outer scope.
        caching_device: Device that keeps values that were read. None: that of the outer scope.
        partitioner: Partitioner of variables. None: that of the outer scope.
        custom_getter: A function that is called in place of the one that makes variables, and gets
            it as its first argument.
        reuse: True: variables are found, never made; AUTO_REUSE: found or made; None: as in the
            outer scope.
        dtype: Dtype of variables. None: that of the outer scope.
        use_resource: Kind of the variables. None: that of the outer scope.
        constraint: Constraint of variables. None: that of the outer scope.
        auxiliary_name_scope: Whether a name scope is entered too. A bool.

    Returns:
        A context manager, whose value is the VariableScope.

    Raises:
        TypeError: Neither name_or_scope nor default_name is given.
        ValueError: reuse is something else.

    Example:
        >>> with sl.variable_scope("model"):
        ...     v = sl.get_variable("v", [])
        >>> v.name
        'model/v:0'
    """
    if name_or_scope is None and default_name is None:
        raise TypeError("If default_name is None then name_or_scope is required")
    if not isinstance(name_or_scope, (str, VariableScope, type(None))):
        raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
    if reuse is not None and not isinstance(reuse, (bool, _AutoReuse)):
        raise ValueError(f"reuse must be a bool, AUTO_REUSE or None, not {reuse!r}")
    state = scopes_of(get_default_graph())
    outer, opened = state.scope, state.opened
    if isinstance(name_or_scope, VariableScope):
        base, name = name_or_scope, name_or_scope.name
        reuse = reuse or base.reuse
        own_names = name.rsplit("/", 1)[-1]
        state.opened = opened.copy()
        state.opened.drop_below(name)
    else:
        base, own_names = outer, name_or_scope if name_or_scope is not None else default_name
        if name_or_scope is None:
            if reuse:
                raise ValueError("reuse=True cannot be used without a name_or_scope")
            name = opened.unused(_under(outer, default_name))
            own_names = default_name
        else:
            name = _under(outer, name_or_scope)
        reuse = reuse or outer.reuse
        opened.add(name)
        opened.drop_below(name)
    settings = {
        "initializer": initializer, "regularizer": regularizer, "caching_device": caching_device,
        "partitioner": partitioner, "dtype": dtype, "use_resource": use_resource,
        "constraint": constraint,
    }  # fmt: skip
    settings = {k: base._settings[k] if v is None else v for k, v in settings.items()}
    settings["custom_getter"] = _chained(custom_getter, base.custom_getter)
    names = name_scope(own_names) if auxiliary_name_scope and own_names else _current_names()
    with names as scope:
        of_object = isinstance(name_or_scope, VariableScope)
        original = base.original_name_scope if of_object else scope
        state.scope = VariableScope(reuse, name, original, **settings)
        try:
            yield state.scope
        finally:
            state.scope = outer
            state.opened = opened


@contextlib.contextmanager
def _current_names():
    yield state_of(get_default_graph()).scope


def _under(scope, name):
    return f"{scope.name}/{name}" if scope.name and name else scope.name or name


def _chained(own, outer):
    if own is None or outer is None:
        return own or outer
    return lambda getter, *args, **kwargs: own(functools.partial(outer, getter), *args, **kwargs)


@contextlib.contextmanager
def variable_op_scope(values, name_or_scope, default_name=None, **more):
    """Enters a variable scope. Older form of variable_scope() with another order of arguments.

    Args:
        values: Accepted. It has no effect.
        name_or_scope: A name, a VariableScope to enter again, or None for default_name.
        default_name: A name that is made unique, if name_or_scope is None.
        **more: Further arguments of variable_scope().

    Returns:
        A context manager, whose value is the VariableScope.
    """
    with variable_scope(name_or_scope, default_name, values, **more) as scope:
        yield scope


def no_regularizer(_):
    """Makes no loss: a regularizer that replaces that of a scope.

    Args:
        _: The variable.

    Returns:
        None.
    """
    return None


choose_kind_by(lambda: get_variable_scope().use_resource)
