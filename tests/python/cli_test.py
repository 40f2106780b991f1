"""The command `sluice`: its options and what it makes of answers."""

import contextlib
import io
import json
import os

import harness
from sluice.cli import doctor, figures, main, tasks

PS, WORKER = "/job:ps/replica:0/task:0", "/job:worker/replica:0/task:10"


def said(*arguments):
    """Status and all that was printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            status = main(arguments)
        except SystemExit as end:
            status = end.code
    return status, out.getvalue()


def check_sizes():
    assert [figures.parse_bytes(t) for t in ("1", "4k", "64 MB", "2G")] == [
        1,
        4096,
        64 << 20,
        2 << 30,
    ]
    for text in ("", "0", "-1", "1T", "x"):
        harness.raises(ValueError, lambda text=text: figures.parse_bytes(text), "no size")
    assert figures.bytes_text(64 << 20) == "64 MB" and figures.bytes_text(1000) == "1000 B"


def check_figures():
    assert figures.seconds_text(12.34e-6) == "12.3 us" and figures.seconds_text(0.5) == "500.00 ms"
    assert figures.rate_text(2.5e9) == "2.50 GB/s" and figures.rate_text(3e5) == "0.3 MB/s"
    assert figures.median([3, 1, 2]) == 2 and figures.median([4, 1, 2, 3]) == 2.5
    assert list(figures.columns([("a", "b"), ("long", "1")], right=(1,))) == ["a     b", "long  1"]


def check_a_cluster_is_json_or_a_file():
    found = tasks.of_spec('{"ps": ["h:1"], "worker": {"10": "h:2"}}')
    assert found == {PS: "h:1", WORKER: "h:2"}
    harness.raises(ValueError, lambda: tasks.of_spec("nowhere.json"), "neither")
    harness.raises(ValueError, lambda: tasks.of_spec("{"), "no cluster")


def check_tasks_in_order():
    names = [f"/job:w/replica:0/task:{i}" for i in (10, 2)]
    assert tasks.in_order(names + [PS]) == [PS, names[1], names[0]]


def check_pairs_of_answers():
    far, wall = tasks.PassedOver("shm", "far"), tasks.PassedOver("any", "wall")
    known = {
        PS: tasks.Task(PS, "h:1", choices={WORKER: tasks.Choice("h:2", "tcp", [far])}),
        WORKER: tasks.Task(WORKER, "h:2", choices={PS: tasks.Choice("h:1", "", [wall])}),
    }
    there, back = doctor.examine(known)
    assert (there.road, there.passed_over, there.error) == ("tcp", [far], "")
    assert back.road == "" and "wall" in back.error
    known[WORKER].choices.clear()
    assert "does not know /job:ps/task:0" in doctor.examine(known)[1].error
    known[PS].error = "is away"
    assert all(pair.error == "/job:ps/task:0 at h:1: is away" for pair in doctor.examine(known))


def check_options_that_make_no_sense():
    os.environ.pop("TF_CONFIG", None)
    for arguments, text in (
        ((), "ROOM"),
        (("doctor",), "which cluster?"),
        (("doctor", "h:1", "--cluster", "{}"), "not both"),
        (("doctor", "--bytes", "none"), "--bytes"),
    ):
        status, words = said(*arguments)
        assert status == 2 and text in words, words


def check_nobody_is_there():
    status, words = said("doctor", "--cluster", '{"ps": ["127.0.0.1:1"]}', "--json")
    answer = json.loads(words)
    assert status == 1 and answer["tasks"][0]["error"] and answer["pairs"] == []


harness.run(globals())
