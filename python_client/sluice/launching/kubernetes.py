# SPDX-License-Identifier: Apache-2.0
"""Jobs for Kubernetes: an indexed Job, whose pods find each other by a headless Service."""

import json
import re
import secrets

_FILES = {
    "SLUICE_TLS_CA": "ca.pem", "SLUICE_TLS_CERT": "cert.pem", "SLUICE_TLS_KEY": "key.pem",
    "SLUICE_TOKEN_FILE": "token",
}  # fmt: skip
_FOLDER = "/etc/sluice"
_NAME = re.compile("[a-z]([-a-z0-9]{0,48}[a-z0-9])?")


def manifest(job):
    """The YAML text for kubectl, a str."""
    return "---\n".join(yaml(thing) for thing in objects(job))


def objects(job):
    """The objects of a job: a Secret, a Service and a Job, a list of dicts.

    Raises:
      ValueError: the name cannot be that of a host, or nothing says how servers are protected.
    """
    given = job.options
    if not _NAME.fullmatch(given.name):
        raise ValueError(f'--name: "{given.name}" must be small letters, digits and "-"')
    if not given.insecure and not given.tls_secret:
        raise ValueError("give --tls_secret NAME, or --insecure for a network that you trust")

    def named(kind, version, **content):
        metadata = {"name": given.name, "labels": {"app": given.name}}
        if given.namespace:
            metadata["namespace"] = given.namespace
        return {"apiVersion": version, "kind": kind, "metadata": metadata, **content}

    token = {"rendezvous": secrets.token_hex(16)}
    ports = [{"name": "task", "port": given.port}, {"name": "chief", "port": given.port + 1}]
    service = {
        "clusterIP": "None", "selector": {"app": given.name}, "ports": ports,
        # Tasks wait for each other before they are ready.
        "publishNotReadyAddresses": True,
    }  # fmt: skip
    template = {"metadata": {"labels": {"app": given.name}}, "spec": _pod(job)}
    work = {
        "completions": job.size, "parallelism": job.size, "completionMode": "Indexed",
        "backoffLimit": given.restarts, "template": template,
    }  # fmt: skip
    return [
        named("Secret", "v1", stringData=token),
        named("Service", "v1", spec=service),
        named("Job", "batch/v1", spec=work),
    ]


def _pod(job):
    given = job.options
    secret = {"secretKeyRef": {"name": given.name, "key": "rendezvous"}}
    environment = [{"name": "SLUICE_RENDEZVOUS_TOKEN", "valueFrom": secret}]
    settings = {"PYTHONUNBUFFERED": "1"}
    if given.insecure:
        settings["SLUICE_INSECURE"] = "1"
    if given.tls_secret:
        settings.update({name: f"{_FOLDER}/{file}" for name, file in _FILES.items()})
    if given.num_proc:
        settings["SLUICE_SIZE"] = str(job.size)
        settings["SLUICE_RENDEZVOUS"] = f"{given.name}-0.{given.name}:{given.port}"
        index = "metadata.annotations['batch.kubernetes.io/job-completion-index']"
        rank = {"fieldRef": {"fieldPath": index}}
        environment.append({"name": "SLUICE_RANK", "valueFrom": rank})
    environment += [{"name": name, "value": value} for name, value in settings.items()]
    container = {
        "name": "task", "image": given.image, "command": job.command, "env": environment,
        "ports": [{"containerPort": given.port}, {"containerPort": given.port + 1}],
    }  # fmt: skip
    limits = {"cpu": given.cpus, "memory": given.memory, "nvidia.com/gpu": given.gpus}
    limits = {name: str(value) for name, value in limits.items() if value}
    if limits:
        container["resources"] = {"limits": limits}
    pod = {"subdomain": given.name, "restartPolicy": "Never", "containers": [container]}
    if given.restarts:
        pod["restartPolicy"] = "OnFailure"
    if given.tls_secret:
        container["volumeMounts"] = [{"name": "tls", "mountPath": _FOLDER, "readOnly": True}]
        pod["volumes"] = [{"name": "tls", "secret": {"secretName": given.tls_secret}}]
    return pod


def yaml(value, indent=""):
    """The YAML text of dicts, lists, and values of JSON, which YAML includes."""
    lines = []
    pairs = value.items() if isinstance(value, dict) else ((None, one) for one in value)
    for key, one in pairs:
        head = f"{indent}{key}:" if key is not None else f"{indent}-"
        if not isinstance(one, (dict, list)):
            lines.append(f"{head} {json.dumps(one)}\n")
        elif key is not None:
            lines.append(f"{head}\n{yaml(one, indent + '  ')}")
        else:
            lines.append(f"{head} {yaml(one, indent + '  ').lstrip()}")
    return "".join(lines)
