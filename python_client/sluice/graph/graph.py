# SPDX-License-Identifier: Apache-2.0
"""Graphs."""

import re

from .. import messages
from . import origins, other_graphs
from .defaults import entered, stacks
from .device_spec import DeviceSpec
from .elements import (
    IndexedSlices,
    Operation,
    Tensor,
    groups_of,
    id_of,
    ids_of,
    known_sizes,
    new_operation,
    operation_of,
)
from .keys import GraphKeys
from .placement import apply_device, bound_to
from .registry import attr_type
from .scopes import Colocation, ControlInputs, NameScope, controls_of
from .state import give_state


class Graph:
    """A dataflow graph: operations, and the tensors between them.

    One thread at a time may add operations. A session runs it.

    Example:
        >>> graph = sl.Graph()
        >>> with graph.as_default():
        ...     y = sl.constant(2) + 3
        >>> with sl.Session(graph=graph) as session:
        ...     print(session.run(y))
        5
    """

    def __init__(self):
        give_state(self)
        self._finalized = False
        self._unfeedable, self._unfetchable = set(), set()
        self.seed = None

    # ---- operations

    def create_op(self, op_type, inputs, attrs=None, name=None):
        """Adds an operation in the current scopes.

        Args:
            op_type: The op, a str such as "MatMul".
            inputs: A list of tensors of this graph.
            attrs: A dict: attribute -> value.
            name: Name of the operation, a str. It is made unique, unless it ends with "/". None:
                the op.

        Returns:
            The Operation.

        Raises:
            RuntimeError: The graph is finalized.
            ValueError: A tensor belongs to another graph, or shapes do not fit the op.
            TypeError: An attribute is not of its type.
            errors.NotFoundError: There is no such op.
        """
        state = self._graph_state
        self._check_not_finalized()
        attrs = dict(attrs or {})
        if state.container and attr_type(op_type, "container"):
            attrs["container"] = attrs.get("container") or state.container
        name = name or op_type
        for tensor in inputs:
            if tensor.graph is not self:
                return self._made_elsewhere(op_type, inputs, attrs, name)
        full = name[:-1] if name.endswith("/") else self.unique_name(name)
        if state.branch is not None:
            inputs = state.branch.switched(inputs, full)
        bound = bound_to(op_type, inputs)
        together = state.colocation + bound
        if together and "_class" not in attrs:
            attrs["_class"] = groups_of(together)
        elif state.together:
            attrs.setdefault("_class", ["loc:@" + state.together])
        if op_type in state.overrides:
            attrs["_gradient_op_type"] = state.overrides[op_type]
        ids = ids_of(inputs)
        controls = controls_of(state.control, ids) if state.control else ()
        if state.branch is not None and not ids:
            controls = sorted({*controls, id_of(state.branch.pivot.op)})
        node = state.core.add_node(op_type, ids, attrs, full, "", controls)
        op = new_operation(self, node, "_class" in attrs)
        state.stacks[node] = origins.stack()
        if op_type in state.overrides:
            state.overridden[node] = None
        for group in state.control:
            group.seen.add(node)
        if together or state.devices:
            apply_device(state, op, together, not bound)
        return op

    def _made_elsewhere(self, op_type, inputs, attrs, name):
        """create_op() in the graph of its inputs."""
        home = other_graphs.home_of(self, inputs)
        first = next((t for t in inputs if t.graph is home), inputs[0])
        inputs = [other_graphs.moved(home, tensor, first) for tensor in inputs]
        return home.create_op(op_type, inputs, attrs, name.rstrip("/"))

    def unique_name(self, name, mark_as_used=True):
        """Returns a name in the current name scope, with _1, _2, ... if it is taken.

        Args:
            name: The name, a str.
            mark_as_used: Whether the name is taken from now on. A bool.

        Returns:
            A str.
        """
        state = self._graph_state
        names, name = state.names, state.scope + name
        key = name.lower()
        count = names.get(key, 0)
        if not mark_as_used and count == 0:
            return name
        if mark_as_used:
            names[key] = count + 1
        if count == 0:
            return name
        unique = f"{name}_{count}"
        while unique.lower() in names:
            count += 1
            unique = f"{name}_{count}"
        if mark_as_used:
            names[key] = count + 1
            names[unique.lower()] = 1
        return unique

    @property
    def version(self):
        """A number that grows with every operation, an int."""
        return self._graph_state.core.num_ids()

    @property
    def graph_def_versions(self):
        """The versions that as_graph_def() gives the graph, a VersionDef."""
        return self.as_graph_def(from_version=self.version).versions

    @property
    def finalized(self):
        """Whether operations can no longer be added. A bool."""
        return self._finalized

    @property
    def building_function(self):
        """Whether it is the graph of a function's body. A bool."""
        return False

    def finalize(self):
        """Forbids changes: adding an operation raises RuntimeError from now on."""
        self._finalized = True

    def _check_not_finalized(self):
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    def _unsafe_unfinalize(self):
        self._finalized = False

    def prevent_feeding(self, tensor):
        """Forbids feeding a tensor.

        Args:
            tensor: The tensor.
        """
        self._unfeedable.add(tensor)

    def is_feedable(self, tensor):
        """Tests whether a tensor may be fed.

        Args:
            tensor: The tensor.

        Returns:
            A bool.
        """
        return not self._unfeedable or tensor not in self._unfeedable

    def prevent_fetching(self, op):
        """Forbids fetching an operation and its outputs.

        Args:
            op: The Operation.
        """
        self._unfetchable.add(op)

    def is_fetchable(self, tensor_or_op):
        """Tests whether a tensor or an operation may be fetched.

        Args:
            tensor_or_op: The tensor or Operation.

        Returns:
            A bool.
        """
        return getattr(tensor_or_op, "op", tensor_or_op) not in self._unfetchable

    def get_name_scope(self):
        """Returns the current name scope.

        Returns:
            A str without "/" at its end; "" outside of all scopes.
        """
        return self._graph_state.scope.rstrip("/")

    def get_operations(self):
        """Returns all operations.

        Returns:
            A list of Operations, in the order in which they were added.

        Example:
            >>> with sl.Graph().as_default() as graph:
            ...     _ = sl.constant(1, name="one")
            >>> [op.name for op in graph.get_operations()]
            ['one']
        """
        core = self._graph_state.core
        return [operation_of(self, i) for i in range(core.num_ids()) if core.has(i)]

    def get_operation_by_name(self, name):
        """Finds an operation.

        Args:
            name: Its name, a str.

        Returns:
            The Operation.

        Raises:
            KeyError: There is none of that name.
            TypeError: The name is not a str.
        """
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        node = self._graph_state.core.find(name)
        if node < 0 and ":" in name:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a Operation.")
        if node < 0:
            raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
        return operation_of(self, node)

    def get_tensor_by_name(self, name):
        """Finds a tensor.

        Args:
            name: Its name, "<operation>:<output>".

        Returns:
            The tensor.

        Raises:
            ValueError: The name does not have that form.
            KeyError: There is none of that name.
            TypeError: The name is not a str.

        Example:
            >>> _ = sl.constant(4, name="four")
            >>> sl.get_default_graph().get_tensor_by_name("four:0").dtype
            sluice.int32
        """
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        op, colon, index = name.partition(":")
        if not colon or not index.isdigit():
            form = f'Tensor names must be of the form "<op_name>:<output_index>", as "{op}:0".'
            if colon:
                wrong = "looks a like a Tensor name, but is not a valid one"
            elif self._graph_state.core.find(name) >= 0:
                wrong = "refers to an Operation, not a Tensor"
            else:
                wrong = "looks like an (invalid) Operation name, not a Tensor"
            raise ValueError(f"The name {name!r} {wrong}. {form}")
        node = self._graph_state.core.find(op)
        outputs = operation_of(self, node).outputs if node >= 0 else []
        if int(index) >= len(outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op!r},"
                + (f" exists but only has {len(outputs)} outputs." if node >= 0
                   else " does not exist in the graph.")
            )  # fmt: skip
        return outputs[int(index)]

    def as_graph_element(self, obj, allow_tensor=True, allow_operation=True):
        """Returns the tensor or operation that an object or a name stands for.

        Args:
            obj: A tensor, an Operation, a variable, or the name of one.
            allow_tensor: Whether the result may be a tensor. A bool.
            allow_operation: Whether the result may be an Operation. A bool.

        Returns:
            A tensor or an Operation.

        Raises:
            KeyError: There is none of that name.
            TypeError: The object is none of these.
            ValueError: It belongs to another graph, or the name is that of one that is not allowed.
        """
        if type(obj) is Tensor and allow_tensor and obj.op.graph is self:
            return obj
        if isinstance(obj, str):
            is_tensor = ":" in obj and allow_tensor or not allow_operation
            obj = self.get_tensor_by_name(obj) if is_tensor else self.get_operation_by_name(obj)
        if hasattr(obj, "_as_graph_element"):
            obj = obj._as_graph_element()
        allowed = (Tensor,) * allow_tensor + (Operation,) * allow_operation
        if not isinstance(obj, allowed):
            what = " or ".join(c.__name__ for c in allowed)
            raise TypeError(f"Can not convert a {type(obj).__name__} into a {what}.")
        if obj.graph is not self:
            kind = "Tensor " if isinstance(obj, Tensor) else ""
            raise ValueError(
                f"{kind}{obj} is not an element of this graph. It is of {obj.graph!r}, and this one"
                f" is {self!r}."
            )
        return obj

    def as_graph_def(self, from_version=None, add_shapes=False):
        """Converts the graph to a protocol message.

        Args:
            from_version: Only operations that were added after the graph had this `version`. None:
                all.
            add_shapes: Whether the known shapes of outputs are added, as the attribute
                _output_shapes. A bool.

        Returns:
            A GraphDef.

        Example:
            >>> _ = sl.constant(1, name="one")
            >>> [node.op for node in sl.get_default_graph().as_graph_def().node]
            ['Const']
        """
        core = self._graph_state.core
        graph_def = messages.GraphDef.FromString(core.serialize())
        if from_version:
            kept = [n for n in graph_def.node if core.find(n.name) >= from_version]
            kept = [type(n).FromString(n.SerializeToString()) for n in kept]
            del graph_def.node[:]
            graph_def.node.extend(kept)
        for node in graph_def.node if add_shapes else ():
            shapes = node.attr["_output_shapes"].list.shape
            for tensor in self.get_operation_by_name(node.name).outputs:
                dims = known_sizes(tensor)
                proto = shapes.add(unknown_rank=dims is None)
                for dim in dims or ():
                    proto.dim.add(size=dim)
        return graph_def

    # ---- collections

    def add_to_collection(self, name, value):
        """Adds an item to a collection.

        Args:
            name: Name of the collection, a str.
            value: The item.

        Raises:
            RuntimeError: The graph is finalized.
        """
        self._check_not_finalized()
        self._graph_state.collections.setdefault(name, []).append(value)

    def add_to_collections(self, names, value):
        """Adds an item to several collections.

        Args:
            names: Name of a collection, or a list of names.
            value: The item.

        Raises:
            RuntimeError: The graph is finalized.
        """
        for name in {names} if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection(self, name, scope=None):
        """Returns the items of a collection.

        Args:
            name: Name of the collection, a str.
            scope: A regular expression that the names of items must begin with. None: all items.

        Returns:
            A list, which is a copy.
        """
        items = list(self._graph_state.collections.get(name, ()))
        if scope is None:
            return items
        return [i for i in items if hasattr(i, "name") and re.match(scope, i.name)]

    def get_collection_ref(self, name):
        """Returns a collection itself, to be changed.

        Args:
            name: Name of the collection, a str.

        Returns:
            The list.
        """
        return self._graph_state.collections.setdefault(name, [])

    def get_all_collection_keys(self):
        """Returns the names of all collections.

        Returns:
            A list of str.
        """
        keys = self._graph_state.collections
        return [key for key in keys if isinstance(key, str) and key[:1] != "_"]

    @property
    def collections(self):
        """The names of all collections, a list of str."""
        return self.get_all_collection_keys()

    def clear_collection(self, name):
        """Removes all items of a collection.

        Args:
            name: Name of the collection, a str.
        """
        self._graph_state.collections.pop(name, None)

    # ---- scopes

    def as_default(self):
        """Makes it the default graph of this thread.

        Returns:
            A context manager.
        """
        return entered(stacks.graphs, self)

    def device(self, device_name_or_function):
        """Sets the device of operations that are made inside. See device().

        Args:
            device_name_or_function: A device name, a DeviceSpec, a function, or None.

        Returns:
            A context manager.

        Raises:
            ValueError: The name is not a device name.
        """
        if isinstance(device_name_or_function, DeviceSpec):
            device_name_or_function = device_name_or_function.to_string()
        if isinstance(device_name_or_function, str):
            DeviceSpec.from_string(device_name_or_function)
        state = self._graph_state
        return state.within(devices=[*state.devices, device_name_or_function])

    def name_scope(self, name):
        """Puts a prefix before the names of operations that are made inside. See name_scope().

        Args:
            name: The name, a str; "name/" enters a scope again. None or "": the outermost scope.

        Returns:
            A context manager, whose value is the prefix.

        Raises:
            ValueError: The name has characters that names cannot have.
        """
        return NameScope(lambda: self, name)

    def control_dependencies(self, control_inputs):
        """Lets operations that are made inside run after others. See control_dependencies().

        Args:
            control_inputs: A list of operations or tensors. None: outer dependencies are dropped.

        Returns:
            A context manager.
        """
        state = self._graph_state
        if control_inputs is None:
            return state.within(control=[], branch=None)
        ops, known = ControlInputs(), {op for group in state.control for op in group}
        for item in control_inputs:
            whole = isinstance(item, IndexedSlices) or hasattr(item, "_save_slice_info")
            element = item.op if whole else self.as_graph_element(item)
            op = element.op if isinstance(element, Tensor) else element
            if op not in known:
                known.add(op)
                ops.append(op)
        return state.within(control=[*state.control, ops])

    def container(self, container_name):
        """Sets the resource container of stateful operations that are made inside.

        Args:
            container_name: Its name, a str. Session.reset() can empty it.

        Returns:
            A context manager.
        """
        return self._graph_state.within(container=container_name)

    def colocate_with(self, op, ignore_existing=False):
        """Puts operations that are made inside on the device of another. See colocate_with().

        Args:
            op: The operation or tensor. None: no restriction.
            ignore_existing: Whether outer scopes are dropped. A bool.

        Returns:
            A context manager.

        Raises:
            ValueError: op is None, but ignore_existing is False.
        """
        if op is None and not ignore_existing:
            raise ValueError(
                "Trying to reset colocation (op is None) but ignore_existing is not True"
            )
        if op is not None:
            op = op if isinstance(op, Operation) else self.as_graph_element(op).op
        ops = [] if op is None else [op]
        return Colocation(self._graph_state, ops, ignore_existing or op is None)

    def gradient_override_map(self, op_type_map):
        """Gives operations that are made inside gradients that Python functions make.

        Args:
            op_type_map: A dict: op, a str -> the name of a gradient, which RegisterGradient
                enters.

        Returns:
            A context manager.

        Raises:
            TypeError: It is not a dict from str to str.
        """
        texts = [*op_type_map, *op_type_map.values()] if isinstance(op_type_map, dict) else [None]
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        state = self._graph_state
        return state.within(overrides={**state.overrides, **op_type_map})

    def __repr__(self):
        core = self._graph_state.core
        count = sum(core.has(i) for i in range(core.num_ids()))
        variables = len(self.get_collection(GraphKeys.GLOBAL_VARIABLES))
        state = ", finalized" if self._finalized else ""
        return f"<sluice.{type(self).__name__} of {count} operations, {variables} variables{state}>"

    def _repr_html_(self):
        """The picture of the graph that a notebook shows."""
        from . import picture as graph_picture

        return graph_picture.html(self)
