# SPDX-License-Identifier: Apache-2.0
"""Wrong rules on purpose: does the random-program generator find them?

    mutants.py [NAME...]       each rule of the executor broken in a copy, built, and looked for

A copy of one source with one rule changed is compiled with the build's own command and linked
before the libraries, so that it takes the place of the right one. Nothing in the tree changes. The
generator then runs its seeds on a cluster of that server until one fails.
"""

import json
import os
import shlex
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
BUILD = os.path.realpath(os.environ.get("SLUICE_BUILD", os.path.join(ROOT, "build")))
EXECUTOR = "worker_service/executor.cc"
PROPAGATION = "worker_service/propagation.cc"
PROPAGATION_HEADER = "worker_service/propagation.h"
NODE_SLOTS_HEADER = "worker_service/node_slots.h"
INCLUDERS = (EXECUTOR, PROPAGATION)  # sources that are compiled again when a header changes
SEEDS = 120  # within so many programs every one of these must be found

# name: (source, what the rule says, what the mutant says)
MUTANTS = {
    "dead exits are lost": (
        PROPAGATION_HEADER,
        "if (where.iteration == frame.newest) frame.dead_exits.push_back(node);",
        "if (where.iteration > frame.newest) frame.dead_exits.push_back(node);",
    ),
    "an exit is dead in any iteration": (
        PROPAGATION,
        "  frame.dead_exits.clear();\n  for",
        "  for",
    ),
    "a merge waits for its second input": (
        PROPAGATION_HEADER,
        "if ((FetchOr<kShared>(word, kMergeClaimed) & kMergeClaimed) != 0) return;",
        "if ((FetchOr<kShared>(word, kMergeClaimed) & kMergeClaimed) == 0 && loops_ &&\n"
        "          source.kind != NodeKind::kEnter && source.kind != NodeKind::kNextIteration)\n"
        "        return;",
    ),
    "a constant enters the first iteration only": (
        PROPAGATION,
        "child->constants.push_back({ready.node, dead, outputs[0]});",
        "",
    ),
    "the other output of a switch lives": (
        NODE_SLOTS_HEADER,
        "outputs[pred.scalar<bool>() ? 1 : 0]",
        "outputs[pred.scalar<bool>() ? 0 : 1]",
    ),
    "deadness goes round the loop": (
        PROPAGATION,
        "if (dead) return;  // deadness ends here, or a loop would never",
        "if (dead && ready.where->iteration > 2) return;",
    ),
    "deferred iterations are forgotten": (
        PROPAGATION,
        "frame.deferred.push_back({ready.node, false, std::move(outputs[0])});",
        "",
    ),
    "a strand uses up what it reads again": (
        EXECUTOR,
        "if (take.last)",
        "if (take.last || take.source != StrandTake::kFromBefore)",
    ),
    "a strand lives when its first is dead": (
        EXECUTOR,
        "propagation_.Activate(last, *ready.where, outputs, dead, thread.ready);",
        "propagation_.Activate(last, *ready.where, outputs, dead && !ready.dead, thread.ready);",
    ),
    "frames of one name share an id": (
        PROPAGATION,
        "FrameId(parent.frame->id, parent.iteration, info.name_hash)",
        "FrameId(parent.frame->id, 0, info.name_hash)",
    ),
}


def run(command, folder):
    done = subprocess.run(
        command, shell=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        raise RuntimeError(f"{command}\n{done.stdout.decode()[-2000:]}")
    return done.stdout.decode()


def compile_as(source, copy, output, headers):
    """Compiles `copy` with the command of `source`; headers in the folder `headers` come first."""
    with open(os.path.join(BUILD, "compile_commands.json")) as commands:
        entry = next(e for e in json.load(commands) if e["file"] == os.path.join(ROOT, source))
    words = shlex.split(entry["command"])
    words[words.index("-o") + 1] = output
    words[words.index("-c") + 1] = copy
    words.insert(next(i for i, word in enumerate(words) if word[0] == "-"), "-I" + headers)
    run(" ".join(map(shlex.quote, words)), BUILD)


def link_with(objects, output):
    """The server, with these objects in the place of the libraries' own."""
    command = run("ninja -t commands sluice-server", BUILD).strip().split("\n")[-1]
    main = "server/CMakeFiles/sluice-server.dir/main.cc.o"
    command = command.replace(main, " ".join([main] + objects))
    run(command.replace("-o sluice-server", "-o " + output), BUILD)


def build_mutant(name):
    """The folder with the server that breaks this rule."""
    source, rule, wrong = MUTANTS[name]
    folder = os.path.join(BUILD, "mutants", name.replace(" ", "_"))
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(ROOT, source)) as original:
        text = original.read()
    if text.count(rule) != 1:
        raise RuntimeError(f"{name}: the rule is not in {source} as it was: adapt MUTANTS")
    copy = os.path.join(folder, source)
    os.makedirs(os.path.dirname(copy), exist_ok=True)
    with open(copy, "w") as changed:
        changed.write(text.replace(rule, wrong))
    objects = []
    for unit in INCLUDERS if source.endswith(".h") else [source]:
        objects.append(os.path.join(folder, unit) + ".o")
        path = os.path.join(ROOT, unit) if unit != source else copy
        compile_as(unit, path, objects[-1], folder)
    link_with(objects, os.path.join(folder, "sluice-server"))
    return folder


def found(folder):
    """The first seed that fails on the server in `folder`, in words; empty: none does."""
    command = [sys.executable, "-m", "interop.tools.random_programs", "--count", str(SEEDS)]
    command += ["--stop", "--step-seconds", "10"]
    environment = dict(os.environ, SLUICE_BUILD=folder, PYTHONPATH=os.path.join(ROOT, "tests"))
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=600
    )
    lines = done.stdout.decode().split("\n")
    return next((line for line in lines if line.startswith("FAILED")), "")


def main():
    missed = 0
    chosen = sys.argv[1:] or list(MUTANTS)
    for name in chosen:
        line = found(build_mutant(name))
        missed += not line
        print("{}: {}".format(name, line[:160] or "NOT FOUND in %d programs" % SEEDS), flush=True)
    print("%d passed, %d failed" % (len(chosen) - missed, missed))
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
