# SPDX-License-Identifier: Apache-2.0
"""The protocol messages of the wire schema, as classes of the protobuf library: graphs,
configurations, clusters, summaries, events, examples.

Their fields and numbers are TensorFlow's: messages.GraphDef reads the bytes that TensorFlow writes.
"""

import inspect
import os

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format

_DOC = """A protocol message. Its fields are in TensorFlow's .proto files; DESCRIPTOR lists them.

Args:
    fields: Values of fields, by their names.
"""
SIGNATURE = inspect.Signature([inspect.Parameter("fields", inspect.Parameter.VAR_KEYWORD)])
VALUES = {}  # of all enumerations outside messages, by their names
_FILE = os.path.join(os.path.dirname(__file__), "sluice.desc")


def _load():
    pool = descriptor_pool.DescriptorPool()
    if hasattr(message_factory, "GetMessageClass"):
        make = message_factory.GetMessageClass
    else:  # one factory for all messages: it makes each class once
        make = message_factory.MessageFactory(pool).GetPrototype
    with open(_FILE, "rb") as file:
        schema = descriptor_pb2.FileDescriptorSet.FromString(file.read())
    for one in schema.file:
        pool.AddSerializedFile(one.SerializeToString())
    for one in schema.file:
        file = pool.FindFileByName(one.name)
        for enumeration in file.enum_types_by_name.values():
            VALUES.update((value.name, value.number) for value in enumeration.values)
        for message in file.message_types_by_name.values():
            yield message.name, _class_of(message, make)


def _class_of(descriptor, make):
    """The class of a message, with the classes nested in it and the numbers of its enumerations."""
    cls = make(descriptor)
    # For help(); the library leaves None.
    cls.__module__, cls.__doc__, cls.__signature__ = __name__, _DOC, SIGNATURE
    for nested in descriptor.nested_types:
        if not hasattr(cls, nested.name):
            setattr(cls, nested.name, _class_of(nested, make))
    for enumeration in descriptor.enum_types:
        for value in enumeration.values:
            if not hasattr(cls, value.name):
                setattr(cls, value.name, value.number)
    return cls


_classes = dict(_load())
globals().update(_classes)


def parse(cls, text):
    """A message of its text form; ValueError says what is wrong."""
    message = cls()
    try:
        text_format.Parse(text, message)
    except text_format.ParseError as e:
        raise ValueError(f"no text of a {cls.DESCRIPTOR.name}: {e}") from None
    return message


def to_text(message):
    """The text form of a message."""
    return text_format.MessageToString(message)


def take(cls, value):
    """A message of this class for one, or for its bytes. TypeError for anything else."""
    if isinstance(value, bytes):
        return cls.FromString(value)
    if hasattr(value, "SerializeToString"):  # of this class, or TensorFlow's of the same name
        return value if isinstance(value, cls) else cls.FromString(value.SerializeToString())
    raise TypeError(f"expected a {cls.DESCRIPTOR.name}, got {value!r}")


__all__ = sorted(_classes)
