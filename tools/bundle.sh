# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For ./run bundle and ./run gpu: the programs that run on another machine's GPU, with what they need.

# Its own build folder, with machine code for two generations of GPUs and PTX for later ones. It stands beside build/,
# so that the paths of both are alike and ccache has the objects of most files.
BUNDLE=$PWD/build-bundle
BUNDLE_ARCHITECTURES='80-real;90-real;90-virtual'
BUNDLE_PROGRAMS=(sluice-server tests/sluice-play-cases tests/sluice_gpu_test bench/gpu_bench)
BUNDLE_CASES=$BUILD/recorded-cases  # what the interop tests wrote
BUNDLE_CASE_BYTES=$((4 << 20))      # larger files are left out
BUNDLE_LIMIT=60000000

# The libraries that a program needs from the machine that runs it: glibc's, which fit its kernel and loader, and
# NVIDIA's, which fit its driver. All others are packed.
FOREIGN_LIBRARIES='^(ld-linux.*|lib(c|m|mvec|dl|rt|pthread|resolv|util|anl|nss_.*)|lib(cuda|cublas|cudnn|nv).*)\.so'

has_target() { ninja -C "$1" -t query "$2" >/dev/null 2>&1; }

# The libraries of programs, by their paths.
libraries_of() {
  ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | sort -u |
    while read -r name path; do [[ $name =~ $FOREIGN_LIBRARIES ]] || echo "$path"; done
}

# stage_bundle FOLDER: builds the programs, and puts all files of the bundle there.
stage_bundle() {
  local folder=$1 program programs=() targets=() commit
  mkdir -p "$BUILD"
  # The search path is for libraries of libraries too, so it is the older of the two kinds.
  configure "$BUNDLE" -DSLUICE_CUDA_ARCHITECTURES="$BUNDLE_ARCHITECTURES" \
    -DCMAKE_BUILD_RPATH="\$ORIGIN/../lib" -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags || return 1
  has_target "$BUNDLE" gpu_bench || die "the build has no CUDA: $(grep '^-- CUDA' "$BUNDLE.configure.log")"
  for program in "${BUNDLE_PROGRAMS[@]}"; do
    has_target "$BUNDLE" "$program" || { echo "   not in this tree: $program"; continue; }
    programs+=("$BUNDLE/$program") targets+=("$program")
  done
  compile "$BUNDLE" "${targets[@]}" || return 1
  rm -rf "$folder"
  mkdir -p "$folder"/{bin,lib,cases}
  install -s -t "$folder/bin" "${programs[@]}"
  libraries_of "${programs[@]}" | xargs -r cp -L -t "$folder/lib"
  find "$BUNDLE_CASES" -name '*.cases' -size "-${BUNDLE_CASE_BYTES}c" -exec cp -t "$folder/cases" {} + 2>/dev/null
  cp tools/run_gpu.sh "$folder/run-gpu"
  commit=$(git rev-parse --short=12 HEAD 2>/dev/null)
  git diff --quiet HEAD 2>/dev/null || commit+=-changed
  echo "$commit" >"$folder/COMMIT"
  echo "   ${#programs[@]} programs, $(find "$folder/lib" -type f | wc -l) libraries,"\
    "$(find "$folder/cases" -type f | wc -l) files of cases"
}

command_bundle() {
  local folder=$BUNDLE/bundle archive=$BUILD/sluice-gpu-bundle.tar.xz bytes
  echo "== bundle"
  stage_bundle "$folder" || die "the bundle does not build"
  # The programs have most of their code in common: the dictionary spans them all.
  tar -C "$BUNDLE" -cf - bundle | xz --x86 --lzma2=preset=4,dict=96MiB >"$archive" || die "the bundle cannot be packed"
  bytes=$(stat -c %s "$archive")
  echo "$archive: $((bytes / 1000000)) MB; unpack it on a machine with a GPU and run bundle/run-gpu"
  ((bytes <= BUNDLE_LIMIT)) || die "the bundle is larger than $((BUNDLE_LIMIT / 1000000)) MB"
}

command_gpu() {
  local folder=$BUNDLE/bundle
  # Without a driver nothing is built.
  "$PYTHON" -c 'import ctypes; ctypes.CDLL("libcuda.so.1")' 2>/dev/null ||
    die "no GPU: there is no NVIDIA driver (libcuda.so.1 is not found); ./run bundle packs the tests for another machine"
  echo "== programs for the GPU"
  stage_bundle "$folder" || die "the programs do not build"
  "$folder/run-gpu" "$@"
}
