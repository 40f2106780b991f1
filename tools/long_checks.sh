# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For ./run: comparisons, fuzzers and stress that take as long as they are given.

# with_each_tensorflow NAME ARGUMENT...: a stage for each Python with TensorFlow.
with_each_tensorflow() {
  local name=$1 python
  shift
  for python in ${SLUICE_TF2_PYTHON:+"$SLUICE_TF2_PYTHON"} ${SLUICE_TF1_PYTHON:+"$SLUICE_TF1_PYTHON"}; do
    stage "$name" "$python" "$@"
  done
}

# random_stages NAME MODULE COUNT: TensorFlow's client keeps what it has built, so a process makes 250 programs.
random_stages() {
  local name=$1 module=$2 count=$3 first
  tensorflow_pythons
  for ((first = 0; first < count; first += 250)); do
    with_each_tensorflow "$name from seed $first" -m "$module" \
      --first "$first" --count $((count - first < 250 ? count - first : 250))
  done
  finish
}

command_random() {
  stage "build" build || finish
  random_stages "random programs" interop.tools.random_programs "${1:-2000}"
}

command_random-clients() {
  stage "build" build sluice-server sluice_python || finish
  random_stages "random client programs" interop.tools.random_clients "${1:-1000}"
}

command_random-pipelines() {
  stage "build" build sluice-server || finish
  random_stages "random data sets" interop.tools.random_pipelines "${1:-1000}"
}

command_placements() {
  stage "build" build sluice-server sluice_python || finish
  tensorflow_pythons
  with_each_tensorflow "training in every placement" -m interop.training.placements_test --all
  finish
}

# The servers that the fuzzers attack: in fuzzed_folder, with ASan and UBSan if SLUICE_SANITIZERS=ON.
fuzzed_folder() { if [[ ${SLUICE_SANITIZERS:-OFF} == ON ]]; then echo "$BUILD/asan"; else echo "$BUILD"; fi; }

# A hostile size is refused, not filled.
FUZZED_ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=2560:quarantine_size_mb=64:detect_leaks=0

build_fuzzed() {
  local folder sanitizers=()
  folder=$(fuzzed_folder)
  [[ $folder == "$BUILD" ]] || sanitizers=(-DSLUICE_SANITIZE=address,undefined)
  mkdir -p "$folder"
  configure "$folder" "${sanitizers[@]}" && compile "$folder" "$@"
}

# Each client has its share of the time, and seeds that no run had before.
command_fuzz-ops() {
  local clients
  stage "build" build_fuzzed sluice-server || finish
  tensorflow_pythons
  SLUICE_BUILD=$(fuzzed_folder)
  [[ $SLUICE_BUILD == "$BUILD" ]] ||
    export ASAN_OPTIONS=$FUZZED_ASAN_OPTIONS
  clients=$((${SLUICE_TF2_PYTHON:+1}+0 + ${SLUICE_TF1_PYTHON:+1}+0))
  with_each_tensorflow "random ops" -m interop.tools.fuzz_ops --table \
    --first "${SLUICE_FUZZ_SEED:-$((RANDOM * 1000))}" --seconds $((60 * ${1:-10} / (clients ? clients : 1)))
  finish
}

# The time is shared by the tests of tests/master/sessions_stress_test.cc.
stress() {
  local folder=$BUILD/tsan seconds=$((60 * $1 / 2)) launcher=()
  configure "$folder" -DSLUICE_SANITIZE=thread && compile "$folder" sluice_master_test || return 1
  setarch -R true 2>/dev/null && launcher=(setarch -R)
  SLUICE_STRESS_SECONDS=$seconds TSAN_OPTIONS=suppressions=$PWD/tests/sanitize/tsan.supp:exitcode=66 \
    "${launcher[@]}" "$folder/tests/sluice_master_test" --gtest_filter='SessionsStressTest.*'
}

command_stress() {
  stage "stress under ThreadSanitizer" stress "${1:-5}"
  finish
}

# rdma_guest NAME SCRIPT "PROGRAM..." [ARGUMENT...]: a stage, tests/rdma_guest/SCRIPT.sh in a guest with these programs.
rdma_guest() {
  local name=$1 script=$2 programs=$3
  shift 3
  RDMA_TEST_DEVICE=rxe0 RDMA_GUEST_PROGRAMS=$programs stage "$name" \
    tools/rdma_guest.sh "tests/rdma_guest/$script.sh" "$@"
}

RDMA_GUEST_TESTS="$BUILD/tests/sluice_transport_test $BUILD/sluice-server $BUILD/tests/sluice-guest-client"

# RDMA on Linux's software device. Arguments: parts of tests/rdma_guest/scenario.sh, default: all; or "bench".
command_test-rdma() {
  local programs
  install_packages "${RDMA_PACKAGES[@]}"
  if [[ ${1:-} == bench ]]; then
    stage "build" build sluice-bench-transport || finish
    programs=("$BUILD/bench/sluice-bench-transport" /usr/bin/ib_{write,read}_bw /usr/bin/ib_{write,send}_lat
              $(compgen -G "/usr/bin/ucx_perftest"; compgen -G "/usr/lib/x86_64-linux-gnu/ucx/libuct_ib.so.0"))
    rdma_guest "bench on Soft-RoCE" bench "${programs[*]}"
  else
    stage "build" build sluice_transport_test sluice-server sluice-guest-client || finish
    rdma_guest "RDMA on Soft-RoCE" scenario "$RDMA_GUEST_TESTS" "$@"
  fi
  finish
}

# Tests that take too long for every run: 7 GB of memory, some minutes.
command_volume() {
  local python
  stage "build" build sluice_volume_test sluice-server sluice_python || finish
  stage "3 GB in one tensor, and a million small ones" "$BUILD/tests/sluice_volume_test"
  SLUICE_KILLS=100 SLUICE_BUILD=$BUILD stage "100 tasks killed" \
    pytest_files volume "$PYTHON" 3600 tests/python/killed_peers_test.py
  SLUICE_ROUNDS=100000 SLUICE_BUILD=$BUILD stage "100,000 rounds of collective operations" \
    pytest_files volume "$PYTHON" 1200 tests/python/collectives/collective_rounds_test.py
  tensorflow_pythons
  for python in ${SLUICE_TF2_PYTHON:+"$SLUICE_TF2_PYTHON"} ${SLUICE_TF1_PYTHON:+"$SLUICE_TF1_PYTHON"}; do
    SLUICE_SESSIONS=1000 SLUICE_KILLS=100 SLUICE_BUILD=$BUILD stage "1,000 sessions with iterators, 100 clients killed" \
      pytest_files volume "$python" 1800 tests/interop/datasets/sessions_test.py
  done
  finish
}

# Each kind of fault takes up to a minute for a trial, and mostly a few seconds. The first argument is the number of
# trials, the second one of: collectives, training (default: both).
command_faults() {
  local trials=${1:-200} part=${2:-}
  [[ $part =~ ^(collectives|training)?$ ]] || die "no faults of \"$part\": collectives or training"
  stage "build" build sluice-server sluice_python || finish
  export SLUICE_FAULT_TRIALS=$trials SLUICE_FAULT_SEED=${SLUICE_FAULT_SEED:-$RANDOM} SLUICE_BUILD=$BUILD
  [[ $part == training ]] || stage "faults of collective operations" \
    pytest_files faults "$PYTHON" $((600 + 300 * trials)) tests/python/collectives/collective_faults_test.py
  [[ $part == collectives ]] || stage "faults of training" \
    timeout $((600 + 60 * trials)) "$PYTHON" -m pytest -q -s -o faulthandler_timeout=0 tests/python/faults/training_faults_test.py
  finish
}

# Prints a plot of what the servers hold; with SLUICE_PLOTS=folder, also pictures of it.
command_steps() {
  local steps=${1:-1000000}
  stage "build" build sluice-server sluice_python || finish
  SLUICE_STEPS=$steps SLUICE_BUILD=$BUILD stage "$steps steps" \
    timeout $((600 + steps / 50)) "$PYTHON" -m pytest -q -s -o faulthandler_timeout=0 tests/python/faults/many_steps_test.py
  finish
}

command_hostile() {
  local minutes=${1:-10}
  stage "build" build sluice-server sluice_python || finish
  SLUICE_HOSTILE_SECONDS=$((60 * minutes)) SLUICE_HOSTILE_SEED=${SLUICE_HOSTILE_SEED:-$RANDOM} SLUICE_BUILD=$BUILD \
    stage "an honest client beside a hostile one" \
    timeout $((600 + 90 * minutes)) "$PYTHON" -m pytest -q -s -o faulthandler_timeout=0 tests/python/faults/hostile_client_test.py
  finish
}

command_launchers() {
  install_packages "${LAUNCHER_PACKAGES[@]}"
  stage "build" build sluice-server sluice_python || finish
  stage "environment with PySpark" venv venv-launchers "$PYTHON" "${LAUNCHER_REQUIREMENTS[@]}" "$PYTEST" || finish
  local folder
  folder=$(mktemp -d)
  stage "Slurm with one node" tools/one_node_slurm.sh start "$folder"
  SLURM_CONF=$folder/slurm.conf SLUICE_BUILD=$BUILD stage "launchers" \
    pytest_files launchers "$BUILD/venv-launchers/bin/python" 900 tests/launchers/*_test.py
  tools/one_node_slurm.sh stop "$folder"
  finish
}

command_mutants() {
  stage "build" build || finish
  tensorflow_pythons
  stage "mutants" "$SLUICE_TF2_PYTHON" -m interop.tools.mutants "$@"
  finish
}

command_fuzz() {
  build_fuzzed sluice_cluster_test sluice_worker_service_test || exit 1
  SLUICE_FUZZ_GRAPHS=$((20000 * ${1:-5})) SLUICE_FUZZ_SEED=${SLUICE_FUZZ_SEED:-$RANDOM} \
    "$(fuzzed_folder)/tests/sluice_worker_service_test" --gtest_filter='HostileGraphsTest.*' || exit 1
  SLUICE_FUZZ_SECONDS=$((60 * ${1:-5})) SLUICE_FUZZ_SEED=${SLUICE_FUZZ_SEED:-$RANDOM} \
    exec "$(fuzzed_folder)/tests/sluice_cluster_test" --gtest_filter='ProtocolFuzzTest.*'
}

# A failure prints the seed and the file's number, and keeps the file.
mutated_files() {
  local folder=$BUILD/asan
  mkdir -p "$folder"
  configure "$folder" -DSLUICE_SANITIZE=address,undefined && compile "$folder" sluice_file_kernels_test || return 1
  SLUICE_MUTATED_FILES=$1 SLUICE_MUTATED_FILES_SEED=${SLUICE_MUTATED_FILES_SEED:-$RANDOM} \
    ASAN_OPTIONS=$FUZZED_ASAN_OPTIONS:detect_leaks=1 \
    LSAN_OPTIONS=suppressions=$PWD/tests/sanitize/lsan.supp:print_suppressions=0 \
    "$folder/tests/sluice_file_kernels_test" --gtest_filter='*MutatedFilesTest.*'
}

command_mutated-files() {
  stage "damaged files under the sanitizers" mutated_files "${1:-2000}"
  finish
}
