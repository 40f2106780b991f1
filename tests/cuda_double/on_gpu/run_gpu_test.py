#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/run_gpu.sh, with programs on the double of the CUDA runtime in place of those for a GPU.

run_gpu_test.py SOURCE_ROOT GPU_BENCH SLUICE_CUDA_TEST SLUICE_GPU_BENCH_DOUBLE
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

FAILING = '#!/bin/sh\necho "1 passed, 2 failed"\nexit 1\n'


def write_program(path, text):
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o755)


def run(folder, *arguments):
    return subprocess.run(
        [os.path.join(folder, "run-gpu"), *arguments], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def check(ok, what, done):
    if not ok:
        sys.exit(f"{what}\nstatus {done.returncode}\n{done.stdout}")


def record_of(folder):
    with open(os.path.join(folder, "gpu.json")) as file:
        return json.load(file)


def main(root, gpu_bench, cuda_test, bench_double):
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "bin"))
        os.makedirs(os.path.join(folder, "cases"))
        shutil.copy(os.path.join(root, "tools", "run_gpu.sh"), os.path.join(folder, "run-gpu"))
        bench = os.path.join(folder, "bin", "gpu_bench")

        os.symlink(gpu_bench, bench)
        if subprocess.run([bench, "--describe"], stdout=subprocess.DEVNULL).returncode:
            done = run(folder)
            check(done.returncode == 2 and "run-gpu: no GPU: " in done.stdout, "no refusal", done)
            check(not os.path.exists(os.path.join(folder, "gpu.json")), "a record", done)
        os.remove(bench)

        write_program(
            bench,
            f'#!/bin/sh\nexec {bench_double} "$@" --megabytes 1 --kernels 10 --rounds 1\n',
        )
        write_program(
            os.path.join(folder, "bin", "sluice_gpu_test"),
            f'#!/bin/sh\nexec {cuda_test} --gtest_filter=BandPart*:BoundedTable* "$@"\n',
        )
        done = run(folder)
        check(done.returncode == 0, "a part failed", done)
        record = record_of(folder)
        check(record["gpu"] == "Double of a CUDA device", "another name", done)
        check(record["passed"] >= 2 and record["failed"] == 0, "other counts", done)
        check(len(record["bench"]) == 5, "no figures", done)
        timeline = record["bench"][3]["timeline"]
        check(0 < timeline["copy_begin_us"] < timeline["copy_end_us"], "no timeline", done)
        check("not_run" in record["parts"][1], "cases without a player", done)

        write_program(os.path.join(folder, "bin", "sluice-play-cases"), FAILING)
        open(os.path.join(folder, "cases", "a.cases"), "w").close()
        done = run(folder)
        check(done.returncode == 1, "a failure is not seen", done)
        check(record_of(folder)["failed"] == 2, "failures are not counted", done)


if __name__ == "__main__":
    main(*sys.argv[1:])
