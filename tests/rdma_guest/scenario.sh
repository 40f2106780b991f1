#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest of tools/rdma_guest.sh: a ps and two workers on the device rxe0. Each part prints whether it passed
# and how long it took. The exit status is the number of parts that failed.
#
# scenario.sh [PART...]   parts: functions below; default: all
# RDMA_TEST_STEPS         steps of training (default 12)
# RDMA_TEST_KILLS         processes killed (default 4)

PS=127.0.0.1:2222 WORKER0=127.0.0.1:2223 WORKER1=127.0.0.1:2224
CLUSTER="{\"ps\":[\"$PS\"],\"worker\":[\"$WORKER0\",\"$WORKER1\"]}"
TASKS="ps0 worker0 worker1"
STEPS=${RDMA_TEST_STEPS:-12}
TRAINING_LIMIT=240  # seconds
# The processor is emulated.
export SLUICE_CONNECT_TIMEOUT=120
failed=0 pid_ps0= pid_worker0= pid_worker1= pid_training=

now() { cut -d' ' -f1 /proc/uptime; }
whole_seconds() { cut -d. -f1 /proc/uptime; }

# fail WORDS: the part has failed.
fail() {
  echo "   FAILED: $*"
  part_failed=1
}

# expect FILE WORDS: FILE has these words.
expect() { grep -q -e "$2" "$1" || fail "no \"$2\" in: $(tail -n 3 "$1")"; }

# await WHAT SECONDS COMMAND...: the command succeeds within this time.
await() {
  local what=$1 limit=$2 begun
  begun=$(whole_seconds)
  shift 2
  until "$@"; do
    [ $(($(whole_seconds) - begun)) -lt "$limit" ] || { fail "waited $limit s for $what"; return 1; }
    usleep 100000
  done
}

# has FILE WORDS
has() { grep -q -e "$2" "$1" 2>/dev/null; }

# ended PID: the process has ended, even if nothing has waited for it yet.
ended() { [ ! -e "/proc/$1" ] || has "/proc/$1/status" "^State:.Z"; }

# begin_task JOB TASK [OPTION...]
begin_task() {
  local name=$1$2 job=$1 task=$2
  shift 2
  rm -f "/tmp/$name.out"  # await_task must not see the output of an earlier start
  sluice-server --cluster "$CLUSTER" --job "$job" --task "$task" --deterministic --intra_op_threads=1 \
    "$@" >"/tmp/$name.out" 2>>"/tmp/$name.log" &
  eval "pid_$name=$!"
}

await_task() { await "the start of $1" 120 has "/tmp/$1.out" listens; }

begin_cluster() {
  begin_task ps 0 "$@"
  begin_task worker 0 "$@"
  begin_task worker 1 "$@"
  await_task ps0 && await_task worker0 && await_task worker1
}

end_cluster() {
  local name pid
  for name in $TASKS; do
    eval "pid=\$pid_$name pid_$name="
    [ -n "$pid" ] || continue
    kill "$pid" 2>/dev/null
    kill -CONT "$pid" 2>/dev/null
    await "the end of $name after SIGTERM" 60 ended "$pid" || kill -9 "$pid"
    wait "$pid" 2>/dev/null
  done
}

# kill_task NAME
kill_task() {
  local pid
  eval "pid=\$pid_$1 pid_$1="
  kill -9 "$pid"
  wait "$pid" 2>/dev/null
}

# train STEPS FILE
train() { timeout -k 5 $TRAINING_LIMIT sluice-guest-client train $WORKER0 "$1" >"$2" 2>&1; }

# begin_training: without end, in the background, to /tmp/train; returns after two steps.
begin_training() {
  rm -f /tmp/train  # the wait below must not see the steps of an earlier training
  sluice-guest-client train $WORKER0 1000000 >/tmp/train 2>&1 &
  pid_training=$!
  await "the second step of training" $TRAINING_LIMIT has /tmp/train "^step 1:"
}

# await_failure CAUSE: the training fails.
await_failure() {
  await "the failure of training after $1" 120 ended "$pid_training" || { end_training; return 1; }
  wait "$pid_training" && fail "training ended without an error after $1"
  pid_training=
}

end_training() {
  [ -z "$pid_training" ] || { kill -9 "$pid_training"; wait "$pid_training"; } 2>/dev/null
  pid_training=
}

steps_done() { grep -c '^step' /tmp/train; }
more_steps_than() { [ "$(steps_done)" -gt "$1" ]; }

# show_tasks: what the tasks logged last, for a part that failed.
show_tasks() {
  local name
  for name in $TASKS; do
    eval "kill -0 \$pid_$name" 2>/dev/null && echo "   $name runs:" || echo "   $name has ended:"
    tail -n 6 "/tmp/$name.out" "/tmp/$name.log" | cut -c1-300
  done
  dmesg | grep -i -e "killed process" -e segfault -e "general protection" -e "trap " | tail -n 5
}

# ---- parts

# The tests of transport/ that need no minutes on an emulated processor.
conformance() {
  sluice_transport_test --gtest_brief=1 \
    --gtest_filter='*/rdma-*CarriesA*:*CarriesTensors*:*CarriesMany*:*AProducerFar*:*ShutsDown*:*ConsumedBytes*' ||
    fail "tests failed"
}

report() {
  sluice-server --rdma_report || fail "the report says that RDMA does not work"
  sluice-server --rdma_report --cluster '{"a":["10.8.0.1:2222"]}' --job a >/tmp/report
  expect /tmp/report "GID  *1, 10.8.0.1  (found: this task's address)"
  sluice-server --rdma_report --rdma_gid_index=77 >/tmp/report && fail "GID 77 is accepted"
  expect /tmp/report "has no GID 77"
  # Without CAP_IPC_LOCK, which root has.
  su -s /bin/sh nobody -c "ulimit -l 64; sluice-server --rdma_report" >/tmp/report 2>&1 &&
    fail "64 KB of pinned memory are accepted"
  expect /tmp/report "this process may pin 65536 bytes of memory, 16777216 are needed"
}

training() {
  local transport
  for transport in rdma tcp grpc; do
    begin_cluster --transport=$transport || return
    echo "   the cluster by $transport listens at $(now) s"
    train "$STEPS" /tmp/losses.$transport || {
      fail "over $transport: $(tail -n 3 /tmp/losses.$transport)"
      return
    }
    if [ $transport = rdma ]; then
      sluice-guest-client transports $PS $WORKER0 $WORKER1 >/tmp/matrix 2>&1
      cat /tmp/matrix
      [ "$(grep -c ': rdma$' /tmp/matrix)" = 6 ] || fail "not all pairs use rdma"
    fi
    end_cluster
    echo "   $transport: $(tail -n 1 /tmp/losses.$transport); at $(now) s"
  done
  for transport in rdma tcp grpc; do grep losses /tmp/losses.$transport >/tmp/$transport.steps; done
  [ "$(wc -l </tmp/grpc.steps)" = "$STEPS" ] || fail "gRPC made other steps"
  for transport in rdma tcp; do cmp /tmp/grpc.steps /tmp/$transport.steps || fail "losses over $transport differ"; done
  grep -h "RDMA of this process" /tmp/ps0.log /tmp/worker0.log /tmp/worker1.log
}

# Either side ends at a random moment of training.
kills() {
  local i victim job task begun
  begin_cluster --transport=rdma || return
  for i in $(seq 1 "${RDMA_TEST_KILLS:-4}"); do
    victim=worker1
    [ $((i % 2)) = 0 ] && victim=ps0
    job=${victim%?} task=${victim#"${victim%?}"}
    begin_training || return
    usleep $((($(od -An -N2 -tu2 /dev/urandom) % 1000) * 1000))
    begun=$(now)
    kill_task $victim
    await_failure "the end of $victim" || return
    echo "   $victim killed at step $(steps_done), $begun s, known by $(now) s: $(tail -n 1 /tmp/train | cut -c1-250)"
    expect /tmp/train "/job:$job/replica:0/task:$task"
    begin_task "$job" "$task" --transport=rdma
    await_task "$victim" || return
    train 2 /tmp/train || fail "after the restart of $victim: $(tail -n 1 /tmp/train)"
  done
}

# A process stands still for 30 s; its device goes on answering.
stops() {
  local begun
  begin_cluster --transport=rdma || return
  begin_training || return
  begun=$(whole_seconds)
  kill -STOP "$pid_worker1"
  await_failure "SIGSTOP of worker 1" || return
  echo "   worker 1 stopped at $begun s, known by $(now) s: $(tail -n 1 /tmp/train | cut -c1-250)"
  expect /tmp/train "/job:worker/replica:0/task:1"
  while [ $(($(whole_seconds) - begun)) -lt 30 ]; do usleep 500000; done
  kill -CONT "$pid_worker1"
  train 2 /tmp/train || fail "after SIGCONT: $(tail -n 1 /tmp/train)"
}

# uses ADDRESS TRANSPORT: the task at this address uses the transport to all others.
uses() {
  timeout -k 5 60 sluice-guest-client transports "$1" >/tmp/matrix 2>&1
  [ "$(grep -c ": $2\$" /tmp/matrix)" = 2 ]
}

port_is() { has /sys/class/infiniband/rxe0/ports/1/state "$1"; }

# The network interface below the device goes down and comes up.
link_changes() {
  local done_before
  begin_cluster --transport=rdma,tcp || return
  begin_training || return
  uses $WORKER0 rdma || fail "not by RDMA at first: $(cat /tmp/matrix)"
  ip.real link set dummy0 down
  await "the port to go down" 30 port_is DOWN || return
  done_before=$(steps_done)
  # The step that transfers at this moment fails. If none does, the next step goes by TCP.
  link_known() { ended "$pid_training" || more_steps_than $((done_before + 3)); }
  await "a failure of training or 3 more steps after the link went down" $TRAINING_LIMIT link_known
  if ended "$pid_training"; then
    wait "$pid_training"
    pid_training=
    echo "   training failed: $(tail -n 1 /tmp/train | cut -c1-250)"
    expect /tmp/train "rxe0"
  else
    echo "   training goes on, at step $(steps_done)"
    end_training
  fi
  train 2 /tmp/train || fail "by TCP: $(tail -n 1 /tmp/train)"
  uses $WORKER0 tcp || fail "not by TCP while the link is down"
  cat /tmp/matrix
  expect /tmp/matrix "not rdma: .*rxe0"
  ip.real link set dummy0 up
  await "the port to come up" 30 port_is ACTIVE || return
  restart_worker1
}

# restart_worker1: with its device as it is now; it uses RDMA.
restart_worker1() {
  kill_task worker1
  begin_task worker 1 --transport=rdma,tcp
  await_task worker1 || return
  # The streams of the other tasks may end when they are used first.
  train 2 /tmp/train || { echo "   $(tail -n 1 /tmp/train | cut -c1-250)"; train 2 /tmp/train; } ||
    fail "after the restart of worker 1: $(tail -n 1 /tmp/train)"
  uses $WORKER1 rdma || fail "not by RDMA after the restart of worker 1"
  cat /tmp/matrix
}

# Worker 1 ends, the device gets another address, worker 1 starts again.
address_changes() {
  begin_cluster --transport=rdma,tcp || return
  train 2 /tmp/train || { fail "at first: $(tail -n 1 /tmp/train)"; return; }
  uses $WORKER0 rdma || fail "not by RDMA at first: $(cat /tmp/matrix)"
  move_device 10.8.0.1 10.8.0.2 0a08:0002 && restart_worker1
  move_device 10.8.0.2 10.8.0.1 0a08:0001
}

has_gid() { grep -q -e "$1" /sys/class/infiniband/rxe0/ports/1/gids/* 2>/dev/null; }

# move_device OLD NEW GID: the address of the device.
move_device() {
  # In this order: an address that goes takes later ones of its network with it.
  ip.real addr del "$1/24" dev dummy0
  ip.real addr add "$2/24" dev dummy0
  await "the GID of $2" 30 has_gid "ffff:$3"
}

device_is_gone() { [ ! -e /sys/class/infiniband/rxe0 ]; }

# cluster_uses TRANSPORT WHEN: a new cluster trains over it.
cluster_uses() {
  begin_cluster --transport=rdma,tcp || return
  train 2 /tmp/train || fail "$2: $(tail -n 1 /tmp/train)"
  uses $WORKER0 "$1" || fail "not by $1 $2"
  cat /tmp/matrix
}

# The device is removed and added. Soft-RoCE waits for the last process that uses it, so a running task does not lose it.
device_goes() {
  begin_cluster --transport=rdma,tcp || return
  begin_training || return
  rdma link delete rxe0 &
  await "3 more steps while the removal waits" $TRAINING_LIMIT more_steps_than $(($(steps_done) + 2))
  end_training
  end_cluster
  await "the removal of the device" 30 device_is_gone || return
  cluster_uses tcp "without the device"
  expect /tmp/matrix "not rdma: .*no RDMA device"
  end_cluster
  rdma link add rxe0 type rxe netdev dummy0
  await "the device's GID" 30 has_gid "ffff:0a08:0001"
  cluster_uses rdma "with the device again"
}

[ $# = 0 ] && set -- report conformance training kills stops link_changes address_changes device_goes
for part in "$@"; do
  begun=$(now) part_failed=0 pid_ps0= pid_worker0= pid_worker1= pid_training=
  echo "-- $part"
  $part
  [ $part_failed = 0 ] || show_tasks
  end_training
  end_cluster
  [ $part_failed = 0 ] && echo "== $part passed, from $begun to $(now) s"
  [ $part_failed = 0 ] || { echo "== $part FAILED, from $begun to $(now) s"; failed=$((failed + 1)); }
done
exit $failed
