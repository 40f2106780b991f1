# SPDX-License-Identifier: Apache-2.0
"""A member whose client is a process of its own, which a test kills."""

import base64
import os
import pickle
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 30  # of a step
START_SECONDS = 30


class Target:
    """What a Member needs of a cluster."""

    def __init__(self, target):
        self._target = target

    def target(self, task):
        del task
        return self._target


class ClientProcess:
    """Runs steps of a member until it is killed, or so many and is idle then. Its output has a line
    for each step."""

    def __init__(self, cluster, member, ops, leader, steps=None):
        self._path = os.path.join(cluster.folder, f"client{member.task}.txt")
        given = (cluster.target(member.task), member.task, member.rank, ops, leader, steps)
        text = base64.b64encode(pickle.dumps(given)).decode()
        with open(self._path, "w") as output:
            self._process = subprocess.Popen(
                [sys.executable, os.path.join(HERE, "client_process.py"), text],
                stdin=subprocess.PIPE, stdout=output, stderr=output,
            )  # fmt: skip

    def output(self):
        with open(self._path) as file:
            return file.read()

    def await_step(self, step):
        end = time.monotonic() + START_SECONDS
        while f"step {step} right\n" not in self.output():
            if time.monotonic() > end or self._process.poll() is not None:
                raise RuntimeError(f"the client has not run step {step}:\n{self.output()}")
            time.sleep(0.01)

    def kill(self):
        self._process.kill()
        self._process.wait(10)
        self._process.stdin.close()


def main():
    sys.path.insert(0, os.path.dirname(HERE))  # the folder of faults/
    from collective_members import Member

    target, task, rank, ops, leader, steps = pickle.loads(base64.b64decode(sys.argv[1]))
    member = Member(Target(target), task, rank, ops, leader, lambda text: print(text, flush=True))
    step = 0
    while True:
        if step == steps:
            time.sleep(600)
        wrong = member.run_here(ops, step, SECONDS)
        print(f"step {step} {wrong or 'right'}", flush=True)
        step += 1


if __name__ == "__main__":
    import threading

    # The end of the test is the end of this process.
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(1)), daemon=True).start()
    main()
