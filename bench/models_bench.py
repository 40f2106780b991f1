# SPDX-License-Identifier: Apache-2.0
"""Training steps of whole networks: ours against TensorFlow's, which rewrites graphs as it likes.

The networks of tests/interop/programs/big_models.py, some of them larger, on the single task of
a cluster.

    SLUICE_BUILD=build/native python bench/models_bench.py [--rounds 7] [--only REGEX]
"""

import argparse
import functools
import re

import tensorflow
from contenders import Cluster, big_models, measure, tf

LARGER = {
    "resnet50 of width 16, 8 images of 64 x 64": functools.partial(
        big_models.resnet, "NHWC", width=16, size=64, batch=8
    ),
    "resnet of 8 blocks, width 32, 32 images of 32 x 32": functools.partial(
        big_models.resnet, "NHWC", (2, 2, 2, 2), width=32, batch=32
    ),
    "word2vec_nce, 20,000 words of 128, batch 128": functools.partial(
        big_models.skip_gram, "nce", count=20000, width=128, batch=128
    ),
    "transformer, 8 x 64 words of 256": functools.partial(big_models.encoder, 8, 64, 256, 8, 1000),
}


def training(name, model):
    def step():
        loss, _, feed = model()
        return [tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss), loss], feed(0)

    step.__name__ = re.sub(r"\W+", "_", name)
    return step


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default=".", help="regular expression on the network's name")
    arguments = parser.parse_args()
    print("TensorFlow %s, %d rounds, medians" % (tensorflow.__version__, arguments.rounds))
    print("| training step | ours | TensorFlow's | ours is x times as fast |\n|---|---|---|---|")
    with Cluster({"worker": 1}) as ours, Cluster({"worker": 1}, kind="tensorflow") as theirs:
        for name, model in {**big_models.MODELS, **LARGER}.items():
            if not re.search(arguments.only, name):
                continue
            step, config = training(name, model), tf.ConfigProto()
            row = measure(step, (ours, theirs), arguments.rounds, config=config)
            print(f"| {name} | {row} |", flush=True)


if __name__ == "__main__":
    main()
