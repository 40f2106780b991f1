# SPDX-License-Identifier: Apache-2.0
"""The objects of an object-based checkpoint: a graph whose edges have the names of attributes.

An object takes part if it is a variable, or has a method checkpoint_children() that returns pairs
of a name and an object. Lists and dicts take part with their indices and keys as names. An
optimizer also has get_slot_names() and get_slot().
"""

from ..messages import TrackableObjectGraph
from ..ops.state.variables import Variable

KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"  # of the description in a checkpoint
VALUE = "VARIABLE_VALUE"


def takes_part(value):
    """Whether a checkpoint can have an object."""
    return isinstance(value, Variable) or hasattr(value, "checkpoint_children")


def children_of(value):
    """The pairs of a name and an object that an object refers to, a list."""
    if isinstance(value, Variable):
        return []
    if hasattr(value, "checkpoint_children"):
        return list(value.checkpoint_children())
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    return [(str(name), part) for name, part in pairs if is_node(part)]


def is_node(value):
    """Whether an object is a node of the graph."""
    return isinstance(value, (list, tuple, dict)) or takes_part(value)


class ObjectGraph:
    """The objects that can be reached from one, with the names under which they are saved.

    Args:
        root: The object.
    """

    def __init__(self, root):
        self.objects, self.paths, self._ids = [], [], {}
        self._edges = []  # of each object: pairs of a name and the id of another one
        self._add(root, "")
        for number, value in enumerate(self.objects):  # which grows
            edges = []
            for name, child in children_of(value):
                if id(child) not in self._ids:
                    self._add(child, "/".join(filter(None, (self.paths[number], _escaped(name)))))
                edges.append((name, self._ids[id(child)]))
            self._edges.append(edges)
        self._slots = list(self._all_slots())

    def _add(self, value, path):
        self._ids[id(value)] = len(self.objects)
        self.objects.append(value)
        self.paths.append(path)

    def _all_slots(self):
        """(id of the optimizer, name, id of the variable, the slot, its key)."""
        for number, optimizer in enumerate(self.objects):
            if not hasattr(optimizer, "get_slot_names"):
                continue
            for name in optimizer.get_slot_names():
                for own, variable in enumerate(self.objects):
                    slot = slot_of(optimizer, variable, name)
                    if slot is not None:
                        path = f"{self.paths[own]}/.OPTIMIZER_SLOT/{self.paths[number]}/"
                        yield number, name, own, slot, _key(path + _escaped(name))

    def variables(self):
        """What is saved.

        Returns:
            A dict: key in the checkpoint -> variable.
        """
        found = {
            _key(path): value
            for value, path in zip(self.objects, self.paths)
            if isinstance(value, Variable)
        }
        return {**found, **{key: slot for *_, slot, key in self._slots}}

    def description(self):
        """Describes the graph.

        Returns:
            The bytes of a TrackableObjectGraph.
        """
        graph = TrackableObjectGraph()
        for value, path, edges in zip(self.objects, self.paths, self._edges):
            node = graph.nodes.add()
            for name, child in edges:
                node.children.add(node_id=child, local_name=name)
            if isinstance(value, Variable):
                _describe(node, value, _key(path))
        for optimizer, name, own, slot, key in self._slots:
            graph.nodes[optimizer].slot_variables.add(
                original_variable_node_id=own, slot_name=name,
                slot_variable_node_id=len(graph.nodes),
            )  # fmt: skip
            _describe(graph.nodes.add(), slot, key)
        return graph.SerializeToString()


def _describe(node, variable, key):
    node.attributes.add(name=VALUE, full_name=variable.op.name, checkpoint_key=key)


def slot_of(optimizer, variable, name):
    """The slot that an optimizer has for a variable; None if there is none."""
    try:
        return optimizer.get_slot(variable, name) if isinstance(variable, Variable) else None
    except KeyError:
        return None


def _escaped(name):
    return name.replace(".", "..").replace("/", ".S")


def _key(path):
    return f"{path}/.ATTRIBUTES/{VALUE}" if path else f".ATTRIBUTES/{VALUE}"


class Matched:
    """The objects of a program that a description in a checkpoint has too.

    Args:
        root: The object that was the root when it was saved.
        description: The bytes of a TrackableObjectGraph.

    Raises:
        ValueError: The description is damaged.
    """

    def __init__(self, root, description):
        graph = TrackableObjectGraph.FromString(description)
        self.count = len(graph.nodes)
        self.objects = {0: root} if graph.nodes else {}  # id in the description -> object
        self._nodes, seen = graph.nodes, {}
        waiting = [0] if graph.nodes else []
        for number in waiting:  # which grows
            mine = dict(children_of(self.objects[number]))
            for edge in self._nodes[number].children:
                child = mine.get(edge.local_name)
                if child is None or not 0 <= edge.node_id < self.count:
                    continue
                if edge.node_id not in self.objects and id(child) not in seen:
                    seen[id(child)] = self.objects[edge.node_id] = child
                    waiting.append(edge.node_id)
        self._match_slots()

    def _match_slots(self):
        for number, optimizer in list(self.objects.items()):
            for slot in self._nodes[number].slot_variables:
                variable = self.objects.get(slot.original_variable_node_id)
                if not hasattr(optimizer, "get_slot") or not isinstance(variable, Variable):
                    continue
                found = slot_of(optimizer, variable, slot.slot_name)
                if found is not None and 0 <= slot.slot_variable_node_id < self.count:
                    self.objects[slot.slot_variable_node_id] = found

    def variables(self):
        """What can be restored.

        Returns:
            A dict: key in the checkpoint -> variable.
        """
        return {
            attribute.checkpoint_key: value
            for number, value in self.objects.items() if isinstance(value, Variable)
            for attribute in self._nodes[number].attributes if attribute.name == VALUE
        }  # fmt: skip

    def missing(self):
        """The keys of values that no object has yet, a list."""
        return [
            attribute.checkpoint_key
            for number, node in enumerate(self._nodes) if number not in self.objects
            for attribute in node.attributes
        ]  # fmt: skip
