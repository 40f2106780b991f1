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
STEPS=${RDMA_TEST_STEPS:-12}
# The processor is emulated.
export SLUICE_CONNECT_TIMEOUT=120
failed=0

now() { cut -d' ' -f1 /proc/uptime; }

# fail WORDS: the part has failed.
fail() {
  echo "   FAILED: $*"
  part_failed=1
}

# expect FILE WORDS: FILE has these words.
expect() { grep -q -e "$2" "$1" || fail "no \"$2\" in: $(tail -n 3 "$1")"; }

# begin_task JOB TASK [OPTION...]
begin_task() {
  local name=$1$2 job=$1 task=$2
  shift 2
  sluice-server --cluster "$CLUSTER" --job "$job" --task "$task" --deterministic --intra_op_threads=1 \
    "$@" >"/tmp/$name.out" 2>>"/tmp/$name.log" &
  eval "pid_$name=$!"
}

await_task() {
  local n=0
  until grep -q listens "/tmp/$1.out" 2>/dev/null; do
    n=$((n + 1))
    [ $n -gt 600 ] && { fail "$1 does not start: $(cat "/tmp/$1.out" "/tmp/$1.log")"; return; }
    usleep 50000
  done
}

begin_cluster() {
  begin_task ps 0 "$@"
  begin_task worker 0 "$@"
  begin_task worker 1 "$@"
  await_task ps0; await_task worker0; await_task worker1
}

end_cluster() {
  kill "$pid_ps0" "$pid_worker0" "$pid_worker1" 2>/dev/null
  wait "$pid_ps0" "$pid_worker0" "$pid_worker1" 2>/dev/null
}

# train STEPS FILE
train() { sluice-guest-client train $WORKER0 "$1" >"$2" 2>&1; }

# await_steps FILE: training has begun.
await_steps() {
  local n=0
  until grep -q "^step 1:" "$1" 2>/dev/null; do
    n=$((n + 1))
    [ $n -gt 600 ] && { fail "training does not begin: $(cat "$1")"; return; }
    usleep 50000
  done
}

# show_tasks: what the tasks logged last, for a part that failed.
show_tasks() {
  local name
  for name in ps0 worker0 worker1; do
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
  for transport in rdma grpc; do
    begin_cluster --transport=$transport
    echo "   the cluster by $transport listens at $(now) s"
    train "$STEPS" /tmp/losses.$transport || {
      fail "over $transport: $(tail -n 3 /tmp/losses.$transport)"
      show_tasks
    }
    if [ $transport = rdma ]; then
      sluice-guest-client transports $PS $WORKER0 $WORKER1 >/tmp/matrix 2>&1
      cat /tmp/matrix
      [ "$(grep -c ': rdma$' /tmp/matrix)" = 6 ] || fail "not all pairs use rdma"
    fi
    end_cluster
    echo "   $transport: $(tail -n 1 /tmp/losses.$transport), at $(now) s"
  done
  [ "$(grep -c losses /tmp/losses.grpc)" = "$STEPS" ] || fail "gRPC made other steps"
  cmp /tmp/losses.grpc /tmp/losses.rdma || fail "losses differ"
  grep -h "RDMA of this process" /tmp/ps0.log /tmp/worker0.log /tmp/worker1.log
}

# Either side ends at a random moment of training.
kills() {
  local i victim pid begun options
  begin_cluster --transport=rdma
  for i in $(seq 1 "${RDMA_TEST_KILLS:-4}"); do
    victim=worker1
    [ $((i % 2)) = 0 ] && victim=ps0
    sluice-guest-client train $WORKER0 1000000 >/tmp/train 2>&1 &
    pid=$!
    await_steps /tmp/train
    usleep $((($(od -An -N2 -tu2 /dev/urandom) % 1000) * 1000))
    begun=$(now)
    eval "kill -9 \$pid_$victim"
    wait $pid && fail "training goes on without $victim"
    echo "   $victim killed at step $(grep -c '^step' /tmp/train), known $(now) (killed $begun): $(tail -n 1 /tmp/train | cut -c1-150)"
    expect /tmp/train "/job:${victim%?}/replica:0/task:${victim#"${victim%?}"}"
    eval "wait \$pid_$victim" 2>/dev/null
    begin_task "${victim%?}" "${victim#"${victim%?}"}" --transport=rdma
    await_task "$victim"
    train 2 /tmp/train || fail "after the restart of $victim: $(tail -n 1 /tmp/train)"
  done
  end_cluster
}

# A process stands still; its device goes on answering.
stops() {
  local pid
  begin_cluster --transport=rdma
  sluice-guest-client train $WORKER0 1000000 >/tmp/train 2>&1 &
  pid=$!
  await_steps /tmp/train
  kill -STOP "$pid_worker1"
  wait $pid && fail "training goes on without worker 1"
  tail -n 1 /tmp/train | cut -c1-200
  expect /tmp/train "/job:worker/replica:0/task:1"
  kill -CONT "$pid_worker1"
  train 2 /tmp/train || fail "after SIGCONT: $(tail -n 1 /tmp/train)"
  end_cluster
}

# The network interface below the device goes down and comes up.
link_changes() {
  local pid
  begin_cluster --transport=rdma,tcp
  sluice-guest-client train $WORKER0 1000000 >/tmp/train 2>&1 &
  pid=$!
  await_steps /tmp/train
  ip.real link set dummy0 down
  wait $pid
  tail -n 1 /tmp/train | cut -c1-250
  expect /tmp/train "rxe0"
  train 2 /tmp/train || fail "by TCP: $(tail -n 1 /tmp/train)"
  sluice-guest-client transports $WORKER0 >/tmp/matrix 2>&1
  cat /tmp/matrix
  expect /tmp/matrix ": tcp$"
  expect /tmp/matrix "not rdma: .*rxe0"
  ip.real link set dummy0 up
  usleep 500000
  kill -9 "$pid_worker1"
  wait "$pid_worker1" 2>/dev/null
  begin_task worker 1 --transport=rdma,tcp
  await_task worker1
  train 2 /tmp/train || train 2 /tmp/train || fail "after the link is up: $(tail -n 1 /tmp/train)"
  sluice-guest-client transports $WORKER1 >/tmp/matrix 2>&1
  cat /tmp/matrix
  expect /tmp/matrix ": rdma$"
  end_cluster
}

[ $# = 0 ] && set -- report conformance training kills stops link_changes
for part in "$@"; do
  begun=$(now) part_failed=0
  echo "-- $part"
  $part
  end_cluster
  [ $part_failed = 0 ] && echo "== $part passed, from $begun to $(now) s"
  [ $part_failed = 0 ] || { echo "== $part FAILED, from $begun to $(now) s"; failed=$((failed + 1)); }
done
exit $failed
