# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For ./run: stages. Each prints a header line and its time, and is counted.

passed=0 failed=0 failures=() unstable=()

# stage NAME COMMAND...: runs it. Its last line may be "P passed, F failed"; otherwise it counts as one test.
stage() {
  local name=$1 start=$SECONDS log status tally line p f
  shift
  echo "== $name"
  log=$(mktemp)
  "$@" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  tally=$(tail -1 "$log" | grep -E '^[0-9]+ passed, [0-9]+ failed$')
  while read -r line; do unstable+=("$line"); done < <(sed -n 's/^ *UNSTABLE //p' "$log")
  rm -f "$log"
  if [[ $tally ]]; then
    read -r p _ f _ <<<"$tally"
    # A stage that failed has at least one failure, whatever it says.
    ((status != 0 && f == 0)) && f=1
  else
    p=$((status == 0)) f=$((status != 0))
  fi
  passed=$((passed + p)) failed=$((failed + f))
  if ((f)); then
    failures+=("$name")
    echo "-- $name: FAILED, $((SECONDS - start)) s"
    return 1
  fi
  echo "-- $name: ok, $((SECONDS - start)) s"
}

# apart COMMAND...: a command that counts its own stages and then exits, as one stage of another.
apart() {
  passed=0 failed=0 failures=() unstable=()
  "$@"
}

finish() {
  local line name
  for line in "${unstable[@]}"; do echo "unstable: $line"; done
  for name in "${failures[@]}"; do echo "failed: $name"; done
  echo "$passed passed, $failed failed"
  exit $((failed > 0))
}
