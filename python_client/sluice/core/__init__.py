# SPDX-License-Identifier: Apache-2.0
"""The modules of protocol messages that TensorFlow's programs import.

    from sluice.core.framework import summary_pb2, types_pb2
    from sluice.core.protobuf import config_pb2

Each has all messages, with the values of all enumerations.
"""

import importlib.abc
import importlib.machinery
import sys
import types

from .. import messages

_FILES = {
    "example": "example feature",
    "framework": """
        allocation_description attr_value cost_graph device_attributes function graph
        graph_transfer_info kernel_def log_memory node_def op_def resource_handle step_stats summary
        tensor tensor_description tensor_shape tensor_slice types variable versions
    """,
    "protobuf": """
        cluster config control_flow debug graph_debug_info master meta_graph named_tensor
        queue_runner rewriter_config saved_model saved_object_graph saver tensor_bundle
        tensorflow_server trackable_object_graph worker
    """,
    "util": "event saved_tensor_slice",
}


class _Messages(types.ModuleType):
    """A module that has all messages, and the values of their enumerations."""

    def __getattr__(self, name):
        if name in messages.__all__:
            return getattr(messages, name)
        if name in messages.VALUES:
            return messages.VALUES[name]
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes the modules below this one when a program imports them."""

    def find_spec(self, fullname, path=None, target=None):
        """Returns the ModuleSpec of a folder or file of messages, else None."""
        del path, target
        folder, _, file = fullname.removeprefix(f"{__name__}.").partition(".")
        if not fullname.startswith(f"{__name__}.") or folder not in _FILES:
            return None
        if file and file not in {f"{name}_pb2" for name in _FILES[folder].split()}:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=not file)

    def create_module(self, spec):
        """Returns the module of a ModuleSpec."""
        is_folder = spec.submodule_search_locations is not None
        return (types.ModuleType if is_folder else _Messages)(spec.name, __doc__)

    def exec_module(self, module):
        """Does nothing: the module finds messages when they are asked for."""


sys.meta_path.append(_Finder())
