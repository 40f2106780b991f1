# SPDX-License-Identifier: Apache-2.0
"""Training steps on a GPU: ours against PyTorch's, eager, in turns in one process.

Four networks train on the same batches from the same initial weights. A step feeds its batch from
the host and waits for the loss. Products are of floats, without TF32, on both sides. The losses of
the first steps are compared, so that both compute the same.

    PYTHONPATH=build/python python3 bench/gpu/pytorch_bench.py [--rounds 11] [--json FILE]

--target opens the session on a running server. --without-pytorch times ours only.
"""

import argparse
import json
import re
import time

import numpy as np
import sluice as sl

RATE = 0.05
COMPARED_STEPS, TOLERANCE = 5, 1e-3
SECONDS = 0.3  # of each side in each round


def weights(*shapes):
    random = np.random.RandomState(7)
    return [
        (random.standard_normal(shape) / np.sqrt(max(1, np.prod(shape[:-1])))).astype(np.float32)
        if len(shape) > 1
        else np.zeros(shape, np.float32)
        for shape in shapes
    ]


class Perceptron:
    """Three layers with 1024 units; 256 rows of 784 numbers."""

    name = "perceptron"
    weights = weights((784, 1024), (1024,), (1024, 1024), (1024,), (1024, 10), (10,))

    def batch(self, random):
        return random.standard_normal((256, 784)).astype(np.float32), random.randint(0, 10, 256)

    def ours(self, x, y, w):
        x = sl.nn.relu(sl.nn.bias_add(sl.matmul(x, w[0]), w[1]))
        x = sl.nn.relu(sl.nn.bias_add(sl.matmul(x, w[2]), w[3]))
        return our_classes_loss(y, sl.nn.bias_add(sl.matmul(x, w[4]), w[5]))

    def theirs(self, torch, x, y, w):
        x = torch.relu(x @ w[0] + w[1])
        x = torch.relu(x @ w[2] + w[3])
        return torch.nn.functional.cross_entropy(x @ w[4] + w[5], y)


class Convolutions:
    """Two convolutions with pooling, two dense layers; 128 images of 32 x 32."""

    name = "convolutions"
    weights = weights((3, 3, 3, 64), (64,), (3, 3, 64, 128), (128,), (8192, 256), (256,), (256, 10))

    def batch(self, random):
        images = random.standard_normal((128, 32, 32, 3)).astype(np.float32)
        return images, random.randint(0, 10, 128)

    def ours(self, x, y, w):
        for filters, bias in ((w[0], w[1]), (w[2], w[3])):
            x = sl.nn.relu(sl.nn.bias_add(sl.nn.conv2d(x, filters, 1, "SAME"), bias))
            x = sl.nn.max_pool(x, 2, 2, "VALID")
        x = sl.nn.relu(sl.nn.bias_add(sl.matmul(sl.reshape(x, [-1, 8192]), w[4]), w[5]))
        return our_classes_loss(y, sl.matmul(x, w[6]))

    def theirs(self, torch, x, y, w):
        # Channels last, as ours, in PyTorch's order of dimensions.
        x = x.permute(0, 3, 1, 2)
        for filters, bias in ((w[0], w[1]), (w[2], w[3])):
            x = torch.nn.functional.conv2d(x, filters.permute(3, 2, 0, 1), bias, padding=1)
            x = torch.nn.functional.max_pool2d(torch.relu(x), 2)
        x = torch.relu(x.permute(0, 2, 3, 1).reshape(-1, 8192) @ w[4] + w[5])
        return torch.nn.functional.cross_entropy(x @ w[6], y)


class Recurrent:
    """An LSTM of 256 units, a loop of 32 steps; 64 rows of 32 x 128 numbers."""

    name = "LSTM"
    weights = weights((384, 1024), (1024,), (256, 10))
    steps = 32

    def batch(self, random):
        rows = random.standard_normal((self.steps, 64, 128)).astype(np.float32)
        return rows, random.randint(0, 10, 64)

    def ours(self, x, y, w):
        inputs = sl.TensorArray(sl.float32, size=self.steps).unstack(x)

        def body(t, c, h):
            gates = sl.nn.bias_add(sl.matmul(sl.concat([inputs.read(t), h], 1), w[0]), w[1])
            i, j, f, o = sl.split(gates, 4, axis=1)
            c = c * sl.sigmoid(f) + sl.sigmoid(i) * sl.tanh(j)
            return t + 1, c, sl.tanh(c) * sl.sigmoid(o)

        zeros = sl.zeros([64, 256])
        loop = sl.while_loop(lambda t, c, h: t < self.steps, body, [sl.constant(0), zeros, zeros])
        return our_classes_loss(y, sl.matmul(loop[2], w[2]))

    def theirs(self, torch, x, y, w):
        c = h = torch.zeros(64, 256, device=x.device)
        for t in range(self.steps):
            i, j, f, o = (torch.cat([x[t], h], 1) @ w[0] + w[1]).chunk(4, 1)
            c = c * torch.sigmoid(f) + torch.sigmoid(i) * torch.tanh(j)
            h = torch.tanh(c) * torch.sigmoid(o)
        return torch.nn.functional.cross_entropy(h @ w[2], y)


class Embedding:
    """Words of 128 numbers of 100,000, 16 in a row, with sparse gradients; 512 rows."""

    name = "embedding"
    weights = weights((100_000, 128), (128, 10))

    def batch(self, random):
        return random.randint(0, 100_000, (512, 16)), random.randint(0, 10, 512)

    def ours(self, x, y, w):
        words = sl.nn.embedding_lookup(w[0], x)
        return our_classes_loss(y, sl.matmul(sl.reduce_mean(words, axis=1), w[1]))

    def theirs(self, torch, x, y, w):
        words = torch.nn.functional.embedding(x, w[0], sparse=True)
        return torch.nn.functional.cross_entropy(words.mean(1) @ w[1], y)


NETWORKS = (Perceptron, Convolutions, Recurrent, Embedding)


def our_classes_loss(labels, logits):
    return sl.reduce_mean(
        sl.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    )


class Ours:
    def __init__(self, network, target):
        graph = sl.Graph()
        with graph.as_default(), sl.device("/device:GPU:0"), sl.container(network.name):
            batch = network.batch(np.random.RandomState(0))
            inputs = [
                sl.placeholder(sl.as_dtype(part.dtype), part.shape, name)
                for part, name in zip(batch, "xy")
            ]
            variables = [sl.Variable(value) for value in network.weights]
            loss = network.ours(*inputs, variables)
            train = sl.train.GradientDescentOptimizer(RATE).minimize(loss)
            self.session = sl.Session(target, graph=graph)
            self.session.run(sl.global_variables_initializer())
        self.run = self.session.make_callable([loss, train], feed_list=inputs)

    def step(self, batch):
        return self.run(*batch)[0]


class Theirs:
    def __init__(self, network):
        import torch

        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        self.torch, self.network = torch, network
        self.weights = [torch.tensor(w, device="cuda", requires_grad=True) for w in network.weights]
        self.optimizer = torch.optim.SGD(self.weights, lr=RATE)

    def step(self, batch):
        x, y = (self.torch.from_numpy(part).cuda() for part in batch)
        loss = self.network.theirs(self.torch, x, y, self.weights)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def seconds_per_step(side, batches):
    steps, start = 0, time.perf_counter()
    while True:
        side.step(batches[steps % len(batches)])
        steps += 1
        elapsed = time.perf_counter() - start
        if elapsed >= SECONDS:
            return elapsed / steps


def compare(network, sides, rounds):
    random = np.random.RandomState(1)
    batches = [network.batch(random) for _ in range(COMPARED_STEPS)]
    losses = [[float(side.step(batch)) for batch in batches] for side in sides]
    np.testing.assert_allclose(losses[0], losses[-1], rtol=TOLERANCE, atol=TOLERANCE)
    times = [[] for _ in sides]
    for turn in range(rounds + 1):
        for which in range(len(sides))[:: -1 if turn % 2 else 1]:
            times[which].append(seconds_per_step(sides[which], batches))
    times = [taken[1:] for taken in times]
    result = {
        "name": f"training step: {network.name}",
        "us": 1e6 * float(np.median(times[0])),
        "losses": losses[0],
    }
    if len(sides) > 1:
        result["pytorch_us"] = 1e6 * float(np.median(times[1]))
        result["speed"] = float(np.median([b / a for a, b in zip(*times)]))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--only", default=".", help="regular expression on the network's name")
    parser.add_argument("--target", default="", help="of the session; default: this process")
    parser.add_argument("--without-pytorch", action="store_true")
    parser.add_argument("--json", help="file for the results")
    arguments = parser.parse_args()
    results = []
    for network in (kind() for kind in NETWORKS):
        if not re.search(arguments.only, network.name):
            continue
        sides = [Ours(network, arguments.target)]
        if not arguments.without_pytorch:
            sides.append(Theirs(network))
        results.append(compare(network, sides, arguments.rounds))
        sides[0].session.close()
        row = results[-1]
        theirs = ", PyTorch {pytorch_us:.0f} us: {speed:.2f} times as fast" if sides[1:] else ""
        print(("{name:30} {us:8.0f} us" + theirs).format(**row), flush=True)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
