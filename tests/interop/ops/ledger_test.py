# SPDX-License-Identifier: Apache-2.0
"""Every cell of the ledger is covered or has a reason, and every dtype of TensorFlow's a kernel."""

import collections

from interop.tools import ledger
from interop.tools.cluster import Checks
from interop.tools.fuzz_ops import make_draws


def main():
    checks, counts = Checks(), collections.Counter()
    book = ledger.Ledger(make_draws())
    for cell in book.cells():
        kind, _ = book.verdict(cell)
        counts[kind] += 1
        checks.check(" ".join(cell), kind != "empty", "is empty: a case or a reason is missing")
    for missing in ledger.missing_kernels(book):
        cell = ledger.Cell(*missing, "value")
        why = ledger.ledger_reasons.reason(cell) or book.beyond(cell)
        checks.check("a kernel for " + " ".join(missing), why, "is missing")
    print(dict(counts), "of", len(book.rows), "ops")
    checks.finish()


if __name__ == "__main__":
    main()
