# SPDX-License-Identifier: Apache-2.0
"""A lock of a task, which one step at a time holds while it runs some operations."""

from typing import NamedTuple

from ... import dtypes, nest
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import (
    add_to_collection,
    colocate_with,
    control_dependencies,
    get_collection,
    get_default_graph,
    name_scope,
)
from ...graph.elements import IndexedSlices, Operation
from .. import raw_ops
from ..array.passing import identity
from ..control_flow.grouping import group
from ..list.tensor_array import TensorArray

_SECTIONS = "critical_sections"
_EXECUTIONS = "critical_section_executions"


class _Execution(NamedTuple):
    """One call of execute()."""

    handle: object  # the mutex
    resources: frozenset  # names of the resources that the operations use
    exclusive: bool  # may no other section use them?


def _after(value):
    """The same value, after the operations that the graph now makes others wait for."""
    if value is None:
        return None
    if isinstance(value, Operation):
        return group(value)
    if isinstance(value, (TensorArray, IndexedSlices)):
        return value.identity() if isinstance(value, TensorArray) else identity(value)
    return identity(convert_to_tensor(value))


def _waits_for(value):
    """What a control dependency on a value takes."""
    return value.flow if isinstance(value, TensorArray) else value


class CriticalSection:
    """A lock around operations: of all executions of a section, in all steps, one runs at a time.

    Args:
        name: Name of the operation, a str. None: a default name.
        shared_name: Name under which sessions of a cluster share the lock, a str. None: the name.
        critical_section_def: Must be None.
        import_scope: Must be None.

    Raises:
        ValueError: Both a name and a critical_section_def are given.
        NotImplementedError: A critical_section_def is given.
    """

    def __init__(self, name=None, shared_name=None, critical_section_def=None, import_scope=None):
        if critical_section_def and name is not None:
            raise ValueError("critical_section_def and shared_name are mutually exclusive")
        if critical_section_def:
            raise NotImplementedError("Not yet implemented")
        with name_scope(name, "CriticalSection", []) as scope:
            self._handle = raw_ops.MutexV2(
                shared_name=scope if shared_name is None else shared_name, name=scope
            )
        add_to_collection(_SECTIONS, self)

    @property
    def name(self):
        """Name of the operation, a str."""
        return self._handle.op.name

    def execute(self, fn, exclusive_resource_access=True, name=None):
        """Adds the operations of a function, which run while the lock is held.

        Operations that the function only refers to, and does not make, run outside of the lock.

        Args:
            fn: A function without arguments that returns tensors or a nested structure of them.
            exclusive_resource_access: Whether the resources that the function's operations use,
                such as variables, must not be used in other sections, a bool.
            name: Name of the scope of the operations, a str. None: a default name.

        Returns:
            What fn returned, with tensors that are there when the lock has been given back.

        Raises:
            ValueError: fn executes this section itself, or a resource is used in another section
                and one of the two wants it for itself.
        """
        with name_scope(name, "critical_section_execute", []):
            with colocate_with(self._handle.op):
                lock = raw_ops.MutexLock(mutex=self._handle)
            graph = get_default_graph()
            before = {op.name for op in graph.get_operations()}
            with control_dependencies([lock.op]):
                result = fn()
                found = [_after(value) for value in nest.flatten(result)]
            made = [op for op in graph.get_operations() if op.name not in before]
            self._check_resources(made, exclusive_resource_access)
            waited = [_waits_for(value) for value in found if value is not None]
            with control_dependencies(waited), colocate_with(self._handle.op):
                unlock = raw_ops.ConsumeMutexLock(mutex_lock=lock)
            with control_dependencies([unlock]):
                return nest.pack_sequence_as(result, [_after(value) for value in found])

    def _check_resources(self, made, exclusive):
        """Remembers the resources that operations use.

        Raises:
            ValueError: They use the lock, or what belongs to another section.
        """
        inputs = {t.name for op in made for t in op.inputs if t.dtype == dtypes.resource}
        if self._handle.name in inputs:
            raise ValueError(
                "The function fn attempts to directly access the CriticalSection in which it "
                "would be running: it would wait for itself"
            )
        resources = frozenset(inputs)
        for other in get_collection(_EXECUTIONS):
            shared = resources & other.resources
            if other.handle is not self._handle and (exclusive or other.exclusive) and shared:
                raise ValueError(
                    f"This execution uses {sorted(shared)}, which the CriticalSection "
                    f"{other.handle.op.name} uses too, and one of them has requested exclusive "
                    "resource access"
                )
        add_to_collection(_EXECUTIONS, _Execution(self._handle, resources, exclusive))
