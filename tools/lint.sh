# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For ./run lint.

# Files that differ from the last commit, or are in it when nothing differs.
changed_files() {
  local files
  files=$(git diff --name-only --diff-filter=d HEAD; git ls-files --others --exclude-standard)
  [[ $files ]] || files=$(git diff-tree --no-commit-id --name-only --diff-filter=d -r --root HEAD)
  echo "$files"
}

tidy() {
  # clang cannot read g++'s precompiled header, nor some of its flags.
  mkdir -p "$BUILD/lint"
  sed -e 's| -Winvalid-pch -include [^ ]*cmake_pch.hxx||g' -e 's/ -fno-gnu-unique\| -Wno-maybe-uninitialized//g' \
    "$BUILD/compile_commands.json" >"$BUILD/lint/compile_commands.json"
  printf '%s\n' "$@" | xargs -P "$JOBS" -n 1 clang-tidy -p "$BUILD/lint" --quiet --warnings-as-errors='*' 2>&1 |
    grep -vE '^[0-9]+ warnings? generated|^Suppressed [0-9]+ warnings|^Use -(header-filter|system-headers)'
  return "${PIPESTATUS[1]}"
}

command_lint() {
  local cpp tidied python
  install_packages "${LINT_PACKAGES[@]}"
  if (($#)); then
    mapfile -t cpp < <(printf '%s\n' "$@" | grep -E '\.(h|cc|cu)$')
    mapfile -t tidied < <(printf '%s\n' "$@" | grep -E '\.cc$')
    mapfile -t python < <(printf '%s\n' "$@" | grep -E '\.py$')
  else
    mapfile -t cpp < <(git ls-files --cached --others --exclude-standard '*.h' '*.cc' '*.cu')
    mapfile -t tidied < <(changed_files | grep -E '\.cc$')
    python=(.)
  fi
  ((${#cpp[@]})) && stage "clang-format" clang-format --dry-run -Werror "${cpp[@]}"
  if ((${#python[@]})); then
    stage "environment of ruff" venv venv-lint "$PYTHON" "$RUFF" &&
      stage "ruff" "$BUILD/venv-lint/bin/ruff" check "${python[@]}"
  fi
  if ((${#tidied[@]})); then
    # The generated headers must be there; the build makes them.
    stage "build" build && stage "clang-tidy, ${#tidied[@]} files" tidy "${tidied[@]}"
  fi
  finish
}
