# SPDX-License-Identifier: Apache-2.0
"""Variables of both kinds."""

import contextlib
import functools
import inspect

from ... import messages
from ...graph.convert import convert_by, convert_to_tensor
from ...graph.default_graph import (
    colocate_with,
    control_dependencies,
    device,
    get_default_graph,
    name_scope,
)
from ...graph.defaults import session_or_default
from ...graph.elements import Tensor, attr_of
from ...graph.keys import GraphKeys
from ...graph.state import state_of
from ...graph.tensor_shape import TensorShape, dims_of
from .. import array as arrays
from .. import raw_ops
from ..functions.lifting import init_scope, lifted
from ..functions.switch_cond import switch_cond
from ..functions.tracing import outermost
from ..math.operators import overload_operators
from .guarding import guarded
from .initializing import is_variable_initialized
from .kinds import VariableAggregation, VariableSynchronization, copies_of, is_resource
from .pieces import SaveSliceInfo
from .reading import read_resource
from .scatter import (
    batch_scatter_update,
    by_indices,
    by_rows,
    scatter_add,
    scatter_div,
    scatter_max,
    scatter_min,
    scatter_mul,
    scatter_nd_add,
    scatter_nd_sub,
    scatter_nd_update,
    scatter_sub,
    scatter_update,
)
from .updates import assign_slice, count_up_to


class _CreatedByScopes(type):
    """Lets the functions of variable_creator_scope() make variables."""

    @property
    def __signature__(cls):
        found = inspect.signature(cls.__init__)
        return found.replace(parameters=list(found.parameters.values())[1:])

    def __call__(cls, *args, **kwargs):
        if outermost(get_default_graph()) is not get_default_graph():
            return cls._outside(*args, **kwargs)
        make = super().__call__
        value = args[0] if args else kwargs.get("initial_value")
        if isinstance(value, Tensor) and value.graph is not get_default_graph():
            with value.graph.as_default():  # the graph of the value is that of the variable
                return cls(*args, **kwargs)
        creators = state_of(get_default_graph()).creators
        if not creators or not cls.creators_apply:
            return make(*args, **kwargs)
        bound = cls.__signature__.bind(*args, **kwargs)
        bound.apply_defaults()
        given = dict(bound.arguments)
        if given["variable_def"] is not None:  # it is there already
            return make(*args, **kwargs)
        for creator in creators:
            make = functools.partial(creator, make)
        return make(**given)

    def _outside(cls, *args, **kwargs):
        """A variable that the body of a function makes: it is of the graph around the function."""
        bound = cls.__signature__.bind(*args, **kwargs)
        given = dict(bound.arguments)
        if isinstance(given.get("initial_value"), Tensor):
            given["initial_value"] = lifted(given["initial_value"], given.get("name"))
        with init_scope():
            return cls(**given)


class Variable(metaclass=_CreatedByScopes):
    """A tensor that keeps its value between runs.

    A run that uses it before its `initializer` ran fails with FailedPreconditionError.

    Args:
        initial_value: A value, a tensor, or a function without arguments that returns one.
        trainable: Whether optimizers change it by default. A bool. None: True.
        collections: Collections that get it, a list of str. None: GLOBAL_VARIABLES.
        validate_shape: Whether the shape of the initial value must be known, and stays. A bool.
        caching_device: Device that keeps values that were read, a str. None: no caching.
        name: Name of the variable, a str. None: "Variable".
        variable_def: The result of to_proto(), instead of all other arguments.
        dtype: Dtype of the variable. None: that of the initial value.
        expected_shape: Accepted. It has no effect.
        import_scope: Name scope to put in front of names, a str. None: none.
        constraint: A function of the value that optimizers apply after an update. None: none.
        use_resource: True: a resource variable; False: a reference variable. None: the default
            kind.
        synchronization: How copies of strategies are synchronised: see VariableSynchronization.
        aggregation: How values of replicas become one: see VariableAggregation.
        shape: Shape of the variable. None: that of the initial value.

    Raises:
        ValueError: There is no initial value, or its shape is not known or another one.

    Example:
        >>> v = sl.Variable([1.0, 2.0], name="v")
        >>> v
        <sluice.Variable 'v:0' shape=(2,) dtype=float32_ref>
        >>> with sl.Session() as session:
        ...     session.run(sl.global_variables_initializer())
        ...     session.run(v.assign_add([1.0, 1.0]))
        ...     print(session.run(v))
        array([2., 3.], dtype=float32)
        [2. 3.]
    """

    SaveSliceInfo = SaveSliceInfo
    creators_apply = True
    __array_priority__ = 100  # an array times a variable is a tensor

    def __init__(self, initial_value=None, trainable=None, collections=None, validate_shape=True,
                 caching_device=None, name=None, variable_def=None, dtype=None,
                 expected_shape=None, import_scope=None, constraint=None, use_resource=None,
                 synchronization=VariableSynchronization.AUTO,
                 aggregation=VariableAggregation.NONE, shape=None):  # fmt: skip
        self._graph = graph = get_default_graph()
        self._save_slice_info, self.constraint = None, constraint
        self._shape = None  # known once it was asked for
        kinds = copies_of(name, synchronization, aggregation)
        self.synchronization, self.aggregation = kinds
        if variable_def is not None:
            if initial_value is not None:
                raise ValueError("initial_value and variable_def cannot both be given")
            self._find(messages.take(messages.VariableDef, variable_def), import_scope)
            return
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        on_read = self.synchronization == VariableSynchronization.ON_READ
        self.trainable = not on_read if trainable is None else bool(trainable)
        self._is_resource = is_resource(use_resource)
        with control_dependencies(None), name_scope(name, "Variable") as scope:
            value = _initial(graph, initial_value, dtype, scope, self._is_resource)
            dims = TensorShape(shape) if shape is not None else value.shape
            if self._is_resource and not value.shape.is_compatible_with(dims):
                raise ValueError(
                    f"The initial value's shape ({value.shape}) is not compatible with the"
                    f" explicitly supplied `shape` argument ({dims})."
                )
            if validate_shape and not value.shape.is_fully_defined():
                raise ValueError(f"initial_value must have a shape specified: {value}")
            self.initial_value = value
            dims = dims if validate_shape or shape is not None else TensorShape(None)
            attrs = {"dtype": int(value.dtype.base_dtype), "shape": dims_of(dims)}
            make = self._make_resource if self._is_resource else self._make_reference
            made_here = self._is_resource or callable(initial_value)
            with state_of(graph).within(together=scope[:-1] if made_here else None):
                self._make_node(graph, attrs, scope)
            self.dtype = value.dtype.base_dtype if self._is_resource else self.handle.dtype
            make(scope, value, validate_shape, caching_device)
        if not isinstance(collections, (list, tuple, set, type(None))):
            raise ValueError(
                "collections argument to Variable constructor must be a list, tuple, or set. Got"
                f" {collections} of type {type(collections)}"
            )
        collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        if self.trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
            collections.append(GraphKeys.TRAINABLE_VARIABLES)
        graph.add_to_collections(collections, self)

    def _make_node(self, graph, attrs, scope):
        kind = "VariableV2"
        if self._is_resource:
            kind = "VarHandleOp"
            attrs.update(shared_name=scope[:-1], container=state_of(graph).container)
        self.handle = graph.create_op(kind, [], attrs, scope).outputs[0]

    def _make_reference(self, scope, value, validate_shape, caching_device):
        self.initializer = raw_ops.Assign(
            ref=self.handle, value=guarded(value, scope), validate_shape=validate_shape,
            name=scope + "Assign/",
        ).op  # fmt: skip
        with self._caching(caching_device):
            self._snapshot = raw_ops.Identity(input=self.handle, name=scope + "read/")

    def _make_resource(self, scope, value, validate_shape, caching_device):
        raw_ops.VarIsInitializedOp(
            resource=self.handle, name=scope + "IsInitialized/VarIsInitializedOp/"
        )
        with self._at_home():
            self.initializer = raw_ops.AssignVariableOp(
                resource=self.handle, value=guarded(value, scope), name=scope + "Assign/"
            )
        with device(self.device):
            self._snapshot = read_resource(self, scope + "Read/ReadVariableOp/")
        if caching_device is not None:
            with colocate_with(None, ignore_existing=True), self._caching(caching_device):
                self._snapshot = arrays.identity(self._snapshot, scope + "Read/Identity/")

    @contextlib.contextmanager
    def _at_home(self):
        """Operations made inside have the device of the variable, regardless of device scopes."""
        with colocate_with(None, ignore_existing=True), device(self.device):
            yield

    def _caching(self, caching_device):
        if caching_device is None:
            return colocate_with(self.op, ignore_existing=True)
        if callable(caching_device):
            caching_device = caching_device(self.op)
        return device(caching_device)

    def _find(self, definition, import_scope):
        """Looks itself up in a graph that has it already."""

        def element(name):
            return self._graph.as_graph_element(f"{import_scope}/{name}" if import_scope else name)

        self.trainable, self._is_resource = definition.trainable, definition.is_resource
        self.handle = element(definition.variable_name)
        self.initializer = element(definition.initializer_name)
        self._snapshot = element(definition.snapshot_name)
        initial = definition.initial_value_name
        self.initial_value = element(initial) if initial else self.initializer.inputs[1]
        self.dtype = self._snapshot.dtype if self._is_resource else self.handle.dtype
        if definition.HasField("save_slice_info_def"):
            d = definition.save_slice_info_def
            self._save_slice_info = SaveSliceInfo(
                d.full_name, d.full_shape, d.var_offset, d.var_shape
            )

    def to_proto(self, export_scope=None):
        """Converts the variable to a protocol message, with which it can be found again.

        Args:
            export_scope: Name scope to export without its own name, a str. None: everything.

        Returns:
            A VariableDef; None if it is not within export_scope.
        """
        prefix = f"{export_scope}/" if export_scope else ""
        if not self.name.startswith(prefix):
            return None
        definition = messages.VariableDef(
            variable_name=self.name[len(prefix):],
            initial_value_name=self.initial_value.name[len(prefix):],
            initializer_name=self.initializer.name[len(prefix):],
            snapshot_name=self._snapshot.name[len(prefix):],
            is_resource=self._is_resource, trainable=self.trainable,
        )  # fmt: skip
        if self._save_slice_info is not None:
            info = self._save_slice_info
            definition.save_slice_info_def.MergeFrom(messages.SaveSliceInfoDef(
                full_name=info.full_name, full_shape=info.full_shape, var_offset=info.var_offset,
                var_shape=info.var_shape,
            ))  # fmt: skip
        return definition

    @staticmethod
    def from_proto(variable_def, import_scope=None):
        """Finds the variable that a message of to_proto() describes.

        Args:
            variable_def: The VariableDef.
            import_scope: Name scope to put in front of names, a str. None: none.

        Returns:
            A Variable.

        Raises:
            KeyError: The graph has no such variable.
        """
        return Variable(variable_def=variable_def, import_scope=import_scope)

    @property
    def name(self):
        """The name, "<operation>:0"."""
        return self.op.name + ":0"

    @property
    def op(self):
        """The Operation of the variable."""
        return self.handle.op

    @property
    def graph(self):
        """The Graph that it belongs to."""
        return self._graph

    @property
    def device(self):
        """The device that the program requested, a str."""
        return self.op.device

    @property
    def shape(self):
        """The static shape, a TensorShape."""
        if self._shape is None:
            self._shape = TensorShape(attr_of(self.op, "shape"))
        return self._shape

    def get_shape(self):
        """Returns the static shape.

        Returns:
            A TensorShape.
        """
        return self.shape

    def set_shape(self, shape):
        """Adds what the program knows of the static shape.

        Args:
            shape: A TensorShape, or what makes one.

        Raises:
            ValueError: The shape contradicts what is known.
        """
        self.handle.set_shape(shape)
        self._snapshot.set_shape(shape)
        self._shape = self._snapshot.shape

    def value(self):
        """Returns the value. Of a resource variable it is read when the operation that uses it
        runs.

        Returns:
            A tensor.
        """
        if not self._is_resource or self._snapshot.op.type != "ReadVariableOp":
            return self._snapshot
        with self._at_home():
            return read_resource(self)

    def read_value(self):
        """Returns the value, read after the current control dependencies.

        Returns:
            A tensor.
        """
        if not self._is_resource:
            return arrays.identity(self.handle, "read")
        with name_scope("Read"), device(self.device):
            value = read_resource(self)
        return arrays.identity(value)

    def _ref(self):
        return self.handle

    def _get_save_slice_info(self):
        return self._save_slice_info

    def _as_graph_element(self):
        return self._snapshot

    def eval(self, session=None):
        """Reads the value in a session.

        Args:
            session: The session to run in. None: the default session.

        Returns:
            An array.

        Raises:
            ValueError: There is no session.
            errors.FailedPreconditionError: The variable is not initialised.
        """
        return self._snapshot.eval(session=session)

    def load(self, value, session=None):
        """Sets the value without adding to the graph.

        Args:
            value: An array.
            session: The session to run in. None: the default session.

        Raises:
            ValueError: There is no session.
        """
        session_or_default(session).run(self.initializer, {self.initializer.inputs[1]: value})

    def initialized_value(self):
        """Returns the value or, if there is none yet, the initial value. It is for initial values
        of other variables.

        Returns:
            A tensor.
        """
        ready = is_variable_initialized(self)
        with colocate_with(None, ignore_existing=True):
            return switch_cond(ready, self.read_value, lambda: self.initial_value)

    def is_initialized(self, name=None):
        """Tests whether the variable has a value.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            A bool scalar.
        """
        return is_variable_initialized(self, name)

    def _update(self, reference_op, resource_op, value, use_locking, name, read_value):
        if not self._is_resource:
            result = raw_ops.apply_op(
                reference_op, name, ref=self.handle, value=value, use_locking=use_locking
            )
            return result if read_value else result.op
        value = convert_to_tensor(value, self.dtype)
        if resource_op == "AssignVariableOp":  # the op takes any shape
            self.shape.assert_is_compatible_with(value.shape)
        op = raw_ops.apply_op(resource_op, name, resource=self.handle, value=value)
        if not read_value:
            return op
        with control_dependencies([op]):
            return read_resource(self)

    def assign(self, value, use_locking=False, name=None, read_value=True):
        """Sets the value.

        Args:
            value: The new value, a tensor or a value of the variable's dtype.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.
            read_value: Whether the new value is returned, not the Operation. A bool.

        Returns:
            The new value, a tensor; without read_value the Operation.

        Example:
            >>> v = sl.Variable(1)
            >>> with sl.Session() as session:
            ...     session.run(v.initializer)
            ...     print(session.run(v.assign(7)))
            7
        """
        return self._update("Assign", "AssignVariableOp", value, use_locking, name, read_value)

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        """Adds to the value.

        Args:
            delta: The difference, a tensor or a value of the variable's dtype.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.
            read_value: Whether the new value is returned, not the Operation. A bool.

        Returns:
            The new value, a tensor; without read_value the Operation.
        """
        return self._update(
            "AssignAdd", "AssignAddVariableOp", delta, use_locking, name, read_value
        )

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        """Subtracts from the value.

        Args:
            delta: The difference, a tensor or a value of the variable's dtype.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.
            read_value: Whether the new value is returned, not the Operation. A bool.

        Returns:
            The new value, a tensor; without read_value the Operation.
        """
        return self._update(
            "AssignSub", "AssignSubVariableOp", delta, use_locking, name, read_value
        )

    scatter_add = by_rows(scatter_add, "Adds to rows.")
    scatter_sub = by_rows(scatter_sub, "Subtracts from rows.")
    scatter_update = by_rows(scatter_update, "Replaces rows.")
    scatter_mul = by_rows(scatter_mul, "Multiplies rows.")
    scatter_div = by_rows(scatter_div, "Divides rows.")
    scatter_max = by_rows(scatter_max, "Takes the maximum of rows and updates.")
    scatter_min = by_rows(scatter_min, "Takes the minimum of rows and updates.")
    batch_scatter_update = by_rows(
        batch_scatter_update,
        "Replaces rows of each batch: see the function batch_scatter_update().",
    )
    scatter_nd_update = by_indices(scatter_nd_update, "Replaces slices.")
    scatter_nd_add = by_indices(scatter_nd_add, "Adds to slices.")
    scatter_nd_sub = by_indices(scatter_nd_sub, "Subtracts from slices.")

    def sparse_read(self, indices, name=None):
        """Reads rows. Of a resource variable no other rows are read.

        Args:
            indices: An int32 or int64 tensor of row numbers.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor.
        """
        return arrays.gather(self, indices, name=name)

    def gather_nd(self, indices, name=None):
        """Reads slices: see the function gather_nd().

        Args:
            indices: An int32 or int64 tensor [..., k]: the first k indices of each slice.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor.
        """
        return arrays.gather_nd(self, indices, name=name)

    def count_up_to(self, limit):
        """Returns the value and adds 1 to it.

        Args:
            limit: The value at which it fails, an int.

        Returns:
            A scalar.

        Raises:
            errors.OutOfRangeError: In run(): the limit is reached.
        """
        return count_up_to(self, limit)

    def __bool__(self):
        return bool(self._snapshot) if self._is_resource else True  # a tensor raises

    __nonzero__ = __bool__

    def __iter__(self):
        raise TypeError("'Variable' object is not iterable.")

    def __repr__(self):
        return f"<sluice.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


overload_operators(Variable, assign_slice)
convert_by(Variable, lambda variable, as_ref: variable.handle if as_ref else variable.value())


@contextlib.contextmanager
def variable_creator_scope(variable_creator):
    """Lets a function make the variables that are made inside.

    Args:
        variable_creator: A function of next_creator and of the arguments of Variable by name. It
            returns a variable, mostly that of next_creator(**kwargs).

    Returns:
        A context manager.

    Example:
        >>> def renamed(next_creator, **kwargs):
        ...     return next_creator(**{**kwargs, "name": "other"})
        >>> with sl.variable_creator_scope(renamed):
        ...     v = sl.Variable(1.0, name="v")
        >>> v.name
        'other:0'
    """
    state = state_of(outermost(get_default_graph()))
    with state.within(creators=[*state.creators, variable_creator]):
        yield


def _initial(graph, initial_value, dtype, scope, resource):
    """The initial value as a tensor; one that is made here stands beside the variable."""
    made = callable(initial_value)
    if not made and not resource:
        return convert_to_tensor(initial_value, dtype, name="initial_value")
    with state_of(graph).within(together=scope[:-1]), device(None), graph.name_scope("Initializer"):
        initial_value = initial_value() if made else initial_value
        return convert_to_tensor(initial_value, dtype, name="initial_value")
