# SPDX-License-Identifier: Apache-2.0
"""Draws expressions of the client's API: each rule gives the text of one, its shape and dtype.

A rule is a function of (r, s): the random numbers and what can be used (Usable). It returns
(text, shape, dtype), or None where nothing fits. Values stay near 1, so that float32 can be
compared to 1e-5 after several of them.
"""

F, INT, B = "float32", "int32", "bool"
SIZES = (1, 2, 3, 4)


class Usable:
    """Tensors of a program by name: (name, shape, dtype)."""

    def __init__(self, outer=None):
        self.tensors = list(outer.tensors) if outer else []
        self.inside = False  # of a function of a loop or conditional

    def pick(self, r, ranks=None, dtypes=(F,)):
        """One of a rank and dtype, or None; new ones more often."""
        fits = [t for t in self.tensors if t[2] in dtypes and (ranks is None or len(t[1]) in ranks)]
        return r.choice(fits[-5:] if r.random() < 0.7 else fits) if fits else None

    def pick_shape(self, r, shape, dtype=F):
        fits = [t for t in self.tensors if t[1] == shape and t[2] == dtype]
        return r.choice(fits) if fits else None


def number(r):
    return round(r.uniform(0.2, 1.5), 2)


def array(r, shape, dtype=F):
    """The text of a NumPy array."""
    size = 1
    for d in shape:
        size *= d
    start = r.randint(0, 50)
    text = f"np.sin(np.arange({start}, {start + size})).reshape({tuple(shape)})"
    return f"{text}.astype(np.{dtype})"


def unary(r, s):
    t = s.pick(r)
    if t is None:
        return None
    op = r.choice("tanh sigmoid sin cos square nn.relu nn.elu nn.softplus negative abs nn.softsign "
                  "identity stop_gradient nn.relu6 atan exp(-tf.abs floor nn.selu sign "
                  "nn.leaky_relu erf log1p(tf.abs sqrt(tf.abs zeros_like ones_like "
                  "log_sigmoid".split())  # fmt: skip
    name = named(r) if "(" not in op else ""
    return f"tf.{op}({t[0]}{')' * op.count('(')}{name})", t[1], t[2]


def named(r):
    return f', name="{r.choice("abcde")}{r.randint(0, 3)}"' if r.random() < 0.25 else ""


def binary(r, s):
    a = s.pick(r)
    if a is None:
        return None
    other = s.pick_shape(r, a[1]) or a
    b = r.choice([other[0], str(number(r)), array(r, a[1])])
    if r.random() < 0.6:
        op = r.choice("+-*")
        left, right = (a[0], b) if r.random() < 0.7 or "np." in b else (b, a[0])
        return f"{left} {op} {right}", a[1], F
    op = r.choice("maximum minimum subtract multiply add squared_difference math.divide_no_nan"
                  .split())  # fmt: skip
    return f"tf.{op}({a[0]}, {b}{named(r)})", a[1], F


def divide(r, s):
    a = s.pick(r)
    return a and (f"{a[0]} / {number(r)}", a[1], F)


def broadcast(r, s):
    a = s.pick(r, (2, 3))
    b = a and s.pick_shape(r, a[1][-1:])
    return b and (f"{a[0]} {r.choice('+-*')} {b[0]}", a[1], F)


def compare(r, s):
    a = s.pick(r, dtypes=(F, INT))
    op = r.choice(["{} > {}", "{} < {}", "tf.greater_equal({}, {})", "tf.not_equal({}, {})",
                   "tf.equal({}, {})"])  # fmt: skip
    return a and (op.format(a[0], r.choice([1, 2]) if a[2] == INT else number(r)), a[1], B)


def logic(r, s):
    a = s.pick(r, dtypes=(B,))
    b = a and s.pick_shape(r, a[1], B)
    op = r.choice(["tf.logical_and({}, {})", "tf.logical_or({}, {})", "tf.logical_xor({}, {})"])
    return b and (op.format(a[0], b[0]), a[1], B)


def integers(r, s):
    a = s.pick(r, dtypes=(INT,))
    op = r.choice(["{} + {}", "{} * {}", "{} // {}", "{} % {}", "tf.floormod({}, {})",
                   "tf.maximum({}, {})"])  # fmt: skip
    return a and (op.format(a[0], r.randint(2, 5)), a[1], INT)


def cast(r, s):
    a = s.pick(r, dtypes=(B, INT))
    return a and (f"tf.cast({a[0]}, tf.float32)", a[1], F)


def to_int(r, s):
    a = s.pick(r)
    return a and (f"tf.cast({a[0]} * {r.randint(2, 4)}, tf.int32)", a[1], INT)


def doubled(r, s):
    a = s.pick(r)
    return a and (f"tf.cast(tf.cast({a[0]}, tf.float64) * 0.5, tf.float32)", a[1], F)


def reduction(r, s):
    a = s.pick(r, (1, 2, 3))
    if a is None:
        return None
    op = r.choice(["sum", "mean", "max", "min", "prod", "logsumexp", "sum", "mean"])
    rank = len(a[1])
    axes = r.choice([None, [0], [rank - 1], [-1], list(range(rank))])
    keep = r.random() < 0.3
    text = "" if axes is None else f", {axes[0] if len(axes) == 1 and r.random() < 0.7 else axes}"
    gone = set(range(rank)) if axes is None else {x % rank for x in axes}
    shape = tuple(1 if i in gone else d for i, d in enumerate(a[1]) if keep or i not in gone)
    return f"tf.reduce_{op}({a[0]}{text}{', keepdims=True' if keep else ''}{named(r)})", shape, F


def of_bools(r, s):
    a = s.pick(r, (1, 2), (B,))
    return a and (f"tf.reduce_{r.choice(['all', 'any'])}({a[0]}, axis=0)", a[1][1:], B)


def arg(r, s):
    a = s.pick(r, (1, 2))
    return a and (f"tf.cast(tf.argmax({a[0]}, 0), tf.int32)", a[1][1:], INT)


def reshape(r, s):
    a = s.pick(r, (1, 2, 3))
    if a is None:
        return None
    size = 1
    for d in a[1]:
        size *= d
    shape = r.choice([(size,), (1, size), (size, 1)])
    text = list(shape)
    if r.random() < 0.5:
        text[text.index(size)] = -1
    return f"tf.reshape({a[0]}, {text})", shape, F


def transpose(r, s):
    a = s.pick(r, (2,))
    return a and (f"tf.transpose({a[0]}{r.choice(['', ', [1, 0]'])})", a[1][::-1], F)


def concat(r, s):
    a = s.pick(r, (1, 2))
    b = a and s.pick_shape(r, a[1])
    return b and (f"tf.concat([{a[0]}, {b[0]}], {r.choice(['0', 'axis=0'])})",
                  (a[1][0] * 2, *a[1][1:]), F) if a and a[1][0] < 5 else None  # fmt: skip


def stack(r, s):
    a = s.pick(r, (0, 1))
    b = a and s.pick_shape(r, a[1])
    return b and (f"tf.stack([{a[0]}, {b[0]}])", (2, *a[1]), F)


def packed(r, s):
    a = s.pick(r, (0,))
    return a and (f"tf.convert_to_tensor([{a[0]}, {number(r)}])", (2,), F)


def parts(r, s):
    a = s.pick(r, (1, 2, 3))
    if a is None:
        return None
    if a[1][0] % 2 == 0 and r.random() < 0.5:
        return f"tf.split({a[0]}, 2)[{r.randint(0, 1)}]", (a[1][0] // 2, *a[1][1:]), F
    return f"tf.unstack({a[0]})[{r.randrange(a[1][0])}]", a[1][1:], F


def items(r, s):
    a = s.pick(r, (2, 3))
    if a is None:
        return None
    form = r.choice(["[0]", "[:, 0]", "[0:1]", "[-1]", "[..., 0]", "[:, tf.newaxis]"])
    d = a[1]
    shape = {"[0]": d[1:], "[:, 0]": (d[0], *d[2:]), "[0:1]": (1, *d[1:]), "[-1]": d[1:],
             "[..., 0]": d[:-1], "[:, tf.newaxis]": (d[0], 1, *d[1:])}[form]  # fmt: skip
    return f"{a[0]}{form}", shape, F


def sliced(r, s):
    a = s.pick(r, (2,))
    return a and (f"tf.slice({a[0]}, [0, 0], [{a[1][0]}, 1])", (a[1][0], 1), F)


def gather(r, s):
    a = s.pick(r, (1, 2))
    if a is None:
        return None
    ids = [r.randrange(a[1][0]) for _ in range(3)]
    axis = r.choice(["", ", axis=0"])
    return f"tf.gather({a[0]}, {ids}{axis})", (3, *a[1][1:]), F


def laid_out(r, s):
    a = s.pick(r, (1, 2))
    if a is None or max(a[1]) > 4:
        return None
    rank, d = len(a[1]), a[1]
    return r.choice([
        (f"tf.tile({a[0]}, {[2] + [1] * (rank - 1)})", (d[0] * 2, *d[1:]), F),
        (f"tf.pad({a[0]}, {[[0, 1]] * rank})", tuple(x + 1 for x in d), F),
        (f"tf.expand_dims({a[0]}, 0)", (1, *d), F),
        (f"tf.squeeze(tf.expand_dims({a[0]}, -1), [-1])", d, F),
        (f"tf.reverse({a[0]}, [0])", d, F),
        (f"tf.cumsum({a[0]})", d, F),
        (f"tf.fill({list(d)}, {number(r)})", d, F),
        (f"tf.zeros({list(d)}) + {a[0]}", d, F),
        (f"tf.ones({list(d)}, tf.float32)", d, F),
        (f"tf.constant({number(r)}, shape={list(d)})", d, F),
        (f"tf.constant({array(r, d)}{named(r)})", d, F),
        (f"tf.roll({a[0]}, 1, 0)", d, F),
        (f"tf.broadcast_to({a[0]}, {[2, *d]})", (2, *d), F),
    ])  # fmt: skip


def shapes(r, s):
    a = s.pick(r, (1, 2, 3))
    return a and r.choice([
        (f"tf.shape({a[0]})", (len(a[1]),), INT), (f"tf.size({a[0]})", (), INT),
        (f"tf.rank({a[0]})", (), INT), (f"tf.range({a[1][0]})", (a[1][0],), INT),
        (f"tf.cast(tf.shape({a[0]})[0], tf.float32)", (), F),
    ])  # fmt: skip


def choose(r, s):
    a = s.pick(r, dtypes=(B,))
    x = a and s.pick_shape(r, a[1])
    return x and (f"tf.where({a[0]}, {x[0]}, tf.zeros_like({x[0]}))", a[1], F)


def matmul(r, s):
    a = s.pick(r, (2,))
    if a is None:
        return None
    n = r.choice(SIZES)
    return r.choice([
        (f"tf.matmul({a[0]}, {array(r, (a[1][1], n))})", (a[1][0], n), F),
        (f"tf.matmul({a[0]}, {a[0]}, transpose_b=True)", (a[1][0], a[1][0]), F),
        (f"tf.nn.bias_add({a[0]}, {array(r, a[1][1:])})", a[1], F),
        (f"tf.nn.xw_plus_b({a[0]}, {array(r, (a[1][1], n))}, {array(r, (n,))})", (a[1][0], n), F),
        (f"tf.tensordot({a[0]}, {array(r, (a[1][1], n))}, 1)", (a[1][0], n), F),
        (f"tf.linalg.transpose({a[0]})", a[1][::-1], F),
        (f"tf.linalg.norm({a[0]})", (), F),
    ])  # fmt: skip


def batched(r, s):
    a = s.pick(r, (3,))
    return a and (f"tf.matmul({a[0]}, {a[0]}, transpose_a=True)", (a[1][0], a[1][2], a[1][2]), F)


def nn(r, s):
    a = s.pick(r, (2,))
    if a is None:
        return None
    n, c = a[1]
    return r.choice([
        (f"tf.nn.softmax({a[0]}{named(r)})", a[1], F),
        (f"tf.nn.log_softmax({a[0]})", a[1], F),
        (f"tf.nn.l2_normalize({a[0]}, 1)", a[1], F),
        (f"tf.nn.l2_loss({a[0]})", (), F),
        (f"tf.nn.moments({a[0]}, [0])[{r.randint(0, 1)}]", (c,), F),
        (f"tf.nn.dropout({a[0]}, keep_prob=0.6, seed={r.randint(1, 9)})", a[1], F),
        (f"tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.zeros([{n}, {c}]), logits={a[0]})",
         a[1], F),
        (f"tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.ones([{n}, {c}]), logits={a[0]})",
         (n,), F),
        (f"tf.nn.sparse_softmax_cross_entropy_with_logits(labels={[0] * n}, logits={a[0]})",
         (n,), F),
        (f"tf.nn.embedding_lookup({a[0]}, {[r.randrange(n) for _ in range(3)]})", (3, c), F),
        (f"tf.nn.top_k({a[0]}, 1)[0]", (n, 1), F),
        (f"tf.nn.batch_normalization({a[0]}, {array(r, (c,))}, np.ones({c}, np.float32), "
         f"{array(r, (c,))}, None, 1e-3)", a[1], F),
        (f"tf.nn.crelu({a[0]})", (n, 2 * c), F),
        (f"tf.one_hot({[0] * n}, {c}) * {a[0]}", a[1], F),
        (f"tf.clip_by_value({a[0]}, -0.5, 0.5)", a[1], F),
        (f"tf.clip_by_norm({a[0]}, 1.0)", a[1], F),
        (f"tf.add_n([{a[0]}, {a[0]}])", a[1], F),
        (f"tf.nn.zero_fraction({a[0]})", (), F),
    ])  # fmt: skip


def images(r, s):
    a = s.pick(r, (2,))
    if a is None or max(a[1]) > 4:
        return None
    n, c = a[1]
    image = f"tf.reshape(tf.tile({a[0]}, [1, 4]), [{n}, 2, 2, {c}])"
    return r.choice([
        (f"tf.nn.conv2d({image}, {array(r, (2, 2, c, 2))}, [1, 1, 1, 1], 'SAME')[:, 0, 0]",
         (n, 2), F),
        (f"tf.nn.max_pool({image}, [1, 2, 2, 1], [1, 1, 1, 1], 'VALID')[:, 0, 0]", (n, c), F),
        (f"tf.nn.avg_pool({image}, [1, 2, 2, 1], [1, 2, 2, 1], 'SAME')[:, 0, 0]", (n, c), F),
        (f"tf.nn.fused_batch_norm({image}, np.ones({c}, np.float32), np.zeros({c}, np.float32))"
         f"[0][:, 0, 0]", (n, c), F),
    ])  # fmt: skip


def losses(r, s):
    a = s.pick(r, (2,))
    b = a and s.pick_shape(r, a[1])
    if not a:
        return None
    return r.choice([
        (f"tf.losses.mean_squared_error({b[0]}, {a[0]})", (), F),
        (f"tf.losses.absolute_difference({b[0]}, {a[0]}, weights=0.5)", (), F),
        (f"tf.losses.huber_loss({b[0]}, {a[0]})", (), F),
        (f"tf.losses.sigmoid_cross_entropy(tf.ones_like({a[0]}), {a[0]})", (), F),
        (f"tf.losses.softmax_cross_entropy(tf.ones_like({a[0]}), {a[0]})", (), F),
        (f"tf.losses.sparse_softmax_cross_entropy({[0] * a[1][0]}, {a[0]})", (), F),
        (f"tf.losses.hinge_loss(tf.ones_like({a[0]}), {a[0]})", (), F),
        (f"tf.losses.log_loss({b[0]}, tf.sigmoid({a[0]}))", (), F),
        (f"tf.losses.cosine_distance({b[0]}, {a[0]}, axis=1)", (), F),
    ])  # fmt: skip


RULES = {
    unary: 6, binary: 8, divide: 1, broadcast: 2, compare: 2, logic: 1, integers: 2, cast: 1,
    to_int: 1, doubled: 0.5, reduction: 4, of_bools: 0.5, arg: 0.5, reshape: 1, transpose: 1,
    concat: 1, stack: 0.7, packed: 0.5, parts: 1, items: 2, sliced: 0.5, gather: 1, laid_out: 3,
    shapes: 1.5, choose: 1, matmul: 3, batched: 0.5, nn: 6, images: 2, losses: 1.5,
}  # fmt: skip


def draw(r, s):
    """(text, shape, dtype) of some rule that fits."""
    while True:
        rule = r.choices(list(RULES), list(RULES.values()))[0]
        found = rule(r, s)
        if found:
            return found
