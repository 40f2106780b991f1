# SPDX-License-Identifier: Apache-2.0
"""The message descriptors of an installed TensorFlow, read from its files without importing it.

Most .proto files have a generated Python module in the wheel. Those of the master and worker
services have none: they are found in the shared libraries, where generated C++ code keeps each file
as a serialised FileDescriptorProto.
"""

import ast
import glob
import importlib
import importlib.util
import mmap
import os

from google.protobuf import descriptor_pb2

# Everything else that Sluice shares with TensorFlow is imported by one of these.
ROOTS = (
    "tensorflow/core/example/example.proto",
    "tensorflow/core/framework/summary.proto",
    "tensorflow/core/framework/variable.proto",
    "tensorflow/core/protobuf/control_flow.proto",
    "tensorflow/core/protobuf/master.proto",
    "tensorflow/core/protobuf/queue_runner.proto",
    "tensorflow/core/protobuf/saved_model.proto",
    "tensorflow/core/protobuf/tensor_bundle.proto",
    "tensorflow/core/protobuf/tensorflow_server.proto",
    "tensorflow/core/protobuf/transport_options.proto",
    "tensorflow/core/protobuf/worker.proto",
    "tensorflow/core/util/event.proto",
    "tensorflow/core/util/saved_tensor_slice.proto",
    "tensorflow/python/training/checkpoint_state.proto",
)

ONLY_IN_VERSION_1 = ("tensorflow/core/kernels/boosted_trees/boosted_trees.proto",)

LIBRARIES = (
    "libtensorflow_framework.so*",
    "libtensorflow_cc.so*",
    "python/_pywrap_tensorflow_internal.so",
)


class TensorFlowSchema:
    """FileDescriptorProtos by name, dependencies before their users."""

    def __init__(self):
        self.folders = _package_folders()
        self.is_version_1 = any(f.endswith("tensorflow_core") for f in self.folders)
        self.files = {}
        self._libraries = None
        for name in ROOTS + (ONLY_IN_VERSION_1 if self.is_version_1 else ()):
            self._add(name)

    def _add(self, name):
        if name in self.files:
            return
        found = self._from_google(name) or self._from_module(name) or self._from_library(name)
        if found is None:
            raise LookupError(f"no descriptor of {name} in {self.folders}")
        for dependency in found.dependency:
            self._add(dependency)
        self.files[name] = found

    @staticmethod
    def _from_google(name):
        if not name.startswith("google/"):
            return None
        module = importlib.import_module(name[: -len(".proto")].replace("/", ".") + "_pb2")
        return descriptor_pb2.FileDescriptorProto.FromString(module.DESCRIPTOR.serialized_pb)

    def _from_module(self, name):
        relative = name[len("tensorflow/") : -len(".proto")] + "_pb2.py"
        for folder in self.folders:
            path = os.path.join(folder, relative)
            if name.startswith("tensorflow/") and os.path.exists(path):
                return _descriptor_in_source(path, name)
        return None

    def _from_library(self, name):
        if self._libraries is None:
            self._libraries = [_map(p) for f in self.folders for p in _library_paths(f)]
        for library in self._libraries:
            found = _descriptor_in_bytes(library, name)
            if found is not None:
                return found
        return None


def _package_folders():
    folders = []
    for package in ("tensorflow", "tensorflow_core"):
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.submodule_search_locations:
            folders += list(spec.submodule_search_locations)
    if not folders:
        raise LookupError("this interpreter has no TensorFlow")
    return folders


def _library_paths(folder):
    return [p for pattern in LIBRARIES for p in sorted(glob.glob(os.path.join(folder, pattern)))]


def _map(path):
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _head(name):
    """How a serialised file begins: field 1 is its name, then comes field 2."""
    encoded = name.encode()
    return b"\n" + bytes([len(encoded)]) + encoded + b"\x12"


def _descriptor_in_source(path, name):
    with open(path) as file:
        tree = ast.parse(file.read())
    for node in ast.walk(tree):
        value = getattr(node, "value", None) if type(node).__name__ == "Constant" else None
        value = getattr(node, "s", None) if value is None else value
        if isinstance(value, str):
            try:
                value = value.encode("latin1")
            except UnicodeEncodeError:
                continue
        if isinstance(value, bytes) and value.startswith(_head(name)):
            return descriptor_pb2.FileDescriptorProto.FromString(value)
    return None


def _descriptor_in_bytes(data, name):
    at = data.find(_head(name))
    while at >= 0:
        end = _end_of_file_descriptor(data, at)
        if end is not None:
            return descriptor_pb2.FileDescriptorProto.FromString(data[at:end])
        at = data.find(_head(name), at + 1)
    return None


def _end_of_file_descriptor(data, at):
    """The serialised file has no length; it ends with field 12, the syntax."""
    syntax, last = 12, 14
    while at < len(data):
        tag, at = _varint(data, at)
        number, wire_type = tag >> 3, tag & 7
        if number < 1 or number > last or wire_type not in (0, 2):
            return None
        value, at = _varint(data, at)
        if wire_type == 2:
            at += value
        if number == syntax:
            return at
    return None


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
