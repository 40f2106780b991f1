# SPDX-License-Identifier: Apache-2.0
"""Element types: references to variables, and the limits of numbers."""

import copy
import pickle

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows have other limits


def references(tf):
    found = []
    for name in ("float32", "complex64", "qint8", "bool", "string"):
        value = tf.as_dtype(name)
        reference = tf.as_dtype(f"{name}_ref")
        number = reference.as_datatype_enum
        same = [value._as_ref, reference._as_ref, tf.as_dtype(number)]
        found.append([
            reference.name, str(reference), number, reference.size, [t is reference for t in same],
            reference.base_dtype is value, reference == value, reference.is_compatible_with(value),
            value.is_compatible_with(reference), hash(reference) == hash(value),
            reference.is_floating, reference.is_complex, reference.is_quantized, reference.is_bool,
            pickle.loads(pickle.dumps(reference)) is reference, copy.deepcopy(value) is value,
        ])  # fmt: skip
    names = [tf.as_dtype(name).name for name in ("half_ref", "float_ref", "double_ref")]
    quantized = sorted(t.name for t in tf.QUANTIZED_DTYPES)
    wrong = [outcome(tf.as_dtype, value) for value in ("float3_ref", 0, 100, 124, 201)]
    return [found, names, quantized, wrong]


def tensors_of_reference_types(tf):
    """They have the values' type."""
    kind = tf.as_dtype("float32_ref")
    tensors = [
        tf.placeholder(kind, [2]), tf.zeros([2], kind), tf.cast(1, kind), tf.constant(1.0, kind),
        tf.get_variable("v", [2], kind).value(),
    ]  # fmt: skip
    return [tensor.dtype.name for tensor in tensors]


def limits(tf):
    found = []
    for kind in (tf.float32, tf.int8, tf.uint16, tf.int64, tf.float64):
        found.append([float(kind.min), float(kind.max), [float(x) for x in kind.limits]])
    for kind in (tf.bool, tf.string, tf.complex64, tf.qint8):
        found.append([outcome(lambda kind=kind: kind.min), outcome(lambda kind=kind: kind.max)])
    return found
