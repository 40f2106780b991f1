# SPDX-License-Identifier: Apache-2.0
"""Jobs for Open MPI's mpirun."""

import shlex

from .hosts import parse_hosts
from .job import EXPORT_TOKEN


def script(job):
    """The lines of a shell that start mpirun, a str."""
    given = job.options
    words = ["mpirun", "-np", str(job.size), "--tag-output", "--bind-to", "none"]
    exported = ["SLUICE_RENDEZVOUS_TOKEN", "PYTHONPATH", "PATH"]
    settings = EXPORT_TOKEN
    if given.insecure:
        settings += "export SLUICE_INSECURE=1\n"
        exported.append("SLUICE_INSECURE")
    if given.hosts:
        hosts = parse_hosts(given.hosts)
        words += ["--host", ",".join(f"{host.name}:{host.slots}" for host in hosts)]
        if len(hosts) > 1:
            settings += f"export SLUICE_RENDEZVOUS={hosts[0].name}:{given.port}\n"
            exported.append("SLUICE_RENDEZVOUS")
    else:
        words.append("--oversubscribe")
    for name in exported:
        words += ["-x", name]
    return settings + "exec " + shlex.join([*words, *job.command]) + "\n"
