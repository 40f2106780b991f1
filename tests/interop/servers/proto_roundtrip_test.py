# SPDX-License-Identifier: Apache-2.0
"""Sluice's messages against TensorFlow's: the same descriptors, and the same bytes both ways.

Run by an interpreter that has TensorFlow (1.15 or 2.x), with the FileDescriptorSet that the build
writes:

    python tests/interop/servers/proto_roundtrip_test.py --descriptors build/proto/sluice.desc

Both schemas are loaded from descriptors into pools of their own, so that no name clashes and any
protobuf will do. A field or a value of ours that 1.15 lacks came later: the run with 2.x is its
judge.
"""

import argparse
import os
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from interop.tools.random_message import Filler
from interop.tools.tensorflow_schema import TensorFlowSchema

FIRST_OWN_FIELD = 10000  # fields from here up are Sluice's additions
OWN = {
    "KernelSignatureProto",
    "proto/dataset_options.proto",  # part of TensorFlow's, which 1.15 does not have
    "proto/groups.proto",
    "proto/pipelines.proto",
    "proto/snapshot.proto",  # TensorFlow has it in another package
    "proto/transports.proto",
}  # messages, or files, that TensorFlow does not have

# Files that 2.x has dropped, with the kernels that used them.
ONLY_IN_VERSION_1 = {"proto/boosted_trees.proto"}

# Fields that only TensorFlow has. They survive as unknown fields: see the round trip.
LEFT_OUT = {
    "ConfigProto.Experimental.coordination_config": "coordination service, not used by sessions",
    "NodeDef.experimental_type": "full types, which execution never needs",
    "OpDef.ArgDef.experimental_full_type": "full types, which execution never needs",
    "TensorInfo.composite_tensor": "type specs of 2.x saved models, which no session reads",
    "error.Code.DO_NOT_USE_RESERVED_FOR_FUTURE_EXPANSION_USE_DEFAULT_IN_SWITCH_INSTEAD_": (
        "never sent"
    ),
}

# Of the objects of saved models and checkpoints, those of Keras are read only.
_OBJECTS = {
    "SavedObject": """
        asset function bare_concrete_function constant resource saveable_objects captured_tensor
        registered_name serialized_user_proto dependencies registered_saver
    """,
    "SavedObjectGraph": "concrete_functions",
    "SavedVariable": """
        synchronization aggregation device experimental_distributed_variable_components
    """,
    "TrackableObjectGraph.TrackableObject": "registered_saver has_checkpoint_values",
}
for _message, _fields in _OBJECTS.items():
    LEFT_OUT.update((f"{_message}.{field}", "of other objects") for field in _fields.split())

# Fields that 1.15 and we have, and that 2.x has dropped.
RETIRED = {
    "CompleteGroupRequest.device_name",
    "CompleteGroupResponse.device_name",
    "CompleteGroupResponse.task_name",
    "TrackableObjectGraph.TrackableObject.SerializedTensor.optional_restore",
}

# The name of a oneof is on no wire; 2.x changed one.
RENAMED_ONEOFS = {"has_length_hack": "has_length"}

Field = descriptor_pb2.FieldDescriptorProto
UNPACKABLE = {Field.TYPE_STRING, Field.TYPE_BYTES, Field.TYPE_MESSAGE, Field.TYPE_GROUP}


class Schema:
    """Messages and enums by name without the package prefix, and classes to make messages with."""

    def __init__(self, files, prefix):
        self.prefix = prefix
        self.messages, self.enums, self.home = {}, {}, {}
        self._pool = descriptor_pool.DescriptorPool()
        for file in files:
            self._pool.AddSerializedFile(file.SerializeToString())
            scope = "." + file.package + "."
            for enum in file.enum_type:
                self.enums[self.short(scope + enum.name)] = enum
                self.home[self.short(scope + enum.name)] = file
            for message in file.message_type:
                self._index(scope, message, file)

    def _index(self, scope, message, file):
        name = self.short(scope + message.name)
        self.messages[name] = message
        self.home[name] = file
        for enum in message.enum_type:
            self.enums[name + "." + enum.name] = enum
            self.home[name + "." + enum.name] = file
        for nested in message.nested_type:
            self._index(scope + message.name + ".", nested, file)

    def file_of(self, name):
        return self.home[name].name

    def short(self, name):
        return name[len(self.prefix) + 2 :] if name.startswith("." + self.prefix + ".") else name

    def make(self, name):
        descriptor = self._pool.FindMessageTypeByName(self.prefix + "." + name)
        if hasattr(message_factory, "GetMessageClass"):
            return message_factory.GetMessageClass(descriptor)()
        return message_factory.MessageFactory(self._pool).GetPrototype(descriptor)()

    def describe(self, name, field):
        """All that the wire and the program see of a field."""
        message, file = self.messages[name], self.home[name]
        packed = field.label == Field.LABEL_REPEATED and field.type not in UNPACKABLE
        if packed and field.options.HasField("packed"):
            packed = field.options.packed
        elif packed:
            packed = file.syntax == "proto3"
        oneof = message.oneof_decl[field.oneof_index].name if field.HasField("oneof_index") else ""
        return {
            "name": field.name,
            "type": field.type,
            "of": self.short(field.type_name),
            "label": field.label,
            "packed": packed,
            "oneof": RENAMED_ONEOFS.get(oneof, oneof),
        }


def compare_message(name, ours, theirs, is_version_1):
    """Complaints about the fields of one message."""
    mine = {f.number: f for f in ours.messages[name].field if f.number < FIRST_OWN_FIELD}
    real = {f.number: f for f in theirs.messages[name].field}
    for number in sorted(set(mine) & set(real)):
        a, b = ours.describe(name, mine[number]), theirs.describe(name, real[number])
        for key in sorted(a):
            if a[key] != b[key]:
                yield "field %d: %s is %r, TensorFlow's is %r" % (number, key, a[key], b[key])
    for number in sorted(set(real) - set(mine)):
        field = f"{name}.{real[number].name}"
        if field not in LEFT_OUT:
            yield "field %d, %s, is missing" % (number, field)
    for number in sorted(set(mine) - set(real)):
        field = f"{name}.{mine[number].name}"
        if field not in RETIRED and not is_version_1:
            yield "field %d, %s, is not TensorFlow's" % (number, field)


def compare_enum(name, ours, theirs, is_version_1):
    mine = {v.name: v.number for v in ours.enums[name].value}
    real = {v.name: v.number for v in theirs.enums[name].value}
    for value in sorted(set(mine) | set(real)):
        if value not in mine:
            if f"{name}.{value}" not in LEFT_OUT:
                yield "value %s = %d is missing" % (value, real[value])
        elif value not in real:
            if not is_version_1:
                yield f"value {value} is not TensorFlow's"
        elif mine[value] != real[value]:
            yield "value %s is %d, TensorFlow's is %d" % (value, mine[value], real[value])


def canonical(message):
    return message.SerializeToString(deterministic=True)


def round_trip(name, source, via):
    """Complaints about messages of `source` that do not come back from `via` as they were sent."""
    fields = source.messages[name].field
    branches = [f.oneof_index for f in fields if f.HasField("oneof_index")]
    rounds = max([3] + [branches.count(index) for index in set(branches)])
    for number in range(rounds):
        sent = source.make(name)
        Filler(source, "%s %d" % (name, number)).fill(sent, name, number)
        other = via.make(name)
        other.ParseFromString(sent.SerializeToString())
        back = source.make(name)
        back.ParseFromString(canonical(other))
        if canonical(back) != canonical(sent):
            yield "round %d: %r came back as %r" % (number, str(sent)[:500], str(back)[:500])


def load_ours(path):
    files = descriptor_pb2.FileDescriptorSet()
    with open(path, "rb") as file:
        files.ParseFromString(file.read())
    return Schema(files.file, "sluice.proto")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--descriptors",
        default=os.path.join(os.environ.get("SLUICE_BUILD", "build"), "proto", "sluice.desc"),
        help="sluice.desc of the build",
    )
    ours = load_ours(parser.parse_args().descriptors)
    tensorflow = TensorFlowSchema()
    theirs = Schema(tensorflow.files.values(), "tensorflow")
    results = {"passed": 0, "failed": 0, "not in this TensorFlow": 0}

    def check(what, complaints):
        complaints = list(complaints)
        for complaint in complaints:
            print(f"FAILED {what}: {complaint}")
        results["failed" if complaints else "passed"] += 1

    for name in sorted(set(ours.messages) | set(ours.enums)):
        if name.startswith(".") or ours.file_of(name) in OWN or name.split(".")[0] in OWN:
            continue
        kind = "messages" if name in ours.messages else "enums"
        if name not in getattr(theirs, kind):
            if tensorflow.is_version_1 or ours.file_of(name) in ONLY_IN_VERSION_1:
                results["not in this TensorFlow"] += 1
            else:
                check(name, ["TensorFlow has no such name; if it is our own, add it to OWN"])
        elif kind == "enums":
            check("values of " + name, compare_enum(name, ours, theirs, tensorflow.is_version_1))
        else:
            check("fields of " + name, compare_message(name, ours, theirs, tensorflow.is_version_1))
            if not ours.messages[name].options.map_entry:
                check(name + " from TensorFlow and back", round_trip(name, theirs, ours))
                check(name + " to TensorFlow and back", round_trip(name, ours, theirs))
    print("%(not in this TensorFlow)d names are not in this TensorFlow" % results)
    print("%(passed)d passed, %(failed)d failed" % results)
    return 0 if results["failed"] == 0 and results["passed"] > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
