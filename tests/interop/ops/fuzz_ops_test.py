# SPDX-License-Identifier: Apache-2.0
"""The ledger's requirements for the fuzzer, and random draws of every op, always the same.

`./run fuzz-ops MINUTES` draws as many as wanted, with other seeds.
"""

import sys
import time

import tensorflow

from interop.tools.fuzz_ops import BATCH, LOOSE, Fuzzer, fuzzed_ops, make_draws, run
from interop.tools.ledger import Ledger

COUNT = 400
SECONDS = 200  # a slow machine draws fewer


def main():
    print("TensorFlow", tensorflow.__version__, flush=True)
    begin, draws = time.time(), make_draws()
    fuzzer = Fuzzer(draws, loose=LOOSE)
    try:
        asked = [drawn for drawn in map(draws.fill, Ledger(draws).gaps()) if drawn is not None]
        for first in range(0, len(asked), BATCH):
            fuzzer.compare(asked[first : first + BATCH])
        print("asked by the ledger:", fuzzer.summary(), f"{time.time() - begin:.0f} s")
        run(fuzzer, fuzzed_ops(draws), 0, COUNT, SECONDS - (time.time() - begin))
        print("with the random ones:", fuzzer.summary(), f"{time.time() - begin:.0f} s")
    finally:
        fuzzer.server.close()
    passed = sum(row["value"] + row["error"] for row in fuzzer.ops.values()) - fuzzer.found
    print(f"{passed} passed, {fuzzer.found} failed")
    sys.exit(1 if fuzzer.found or not passed else 0)


if __name__ == "__main__":
    main()
