# SPDX-License-Identifier: Apache-2.0
"""Random messages of a schema: reproducible, bounded in depth, with every kind of value."""

import random
import struct

from google.protobuf import descriptor_pb2

Field = descriptor_pb2.FieldDescriptorProto


def _integer_ranges():
    ranges = {}
    for bits in (32, 64):
        half = 2 ** (bits - 1)
        for name in ("INT%d", "SINT%d", "SFIXED%d"):
            ranges[getattr(Field, "TYPE_" + name % bits)] = (-half, half - 1)
        for name in ("UINT%d", "FIXED%d"):
            ranges[getattr(Field, "TYPE_" + name % bits)] = (0, 2**bits - 1)
    return ranges


INTEGERS = _integer_ranges()


class Filler:
    """Fills messages with random values.

    `round_number` selects the branch of every oneof of the outermost message, whose other fields
    are all set.
    """

    MAX_DEPTH = 6
    MAX_MESSAGES = 300

    def __init__(self, schema, seed):
        self._schema = schema
        self._random = random.Random(seed)
        self._budget = self.MAX_MESSAGES

    def fill(self, message, name, round_number, depth=0):
        self._budget -= 1
        proto = self._schema.messages[name]
        branches = {}
        for field in proto.field:
            if field.HasField("oneof_index"):
                branches.setdefault(field.oneof_index, []).append(field.name)
        chosen = {
            names[round_number % len(names)] if depth == 0 else self._random.choice(names)
            for names in branches.values()
        }
        for field in proto.field:
            if field.HasField("oneof_index"):
                wanted = field.name in chosen
            else:
                wanted = depth == 0 or self._random.random() < 0.5
            if wanted:
                self._set(message, field, depth)

    def _set(self, message, field, depth):
        is_message = field.type == Field.TYPE_MESSAGE
        entry = self._schema.messages.get(self._schema.short(field.type_name))
        if is_message and entry is not None and entry.options.map_entry:
            self._set_map(getattr(message, field.name), entry, depth)
        elif field.label == Field.LABEL_REPEATED:
            values = getattr(message, field.name)
            for _ in range(self._random.randint(1, 3)):
                if is_message:
                    self._descend(values.add(), field, depth)
                else:
                    values.append(self._scalar(field))
        elif is_message:
            getattr(message, field.name).SetInParent()
            self._descend(getattr(message, field.name), field, depth)
        else:
            setattr(message, field.name, self._scalar(field))

    def _set_map(self, values, entry, depth):
        key, value = entry.field
        for _ in range(self._random.randint(1, 3)):
            at = self._scalar(key)
            if value.type == Field.TYPE_MESSAGE:
                self._descend(values[at], value, depth)
            else:
                values[at] = self._scalar(value)

    def _descend(self, message, field, depth):
        name = self._schema.short(field.type_name)
        if name == ".google.protobuf.Any":
            message.type_url = "type.googleapis.com/" + self._text()
            message.value = self._bytes()
        elif name in self._schema.messages and depth < self.MAX_DEPTH and self._budget > 0:
            self.fill(message, name, 0, depth + 1)

    def _scalar(self, field):
        if field.type in (Field.TYPE_DOUBLE, Field.TYPE_FLOAT):
            value = self._random.choice([0.0, -0.0, 1e30, float("inf"), self._random.gauss(0, 1e3)])
            is_double = field.type == Field.TYPE_DOUBLE
            return value if is_double else struct.unpack("f", struct.pack("f", value))[0]
        if field.type == Field.TYPE_BOOL:
            return self._random.random() < 0.5
        if field.type == Field.TYPE_STRING:
            return self._text()
        if field.type == Field.TYPE_BYTES:
            return self._bytes()
        if field.type == Field.TYPE_ENUM:
            values = self._schema.enums[self._schema.short(field.type_name)].value
            return self._random.choice([v.number for v in values] + [7777])  # proto3 enums are open
        low, high = INTEGERS[field.type]
        return self._random.choice([0, 1, low, high, self._random.randint(low, high)])

    def _text(self):
        letters = "aZ_/:^ \0\u00e9\u20ac\U0001f600"
        return "".join(self._random.choice(letters) for _ in range(self._random.randint(0, 6)))

    def _bytes(self):
        return bytes(self._random.randint(0, 255) for _ in range(self._random.randint(0, 9)))
