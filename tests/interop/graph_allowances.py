"""What may differ between our client's graphs and TensorFlow's, each with its reason."""

import re

# Ops that are one op: TensorFlow 2's names, or older versions, of what 1.15 makes.
SAME_OP = {
    "Add": "AddV2",
    "BatchMatMul": "BatchMatMulV2", "BatchMatMulV3": "BatchMatMulV2",
    "FusedBatchNorm": "FusedBatchNormV3", "FusedBatchNormV2": "FusedBatchNormV3",
    "StatelessIf": "If", "StatelessWhile": "While",  # which it is follows from the bodies
}  # fmt: skip

# (pattern of nodes that only TensorFlow has, reason).
ONLY_THERE = [
    (r".*/IsInitialized/VarIsInitializedOp", "made when is_initialized() is asked for here"),
]

# (pattern of nodes that only our client has, reason).
ONLY_HERE = []

# (op, attribute) -> reason: attributes that are not compared.
ATTRIBUTES = {}

GRADIENTS = re.compile(r"(^|.*/)gradients(_\d+)?(/.*)?$")


def in_gradients(name):
    """Is it a node that gradients() made? The runtime makes ours, by formulas of its own."""
    return bool(GRADIENTS.match(name))


def excused(name, table):
    return any(re.fullmatch(pattern, name) for pattern, _ in table)
