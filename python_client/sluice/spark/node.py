# SPDX-License-Identifier: Apache-2.0
"""The process of a node, which runs the map function on an executor: python -m sluice.spark.node

It outlives the task that started it, so that other tasks of the executor can feed it. It ends with
the executor, and when the driver closes its connection.
"""

import os
import pickle
import select
import shutil
import socket
import subprocess
import sys
import threading
import traceback
from multiprocessing.connection import Client
from typing import Any, NamedTuple

from ..launching.hosts import free_ports
from .context import NodeContext
from .feed import Feed


class NodeJob(NamedTuple):
    """What a node needs to know. Its functions are pickled by cloudpickle."""

    work: bytes  # (map function, its arguments)
    names: list  # of nodes, such as "worker:0", by number
    driver: tuple  # (host, port) of the Meeting
    token: bytes
    feeds: bool  # whether Spark sends data
    default_fs: str
    tensorboard: Any  # folder that TensorBoard shows, or None


def feed_path(token, number):
    """The name of a node's socket, which is in no file system."""
    return f"\0sluice-{token.hex()[:16]}-{number}"


def start(job, number, working_dir):
    """Starts the process of a node, in a task. Returns it once the node has met all others.

    Raises:
      RuntimeError: it did not; with what it printed.
    """
    log = os.path.join(working_dir, f"sluice-node-{number}.log")
    reader, writer = os.pipe()
    with open(log, "wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "sluice.spark.node", str(writer)], stdin=subprocess.PIPE,
            stdout=output, stderr=subprocess.STDOUT, pass_fds=[writer], start_new_session=True,
        )  # fmt: skip
    os.close(writer)
    try:
        pickle.dump((job, number, working_dir, _executor()), process.stdin)
        process.stdin.close()
    except BrokenPipeError:
        pass  # it has ended, as the pipe says
    with os.fdopen(reader) as said:
        if said.readline() != "ready\n":
            process.wait()
            with open(log, errors="replace") as output:
                raise RuntimeError(f"{job.names[number]} did not start:\n{output.read()[-4000:]}")
    return process


def _executor():
    """The number of the process above this one that is the executor's JVM, or of the parent."""
    pid = os.getppid()
    while pid > 1:
        with open(f"/proc/{pid}/stat") as file:
            name, _, rest = file.read().partition("(")[2].rpartition(")")
        if name == "java":
            return pid
        pid = int(rest.split()[1])
    return os.getppid()


def main():
    """Runs one node. The process ends in it."""
    ready = os.fdopen(int(sys.argv[1]), "w")
    job, number, working_dir, executor = pickle.load(sys.stdin.buffer)
    _end_with(executor)
    host = _own_address(job.driver)
    (port,) = free_ports(1)
    driver = Client(job.driver, authkey=job.token)
    where = f"{socket.gethostname()}, executor process {executor}, node process {os.getpid()}"
    driver.send(("come", number, f"{host}:{port}", where, _tensorboard(job, number, host)))
    kind, members = driver.recv()
    if kind != "members":
        sys.exit(members)
    cluster = {}
    for name, address in zip(job.names, members):
        cluster.setdefault(name.partition(":")[0], []).append(address)
    name, _, index = job.names[number].partition(":")
    feed = None
    if job.feeds and name != "ps":
        feed = Feed(feed_path(job.token, number), job.token)
    threading.Thread(target=_listen, args=(driver, feed), daemon=True).start()
    ready.write("ready\n")
    ready.close()

    context = NodeContext(
        number, name, int(index), cluster, job.default_fs, working_dir, feed
    )  # fmt: skip
    if not host.startswith("127."):
        os.environ.setdefault("SLUICE_BIND_HOST", "0.0.0.0")
    error = None
    try:
        function, arguments = pickle.loads(job.work)
        function(arguments, context)
    except BaseException:
        error = traceback.format_exc()
        print(error, file=sys.stderr)
    if feed is not None:
        feed.terminate()
    sys.stdout.flush()
    driver.send(("ended", error))
    _wait_for_driver.wait()
    os._exit(1 if error else 0)


_wait_for_driver = threading.Event()  # the driver has closed its connection


def _listen(driver, feed):
    try:
        while True:
            driver.recv()  # ("stop",)
            if feed is not None:
                feed.end()
    except (EOFError, OSError):
        _wait_for_driver.set()
        if _tensorboards:
            _tensorboards[0].kill()
        os._exit(0)


def _end_with(pid):
    """Ends this process when another one ends."""

    def wait():
        try:
            descriptor = os.pidfd_open(pid)
            select.select([descriptor], [], [])
        except ProcessLookupError:
            pass
        if _tensorboards:
            _tensorboards[0].kill()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _own_address(driver):
    """The address of this host on the way to the driver."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(driver)
        return probe.getsockname()[0]


_tensorboards = []


def _tensorboard(job, number, host):
    """Starts TensorBoard on the first node that trains. Returns its URL; None: there is none."""
    first = next(n for n, name in enumerate(job.names) if not name.startswith("ps:"))
    program = shutil.which("tensorboard")
    if number != first or job.tensorboard is None or program is None:
        return None
    (port,) = free_ports(1)
    _tensorboards.append(
        subprocess.Popen(
            [program, "--logdir", job.tensorboard, "--host", host, "--port", str(port)],
            stdin=subprocess.DEVNULL,
        )
    )
    return f"http://{host}:{port}"


if __name__ == "__main__":
    main()
