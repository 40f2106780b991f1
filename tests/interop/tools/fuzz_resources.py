# SPDX-License-Identifier: Apache-2.0
"""What ops of tables and of data sets need in the graph of a draw: a table with contents, an input
data set, an iterator that reads the result."""

import numpy as np

from interop.tools.op_nodes import tf

MOST_ELEMENTS = 12
TABLES = ("fixed", "changeable", "dense")
VARIANT = tf.variant.as_datatype_enum


def holds_table(arg):
    return arg.name == "table_handle"


def holds_data_set(arg):
    return arg.type == VARIANT and arg.name.endswith(("dataset", "datasets"))


def gives_data_set(definition):
    outputs = definition.output_arg
    return len(outputs) == 1 and outputs[0].name == "handle" and outputs[0].type == VARIANT


def table_of(keys, array, values, by_reference, name):
    """A table of the keys, with their numbers as values; which kind, the number of keys decides.

    Returns the handle, what fills it, and the reads of its size and contents."""
    # TensorFlow 2's first version of dense tables asks for an input that it does not have.
    kind = TABLES[array.size % (2 if by_reference else 3)]
    common = {"key_dtype": keys.dtype, "value_dtype": values, "shared_name": name}
    version = "" if by_reference else "V2"
    if kind == "dense":
        odd = tf.constant([b"empty", b"gone"] if keys.dtype == tf.string else [-7, -8], keys.dtype)
        del common["key_dtype"]  # follows from the key
        made = tf.raw_ops.MutableDenseHashTableV2(empty_key=odd[0], deleted_key=odd[1], **common)
    else:
        made = op(("HashTable" if kind == "fixed" else "MutableHashTable") + version)(**common)
    numbers = tf.range(tf.size(keys), dtype=tf.int32)
    stored = tf.as_string(numbers) if values == tf.string else tf.cast(numbers, values)
    fill = "InitializeTable" if kind == "fixed" else "LookupTableInsert"
    filled = op(fill + version)(
        table_handle=made, keys=keys, values=tf.reshape(stored, tf.shape(keys))
    )
    default = tf.constant(b"none" if values == tf.string else 77, values)

    def reads():
        size = op("LookupTableSize" + version)(table_handle=made)
        found = op("LookupTableFind" + version)(table_handle=made, keys=keys, default_value=default)
        return [size, found]

    return made, filled, reads


def op(name):
    return getattr(tf.raw_ops, name)


def rows_of(fed):
    """The data set of a tensor's rows."""
    return tf.raw_ops.TensorSliceDataset(components=[fed], output_shapes=[tf.TensorShape(None)])


class Elements:
    """Reads a data set."""

    def __init__(self, made, name):
        types = self._types(made.op)
        shapes = [tf.TensorShape(None)] * len(types)
        iterator = tf.raw_ops.IteratorV2(
            shared_name=name, container="", output_types=types, output_shapes=shapes
        )
        self._begin = tf.raw_ops.MakeIterator(dataset=made, iterator=iterator)
        self._next = tf.raw_ops.IteratorGetNext(
            iterator=iterator, output_types=types, output_shapes=shapes
        )

    @staticmethod
    def _types(made):
        for name in ("output_types", "Toutput_types"):
            if name in made.node_def.attr:
                return made.get_attr(name)
        return [made.get_attr("Tvalues")] if made.type.startswith("Sparse") else [tf.string]

    def read(self, session, feeds):
        """The first elements, and how they end: an error in place of an element ends them too."""
        session.run(self._begin, feeds)
        found = []
        for _ in range(MOST_ELEMENTS):
            try:
                found += session.run(self._next)
            except tf.errors.OpError as error:
                return found + [np.array(type(error).__name__, object)]
        return found
