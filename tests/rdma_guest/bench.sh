#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest of tools/rdma_guest.sh: our transports beside perftest's programs, in turns. Prints medians, and the
# ratios that have a target. RDMA_TEST_ROUNDS: rounds (default 7).

FIGURES=/tmp/figures  # lines: name, bytes, bytes/s or seconds

# perftest PROGRAM SIZE MESSAGES: both ends; prints the near one's output.
perftest() {
  local options="-d rxe0 -x 1 -F -s $2 -n $3"
  $1 $options >/dev/null 2>&1 &
  local far=$!
  usleep 300000  # it begins to listen
  $1 $options 10.8.0.1 2>/dev/null
  wait $far
}

# perftest_bandwidth PROGRAM SIZE MESSAGES: perftest counts 2^20 bytes as a MB.
perftest_bandwidth() {
  perftest "$1" "$2" "$3" | awk -v name="$1" -v size="$2" '$1 == size { print name, size, $4 * 1048576 }' >>$FIGURES
}

# perftest_latency PROGRAM: 4 bytes, the typical time.
perftest_latency() {
  perftest "$1" 4 500 | awk -v name="$1" '$1 == 4 { print name, 4, $5 / 1e6 }' >>$FIGURES
}

# ours SIZE METRIC: one round.
ours() {
  sluice-bench-transport --transports=rdma,runtime-rdma,tcp,shm,grpc --rounds=1 --sizes="$1" \
    --mixes= --serialised=none --servers=0 2>/dev/null |
    awk -v size="$1" -v metric="$2" '
      function field(begin,    rest) {
        rest = substr($0, index($0, begin) + length(begin))
        return substr(rest, 1, match(rest, /[]"]/) - 1)
      }
      index($0, "\"metric\":\"" metric "\"") { print field("\"transport\":\""), size, field("\"rounds\":[") }' >>$FIGURES
}

medians() {
  sort -k1,1 -k2,2n -k3,3g $FIGURES | awk '
    function show() { if (n > 0) print last, values[int(n / 2)] }
    $1 " " $2 != last { show(); n = 0; last = $1 " " $2 }
    { values[n++] = $3 }
    END { show() }'
}

rm -f $FIGURES
for round in $(seq 1 "${RDMA_TEST_ROUNDS:-7}"); do
  echo "round $round"
  for size in 65536 1048576 67108864; do
    messages=$((size == 65536 ? 500 : size == 1048576 ? 50 : 5))
    perftest_bandwidth ib_write_bw $size $messages
    perftest_bandwidth ib_read_bw $size $messages
    ours $size bandwidth
  done
  perftest_latency ib_send_lat
  perftest_latency ib_write_lat
  ours 4 latency
done
medians | awk '
  function ratio(a, b, size, target) {
    if (value[b, size] > 0) printf "%8d B: %s / %s %.2f, at least %s\n", size, a, b, value[a, size] / value[b, size], target
  }
  { value[$1, $2] = $3; printf "%-14s %8d B  %s\n", $1, $2, $2 == 4 ? $3 * 1e6 " us" : $3 / 1e6 " MB/s" }
  END {
    ratio("rdma", "ib_write_bw", 65536, 0.5)
    ratio("rdma", "ib_write_bw", 1048576, 0.7)
    ratio("rdma", "ib_write_bw", 67108864, 0.7)
    ratio("runtime-rdma", "rdma", 1048576, 0.9)
    ratio("runtime-rdma", "rdma", 67108864, 0.9)
  }'
