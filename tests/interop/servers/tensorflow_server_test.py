# SPDX-License-Identifier: Apache-2.0
"""TensorFlow's Server class and sessions without a target, after sluice.tensorflow.install()."""

import os
import signal
import subprocess
import sys
import tempfile
import threading

import pytest
import tensorflow as tf

from interop.tools.cluster import BUILD, Checks, gone

if __name__ == "__main__":  # other tests, of the same process, need TensorFlow as it is
    os.environ["PYTHONPATH"] = os.path.join(os.path.abspath(BUILD), "python")  # of children
    sys.path.insert(0, os.environ["PYTHONPATH"])
    import sluice.tensorflow

    sluice.tensorflow.install()  # after the import of TensorFlow
tf = tf.compat.v1
if __name__ == "__main__":
    tf.disable_eager_execution()
pytestmark = pytest.mark.waits


def servers():
    """The processes of sluice-server that this one started."""
    out = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())], stdout=subprocess.PIPE
    ).stdout.decode()
    return {int(line.split()[0]): line for line in out.splitlines() if "sluice-server" in line}


def run_on(target):
    with tf.Graph().as_default(), tf.Session(target) as session:
        return session.run(tf.constant(20) + 1), [d.name for d in session.list_devices()]


def check_constructors(checks):
    spec = tf.train.ClusterSpec({"ps": ["localhost:0"], "worker": ["localhost:0", "localhost:0"]})
    definition = tf.train.ServerDef(cluster=spec.as_cluster_def(), job_name="ps", protocol="grpc")
    for name, arguments in {
        "dict": ({"a": ["localhost:0"]},),
        "sparse dict": ({"a": {3: "localhost:0"}},),
        "ClusterSpec": (spec, "worker", 1),
        "ClusterDef": (spec.as_cluster_def(), "worker", 0),
        "ServerDef": (definition,),
        "other task of a ServerDef": (definition, "worker", 1),
    }.items():
        server = tf.train.Server(*arguments)
        made = server.server_def
        device = "/job:%s/replica:0/task:%d/device:CPU:0" % (made.job_name, made.task_index)
        # The others of the cluster are nowhere: only a session of this task can be made.
        config = tf.ConfigProto(device_filters=["/job:none"])
        with tf.Session(server.target, config=config) as session:
            checks.check(name, device in [d.name for d in session.list_devices()], device)
        server.stop()
    later = tf.train.Server({"a": ["localhost:0"]}, start=False)
    checks.check("target before start()", later.target.startswith("grpc://localhost:"))
    later.start()
    checks.check("start()", run_on(later.target)[0] == 21)
    later.stop()
    later.join()
    checks.check("join() returns after stop()", True)


def check_config(checks):
    config = tf.ConfigProto(
        device_count={"CPU": 3}, inter_op_parallelism_threads=2, intra_op_parallelism_threads=-1
    )
    before = set(servers())
    server = tf.train.Server.create_local_server(config)
    (line,) = (line for pid, line in servers().items() if pid not in before)
    wanted = ("--cpu_devices=3", "--inter_op_threads=2", "--intra_op_threads=1")
    checks.check("config", all(option in line for option in wanted), line)
    checks.check("devices", len(run_on(server.target)[1]) == 3)
    server.stop()
    config = tf.ConfigProto(
        gpu_options=tf.GPUOptions(
            visible_device_list="0", per_process_gpu_memory_fraction=0.5, allow_growth=True
        ),
        device_count={"GPU": 0},
    )
    server = tf.train.Server.create_local_server(config)
    (line,) = (line for pid, line in servers().items() if pid not in before)
    wanted = ("--gpus=0", "--gpu_memory_fraction=0.5", "--gpu_allow_growth", "--max_gpus=0")
    checks.check("gpu_options", all(option in line for option in wanted), line)
    server.stop()


def check_errors(checks):
    def refusal(*arguments, **named):
        try:
            tf.train.Server(*arguments, **named).stop()
        except (tf.errors.OpError, ValueError, TypeError) as error:
            return error
        return None

    taken = tf.train.Server({"a": ["localhost:0"]})
    port = int(taken.target.rpartition(":")[2])
    for name, error, kind, text in [
        ("a port in use", refusal({"a": ["localhost:%d" % port]}), tf.errors.UnknownError,
         str(port)),
        ("no such job", refusal({"a": ["localhost:0"]}, "b", 0), tf.errors.InternalError, '"b"'),
        ("no such task", refusal({"a": ["localhost:0"]}, "a", 7), tf.errors.InvalidArgumentError,
         "task 7"),
        ("a bad address", refusal({"a": ["localhost"]}), tf.errors.InvalidArgumentError,
         "host:port"),
        ("another protocol", refusal({"a": ["localhost:0"]}, protocol="grpc+verbs"),
         tf.errors.NotFoundError, "grpc+verbs"),
        ("an address for other machines", refusal({"a": ["192.0.2.1:2222"]}),
         tf.errors.InvalidArgumentError, "--insecure"),
        ("no task chosen", refusal({"a": ["localhost:0"], "b": ["localhost:0"]}), ValueError,
         "job_name"),
        ("no cluster", refusal(7), TypeError, "Could not convert"),
    ]:  # fmt: skip
        checks.check(name, isinstance(error, kind) and text in str(error), repr(error))
    taken.stop()
    os.environ["SLUICE_SERVER"] = "/nowhere/sluice-server"
    error = refusal({"a": ["localhost:0"]})
    checks.check("no program", isinstance(error, tf.errors.NotFoundError)
                 and "/nowhere" in str(error), repr(error))  # fmt: skip
    del os.environ["SLUICE_SERVER"]


def check_ends(checks):
    before = set(servers())
    server = tf.train.Server.create_local_server()
    (pid,) = set(servers()) - before
    child = os.fork()
    if child == 0:
        # A data loader that ends as a Python program does, with its handlers of exit.
        sys.exit(0)
    os.waitpid(child, 0)
    checks.check("a forked process ends alone", run_on(server.target)[0] == 21)
    joined = []

    def join():
        try:
            server.join()
        except tf.errors.AbortedError as error:
            joined.append(str(error))

    thread = threading.Thread(target=join)
    thread.start()
    os.kill(pid, signal.SIGKILL)
    thread.join(10)
    checks.check("a killed server ends join()", joined and "status -9" in joined[0], joined)
    server.stop()


def check_starts_and_stops(checks):
    def descriptors():
        return len(os.listdir("/proc/self/fd"))

    tf.train.Server.create_local_server().stop()
    before = descriptors(), set(servers())
    for _ in range(100):
        tf.train.Server.create_local_server().stop()
    after = descriptors(), set(servers())
    checks.check("100 starts and stops leave nothing", before == after, (before, after))


def check_local_sessions(checks):
    before = set(servers())
    with tf.Graph().as_default():
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
        add = tf.assign_add(v, 1.0)
        first, second = tf.Session(), tf.Session()
        for session in (first, second):
            session.run(v.initializer)
        first.run(add)
        values = first.run(v), second.run(v)
    checks.check("each session has variables of its own", values == (1.0, 0.0), values)
    checks.check("they share a server", len(set(servers()) - before) <= 1)
    checks.check("the target", first.sess_str.startswith(b"grpc://localhost:"), first.sess_str)
    names = [d.name for d in first.list_devices()]
    checks.check("devices", names == ["/job:localhost/replica:0/task:0/device:CPU:0"], names)
    for name, call in {
        "a wrong config": lambda: tf.Session(config=5),
        "a wrong target": lambda: tf.Session(5),
        "a wrong graph": lambda: tf.Session(graph=5),
    }.items():
        try:
            call()
            checks.check(name, False)
        except TypeError:
            checks.check(name, True)
    first.close()
    second.close()


PROGRAM = """
import os, sys, time
import tensorflow.compat.v1 as tf
tf.disable_eager_execution()
server = tf.train.Server.create_local_server()
with tf.Session(server.target) as session:
    first = session.run(tf.constant(1))
    try:  # a signal may come as soon as the line can be read
        print("ready", os.getpid(), first, __name__, sys.argv[1:], flush=True)
        {last}
    except KeyboardInterrupt:
        print("interrupted", session.run(tf.constant(2)), flush=True)
        sys.exit(5)
"""


class Launched:
    """A program under `python -m sluice.tensorflow`, and the servers that it started."""

    def __init__(self, last, options=(), arguments=(), as_module=False, env=()):
        self.folder = tempfile.mkdtemp()
        with open(os.path.join(self.folder, "program.py"), "w") as out:
            out.write(PROGRAM.format(last=last))
        command = [sys.executable, "-m", "sluice.tensorflow", *options]
        command += ["-m", "program"] if as_module else [os.path.join(self.folder, "program.py")]
        env = dict(os.environ, PYTHONPATH=os.path.join(os.path.abspath(BUILD), "python"),
                   **dict(env))  # fmt: skip
        self.process = subprocess.Popen(
            command + list(arguments), cwd=self.folder, env=env, stdout=subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
        self.line = self.process.stdout.readline().decode().strip()
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)], stdout=subprocess.PIPE
        )
        self.servers = [int(pid) for pid in listed.stdout.split()]

    def end(self):
        rest = self.process.communicate(timeout=60)[0].decode().strip()
        return self.process.returncode, rest


def check_programs(checks):
    program = Launched("time.sleep(60)", arguments=["a", "--b=c"])
    checks.check("the program's own name and arguments",
                 program.line.endswith("1 __main__ ['a', '--b=c']"), program.line)  # fmt: skip
    checks.check("one server", len(program.servers) == 1, program.servers)
    program.process.kill()
    checks.check("a killed program takes its server with it", gone(program.servers))
    program.end()

    # As a terminal sends it: to the whole group.
    program = Launched("time.sleep(60)")
    os.killpg(program.process.pid, signal.SIGINT)
    status, rest = program.end()
    checks.check("Ctrl-C reaches the program, its server still serves",
                 (status, rest) == (5, "interrupted 2"), (status, rest))  # fmt: skip
    checks.check("and then ends", gone(program.servers))

    # As a ps waits.
    program = Launched("server.join()")
    program.process.terminate()
    checks.check("SIGTERM ends a program in join()", program.end()[0] == -signal.SIGTERM)
    checks.check("and its server", gone(program.servers))

    program = Launched("os._exit(3)", as_module=True, options=["--transport=tcp"],
                       env={"http_proxy": "http://127.0.0.1:9", "no_proxy": ""})  # fmt: skip
    checks.check("as a module, behind a proxy", program.line.startswith("ready"), program.line)
    checks.check("exit status", program.end()[0] == 3)
    checks.check("the server ends", gone(program.servers))


def check_usage(checks):
    def run(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", "sluice.tensorflow", *arguments],
            capture_output=True,
        )  # fmt: skip
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    status, out, _ = run("--help")
    checks.check("--help", status == 0 and out.startswith("usage:"), out)
    for arguments in ((), ("--insecure",), ("-m",), ("-x",)):
        status, _, error = run(*arguments)
        checks.check("usage: " + " ".join(arguments), status == 2 and "usage:" in error, error)
    status, _, error = run("/nowhere/program.py")
    checks.check("no such program", status == 2 and "/nowhere/program.py" in error, error)


def main():
    checks = Checks()
    for check in (check_usage, check_constructors, check_config, check_errors, check_ends,
                  check_starts_and_stops, check_local_sessions, check_programs):  # fmt: skip
        check(checks)
    checks.finish()


if __name__ == "__main__":
    main()
