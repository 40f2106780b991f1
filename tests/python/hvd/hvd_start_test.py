# SPDX-License-Identifier: Apache-2.0
"""How ranks find out who they are, and find each other."""

import json
import os
import socket
import subprocess
import sys
import threading

import pytest
from harness import raises
from sluice.horovod import ranks, task
from sluice.horovod.rendezvous import Rendezvous, RendezvousError, RendezvousServer

TOKEN = b"secret of the job"


def join(server, rank, size=2, token=TOKEN, seconds=20.0):
    return Rendezvous("127.0.0.1", server.port, token, rank, size, f"host:{rank}", "host", seconds)


def at_once(*functions):
    """Calls functions in threads; their results, or the errors that they raised."""
    results = [None] * len(functions)

    def call(index):
        try:
            results[index] = functions[index]()
        except Exception as error:
            results[index] = error

    threads = [threading.Thread(target=call, args=(i,)) for i in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_all_ranks_get_all_addresses():
    server = RendezvousServer(3, TOKEN)
    found = at_once(*[lambda r=r: join(server, r, 3) for r in (2, 0, 1)])
    assert all(f.members == [["host:0", "host"], ["host:1", "host"], ["host:2", "host"]]
               for f in found)  # fmt: skip
    at_once(*[lambda f=f: f.leave(20.0) for f in found])
    again = at_once(*[lambda r=r: join(server, r, 3) for r in range(3)])
    assert all(f.members == found[0].members for f in again)
    server.close()


def test_a_task_without_a_server_can_stop():
    task._task.append(task._Task(task.Numbers(0, 1, 0, 1, 0, 1), None, "", None))
    task.stop(ends=True)
    assert not task.is_started()


def test_a_rank_can_ask_which_others_have_ended():
    server = RendezvousServer(3, TOKEN)
    found = at_once(*[lambda r=r: join(server, r, 3) for r in range(3)])
    assert found[0].ended() == []
    found[1].close()  # it is gone without a word
    leaving = threading.Thread(target=found[2].leave, args=(20.0,))
    leaving.start()
    while found[0].ended() != [1, 2]:
        pass
    found[0].leave(20.0)
    leaving.join()
    server.close()
    assert found[0].ended() == []


def test_a_missing_rank_is_named():
    server = RendezvousServer(4, TOKEN, seconds=0.2)
    errors = at_once(lambda: join(server, 0, 4), lambda: join(server, 2, 4))
    for error in errors:
        assert isinstance(error, RendezvousError)
        assert "ranks 1 and 3 of 4 did not come within 0.2 s" in str(error)
    assert server.missing() == [1, 3]


def test_peers_without_the_token_are_refused_and_others_still_meet():
    server = RendezvousServer(2, TOKEN)
    raises(RendezvousError, lambda: join(server, 0, token=b"guess"), "wrong token")
    with socket.create_connection(("127.0.0.1", server.port)) as stranger:
        stranger.sendall(b"GET / HTTP/1.0\r\n\r\n")
        lines = stranger.makefile().readlines()
    assert "wrong token" in json.loads(lines[-1])["error"]
    found = at_once(lambda: join(server, 0), lambda: join(server, 1))
    assert [len(f.members) for f in found] == [2, 2]


def test_a_rank_that_comes_twice_and_another_size_are_refused():
    server = RendezvousServer(2, TOKEN)
    first = threading.Thread(target=lambda: join(server, 0))
    first.start()
    while 0 in server.missing():
        pass
    raises(RendezvousError, lambda: join(server, 0), "rank 0 is here already, at host:0")
    raises(RendezvousError, lambda: join(server, 1, 3), "2 ranks", "rank 1 of 3")
    join(server, 1)
    first.join()


def test_a_server_that_does_not_know_the_token_is_refused():
    listener = socket.create_server(("127.0.0.1", 0))

    def pretend():
        connection, _ = listener.accept()
        connection.sendall(b'{"sluice": 1, "nonce": "00"}\n')
        connection.makefile().readline()
        connection.sendall(b'{"members": [["evil:1", "evil"]], "mac": "00"}\n')

    thread = threading.Thread(target=pretend)
    thread.start()
    port = listener.getsockname()[1]
    raises(RendezvousError, lambda: Rendezvous("127.0.0.1", port, TOKEN, 1, 2, "a:1", "a", 5.0),
           "wrong token")  # fmt: skip
    thread.join()


def test_no_rendezvous_is_an_error_that_names_its_address():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    raises(RendezvousError, lambda: Rendezvous("127.0.0.1", port, TOKEN, 1, 2, "a:1", "a", 0.1),
           "rank 1 of 2: rank 0 does not serve", f"127.0.0.1:{port}")  # fmt: skip


@pytest.mark.parametrize(
    "environment, expected",
    [
        ({}, (0, 1, 0, 1, "")),
        ({"SLUICE_RANK": "1", "SLUICE_SIZE": "4"}, (1, 4, None, None, "sluice run")),
        ({"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4",
          "OMPI_COMM_WORLD_LOCAL_RANK": "1", "OMPI_COMM_WORLD_LOCAL_SIZE": "2"},
         (3, 4, 1, 2, "mpirun")),
        ({"PMI_RANK": "0", "PMI_SIZE": "2", "MPI_LOCALRANKID": "0", "MPI_LOCALNRANKS": "2"},
         (0, 2, 0, 2, "mpiexec")),
        ({"SLURM_PROCID": "5", "SLURM_STEP_NUM_TASKS": "7", "SLURM_LOCALID": "0",
          "SLURM_NODEID": "2", "SLURM_STEP_TASKS_PER_NODE": "2(x2),3"}, (5, 7, 0, 3, "srun")),
        ({"SLURM_PROCID": "0", "SLURM_NTASKS": "7"}, (0, 1, 0, 1, "")),
    ],
)  # fmt: skip
def test_places(environment, expected):
    assert tuple(ranks.place(environment)) == expected


def test_wrong_places():
    one = {"SLUICE_RANK": "4", "SLUICE_SIZE": "4"}
    raises(ValueError, lambda: ranks.place(one), "SLUICE_RANK is 4", "from 0 to 3")
    raises(ValueError, lambda: ranks.place({"SLUICE_RANK": "1"}), "SLUICE_SIZE")
    raises(ValueError, lambda: ranks.place({"PMI_RANK": "x", "PMI_SIZE": "2"}), "PMI_RANK")


def test_meetings():
    local, remote = ranks.Place(1, 2, 1, 2, "mpirun"), ranks.Place(1, 4, 1, 2, "mpirun")
    jobs = [{"PMIX_NAMESPACE": name} for name in ("job1", "job1", "job2")]
    found = [ranks.meeting(local, job) for job in jobs]
    assert found[0] == found[1] and found[0] != found[2]
    assert found[0][0] == "localhost" and 20000 <= found[0][1] < 30000 and not found[0][3]
    raises(ValueError, lambda: ranks.meeting(remote, jobs[0]), "rank 1 of 4", "SLUICE_RENDEZVOUS")
    given = {"SLUICE_RENDEZVOUS": "node1:2000", "SLUICE_RENDEZVOUS_TOKEN": "t"}
    assert ranks.meeting(remote, given) == ("node1", 2000, b"t", False)
    del given["SLUICE_RENDEZVOUS_TOKEN"]
    raises(ValueError, lambda: ranks.meeting(remote, given), "SLUICE_RENDEZVOUS_TOKEN")
    assert ranks.meeting(remote, dict(given, SLUICE_INSECURE="1"))[0] == "node1"
    raises(ValueError, lambda: ranks.meeting(remote, {"SLUICE_RENDEZVOUS": "x"}), "HOST:PORT")
    slurm = {"SLURM_STEP_NODELIST": "gpu[03-07,9],login", "SLURM_JOB_ID": "1",
             "SLUICE_RENDEZVOUS_TOKEN": "t"}  # fmt: skip
    assert ranks.meeting(remote._replace(source="srun"), slurm)[0] == "gpu03"
    assert [ranks.first_host(t) for t in ("a,b", "n[1,3]", "a-1")] == ["a", "n1", "a-1"]


def test_numbers_follow_from_the_hosts():
    hosts = ["a", "a", "b", "b", "a"]
    places = [ranks.Place(r, 5, None, None, "") for r in range(5)]
    assert [tuple(task.numbers_of(p, hosts)) for p in places] == [
        (0, 5, 0, 3, 0, 2, False), (1, 5, 1, 3, 0, 2, False), (2, 5, 0, 2, 1, 2, False),
        (3, 5, 1, 2, 1, 2, False), (4, 5, 2, 3, 0, 1, False),
    ]  # fmt: skip


PROGRAM = """
import sluice.hvd as hvd
hvd.init()
import sluice as sl
with sl.Session(hvd.target(), config=hvd.config()) as session:
    devices = [device.name for device in session.list_devices()]
print(hvd.rank(), hvd.size(), hvd.local_rank(), hvd.local_size(), hvd.cross_size(), *devices)
hvd.shutdown()
assert not hvd.is_initialized()
hvd.init()
assert hvd.size() == 2
"""


@pytest.mark.parametrize("launcher", ["mpirun", "given", "srun"])
def test_ranks_of_other_launchers_meet_at_rank_0(launcher):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    variables = {
        "mpirun": ("OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_LOCAL_RANK"
                   " OMPI_COMM_WORLD_LOCAL_SIZE").split(),
        "given": ["SLUICE_RANK", "SLUICE_SIZE"],
        "srun": ["SLURM_PROCID", "SLURM_STEP_NUM_TASKS"],
    }[launcher]  # fmt: skip
    more = {
        "mpirun": {"PMIX_NAMESPACE": f"job of {os.getpid()}"},
        "given": {"SLUICE_RENDEZVOUS": f"localhost:{port}"},
        "srun": {"SLURM_STEP_TASKS_PER_NODE": "2", "SLURM_NODEID": "0",
                 "SLURM_JOB_ID": str(os.getpid())},
    }[launcher]  # fmt: skip
    processes = [
        subprocess.Popen([sys.executable, "-c", PROGRAM], text=True, stdout=subprocess.PIPE,
                         env=dict(os.environ, **dict(zip(variables, (r, "2", r, "2"))), **more))
        for r in "01"
    ]  # fmt: skip
    for rank, process in enumerate(processes):
        said, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        device = f"/job:worker/replica:0/task:{rank}/device:CPU:0"
        assert said.split() == [str(rank), "2", str(rank), "2", "1", device]
