# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For ./run: cases with TensorFlow's answers, recorded by the interop tests and played by sluice-play-cases.

RECORDED_CASES=$BUILD/recorded-cases
# Of threads and blocks on the double of the CUDA runtime: in order, reversed, shuffled.
PLAYED_SEEDS=(0 1 7)

record_more_cases() {
  SLUICE_RECORDED_CASES=$RECORDED_CASES TF_CPP_MIN_LOG_LEVEL=3 "$SLUICE_TF2_PYTHON" -m "interop.tools.$1"
}

# play_on_double SEED
play_on_double() {
  SLUICE_CUDA_DOUBLE=devices=1,megabytes=1024,seed=$1 \
    "$BUILD/tests/sluice-play-cases-cuda-double" --device gpu "$RECORDED_CASES"/*.cases
}

# REQUIRES: the test of ops has run with SLUICE_RECORDED_CASES.
play_recorded_cases() {
  stage "record draws of the fuzzer, and programs" at_once record_more_cases record_draws record_programs
  stage "recorded cases on the asynchronous double" \
    "$BUILD/tests/sluice-play-cases" --device async "$RECORDED_CASES"/*.cases
  if [[ ! -x $BUILD/tests/sluice-play-cases-cuda-double ]]; then
    echo "== recorded cases are not played on a GPU's double: the build has no CUDA"
    return
  fi
  stage "recorded cases on a GPU of the double, by seed" at_once play_on_double "${PLAYED_SEEDS[@]}"
}
