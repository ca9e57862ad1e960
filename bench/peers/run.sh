#!/usr/bin/env bash
# Starts etcd, Redis and ZooKeeper on loopback in a temporary folder, measures our locks beside theirs, and stops
# them:  bench/peers/run.sh PROGRAM [RESULT.json]
# ROUNDS=N measures each N times (3).
#
# "In memory" is a folder in memory for etcd, no file at all for Redis, and forceSync=no for ZooKeeper.
set -euo pipefail
program=$1
result=${2-}
folder=$(mktemp -d)
memory=$(mktemp -d -p /dev/shm)
pids=()
stop() {
  for pid in "${pids[@]}"; do kill -9 "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$folder" "$memory"
}
trap stop EXIT

found=''  # the ports of what was started last
base=$((20000 + RANDOM % 10000))
start() {  # LOG COMMAND...
  local log=$1
  shift
  "$@" >"$folder/$log.log" 2>&1 &
  pids+=($!)
}
join() { local IFS=,; echo "$*"; }
await_port() {
  local port=$1 tries=0
  until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    tries=$((tries + 1))
    [[ $tries -lt 600 ]] || { echo "nobody listens on port $port; its log:" >&2; tail -n 5 "$folder"/*.log >&2; exit 1; }
    sleep 0.1
  done
}

redis() {  # FIRST_PORT OPTIONS...
  local first=$1 ports=() i
  shift
  for i in 0 1 2 3 4; do
    mkdir -p "$folder/redis-$((first + i))"
    start "redis-$((first + i))" redis-server --bind 127.0.0.1 --port $((first + i)) \
      --dir "$folder/redis-$((first + i))" --save '' "$@"
    ports+=($((first + i)))
  done
  found=$(join "${ports[@]}")
}

etcd_three() {  # FIRST_PORT DATA_FOLDER
  local first=$1 data=$2 cluster=() ports=() i
  for i in 0 1 2; do cluster+=("e$i=http://127.0.0.1:$((first + 10 + i))"); done
  for i in 0 1 2; do
    start "etcd-$((first + i))" etcd --name "e$i" --data-dir "$data/e$i" \
      --listen-client-urls "http://127.0.0.1:$((first + i))" \
      --advertise-client-urls "http://127.0.0.1:$((first + i))" \
      --listen-peer-urls "http://127.0.0.1:$((first + 10 + i))" \
      --initial-advertise-peer-urls "http://127.0.0.1:$((first + 10 + i))" \
      --initial-cluster "$(join "${cluster[@]}")" --initial-cluster-state new --log-level error
    ports+=($((first + i)))
  done
  found=$(join "${ports[@]}")
}

zookeeper() {  # FIRST_PORT FORCE_SYNC
  local first=$1 sync=$2 ports=() i j data
  for i in 0 1 2; do
    data="$folder/zookeeper-$first-$i"
    mkdir -p "$data"
    echo $((i + 1)) >"$data/myid"
    {
      printf 'tickTime=2000\ninitLimit=10\nsyncLimit=5\nmaxClientCnxns=0\nadmin.enableServer=false\n'
      printf 'dataDir=%s\nclientPort=%s\nclientPortAddress=127.0.0.1\n' "$data" $((first + i))
      for j in 0 1 2; do
        printf 'server.%s=127.0.0.1:%s:%s\n' $((j + 1)) $((first + 10 + j)) $((first + 20 + j))
      done
    } >"$data/zoo.cfg"
    start "zookeeper-$((first + i))" java -Xmx256m -Dzookeeper.forceSync="$sync" \
      -cp /etc/zookeeper/conf:/usr/share/java/zookeeper.jar \
      org.apache.zookeeper.server.quorum.QuorumPeerMain "$data/zoo.cfg"
    ports+=($((first + i)))
  done
  found=$(join "${ports[@]}")
}

options=()
redis "$base" --appendonly no
options+=(--redis "$found")
redis $((base + 10)) --appendonly yes --appendfsync always
options+=(--redis-durable "$found")
etcd_three $((base + 20)) "$memory"
options+=(--etcd "$found")
etcd_three $((base + 40)) "$folder"
options+=(--etcd-durable "$found")
zookeeper $((base + 60)) no
options+=(--zookeeper "$found")
zookeeper $((base + 90)) yes
options+=(--zookeeper-durable "$found")
for list in "${options[@]}"; do
  [[ $list == --* ]] && continue
  for port in ${list//,/ }; do await_port "$port"; done
done
sleep 3  # elections
options+=(--rounds "${ROUNDS:-3}")
[[ -z $result ]] || options+=(--json "$result")
"$program" "${options[@]}"
