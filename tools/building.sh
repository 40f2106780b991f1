# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For ./run: cmake, ninja, and the tests of one build folder.

# configure FOLDER [-DNAME=VALUE...]
configure() {
  local folder=$1
  shift
  # Not set: as the folder was configured last, so that ./run demo after .ci/run does not build everything anew.
  cmake -S . -B "$folder" -G Ninja ${SLUICE_WERROR:+"-DSLUICE_WERROR=$SLUICE_WERROR"} "$@" >"$folder.configure.log" 2>&1 ||
    { tail -30 "$folder.configure.log"; return 1; }
}

# compile FOLDER [TARGET...]: ninja, with its status line on a terminal and a line now and then elsewhere.
compile() {
  local folder=$1
  shift
  if [[ -t 3 ]]; then
    ninja -C "$folder" -j "$JOBS" "$@" >&3
  else
    ninja -C "$folder" -j "$JOBS" "$@" | "$PYTHON" tools/ninja_progress.py
  fi
}

# build [TARGET...]: everything, or these.
build() {
  mkdir -p "$BUILD"
  configure "$BUILD" && compile "$BUILD" "$@"
}

# ctest_in FOLDER [CTEST ARGUMENT...]: runs and counts.
ctest_in() {
  local folder=$1 results=$1/test-results status
  shift
  rm -rf "$results"
  mkdir -p "$results"
  GTEST_OUTPUT="xml:$results/" ctest --test-dir "$folder" -j "$JOBS" --output-junit "$results/ctest-junit.xml" \
    --output-on-failure --no-tests=error "$@" >"$results/log" 2>&1
  status=$?
  if ((status)); then grep -vE '^\[ +(RUN|OK) +\]' "$results/log" | tail -200; fi
  [[ -f $results/ctest-junit.xml ]] || return 1
  "$PYTHON" tools/count_results.py "$folder" "$results"
}

has_tests() { compgen -G "tests/$1/*.cc" >/dev/null; }

# sanitize NAME SANITIZERS LAYER...: builds these layers' tests with the sanitizers and runs them.
sanitize() {
  local folder=$BUILD/$1 sanitizers=$2 layer layers=() targets=()
  shift 2
  for layer in "$@"; do
    has_tests "$layer" || { echo "   tests/$layer has no C++ tests"; continue; }
    layers+=("$layer") targets+=("sluice_${layer}_test")
  done
  ((${#layers[@]})) || return 0
  configure "$folder" -DSLUICE_SANITIZE="$sanitizers" && compile "$folder" "${targets[@]}" || return 1
  ctest_in "$folder" -L "^($(IFS='|'; echo "${layers[*]}"))\$"
}

# The tests of CUDA kernels, whose program is sanitized in the build of all others.
sanitized_cuda() {
  ninja -C "$BUILD" -t targets all | grep -q '^sluice_cuda_sanitized_test:' ||
    { echo "   the build has no CUDA"; return 0; }
  compile "$BUILD" sluice_cuda_sanitized_test || return 1
  ASAN_OPTIONS=detect_stack_use_after_return=1:allocator_may_return_null=1 \
    LSAN_OPTIONS=suppressions=$PWD/tests/sanitize/lsan.supp:print_suppressions=0 UBSAN_OPTIONS=print_stacktrace=1 \
    "$BUILD/tests/sluice_cuda_sanitized_test" --gtest_brief=1
}

# pytest_files NAME PYTHON SECONDS FILE...: each file in a process of its own, so many seconds for each.
pytest_files() {
  local name=$1 python=$2 seconds=$3
  shift 3
  "$PYTHON" tools/run_pytest.py --python "$python" --seconds "$seconds" --jobs "$JOBS" \
    --results "$BUILD/test-results/$name" "$@"
}
