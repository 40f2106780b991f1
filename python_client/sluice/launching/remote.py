# SPDX-License-Identifier: Apache-2.0
"""Processes on other hosts, by ssh."""

import json
import os
import shlex

_AGENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "remote_agent.py")
_READS_JOB = "import json, sys; job = json.loads(sys.stdin.buffer.readline()); exec(job['agent'])"
# What of the launcher's environment a process of another host gets, by the beginning of its name.
_PASSED = ("SLUICE_", "TF_", "PYTHON")


def remote_command(host, shell):
    """The command that starts the agent on a host, a list of str.

    Args:
      host: name of the host.
      shell: the program that reaches it with its options, such as "ssh -p 2200".
    """
    return [*shlex.split(shell), host, "python3 -c " + shlex.quote(_READS_JOB)]


def remote_job(command, environment):
    """What the agent reads from its standard input, bytes. Secrets stand in no command line.

    Args:
      command: a list of str.
      environment: a dict, of which only some variables are sent.
    """
    with open(_AGENT, encoding="utf-8") as file:
        agent = file.read()
    sent = {key: value for key, value in environment.items() if key.startswith(_PASSED)}
    job = {"agent": agent, "command": command, "environment": sent, "folder": os.getcwd()}
    return json.dumps(job).encode() + b"\n"
