#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest of tools/rdma_guest.sh: our transports beside perftest's programs, in turns, and beside UCX's
# ucx_perftest where the guest has it. Prints each figure, then medians, the processor time per GB, and the ratios that
# have a bar. The exit status is 1 if a ratio is below its bar or a figure is missing.
#
# RDMA_TEST_ROUNDS: rounds (default 7)

FIGURES=/tmp/figures  # lines: name, bytes, bytes/s or seconds, processor seconds of the guest per 10^9 bytes or "-"
OUT=/tmp/out ERRORS=/tmp/errors
SIZES="65536 1048576 67108864"
PERFTEST_LIMIT=120 OURS_LIMIT=400  # seconds
export UCX_IB_GID_INDEX=1

: >$FIGURES

# busy: processor seconds of the guest since its start.
busy() { awk '$1 == "cpu" { print ($2 + $3 + $4 + $7 + $8) / 100 }' /proc/stat; }

# listens PORT: four hexadecimal digits.
listens() { grep -q -e ":$1 0*:0000 0A" /proc/net/tcp /proc/net/tcp6; }

# missing WORDS: why a figure is missing; the end counts them.
missing() { echo "   missing: $*: $(tail -n 2 $ERRORS | tr '\n' ' ')"; }

# two_ends PORT COMMAND...: the far end listens at PORT (hexadecimal); the near one gets its address as one more
# argument, and its output is in $OUT.
two_ends() {
  local port=$1 far n=0 status=0
  shift
  timeout -k 5 $PERFTEST_LIMIT "$@" >/dev/null 2>$ERRORS &
  far=$!
  until listens "$port"; do
    n=$((n + 1))
    [ $n -lt 200 ] || { missing "$1 does not listen"; kill $far; wait $far; return 1; }
    usleep 100000
  done
  timeout -k 5 $PERFTEST_LIMIT "$@" 10.8.0.1 >$OUT 2>$ERRORS || status=$?
  [ $status = 0 ] || kill $far 2>/dev/null
  wait $far
  [ $status = 0 ] || missing "$*, exit status $status"
}

# perftest PROGRAM SIZE MESSAGES
perftest() { two_ends 4853 "$1" -d rxe0 -x 1 -F -s "$2" -n "$3"; }

# ucx TEST SIZE MESSAGES [OPTION...]: UCX's transport of verbs. Its last line has latencies in us, bandwidths in 2^20
# bytes/s and rates, each "average" and "overall".
ucx() {
  local test=$1 size=$2 messages=$3
  shift 3
  two_ends 3419 ucx_perftest -d rxe0:1 -x rc_verbs -t "$test" -s "$size" -n "$messages" -w 5 -f "$@"
}

# perftest_bandwidth PROGRAM SIZE MESSAGES: perftest counts 2^20 bytes as a MB. Its processor time includes its start.
perftest_bandwidth() {
  local before
  before=$(busy)
  perftest "$@" || return
  awk -v name="$1" -v size="$2" -v messages="$3" -v before="$before" -v after="$(busy)" '
    $1 == size && $4 > 0 && $4 < 1e9 {
      print name, size, $4 * 1048576, (after - before) / (size * messages) * 1e9
    }' $OUT | tee -a $FIGURES
}

# perftest_latency PROGRAM: 4 bytes, the typical time.
perftest_latency() {
  perftest "$1" 4 500 || return
  awk -v name="$1" '$1 == 4 && $5 > 0 && $5 < 1e9 { print name, 4, $5 / 1e6, "-" }' $OUT | tee -a $FIGURES
}

# ucx_column N SCALE NAME SIZE: the figure of the last line's column N.
ucx_column() {
  awk -v column="$1" -v scale="$2" -v name="$3" -v size="$4" '
    NF >= 7 && $column + 0 > 0 { last = $column }
    END { if (last > 0) print name, size, last * scale, "-" }' $OUT | tee -a $FIGURES
}

# ucx_figures: writes that are one request, and 4 bytes one way. Not judged.
ucx_figures() {
  ucx put_bw 65536 500 -D zcopy && ucx_column 6 1048576 ucx_put_bw 65536
  ucx put_bw 1048576 50 -D zcopy && ucx_column 6 1048576 ucx_put_bw 1048576
  ucx put_lat 4 500 && ucx_column 3 1e-6 ucx_put_lat 4
}

# ours: one round of every transport, all sizes.
ours() {
  timeout -k 5 $OURS_LIMIT sluice-bench-transport --transports=rdma,runtime-rdma,tcp,shm,grpc --rounds=1 \
    --sizes=4,64K,1M,64M --mixes= --serialised=none --servers=0 >$OUT 2>$ERRORS || missing "ours, exit status $?"
  grep -e '"line":"missing"' $OUT
  awk '
    function field(name,    rest) {
      if (!index($0, "\"" name "\":")) return ""
      rest = substr($0, index($0, "\"" name "\":") + length(name) + 3)
      sub(/^[["]+/, "", rest)
      return substr(rest, 1, match(rest, /[],"}]/) - 1)
    }
    field("line") == "figure" && field("metric") == (field("bytes") == 4 ? "latency" : "bandwidth") {
      print field("transport"), field("bytes"), field("rounds"),
            field("bytes") == 4 ? "-" : field("busy_seconds") / field("moved_bytes") * 1e9
    }' $OUT | tee -a $FIGURES
}

# median COLUMN: lines of name, bytes, the median of this column.
median() {
  sort -k1,1 -k2,2n -k"$1,$1"g $FIGURES | awk -v column="$1" '
    function show() { if (n > 0) print column, last, values[int(n / 2)] }
    $1 " " $2 != last { show(); n = 0; last = $1 " " $2 }
    { values[n++] = $column }
    END { show() }'
}

for round in $(seq 1 "${RDMA_TEST_ROUNDS:-7}"); do
  echo "round $round, at $(cut -d' ' -f1 /proc/uptime) s"
  for size in $SIZES; do
    messages=$((size == 65536 ? 500 : size == 1048576 ? 50 : 5))
    perftest_bandwidth ib_write_bw $size $messages
    perftest_bandwidth ib_read_bw $size $messages
  done
  perftest_latency ib_send_lat
  perftest_latency ib_write_lat
  command -v ucx_perftest >/dev/null && ucx_figures
  ours
done
{ median 3; median 4; } | awk -v sizes="$SIZES" '
  function need(name, size) {
    if ((name, size) in value) return
    printf "MISSING: %s with %d bytes\n", name, size
    failed = 1
  }
  function ratio(a, b, size, bar,    r) {
    if (!((a, size) in value) || !(value[b, size] > 0)) return
    r = value[a, size] / value[b, size]
    printf "%8d B: %s / %s %.2f, at least %s%s\n", size, a, b, r, bar, r < bar ? ": BELOW" : ""
    if (r < bar) failed = 1
  }
  $1 == 3 { order[++n] = $2 SUBSEP $3; value[$2, $3] = $4 }
  $1 == 4 { cost[$2, $3] = $4 }
  END {
    for (i = 1; i <= n; ++i) {
      split(order[i], key, SUBSEP)
      if (key[2] == 4) printf "%-14s %8d B  %10.1f us\n", key[1], 4, value[order[i]] * 1e6
      else printf "%-14s %8d B  %10.1f MB/s  %7.2f CPU s/GB\n", key[1], key[2], value[order[i]] / 1e6, cost[order[i]]
    }
    count = split("ib_write_bw ib_read_bw rdma runtime-rdma tcp grpc", names, " ")
    for (s = split(sizes, size, " "); s > 0; --s)
      for (i = 1; i <= count; ++i) need(names[i], size[s])
    count = split("ib_send_lat ib_write_lat rdma tcp shm grpc", names, " ")
    for (i = 1; i <= count; ++i) need(names[i], 4)
    ratio("rdma", "ib_write_bw", 65536, 0.5)
    ratio("rdma", "ib_write_bw", 1048576, 0.7)
    ratio("rdma", "ib_write_bw", 67108864, 0.7)
    ratio("runtime-rdma", "rdma", 1048576, 0.9)
    ratio("runtime-rdma", "rdma", 67108864, 0.9)
    exit failed
  }'
