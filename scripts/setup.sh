# Installs the runtime and the packages in node_modules. `hearth` and scripts/*.sh source this file in
# the root of the checkout.
#
# `hearth_setup run`, or `hearth_setup dev` with the tools for tests and checks, sets $runtime or exits with
#   10  packages must be installed, but Node.js or npm is missing
#   11  Node.js is too old
#   12  downloading the packages failed: no network, or the registry does not answer
#   13  setup failed for another reason
# The stamp of an install is in node_modules: the runtime's path and a copy of package-lock.json.

hearth_lock=.hearth-setup
hearth_log=setup.log

hearth_setup() {
  hearth_installed "$1" && return
  [ -e node_modules/.package-lock.json ] || hearth_need_node
  hearth_begin
  if ! hearth_installed "$1" && ! hearth_adopt "$1"; then hearth_install "$1"; fi
  hearth_end
}

# Every start of Hearth runs this, so it uses only builtins and one `cmp`.
hearth_installed() {
  [ -r node_modules/.hearth-runtime ] || return 1
  read -r runtime <node_modules/.hearth-runtime
  [ -x "$runtime" ] || return 1
  [ "$1" = run ] || [ -e node_modules/.hearth-dev ] || return 1
  hearth_same package-lock.json node_modules/.hearth-lock
}

hearth_same() {
  [ -r "$2" ] || return 1
  cmp -s "$1" "$2" 2>/dev/null
  case $? in
    0) return 0 ;;
    1) return 1 ;;
    *) [ "$(cat "$1")" = "$(cat "$2")" ] ;; # no `cmp` on this machine
  esac
}

# Adopts a manual install if npm finished it after the last change of the lock file.
hearth_adopt() {
  [ node_modules/.package-lock.json -nt package-lock.json ] || return 1
  hearth_find_runtime || return 1
  if [ -e node_modules/typescript ]; then
    hearth_stamp dev
  else
    [ "$1" = run ] || return 1
    hearth_stamp run
  fi
}

hearth_stamp() {
  rm -f node_modules/.hearth-dev
  [ "$1" = run ] || : >node_modules/.hearth-dev
  printf '%s\n' "$runtime" >node_modules/.hearth-runtime &&
    cp package-lock.json node_modules/.hearth-lock.new &&
    mv -f node_modules/.hearth-lock.new node_modules/.hearth-lock ||
    hearth_fail 13 "Cannot write to the folder $PWD." "Change its owner, or move Hearth to a folder of yours."
}

# npm may install several builds of the runtime. Finds the one that runs on this machine.
hearth_find_runtime() {
  hearth_found=
  for runtime in node_modules/@oven/bun-*/bin/bun; do
    [ -f "$runtime" ] || continue
    hearth_found=$runtime
    "$runtime" --version >/dev/null 2>&1 && return
  done
  return 1
}

# Uses only builtins: a machine without Node may have no other tools.
hearth_need_node() {
  command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 ||
    hearth_fail 10 "Hearth needs Node.js 20 or newer, with npm, to install itself. PATH has no node or no npm." \
      "Install it from https://nodejs.org or with your system's package manager, then try again."
}

# Removes the binaries of other systems, and source maps. No house reads them, and they are half of the size on disk.
# Releases for other systems are built with the development tools, which keep all.
hearth_prune() {
  case "$(uname -s)" in Darwin) hearth_own=darwin ;; *) hearth_own=linux ;; esac
  case "$(uname -m)" in arm64 | aarch64) hearth_own=$hearth_own/arm64 ;; *) hearth_own=$hearth_own/x64 ;; esac
  find node_modules -type d -path '*/onnxruntime-node/bin/napi-v*/*/*' ! -path "*/$hearth_own*" -prune -exec rm -rf {} +
  find node_modules -type f -name '*.map' -delete
}

hearth_install() {
  case "$(uname -s) $(uname -m)" in
    "Linux x86_64" | "Linux amd64" | "Linux aarch64" | "Linux arm64" | "Darwin x86_64" | "Darwin arm64") ;;
    *)
      hearth_fail 13 "Hearth's runtime does not support this machine ($(uname -s) on $(uname -m))." \
        "It runs on Linux and macOS, on x64 and arm64 processors. On Windows, use WSL."
      ;;
  esac
  hearth_need_node
  hearth_node=$(node -v 2>/dev/null)
  case ${hearth_node#v} in
    [2-9][0-9].* | [1-9][0-9][0-9].*) ;;
    *)
      hearth_fail 11 "Hearth needs Node.js 20 or newer to install itself. This machine has ${hearth_node:-one that does not run}." \
        "Install a newer one from https://nodejs.org or with your system's package manager, then try again."
      ;;
  esac

  set -- "$1" ci --ignore-scripts --include=optional --no-audit --no-fund --no-progress \
    --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000
  # npm's linked layout works since 11.12.
  case $(npm -v 2>/dev/null) in
    [0-9].* | 10.* | 11.[0-9].* | 11.1[01].*) set -- "$@" --install-strategy=hoisted ;;
  esac
  if [ "$1" = run ]; then set -- "$@" --omit=dev; else set -- "$@" --include=dev; fi
  hearth_what=$1
  shift

  printf 'Setting up Hearth: downloading packages, about a minute ... ' >&2
  hearth_started=$(date +%s)
  rm -f node_modules/.hearth-lock
  # A signal may come before the next line but one; from here on `$!` is npm.
  hearth_child=beginning
  npm "$@" </dev/null >"$hearth_log" 2>&1 &
  hearth_child=$!
  printf '%s\n' "$hearth_child" >"$hearth_lock/npm"
  wait "$hearth_child"
  hearth_code=$?
  hearth_child=
  if [ "$hearth_code" -ne 0 ]; then
    printf 'failed.\n' >&2
    hearth_explain
  fi
  if ! hearth_find_runtime; then
    printf 'failed.\n' >&2
    [ -n "$hearth_found" ] ||
      hearth_fail 13 "npm installed no runtime for this machine ($(uname -s) on $(uname -m))." "The log is $PWD/$hearth_log."
    hearth_fail 13 "The runtime does not run on this machine ($hearth_found)." \
      "It needs a 64-bit processor with AVX2 (or ARMv8) and, on Linux, glibc 2.17, musl 1.2 or newer."
  fi
  [ "$hearth_what" = dev ] || hearth_prune 2>/dev/null || :
  hearth_stamp "$hearth_what"
  # Build the UI now, so that its first load need not wait. If this fails, the daemon retries and
  # reports the error.
  "$runtime" --no-install --no-env-file packages/ui/src/adapter/bun/build.ts </dev/null >/dev/null 2>&1 || :
  # Compile the command, so that a start need not read hundreds of files. If this fails, the sources run.
  "$runtime" --no-install --no-env-file packages/cli/src/compiled/build.ts </dev/null >/dev/null 2>&1 || :
  rm -f "$hearth_log"
  printf 'ready after %s s.\n' "$(($(date +%s) - hearth_started))" >&2
}

# Maps npm's error code to a short message.
hearth_explain() {
  hearth_npm=$(sed -n -e 's/^npm error code //p' -e 's/^npm ERR! code //p' "$hearth_log" | head -n 1)
  hearth_host=$(sed -n 's|.*\(https\{0,1\}://[^/ ]*\).*|\1|p' "$hearth_log" | head -n 1 | sed 's|//[^@]*@|//|')
  hearth_more="The log is $PWD/$hearth_log."
  case $hearth_npm in
    ENOTFOUND | EAI_AGAIN | ENETUNREACH | ENETDOWN | ENOTCACHED)
      hearth_fail 12 "No network: cannot resolve ${hearth_host:-the package registry}." \
        "Connect to the network (behind a proxy: npm config set proxy URL), then try again. $hearth_more"
      ;;
    ECONNREFUSED | ECONNRESET | ECONNABORTED | ETIMEDOUT | EHOSTUNREACH | ERR_SOCKET_TIMEOUT | EPIPE | E502 | E503 | E504)
      hearth_fail 12 "The package registry ${hearth_host:-in npm's settings} does not answer ($hearth_npm)." \
        "Check that it can be reached from here, then try again. $hearth_more"
      ;;
    EACCES | EPERM | EROFS)
      hearth_fail 13 "Cannot write to the folder $PWD or to npm's cache ($hearth_npm)." \
        "Change their owner, or move Hearth to a folder of yours. $hearth_more"
      ;;
    ENOSPC) hearth_fail 13 "The disk is full." "Free about 400 MB for the packages, then try again. $hearth_more" ;;
    *CERT* | *SELF_SIGNED* | *ISSUER*)
      hearth_fail 13 "The certificate of ${hearth_host:-the package registry} is not trusted ($hearth_npm)." \
        "Behind a proxy that intercepts TLS, run: npm config set cafile FILE. $hearth_more"
      ;;
    EUSAGE) hearth_fail 13 "package-lock.json does not match package.json." "Restore both from the release. $hearth_more" ;;
    *)
      sed -n -e 's/^npm error /  /p' -e 's/^npm ERR! /  /p' "$hearth_log" | head -n 5 >&2
      hearth_fail 13 "npm could not install the packages${hearth_npm:+ ($hearth_npm)}." "$hearth_more"
      ;;
  esac
}

# Takes the install lock. If its owner is gone, the process that creates `takeover` in it becomes the owner.
hearth_begin() {
  [ -w . ] || hearth_fail 13 "Cannot write to the folder $PWD." "Change its owner, or move Hearth to a folder of yours."
  hearth_child=
  hearth_waited=0
  hearth_unnamed=0
  hearth_absent=0
  trap 'hearth_interrupt 129' HUP
  trap 'hearth_interrupt 130' INT
  trap 'hearth_interrupt 143' TERM
  until hearth_take; do
    [ "$hearth_waited" -ne 10 ] || printf 'Waiting for another start of Hearth to finish setting up (process %s).\n' "$hearth_owner" >&2
    [ "$hearth_waited" -lt 6000 ] ||
      hearth_fail 13 "Another start of Hearth (process $hearth_owner) has been setting up for ten minutes." \
        "End it, or remove $PWD/$hearth_lock if that process is gone, then try again."
    hearth_waited=$((hearth_waited + 1))
    sleep 0.1
  done
}

hearth_take() {
  if mkdir "$hearth_lock" 2>/dev/null; then
    hearth_mine=1
    printf '%s\n' "$$" >"$hearth_lock/pid"
    return 0
  fi
  if [ ! -d "$hearth_lock" ]; then
    hearth_absent=$((hearth_absent + 1))
    [ "$hearth_absent" -lt 20 ] || hearth_fail 13 "Cannot create the folder $PWD/$hearth_lock." "Check that you can write to $PWD."
    return 1
  fi
  hearth_alive && return 1
  mkdir "$hearth_lock/takeover" 2>/dev/null || return 1
  if hearth_alive; then
    rmdir "$hearth_lock/takeover"
    return 1
  fi
  hearth_mine=1
  printf '%s\n' "$$" >"$hearth_lock/pid"
  rmdir "$hearth_lock/takeover"
}

# Whether the lock's owner, or an npm process it left behind, is alive. A lock without a process id
# counts as being created, but only for a limited time.
hearth_alive() {
  hearth_owner=
  if [ -r "$hearth_lock/npm" ] && read -r hearth_owner <"$hearth_lock/npm" && kill -0 "$hearth_owner" 2>/dev/null; then return 0; fi
  hearth_owner=
  [ ! -r "$hearth_lock/pid" ] || read -r hearth_owner <"$hearth_lock/pid"
  if [ -z "$hearth_owner" ]; then
    hearth_unnamed=$((hearth_unnamed + 1))
    [ "$hearth_unnamed" -lt 20 ]
    return
  fi
  kill -0 "$hearth_owner" 2>/dev/null || ps -p "$hearth_owner" >/dev/null 2>&1
}

hearth_end() {
  [ -z "${hearth_mine:-}" ] || rm -rf "$hearth_lock"
  hearth_mine=
  trap - HUP INT TERM
}

hearth_interrupt() {
  [ "$hearth_child" != beginning ] || hearth_child=${!:-}
  if [ -n "$hearth_child" ]; then
    kill "$hearth_child" 2>/dev/null
    wait "$hearth_child" 2>/dev/null
  fi
  hearth_end
  printf '\nHearth: setup was interrupted. The next start begins again.\n' >&2
  exit "$1"
}

hearth_fail() {
  hearth_end
  printf 'Hearth: %s\n  %s\n' "$2" "$3" >&2
  exit "$1"
}
