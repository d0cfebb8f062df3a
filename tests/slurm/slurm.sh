#!/usr/bin/env bash
# A real Slurm of one node on this machine, for the tests: `slurm.sh up`, `slurm.sh down`.
# Needs root and Debian's packages. `down` stops it and removes the packages and files that `up`
# brought; what was installed before stays.
set -euo pipefail

BASE=/var/lib/intogen-agent-slurm
PACKAGES="munge slurm-client slurmctld slurmd"
NODE=$(hostname -s)
export DEBIAN_FRONTEND=noninteractive

wait_for() { # SECONDS COMMAND...: until the command succeeds
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    if [ "$SECONDS" -ge "$end" ]; then
      echo "slurm.sh: no success within time: $*" >&2
      return 1
    fi
    sleep 0.2
  done
}

stop() { # PIDFILE: end a daemon and wait for it
  local pid
  pid=$(cat "$1" 2>/dev/null) || return 0
  kill "$pid" 2>/dev/null || return 0
  wait_for 20 bash -c "! kill -0 $pid" || kill -KILL "$pid"
}

packages() { dpkg-query --show --showformat='${db:Status-Abbrev} ${Package}\n' | grep '^ii' | sort; }

install_packages() {
  # shellcheck disable=SC2086 # several words
  if dpkg-query --status $PACKAGES >/dev/null 2>&1; then return 0; fi
  packages >"$BASE/before"
  # Daemons that are started by the packages would run with no configuration.
  if [ ! -e /usr/sbin/policy-rc.d ]; then
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
    chmod +x /usr/sbin/policy-rc.d
    touch "$BASE/policy"
  fi
  apt-get update -qq -o Acquire::http::Timeout=20 -o Acquire::Retries=1
  # shellcheck disable=SC2086
  apt-get install -qq --yes --no-install-recommends $PACKAGES >/dev/null
}

configure() {
  mkdir -p "$BASE/state" "$BASE/spool" /etc/slurm
  local megabytes
  megabytes=$(awk '/MemTotal/ {print int($2 / 1024)}' /proc/meminfo)
  # More CPUs than there are: the jobs wait for models. Neither systemd nor cgroups are needed.
  # A killed job has two seconds, and finished ones stay in squeue's memory.
  cat >/etc/slurm/slurm.conf <<CONF
ClusterName=tests
SlurmctldHost=$NODE(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
MinJobAge=3600
KillWait=2
ReturnToService=2
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmctldPidFile=$BASE/slurmctld.pid
SlurmdPidFile=$BASE/slurmd.pid
SlurmctldLogFile=$BASE/slurmctld.log
SlurmdLogFile=$BASE/slurmd.log
StateSaveLocation=$BASE/state
SlurmdSpoolDir=$BASE/spool
NodeName=$NODE NodeAddr=127.0.0.1 CPUs=16 RealMemory=$megabytes State=UNKNOWN
PartitionName=tests Nodes=$NODE Default=YES MaxTime=INFINITE State=UP
CONF
  printf 'CgroupAutomount=no\n' >/etc/slurm/cgroup.conf
}

up() {
  mkdir -p "$BASE"
  install_packages
  install -d -o munge -g munge /run/munge
  if ! munge --no-input >/dev/null 2>&1; then
    if [ ! -s /etc/munge/munge.key ]; then
      head -c 1024 /dev/urandom >/etc/munge/munge.key
      chown munge:munge /etc/munge/munge.key
      chmod 0400 /etc/munge/munge.key
    fi
    runuser -u munge -- /usr/sbin/munged --pid-file=/run/munge/tests.pid
    wait_for 10 munge --no-input
  fi
  configure
  slurmctld
  wait_for 30 scontrol ping
  slurmd -N "$NODE"
  wait_for 30 srun --ntasks=1 true
}

down() {
  local pidfile
  for pidfile in "$BASE/slurmd.pid" "$BASE/slurmctld.pid" /run/munge/tests.pid; do
    stop "$pidfile"
  done
  if [ -s "$BASE/before" ]; then
    packages | comm -13 "$BASE/before" - | awk '{print $2}' |
      xargs --no-run-if-empty apt-get purge -qq --yes >/dev/null
    rm -rf /etc/slurm /etc/munge
  fi
  if [ -e "$BASE/policy" ]; then rm -f /usr/sbin/policy-rc.d; fi
  rm -rf "$BASE"
}

case ${1:-} in
  up | down) "$1" ;;
  *) echo "usage: slurm.sh up|down" >&2; exit 2 ;;
esac
