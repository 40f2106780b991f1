# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For ./run bench.

# bench_rdma NATIVE [ARGUMENT...]: RDMA beside TCP, on two machines with network cards. It ends with the card, its
# firmware and its MTU, which belong to the figures.
bench_rdma() {
  local native=$1
  shift
  "$native/sluice" bench transport --transports rdma,rdma-spin,runtime-rdma,tcp,runtime-tcp,raw-tcp --mixes "" --servers 0 \
    --json "$native/rdma.json" "$@" || die "failed: sluice bench transport"
  [[ " $* " == *" --serve "* ]] || "$native/sluice-server" --rdma_report
}

command_bench() {
  local native=$BUILD/native program python
  mkdir -p "$BUILD"
  install_packages "${BENCH_PACKAGES[@]}"
  echo "== build for this machine"
  if [[ ${1:-} == rdma ]]; then
    configure "$native" -DSLUICE_MARCH=native &&
      compile "$native" sluice-server sluice_python sluice-bench-transport || die "the benchmark does not build"
    bench_rdma "$native" "${@:2}"
    return
  fi
  configure "$native" -DSLUICE_MARCH=native && compile "$native" all bench || die "the benchmarks do not build"
  export SLUICE_BUILD=$native PYTHONPATH=$native/python SLUICE_TF2_PYTHON=${SLUICE_TF2_PYTHON:-}
  for program in "$native"/bench/*_bench bench/*_bench.py; do
    [[ -f $program && $program =~ ${1:-.} ]] || continue
    echo "== ${program##*/}"
    case $program in
      *.py)
        if [[ ! $SLUICE_TF2_PYTHON ]]; then
          venv venv-tf2 "$PYTHON" tensorflow-cpu || die "no TensorFlow to measure against"
          SLUICE_TF2_PYTHON=$BUILD/venv-tf2/bin/python
        fi
        for python in "$SLUICE_TF2_PYTHON" ${SLUICE_TF1_PYTHON:+"$SLUICE_TF1_PYTHON"}; do
          TF_CPP_MIN_LOG_LEVEL=3 "$python" "$program" || failures+=("$program")
        done
        ;;
      *) "$program" || failures+=("$program") ;;
    esac
  done
  if [[ "bench collectives" =~ ${1:-.} ]]; then
    echo "== sluice bench collectives"
    "$native/sluice" bench collectives --json "$native/collectives.json" || failures+=("sluice bench collectives")
  fi
  if [[ "bench transport" =~ ${1:-.} ]]; then
    echo "== sluice bench transport"
    "$native/sluice" bench transport --json "$native/transport.json" || failures+=("sluice bench transport")
  fi
  ((${#failures[@]} == 0)) || die "failed: ${failures[*]}"
}
