#!/bin/sh
# An S3-compatible server for the tests: OpenStack Swift with its s3api, on one machine, without a service.
#   eval "$(.ci/object-store.sh start [port] [folder])"    installs and starts it, prints the TEST_S3_* variables
#   .ci/object-store.sh stop [port] [folder]
# Starting one that runs already only prints the variables.
set -eu

action=${1:-start}
port=${2:-9090}
folder=${3:-${TMPDIR:-/tmp}/object-store-$port}
python=/usr/bin/python3
servers="account container object proxy"

stop() {
  for server in $servers; do
    if [ -f "$folder/$server.pid" ]; then kill "$(cat "$folder/$server.pid")" 2>/dev/null || true; fi
    rm -f "$folder/$server.pid"
  done
}

if [ "$action" = stop ]; then
  stop
  rm -rf "$folder"
  exit 0
fi

answers() {
  "$python" -c "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])), 1)" "$1" 2>/dev/null
}

if ! "$python" -c 'import swift' 2>/dev/null; then
  sudo=$(test "$(id -u)" = 0 || echo sudo)
  { $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -qq -y --no-install-recommends python3-swift; } >&2
fi

if ! { answers "$port" && [ -f "$folder/proxy.pid" ]; }; then
  stop
  mkdir -p "$folder/devices/disk" "$folder/rings"
  printf '[swift-hash]\nswift_hash_path_suffix = tests\n' > "$folder/rings/swift.conf"

  back_end=$((port + 1))
  for server in account container object; do
    "$python" - "$folder/rings/$server.ring.gz" "$back_end" <<'RING'
import sys
from swift.common.ring import RingBuilder
ring = RingBuilder(4, 1, 1)
ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(sys.argv[2]), 'device': 'disk', 'weight': 1})
ring.rebalance()
ring.get_ring().save(sys.argv[1])
RING
    cat > "$folder/$server.conf" <<CONF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $back_end
workers = 0
swift_dir = $folder/rings
devices = $folder/devices
mount_check = false
user = $(id -un)
log_level = ERROR
log_address = $folder/none
[pipeline:main]
pipeline = $server-server
[app:$server-server]
use = egg:swift#$server
CONF
    back_end=$((back_end + 1))
  done

  cat > "$folder/proxy.conf" <<CONF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $port
workers = 0
swift_dir = $folder/rings
user = $(id -un)
log_level = ERROR
log_address = $folder/none
[pipeline:main]
pipeline = catch_errors cache listing_formats bulk s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
storage_domain = localhost
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
CONF

  cat > "$folder/serve.py" <<'SERVE'
import sys
from swift.common import utils
folder, server = sys.argv[1:]
utils.set_swift_dir(folder + '/rings')
from swift.common.wsgi import run_wsgi
sys.exit(run_wsgi(folder + '/' + server + '.conf', server + '-server'))
SERVE
  for server in $servers; do
    "$python" "$folder/serve.py" "$folder" "$server" > "$folder/$server.log" 2>&1 &
    echo $! > "$folder/$server.pid"
  done
  tries=0
  until answers "$port" && answers "$((port + 1))" && answers "$((port + 2))" && answers "$((port + 3))"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 100 ]; then
      cat "$folder"/*.log >&2
      exit 1
    fi
    sleep 0.1
  done
  sed '/^pipeline = /c pipeline = catch_errors cache proxy-server' "$folder/proxy.conf" > "$folder/internal.conf"
  "$python" - "$folder" <<'BUCKET' >&2
import sys
from swift.common import utils
folder = sys.argv[1]
utils.set_swift_dir(folder + '/rings')
from swift.common.internal_client import InternalClient
InternalClient(folder + '/internal.conf', 'tests', 3).create_container('AUTH_test', 'tests')
BUCKET
fi

cat <<VARIABLES
export TEST_S3_ENDPOINT=http://127.0.0.1:$port
export TEST_S3_REGION=us-east-1
export TEST_S3_BUCKET=tests
export TEST_S3_ACCESS_KEY_ID=test:tester
export TEST_S3_SECRET_ACCESS_KEY=testing
VARIABLES
