#!/bin/sh
# A PostgreSQL of one's own for the tests: a fresh cluster in a folder, on a private port, without a service.
#   eval "$(.ci/postgres.sh start [port] [folder])"    installs and starts it, prints TEST_DATABASE_URL
#   .ci/postgres.sh stop [port] [folder]
#   .ci/postgres.sh where                              prints the folder of its programs; fails where there are none
# Starting one that runs already only prints the variable. It forgets everything at `stop`, so it need not
# be durable: fsync is off.
set -eu

action=${1:-start}
port=${2:-55432}
folder=${3:-${TMPDIR:-/tmp}/postgres-$port}

# initdb and postgres refuse to run as root.
as_user() {
  if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

find_bin() {
  for bin in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -Vr) $(dirname "$(command -v initdb || echo /)"); do
    if [ -x "$bin/initdb" ] && [ -x "$bin/pg_ctl" ]; then echo "$bin"; return 0; fi
  done
  return 1
}

if [ "$action" = where ]; then
  find_bin
  exit
fi

if [ "$action" = stop ]; then
  if bin=$(find_bin) && [ -f "$folder/data/postmaster.pid" ]; then
    as_user "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  fi
  rm -rf "$folder"
  exit 0
fi

if ! bin=$(find_bin); then
  sudo=$(test "$(id -u)" = 0 || echo sudo)
  { $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -qq -y --no-install-recommends postgresql; } >&2 </dev/null
  bin=$(find_bin)
fi

if ! as_user "$bin/pg_isready" -q -h 127.0.0.1 -p "$port"; then
  rm -rf "$folder"
  mkdir -p "$folder"
  if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi
  as_user "$bin/initdb" -D "$folder/data" -U holdall -A trust -E UTF8 --locale=C >"$folder/initdb.log" 2>&1 ||
    { cat "$folder/initdb.log" >&2; exit 1; }
  as_user "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/data/log" \
    -o "-h 127.0.0.1 -p $port -c unix_socket_directories= -c fsync=off -c full_page_writes=off -c max_connections=300" \
    start >/dev/null 2>&1 || { cat "$folder/data/log" >&2; exit 1; }
  as_user "$bin/createdb" -h 127.0.0.1 -p "$port" -U holdall holdall
fi

echo "export TEST_DATABASE_URL='postgres://holdall@127.0.0.1:$port/holdall'"
