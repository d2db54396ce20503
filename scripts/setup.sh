# Brings the runtime and the packages into node_modules. Sourced, in the root of the checkout, by `hearth` and scripts/*.sh.
#
# `hearth_setup run` or `hearth_setup dev` (with the tools that tests and checks need) sets $runtime or exits with
#   10  Node.js or npm is missing, and something must be installed
#   11  Node.js is too old
#   12  the packages could not be downloaded: no network, or the registry does not answer
#   13  setting up failed for another reason
# An install is known by its stamp: the runtime's path and a copy of package-lock.json, kept in node_modules.

hearth_lock=.hearth-setup
hearth_log=setup.log

hearth_setup() {
  hearth_installed "$1" && return
  [ -e node_modules/.package-lock.json ] || hearth_need_node
  hearth_begin
  if ! hearth_installed "$1" && ! hearth_adopt "$1"; then hearth_install "$1"; fi
  hearth_end
}

# Builtins and one `cmp`: every start of Hearth comes through here.
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

# An install that somebody made by hand is as good as ours when npm finished it after the lock file's last change.
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
    hearth_fail 13 "The folder $PWD cannot be written to." "Make it yours, or move Hearth to a folder that is."
}

# npm may bring more than one build of the runtime; the one that runs here is ours.
hearth_find_runtime() {
  hearth_found=
  for runtime in node_modules/@oven/bun-*/bin/bun; do
    [ -f "$runtime" ] || continue
    hearth_found=$runtime
    "$runtime" --version >/dev/null 2>&1 && return
  done
  return 1
}

# Builtins alone: on a machine without Node there may be little else.
hearth_need_node() {
  command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 ||
    hearth_fail 10 "Hearth needs Node.js 20 or newer, with npm, to install itself; this machine has none on its PATH." \
      "Install it from https://nodejs.org or with your system's package manager, then do this again."
}

hearth_install() {
  case "$(uname -s) $(uname -m)" in
    "Linux x86_64" | "Linux amd64" | "Linux aarch64" | "Linux arm64" | "Darwin x86_64" | "Darwin arm64") ;;
    *)
      hearth_fail 13 "Hearth's runtime does not exist for this machine ($(uname -s) on $(uname -m))." \
        "It runs on Linux and macOS, on x64 and arm64 processors. On Windows, use WSL."
      ;;
  esac
  hearth_need_node
  hearth_node=$(node -v 2>/dev/null)
  case ${hearth_node#v} in
    [2-9][0-9].* | [1-9][0-9][0-9].*) ;;
    *)
      hearth_fail 11 "Hearth needs Node.js 20 or newer to install itself; this machine has ${hearth_node:-one that does not run}." \
        "Install a newer one from https://nodejs.org or with your system's package manager, then do this again."
      ;;
  esac

  set -- "$1" ci --ignore-scripts --include=optional --no-audit --no-fund --no-progress \
    --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000
  # npm's linked layout works from 11.12 on.
  case $(npm -v 2>/dev/null) in
    [0-9].* | 10.* | 11.[0-9].* | 11.1[01].*) set -- "$@" --install-strategy=hoisted ;;
  esac
  if [ "$1" = run ]; then set -- "$@" --omit=dev; else set -- "$@" --include=dev; fi
  hearth_what=$1
  shift

  printf 'Setting up Hearth: downloading what it needs, about a minute ... ' >&2
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
    printf 'it did not work.\n' >&2
    hearth_explain
  fi
  if ! hearth_find_runtime; then
    printf 'it did not work.\n' >&2
    [ -n "$hearth_found" ] ||
      hearth_fail 13 "npm installed no runtime for this machine ($(uname -s) on $(uname -m))." "The log is $PWD/$hearth_log."
    hearth_fail 13 "The runtime does not run on this machine ($hearth_found)." \
      "It needs a 64-bit processor with AVX2 (or ARMv8) and, on Linux, a C library not older than glibc 2.17 or musl 1.2."
  fi
  hearth_stamp "$hearth_what"
  # So that the first look at the UI need not wait. Where this fails the daemon tries again, and says why.
  "$runtime" --no-install --no-env-file packages/ui/src/adapter/bun/build.ts </dev/null >/dev/null 2>&1 || :
  # So that no start need read some hundred files. Where this fails the sources run.
  "$runtime" --no-install --no-env-file packages/cli/src/compiled/build.ts </dev/null >/dev/null 2>&1 || :
  rm -f "$hearth_log"
  printf 'ready after %s s.\n' "$(($(date +%s) - hearth_started))" >&2
}

# npm's own words are many; the code in them says which of a few things went wrong.
hearth_explain() {
  hearth_npm=$(sed -n -e 's/^npm error code //p' -e 's/^npm ERR! code //p' "$hearth_log" | head -n 1)
  hearth_host=$(sed -n 's|.*\(https\{0,1\}://[^/ ]*\).*|\1|p' "$hearth_log" | head -n 1 | sed 's|//[^@]*@|//|')
  hearth_more="The log is $PWD/$hearth_log."
  case $hearth_npm in
    ENOTFOUND | EAI_AGAIN | ENETUNREACH | ENETDOWN | ENOTCACHED)
      hearth_fail 12 "No network: ${hearth_host:-the package registry} could not be found from here." \
        "Connect to the network (behind a proxy: npm config set proxy URL), then do this again. $hearth_more"
      ;;
    ECONNREFUSED | ECONNRESET | ECONNABORTED | ETIMEDOUT | EHOSTUNREACH | ERR_SOCKET_TIMEOUT | EPIPE | E502 | E503 | E504)
      hearth_fail 12 "The package registry ${hearth_host:-in npm's settings} does not answer ($hearth_npm)." \
        "See that it can be reached from here, then do this again. $hearth_more"
      ;;
    EACCES | EPERM | EROFS)
      hearth_fail 13 "The folder $PWD, or npm's cache, cannot be written to ($hearth_npm)." \
        "Make both yours, or move Hearth to a folder that is. $hearth_more"
      ;;
    ENOSPC) hearth_fail 13 "The disk is full." "Hearth needs about 400 MB for its packages. $hearth_more" ;;
    *CERT* | *SELF_SIGNED* | *ISSUER*)
      hearth_fail 13 "The certificate of ${hearth_host:-the package registry} is not trusted ($hearth_npm)." \
        "Behind a proxy that reads TLS: npm config set cafile FILE. $hearth_more"
      ;;
    EUSAGE) hearth_fail 13 "package-lock.json does not fit package.json." "Restore both from the release. $hearth_more" ;;
    *)
      sed -n -e 's/^npm error /  /p' -e 's/^npm ERR! /  /p' "$hearth_log" | head -n 5 >&2
      hearth_fail 13 "npm could not install the packages${hearth_npm:+ ($hearth_npm)}." "$hearth_more"
      ;;
  esac
}

# One install at a time. A lock whose owner is gone is taken over by whoever makes `takeover` in it.
hearth_begin() {
  [ -w . ] || hearth_fail 13 "The folder $PWD cannot be written to." "Make it yours, or move Hearth to a folder that is."
  hearth_child=
  hearth_waited=0
  hearth_nameless=0
  hearth_absent=0
  trap 'hearth_interrupt 129' HUP
  trap 'hearth_interrupt 130' INT
  trap 'hearth_interrupt 143' TERM
  until hearth_take; do
    [ "$hearth_waited" -ne 10 ] || printf 'Waiting for another start of Hearth that is setting up (process %s).\n' "$hearth_owner" >&2
    [ "$hearth_waited" -lt 6000 ] ||
      hearth_fail 13 "Another start of Hearth (process $hearth_owner) has been setting up for ten minutes." \
        "End it, or remove $PWD/$hearth_lock if it is gone, then do this again."
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
    [ "$hearth_absent" -lt 20 ] || hearth_fail 13 "The folder $PWD/$hearth_lock cannot be made." "See that this is a folder to write in."
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

# Its owner, or the npm that an owner left behind. A lock without a name in it is being made right now, unless that lasts.
hearth_alive() {
  hearth_owner=
  if [ -r "$hearth_lock/npm" ] && read -r hearth_owner <"$hearth_lock/npm" && kill -0 "$hearth_owner" 2>/dev/null; then return 0; fi
  hearth_owner=
  [ ! -r "$hearth_lock/pid" ] || read -r hearth_owner <"$hearth_lock/pid"
  if [ -z "$hearth_owner" ]; then
    hearth_nameless=$((hearth_nameless + 1))
    [ "$hearth_nameless" -lt 20 ]
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
  printf '\nHearth: setting up was interrupted; the next start begins it anew.\n' >&2
  exit "$1"
}

hearth_fail() {
  hearth_end
  printf 'Hearth: %s\n  %s\n' "$2" "$3" >&2
  exit "$1"
}
