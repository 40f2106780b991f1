# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For ./run: stages. Each prints a header line and its time, and is counted.

passed=0 failed=0 failures=() unstable=() left_out=()

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
  while read -r line; do left_out+=("$name: $line"); done < <(sed -n 's/^ *LEFT OUT //p' "$log")
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

# at_once COMMAND ARGUMENT...: calls the command with each argument, as many at a time as JOBS says. Prints their outputs
# one after the other, and adds up what they passed and failed, as in stage.
at_once() {
  local command=$1 argument logs tally p f all_passed=0 all_failed=0
  shift
  logs=$(mktemp -d)
  for argument in "$@"; do
    while (($(jobs -rp | wc -l) >= JOBS)); do wait -n; done
    { "$command" "$argument" >"$logs/$argument" 2>&1; echo $? >"$logs/$argument.status"; } &
  done
  wait
  for argument in "$@"; do
    echo "   $argument:"
    tally=$(tail -1 "$logs/$argument" | grep -E '^[0-9]+ passed, [0-9]+ failed$')
    read -r p _ f _ <<<"${tally:-1 passed, 0 failed}"
    if [[ $(<"$logs/$argument.status") != 0 ]]; then
      ((f)) || f=1
      [[ $tally ]] || p=0
    fi
    cat "$logs/$argument"
    all_passed=$((all_passed + p)) all_failed=$((all_failed + f))
  done
  rm -rf "$logs"
  echo "$all_passed passed, $all_failed failed"
  ((all_failed == 0))
}

finish() {
  local line name
  for line in "${unstable[@]}"; do echo "unstable: $line"; done
  for line in "${left_out[@]}"; do echo "left out of $line"; done
  for name in "${failures[@]}"; do echo "failed: $name"; done
  echo "$passed passed, $failed failed"
  exit $((failed > 0))
}
