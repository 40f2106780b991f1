# SPDX-License-Identifier: Apache-2.0
"""Rows of TensorFlow's own Send and Recv: two of its servers, and the same graph by TensorFlow's
client on two of ours.

Run as a program, by a Python that has TensorFlow, it prints lines as the measuring program does;
nothing of this package is imported then.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import time

NEAR, FAR = "/job:near/task:0", "/job:far/task:0"
TRIPS, SMALL_STEP, WINDOW, WINDOW_BYTES = 16, 1 << 20, 64, 64 << 20

TF_SERVER = """
import json, sys
import tensorflow as tf
tf = tf.compat.v1
server = tf.train.Server(tf.train.ClusterSpec(json.loads(sys.argv[1])), job_name=sys.argv[2])
print("listens", flush=True)
server.join()
"""


def command(options, setting, build):
    """The command line of this file as a program."""
    words = [options.tensorflow, os.path.realpath(__file__), os.path.join(build, "sluice-server")]
    words.append(json.dumps({side: setting[side] for side in ("near_cores", "far_cores")}))
    for name in ("sizes", "rounds", "seconds"):
        if getattr(options, name) is not None:
            words.append(f"--{name}={getattr(options, name)}")
    return words


def parse_sizes(text):
    def one(item):
        shift = {"K": 10, "M": 20, "G": 30}.get(item[-1], 0)
        return int(item[:-1] if shift else item) << shift

    if ":" not in text:
        return [one(item) for item in text.split(",") if item]
    size, last = (one(item) for item in text.split(":"))
    sizes = []
    while size <= last:
        sizes.append(size)
        size *= 4
    return sizes


class Cluster:
    """A near and a far task, each a process on its own cores."""

    def __init__(self, name, words, cores):
        self.name = name
        with socket.socket() as a, socket.socket() as b:
            for one in (a, b):
                one.bind(("127.0.0.1", 0))
            self.near, far = (f"localhost:{one.getsockname()[1]}" for one in (a, b))
        spec = json.dumps({"near": [self.near], "far": [far]})
        self.processes = [
            subprocess.Popen(
                words(spec, job), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                preexec_fn=lambda job=job: pin(cores[job + "_cores"]),
            )
            for job in ("near", "far")
        ]  # fmt: skip
        for process in self.processes:
            if "listens" not in process.stdout.readline():
                raise RuntimeError(f"a server of {name} did not start")

    def cpu_seconds(self):
        return sum(cpu_seconds(process.pid) for process in self.processes)

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()


def pin(cores):
    if cores:
        os.sched_setaffinity(0, cores)


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def busy_seconds():
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(field) for field in file.readline().split()[1:9]]
    return (sum(ticks[:3]) + sum(ticks[5:8])) / os.sysconf("SC_CLK_TCK")


class Transfers:
    """One size on one cluster: a session with the steps that are timed."""

    def __init__(self, tf, cluster, size):
        self.cluster, self.size = cluster, size
        self.trips = TRIPS if size <= SMALL_STEP else 1
        self.window = max(1, min(WINDOW, WINDOW_BYTES // size))
        self.rounds = {"latency": [], "bandwidth": []}
        self.samples = []  # of latency
        self.used = {metric: [0.0, 0.0, 0.0, 0] for metric in self.rounds}  # wall, cpu, busy, bytes
        with tf.Graph().as_default() as graph:
            with tf.device(NEAR):
                variable = tf.Variable(tf.zeros([size], tf.uint8), use_resource=True)
                value = moving = variable.read_value()
                messages = [tf.identity(value) for _ in range(self.window)]
                here = tf.no_op()
            for place in (FAR, NEAR) * self.trips:
                with tf.device(place):
                    moving = tf.identity(moving)
            with tf.device(FAR):
                stream, there = tf.group(*[tf.identity(m) for m in messages]), tf.no_op()
            nothing = tf.group(here, there)
        config = tf.ConfigProto(isolate_session_state=True)
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        self.session = tf.Session("grpc://" + cluster.near, graph=graph, config=config)
        self.session.run(variable.initializer)
        make = self.session.make_callable
        self.nothing, self.round_trips, self.stream = make(nothing), make(moving.op), make(stream)
        for call in (self.nothing, self.round_trips, self.stream) * 2:
            call()

    def measure(self, seconds):
        null_step = median([seconds_of(self.nothing) for _ in range(10)])
        times = self._repeat("latency", self.round_trips, seconds, 2 * self.trips)
        trips = [max(0.0, t - null_step) / (2 * self.trips) for t in times]
        self.rounds["latency"].append(median(trips))
        self.samples += trips
        times = self._repeat("bandwidth", self.stream, seconds, self.window)
        self.rounds["bandwidth"].append(self.size * self.window * len(times) / sum(times))

    def _repeat(self, metric, call, seconds, messages):
        before = self._usage()
        times, start = [], time.perf_counter()
        while not times or time.perf_counter() - start < seconds:
            times.append(seconds_of(call))
        used = self.used[metric]
        used[0] += time.perf_counter() - start
        for i, (a, b) in enumerate(zip(self._usage(), before)):
            used[1 + i] += a - b
        used[3] += self.size * messages * len(times)
        return times

    def _usage(self):
        return self.cluster.cpu_seconds() + time.process_time(), busy_seconds()

    def lines(self):
        self.samples.sort()
        last = len(self.samples) - 1
        percentiles = {f"p{p}": self.samples[round(last * p / 100)] for p in (50, 90, 99, 99.9)}
        for metric, rounds in self.rounds.items():
            wall, cpu, busy, moved = self.used[metric]
            yield json.dumps({
                "line": "figure", "metric": metric, "transport": self.cluster.name,
                "layer": "runtime", "payload": str(self.size), "bytes": self.size,
                "buffers": [self.size], "serialised": False, "rounds": rounds,
                "wall_seconds": wall, "cpu_seconds": cpu, "busy_seconds": busy,
                "moved_bytes": moved, **(percentiles if metric == "latency" else {}),
            })  # fmt: skip


def seconds_of(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def median(values):
    return sorted(values)[len(values) // 2]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("cores", type=json.loads)
    parser.add_argument("--sizes", type=parse_sizes, default=parse_sizes("1:256M"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.02)
    options = parser.parse_args()
    pin(options.cores["near_cores"])
    os.environ["TF_CPP_MIN_LOG_LEVEL"], os.environ["CUDA_VISIBLE_DEVICES"] = "3", ""
    import tensorflow

    tf = tensorflow.compat.v1
    tf.disable_eager_execution()

    def ours(spec, job):
        return [options.server, "--cluster", spec, "--job", job]

    def theirs(spec, job):
        return [sys.executable, "-c", TF_SERVER, spec, job]

    clusters = []
    try:
        clusters.append(Cluster("tf-on-sluice", ours, options.cores))
        clusters.append(Cluster("tf-servers", theirs, options.cores))
        for size in options.sizes:
            pair = [Transfers(tf, cluster, size) for cluster in clusters]
            for turn in range(options.rounds):
                for transfers in pair[:: -1 if turn % 2 else 1]:
                    transfers.measure(options.seconds)
            for transfers in pair:
                transfers.session.close()
                for line in transfers.lines():
                    print(line, flush=True)
    finally:
        for cluster in clusters:
            cluster.close()


if __name__ == "__main__":
    main()
