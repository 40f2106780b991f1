# SPDX-License-Identifier: Apache-2.0
"""Writes nn_golden.txt: answers of TensorFlow's CPU kernels for ops whose meaning is subtle.

Run with a Python that has TensorFlow 2:
    TF_ENABLE_ONEDNN_OPTS=0 python make_nn_golden.py > nn_golden.txt

A case is a line `case Op attr=value ...` and the lines of its inputs (`in`), of resource variables
among the inputs (`var`), of its outputs (`out`) and of the variables afterwards (`after`), each
`dtype dims values`. Attribute values begin with their kind: i int, f float, b bool, s string,
l list of ints.
"""

import numpy as np
import tensorflow as tensorflow2

tf = tensorflow2.compat.v1
tf.disable_eager_execution()
rng = np.random.default_rng(20)

NAMES = {np.float32: "float", np.float64: "double", np.int32: "int32", np.int64: "int64"}


def normal(*shape, dtype=np.float32, scale=1.0):
    return np.round(rng.normal(size=shape) * scale, 3).astype(dtype)


def tensor_text(a):
    a = np.asarray(a)
    dims = ",".join(str(d) for d in a.shape) or "-"
    return " ".join([NAMES[a.dtype.type], dims] + [str(v) for v in a.ravel()])


def attr_text(value):
    if isinstance(value, bool):
        return f"b{int(value)}"
    if isinstance(value, int):
        return f"i{value}"
    if isinstance(value, float):
        return f"f{value!r}"
    if isinstance(value, str):
        return f"s{value}"
    return "l" + ",".join(str(v) for v in value)


def case(op, inputs, variables=(), **attrs):
    """Runs raw op `op`; inputs by argument name, in order; `variables` names those that are one."""
    with tf.Graph().as_default(), tf.Session() as session:
        made, handles = {}, []
        for name, value in inputs.items():
            if name in variables:
                handles.append(tf.Variable(value, use_resource=True))
                made[name] = handles[-1].handle
            else:
                made[name] = tf.placeholder_with_default(value, np.shape(value))
        result = getattr(tf.raw_ops, op)(**made, **attrs)
        session.run(tf.global_variables_initializer())
        outputs = session.run(result)
        after = session.run(handles)
    print(" ".join(["case", op] + [f"{k}={attr_text(v)}" for k, v in attrs.items()]))
    for name, value in inputs.items():
        print("var" if name in variables else "in", tensor_text(value))
    if outputs is not None:
        outputs = outputs if isinstance(outputs, (tuple, list)) else [outputs]
        for value in outputs:
            print("out", tensor_text(value))
    for value in after:
        print("after", tensor_text(value))


def positive():
    return np.abs(normal(4, 3)) + np.float32(0.1)


# Each optimizer: its variables, then the other inputs.
OPTIMIZERS = [
    ("GradientDescent", {"var": normal}, ["alpha=0.1", "delta"], {}),
    ("Momentum", {"var": normal, "accum": normal}, ["lr=0.1", "grad", "momentum=0.9"], {}),
    (
        "Momentum",
        {"var": normal, "accum": normal},
        ["lr=0.1", "grad", "momentum=0.9"],
        {"use_nesterov": True},
    ),
    ("KerasMomentum", {"var": normal, "accum": normal}, ["lr=0.1", "grad", "momentum=0.9"], {}),
    (
        "KerasMomentum",
        {"var": normal, "accum": normal},
        ["lr=0.1", "grad", "momentum=0.9"],
        {"use_nesterov": True},
    ),
    (
        "Adam",
        {"var": normal, "m": normal, "v": positive},
        [
            "beta1_power=0.81",
            "beta2_power=0.998",
            "lr=0.01",
            "beta1=0.9",
            "beta2=0.999",
            "epsilon=0.001",
            "grad",
        ],
        {},
    ),
    (
        "Adam",
        {"var": normal, "m": normal, "v": positive},
        [
            "beta1_power=0.81",
            "beta2_power=0.998",
            "lr=0.01",
            "beta1=0.9",
            "beta2=0.999",
            "epsilon=0.001",
            "grad",
        ],
        {"use_nesterov": True},
    ),
    (
        "AdamWithAmsgrad",
        {"var": normal, "m": normal, "v": positive, "vhat": positive},
        [
            "beta1_power=0.81",
            "beta2_power=0.998",
            "lr=0.01",
            "beta1=0.9",
            "beta2=0.999",
            "epsilon=0.001",
            "grad",
        ],
        {},
    ),
    (
        "AdaMax",
        {"var": normal, "m": normal, "v": positive},
        ["beta1_power=0.81", "lr=0.01", "beta1=0.9", "beta2=0.999", "epsilon=0.001", "grad"],
        {},
    ),
    ("Adagrad", {"var": normal, "accum": positive}, ["lr=0.1", "grad"], {}),
    (
        "Adagrad",
        {"var": normal, "accum": positive},
        ["lr=0.1", "grad"],
        {"update_slots": False},
    ),
    ("AdagradV2", {"var": normal, "accum": positive}, ["lr=0.1", "epsilon=0.01", "grad"], {}),
    (
        "AdagradDA",
        {
            "var": normal,
            "gradient_accumulator": normal,
            "gradient_squared_accumulator": positive,
        },
        ["grad", "lr=0.1", "l1=0.02", "l2=0.3", "global_step:3"],
        {},
    ),
    (
        "AdagradDA",
        {
            "var": normal,
            "gradient_accumulator": normal,
            "gradient_squared_accumulator": positive,
        },
        ["grad", "lr=0.1", "l1=0", "l2=0.3", "global_step:3"],
        {},
    ),
    (
        "Adadelta",
        {"var": normal, "accum": positive, "accum_update": positive},
        ["lr=0.1", "rho=0.95", "epsilon=0.001", "grad"],
        {},
    ),
    (
        "RMSProp",
        {"var": normal, "ms": positive, "mom": normal},
        ["lr=0.1", "rho=0.9", "momentum=0.8", "epsilon=0.001", "grad"],
        {},
    ),
    (
        "CenteredRMSProp",
        {"var": normal, "mg": lambda *s: normal(*s, scale=0.1), "ms": positive, "mom": normal},
        ["lr=0.1", "rho=0.9", "momentum=0.8", "epsilon=0.001", "grad"],
        {},
    ),
    (
        "Ftrl",
        {"var": normal, "accum": positive, "linear": normal},
        ["grad", "lr=0.1", "l1=0.2", "l2=0.3", "lr_power=-0.5"],
        {},
    ),
    (
        "Ftrl",
        {"var": normal, "accum": positive, "linear": normal},
        ["grad", "lr=0.1", "l1=0.2", "l2=0.3", "lr_power=-0.3"],
        {"multiply_linear_by_lr": True},
    ),
    (
        "FtrlV2",
        {"var": normal, "accum": positive, "linear": normal},
        ["grad", "lr=0.1", "l1=0.2", "l2=0.3", "l2_shrinkage=0.05", "lr_power=-0.4"],
        {},
    ),
    (
        "FtrlV2",
        {"var": normal, "accum": positive, "linear": normal},
        ["grad", "lr=0.1", "l1=0.2", "l2=0.3", "l2_shrinkage=0.05", "lr_power=-0.5"],
        {"multiply_linear_by_lr": True},
    ),
    (
        "ProximalGradientDescent",
        {"var": normal},
        ["alpha=0.1", "l1=0.5", "l2=0.3", "delta"],
        {},
    ),
    (
        "ProximalAdagrad",
        {"var": normal, "accum": positive},
        ["lr=0.1", "l1=0.5", "l2=0.3", "grad"],
        {},
    ),
    (
        "AddSign",
        {"var": normal, "m": normal},
        ["lr=0.1", "alpha=1.2", "sign_decay=0.7", "beta=0.9", "grad"],
        {},
    ),
    (
        "PowerSign",
        {"var": normal, "m": normal},
        ["lr=0.1", "logbase=0.6", "sign_decay=0.7", "beta=0.9", "grad"],
        {},
    ),
]


def training():
    f = np.float32
    for sparse in (False, True):
        for name, variables, rest, attrs in OPTIMIZERS:
            op = f"Resource{'Sparse' if sparse else ''}Apply{name}"
            if not hasattr(tf.raw_ops, op):
                continue
            inputs = {
                v: make(4, 3) if make is not positive else make() for v, make in variables.items()
            }
            for item in rest:
                if item in ("grad", "delta"):
                    if sparse:  # row 2 twice: applied one after the other
                        inputs["grad"] = normal(4, 3)
                        inputs["indices"] = np.array([2, 0, 2, 3], np.int32)
                    else:
                        inputs[item] = normal(4, 3)
                elif ":" in item:
                    key, value = item.split(":")
                    inputs[key] = np.int64(value)
                else:
                    key, value = item.split("=")
                    inputs[key] = f(value)
            case(op, inputs, variables=tuple(variables), **attrs)


def pooling():
    x = normal(2, 5, 6, 3)
    for padding in ("SAME", "VALID"):
        window = dict(ksize=[1, 3, 2, 1], strides=[1, 2, 3, 1], padding=padding)
        case("MaxPool", {"input": x}, **window)
        case("AvgPool", {"value": x}, **window)
        rows = 3 if padding == "SAME" else 2
        grad = normal(2, rows, 2, 3)
        case("MaxPoolGrad", {"orig_input": x, "orig_output": grad, "grad": grad}, **window)
        case(
            "AvgPoolGrad", {"orig_input_shape": np.array(x.shape, np.int32), "grad": grad}, **window
        )
        case("MaxPoolWithArgmax", {"input": x}, include_batch_in_index=True, **window)
    overlap = dict(ksize=[1, 3, 3, 1], strides=[1, 1, 1, 1], padding="SAME")
    ties = rng.integers(0, 3, size=(1, 4, 4, 2)).astype(np.float32)
    grad = normal(1, 4, 4, 2)
    case("MaxPoolGrad", {"orig_input": ties, "orig_output": ties, "grad": grad}, **overlap)
    case(
        "AvgPoolGrad", {"orig_input_shape": np.array(ties.shape, np.int32), "grad": grad}, **overlap
    )
    case("MaxPoolWithArgmax", {"input": ties}, include_batch_in_index=False, **overlap)
    nan, inf = float("nan"), float("inf")
    for values in ([nan, 1, nan, nan], [nan] * 4, [1, nan, 2, 0], [-inf] * 4):
        v = np.array(values, np.float32).reshape(1, 2, 2, 1)
        one = np.ones((1, 1, 1, 1), np.float32)
        window = dict(ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
        case("MaxPool", {"input": v}, **window)
        case("MaxPoolGrad", {"orig_input": v, "orig_output": one, "grad": one}, **window)
    case(
        "MaxPool",
        {"input": normal(1, 2, 2, 6)},
        ksize=[1, 1, 1, 3],
        strides=[1, 1, 1, 3],
        padding="SAME",
    )
    case(
        "MaxPool",
        {"input": rng.integers(-9, 9, size=(1, 4, 4, 2)).astype(np.int32)},
        ksize=[1, 2, 2, 1],
        strides=[1, 1, 1, 1],
        padding="SAME",
    )
    case(
        "MaxPool",
        {"input": normal(1, 4, 4, 1)},
        ksize=[1, 2, 2, 1],
        strides=[1, 2, 2, 1],
        padding="EXPLICIT",
        explicit_paddings=[0, 0, 1, 0, 0, 1, 0, 0],
    )


def normalization():
    x = normal(2, 3, 2, 4)
    scale, offset, mean, variance = normal(4), normal(4), normal(4), np.abs(normal(4))
    none = np.zeros([0], np.float32)
    for op in ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"):
        case(
            op,
            dict(x=x, scale=scale, offset=offset, mean=none, variance=none),
            epsilon=0.01,
            is_training=True,
        )
    case(
        "FusedBatchNormV3",
        dict(x=x, scale=scale, offset=offset, mean=mean, variance=variance),
        epsilon=0.01,
        is_training=True,
        exponential_avg_factor=0.25,
    )
    for training in (True, False):
        case(
            "FusedBatchNormGradV3",
            dict(
                y_backprop=normal(2, 3, 2, 4),
                x=x,
                scale=scale,
                reserve_space_1=mean,
                reserve_space_2=variance,
                reserve_space_3=none,
            ),
            epsilon=0.01,
            is_training=training,
        )
    image = normal(1, 2, 2, 7)
    for attrs in (
        {},
        dict(depth_radius=2, bias=0.5, alpha=0.3, beta=0.75),
        dict(depth_radius=20, bias=2.0, alpha=1e-4, beta=1.0),
        dict(depth_radius=0),
    ):
        case("LRN", {"input": image}, **attrs)
        case(
            "LRNGrad",
            dict(
                input_grads=normal(1, 2, 2, 7), input_image=image, output_image=normal(1, 2, 2, 7)
            ),
            **attrs,
        )


def softmax():
    nan, inf = float("nan"), float("inf")
    odd = np.array(
        [
            [nan, 0, 1],
            [inf, 0, 0],
            [-inf, -inf, -inf],
            [-inf, 0, 0],
            [200, -200, 0],
            [1e30, 1, -1e30],
        ],
        np.float32,
    )
    for op in ("Softmax", "LogSoftmax"):
        case(op, {"logits": normal(2, 3, 5)})
        case(op, {"logits": normal(3, 9, dtype=np.float64, scale=10)})
        case(op, {"logits": odd})
    cross = "SoftmaxCrossEntropyWithLogits"
    for features, labels in (
        ((3, 4), (3, 4)),
        ((3, 4), (1, 4)),
        ((3, 4), (4,)),
        ((3, 1), (3, 4)),
        ((3, 4), (3, 1)),
        ((1, 4), (3, 4)),
        ((2, 0), (2, 0)),
    ):
        case(cross, dict(features=normal(*features), labels=np.abs(normal(*labels))))
    case(cross, dict(features=odd, labels=np.array([[0, 1, 0]], np.float32)))
    for index in (np.int32, np.int64):
        case(
            "SparseSoftmaxCrossEntropyWithLogits",
            dict(features=normal(4, 5, scale=3), labels=np.array([0, 4, 2, 2], index)),
        )


def convolution():
    for padding in ("SAME", "VALID"):
        for stride, dilation in ((1, 1), (2, 1), (1, 2)):
            attrs = dict(
                strides=[1, stride, stride, 1],
                padding=padding,
                dilations=[1, dilation, dilation, 1],
            )
            x, w = normal(2, 6, 7, 3), normal(3, 2, 3, 4)
            case("Conv2D", dict(input=x, filter=w), **attrs)
            with tf.Graph().as_default():
                shape = tf.raw_ops.Conv2D(input=x, filter=w, **attrs).shape.as_list()
            grad = normal(*shape)
            if dilation == 1:
                case(
                    "Conv2DBackpropInput",
                    dict(input_sizes=np.array(x.shape, np.int32), filter=w, out_backprop=grad),
                    **attrs,
                )
                case(
                    "Conv2DBackpropFilter",
                    dict(input=x, filter_sizes=np.array(w.shape, np.int32), out_backprop=grad),
                    **attrs,
                )
            if dilation == 1:
                for multiplier in (1, 2):
                    w = normal(3, 2, 3, multiplier)
                    grad = normal(*shape[:3], 3 * multiplier)
                    case("DepthwiseConv2dNative", dict(input=x, filter=w), **attrs)
                    case(
                        "DepthwiseConv2dNativeBackpropInput",
                        dict(input_sizes=np.array(x.shape, np.int32), filter=w, out_backprop=grad),
                        **attrs,
                    )
                    case(
                        "DepthwiseConv2dNativeBackpropFilter",
                        dict(input=x, filter_sizes=np.array(w.shape, np.int32), out_backprop=grad),
                        **attrs,
                    )
    case(
        "Conv2D",
        dict(
            input=normal(1, 5, 5, 2, dtype=np.float64), filter=normal(3, 3, 2, 3, dtype=np.float64)
        ),
        strides=[1, 2, 1, 1],
        padding="EXPLICIT",
        explicit_paddings=[0, 0, 1, 2, 0, 1, 0, 0],
    )
    case(
        "Conv2D",
        dict(input=normal(1, 4, 4, 4), filter=normal(3, 3, 2, 6)),
        strides=[1, 1, 1, 1],
        padding="SAME",
    )


def products():
    case("MatMul", dict(a=normal(5, 7), b=normal(5, 6)), transpose_a=True)
    case("BatchMatMulV2", dict(x=normal(2, 1, 3, 4), y=normal(3, 5, 4)), adj_y=True)
    case("BiasAddGrad", dict(out_backprop=normal(2, 3, 4, 5)), data_format="NCHW")


training()
pooling()
normalization()
softmax()
convolution()
products()
