#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Starts Slurm with this machine as its only node, for tests/launchers/jobs_test.py, or ends it. It takes Debian's
# packages slurmctld, slurmd, slurm-client and munge, and root.
#   one_node_slurm.sh start FOLDER    FOLDER/slurm.conf is the value for SLURM_CONF
#   one_node_slurm.sh stop FOLDER
set -euo pipefail
(($# == 2)) || { echo "usage: $0 start|stop FOLDER" >&2; exit 2; }
folder=$2 host=$(hostname -s)

end() {  # by the number in a file
  [[ -s $1 ]] && kill "$(cat "$1")" 2>/dev/null || true
}

if [[ $1 == stop ]]; then
  end "$folder/slurmd.pid"
  end "$folder/slurmctld.pid"
  exit
fi
mkdir -p "$folder/state" "$folder/spool" /run/munge
chown munge /run/munge
cat > "$folder/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthType=auth/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=16 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
CONF
munge -n 2>/dev/null | unmunge >/dev/null 2>&1 || su munge -s /bin/sh -c /usr/sbin/munged
slurmctld -f "$folder/slurm.conf"
slurmd -f "$folder/slurm.conf" -N "$host"
for _ in {1..60}; do
  SLURM_CONF=$folder/slurm.conf sinfo -h 2>/dev/null | grep -q idle && exit
  sleep 0.5
done
echo "the node is not idle after 30 s" >&2
exit 1
