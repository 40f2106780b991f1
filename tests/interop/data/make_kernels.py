# SPDX-License-Identifier: Apache-2.0
"""Writes kernels.tsv: the dtypes for which TensorFlow 1.15 has a CPU kernel, of our ops.

    python -m interop.data.make_kernels [--check]    by a Python with TensorFlow 1.15, in tests/

The ops and their families are those of the file. Ops of TensorFlow 2 keep their line, and so do
those of KEPT.
"""

import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from tensorflow.core.framework import types_pb2  # noqa: E402
from tensorflow.python.framework import kernels  # noqa: E402

FILE = pathlib.Path(__file__).parent / "kernels.tsv"
SHORT = {
    "HALF": "f16", "BFLOAT16": "bf16", "FLOAT": "f32", "DOUBLE": "f64", "INT8": "i8",
    "INT16": "i16", "INT32": "i32", "INT64": "i64", "UINT8": "u8", "UINT16": "u16",
    "UINT32": "u32", "UINT64": "u64", "COMPLEX64": "c64", "COMPLEX128": "c128", "BOOL": "bool",
    "STRING": "str", "QINT8": "qint8", "QUINT8": "quint8", "QINT16": "qint16",
    "QUINT16": "quint16", "QINT32": "qint32", "RESOURCE": "res", "VARIANT": "var",
}  # fmt: skip
ORDER = list(SHORT.values())
# Lines without the dtypes of the values, which no case covers all of yet; and one that names the
# dtypes of kernels for any device.
KEPT = ("RaggedTensorFromVariant", "RaggedTensorToTensor", "RaggedTensorToVariant", "Identity")


def cpu_kernels(op):
    """`attribute=dtypes` of each attribute that a CPU kernel constrains; * where none does."""
    found = {}
    for kernel in kernels.get_registered_kernels_for_op(op).kernel:
        if kernel.device_type == "CPU":
            for constraint in kernel.constraint:
                names = map(types_pb2.DataType.Name, constraint.allowed_values.list.type)
                short = {SHORT[name[len("DT_") :]] for name in names}
                found.setdefault(constraint.name, set()).update(short)
    attrs = sorted((name, sorted(types, key=ORDER.index)) for name, types in found.items())
    return " ".join(f"{name}={','.join(types)}" for name, types in attrs) or "*"


def table():
    lines = FILE.read_text().splitlines()
    yield lines[0]
    for line in lines[1:]:
        op, family, _ = line.split("\t")
        yield line if family == "tf2only" or op in KEPT else f"{op}\t{family}\t{cpu_kernels(op)}"


def main():
    text = "\n".join(table()) + "\n"
    if sys.argv[1:] != ["--check"]:
        FILE.write_text(text)
    elif text != FILE.read_text():
        sys.exit(f"{FILE} differs from what TensorFlow says: python -m interop.data.make_kernels")


if __name__ == "__main__":
    main()
