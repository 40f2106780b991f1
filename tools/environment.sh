# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For ./run: Debian packages, virtual environments, and the Pythons with TensorFlow.

missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || echo "$package"
  done
}

install_packages() {
  command -v dpkg-query >/dev/null || die "only Debian 12 is known here; install by hand: $*"
  local missing sudo=()
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  ((EUID == 0)) || sudo=(sudo)
  echo "== installing ${missing[*]}"
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    >"${TMPDIR:-/tmp}/sluice-apt.log" 2>&1 || { tail -20 "${TMPDIR:-/tmp}/sluice-apt.log" >&2; die "apt-get failed"; }
}

# venv NAME PYTHON REQUIREMENT...: build/NAME with these packages; made once, again when the list changes.
venv() {
  local path=$BUILD/$1 python=$2 wanted
  shift 2
  wanted="$python $*"
  [[ -f $path/ready && $(<"$path/ready") == "$wanted" ]] && return 0
  echo "   making $path: $*"
  rm -rf "$path"
  mkdir -p "$BUILD"
  "$python" -m venv "$path" && "$path/bin/pip" install -q --disable-pip-version-check "$@" || return 1
  echo "$wanted" >"$path/ready"
}

find_python37() {
  local candidate
  for candidate in python3.7 "$HOME"/.pyenv/versions/3.7*/bin/python; do
    "$candidate" -c 'import sys; assert sys.version_info[:2] == (3, 7)' 2>/dev/null || continue
    command -v "$candidate"
    return 0
  done
  return 1
}

# The Pythons with TensorFlow, made where they are not named, and exported.
tensorflow_environments() {
  local python37
  if [[ ! ${SLUICE_TF2_PYTHON:-} ]]; then
    stage "environment with TensorFlow 2" venv venv-tf2 "$PYTHON" tensorflow-cpu "$PYTEST" && SLUICE_TF2_PYTHON=$BUILD/venv-tf2/bin/python
  fi
  if [[ ! ${SLUICE_TF1_PYTHON:-} ]]; then
    if python37=$(find_python37); then
      stage "environment with TensorFlow 1.15.5" venv venv-tf1 "$python37" \
        tensorflow==1.15.5 'protobuf<3.21' 'numpy<1.19' "$PYTEST" && SLUICE_TF1_PYTHON=$BUILD/venv-tf1/bin/python
    else
      echo "== TensorFlow 1.15.5 is not run: it needs Python 3.7, and neither python3.7 nor ~/.pyenv/versions/3.7* is here"
    fi
  fi
  [[ ${SLUICE_TF2_PYTHON:-} ]] && export SLUICE_TF2_PYTHON
  [[ ${SLUICE_TF1_PYTHON:-} ]] && export SLUICE_TF1_PYTHON
  return 0
}

# The same, with what the interop tests find in their environment.
tensorflow_pythons() {
  tensorflow_environments
  export SLUICE_BUILD=$BUILD PYTHONPATH=$PWD/tests TF_CPP_MIN_LOG_LEVEL=2 no_proxy=localhost,127.0.0.1 PYTHONWARNINGS=ignore
}
