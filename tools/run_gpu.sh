#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs tests, recorded cases and benchmarks on this machine's GPU, and writes gpu.json beside itself.
#
# `./run bundle` packs this file as run-gpu, with bin/, lib/, cases/ and COMMIT beside it.
#
#   run-gpu [--check]    --check: only say which GPU there is
#
# Ends with 0 if all passed, 1 if something failed, 2 without a usable GPU.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")" || exit 2

SANITIZER_SECONDS=1800
logs=$PWD/logs
parts=() passed=0 failed=0

# quoted TEXT: as a JSON string.
quoted() { printf '"%s"' "$(sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' <<<"$1")"; }

# count NAME STATUS PASSED FAILED: enters a part. A part that failed has a failure, whatever it counted.
count() {
  local name=$1 status=$2 p=$3 f=$4
  ((status != 0 && f == 0)) && f=1
  passed=$((passed + p)) failed=$((failed + f))
  parts+=("{\"name\": $(quoted "$name"), \"passed\": $p, \"failed\": $f}")
  echo "-- $name: $p passed, $f failed (logs/$name.log)"
}

# part NAME COMMAND...: its counts are those of GoogleTest, or of a last line "P passed, F failed", else its status.
part() {
  local name=$1 status p f
  shift
  echo "== $name"
  "$@" >"$logs/$name.log" 2>&1
  status=$?
  p=$(sed -nE 's/^\[  PASSED  \] ([0-9]+) tests?\.$/\1/p' "$logs/$name.log" | tail -1)
  f=$(sed -nE 's/^\[  FAILED  \] ([0-9]+) tests?, listed below:$/\1/p' "$logs/$name.log" | tail -1)
  if [[ ! $p ]]; then
    read -r p f < <(tail -1 "$logs/$name.log" | sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p')
  fi
  [[ ${p:-} ]] || { p=$((status == 0)) f=$((status != 0)); }
  count "$name" "$status" "$p" "${f:-0}"
  ((status == 0)) || tail -15 "$logs/$name.log"
}

left_out() { echo "== $1: not run, $2"; parts+=("{\"name\": $(quoted "$1"), \"not_run\": $(quoted "$2")}"); }

# The first test of each suite: nearly every kernel file has a suite. Typed suites have one type only.
sample() {
  bin/sluice_gpu_test --gtest_list_tests |
    awk '/^[^ ]/ { suite = $1; wanted = suite ~ /\.$/ && suite !~ /\/[1-9][0-9]*\.$/ }
         /^ / && wanted { printf "%s%s%s", sep, suite, $1; sep = ":"; wanted = 0 }'
}

# racecheck reports hazards inside cuDNN's convolutions. Told to leave its kernels out, it breaks them.
sanitizer() {
  local tool filter
  local -A without=([memcheck]='' [racecheck]=':-CudaConvTest.*')
  filter=$(sample)
  for tool in memcheck racecheck; do
    if ! command -v compute-sanitizer >/dev/null; then
      left_out "$tool" "compute-sanitizer is not found"
      continue
    fi
    part "$tool" timeout "$SANITIZER_SECONDS" compute-sanitizer --tool "$tool" --error-exitcode 9 \
      bin/sluice_gpu_test --gtest_filter="$filter${without[$tool]}"
  done
}

# The recorded cases, by the player of each program that packs them.
cases() {
  local files=(cases/*.cases)
  if [[ ! -x bin/sluice-play-cases || ! -e ${files[0]} ]]; then
    left_out cases "the bundle has no player or no recorded cases"
    return
  fi
  part cases bin/sluice-play-cases --device gpu "${files[@]}"
}

write_record() {
  local driver bench=[] list
  driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader --id=0 2>/dev/null)
  [[ -s $logs/bench.json ]] && bench=$(<"$logs/bench.json")
  list=$(printf ',\n  %s' "${parts[@]}")
  cat >gpu.json <<JSON
{
 "date": "$(date -u +%Y-%m-%d)",
 "gpu": $(quoted "$gpu"),
 "driver": $(quoted "${driver:-unknown}"),
 "commit": $(quoted "$(cat COMMIT 2>/dev/null || echo unknown)"),
 "passed": $passed,
 "failed": $failed,
 "parts": [${list:1}
 ],
 "bench": $bench
}
JSON
}

described=$(bin/gpu_bench --describe 2>&1) || { echo "run-gpu: $described" >&2; exit 2; }
gpu=$(sed -nE '1s/^device: [0-9]+, name: ([^,]*),.*/\1/p' <<<"$described")
echo "$described"
command -v nvidia-smi >/dev/null && nvidia-smi
[[ ${1:-} == --check ]] && exit 0

mkdir -p "$logs"
rm -f "$logs"/*
part tests bin/sluice_gpu_test
cases
sanitizer
part bench bin/gpu_bench --json "$logs/bench.json"
cat "$logs/bench.log"
write_record
echo "wrote $PWD/gpu.json; to record this run, commit it as docs/gpu.json"
echo "$passed passed, $failed failed"
exit $((failed > 0))
