/**
 * Escape attempts to files and processes: those of the host and of other agents, and the parts of
 * the brain that are read-only or hidden.
 */
import { type Escape, openCommand, perlCommand, readCommand } from "./escape.ts";

const files = (all: Readonly<Record<string, string>>): readonly Escape[] =>
  Object.entries(all).map(([name, script]) => ({ name, wall: "fs", script }));

const canaryCommand = (command: string): string => `${command} 2>/dev/null | grep -q "$CANARY" && echo REACHED`;

const brain = files({
  "writing to SOUL.md":
    'cp "$BRAIN/SOUL.md" kept; echo evil >>"$BRAIN/SOUL.md" && echo REACHED && cat kept >"$BRAIN/SOUL.md"',
  "creating a file in the brain": 'echo evil >"$BRAIN/evil" && echo REACHED && rm "$BRAIN/evil"',
  "moving SOUL.md": 'mv "$BRAIN/SOUL.md" "$BRAIN/moved" && echo REACHED && mv "$BRAIN/moved" "$BRAIN/SOUL.md"',
  "replacing SOUL.md by another file": 'cp "$BRAIN/SOUL.md" soul && mv -f soul "$BRAIN/SOUL.md" && echo REACHED',
  "writing to SOUL.md through a hard link in the workspace":
    'ln "$BRAIN/SOUL.md" linked && cp linked kept && echo evil >>linked && echo REACHED && cat kept >linked; rm -f linked',
  "writing to SOUL.md through a symbolic link in the workspace":
    'ln -s ../SOUL.md link; cp link kept; echo evil >>link && echo REACHED && cat kept >"$BRAIN/SOUL.md"; rm -f link',
  "changing the mode of SOUL.md":
    'chmod 606 "$BRAIN/SOUL.md"; [ "$(stat -c %a "$BRAIN/SOUL.md")" = 606 ] && echo REACHED && chmod 644 "$BRAIN/SOUL.md"',
  "reading a hidden file of the brain": readCommand('"$BRAIN/db/index"'),
  "reading a hidden file through `..`": readCommand('"$BRAIN/workspace/../db/../db/index"'),
  "reading a hidden file through a symbolic link": `ln -s ../db hidden; ${readCommand("hidden/index")}; rm -f hidden`,
  "moving a hidden folder into the workspace": 'mv "$BRAIN/db" here && echo REACHED && mv here "$BRAIN/db"',
});

const host = files({
  "reading a file of the host": readCommand('"$HOST/canary"'),
  "listing a folder of the host": canaryCommand('ls "$HOST"; cat "$HOST"/*'),
  "writing to a file of the host": 'echo evil 2>/dev/null >>"$HOST/written" && echo REACHED',
  "truncating a file of the host": 'echo text >"$HOST/emptied" && : >"$HOST/emptied" && echo REACHED',
  "removing a file of the host": 'rm "$HOST/removed" 2>/dev/null && echo REACHED && echo >"$HOST/removed"',
  "changing the mode of a host file":
    'chmod 606 "$HOST/canary"; [ "$(stat -c %a "$HOST/canary")" = 606 ] && echo REACHED && chmod 644 "$HOST/canary"',
  "changing the modification time of a host file":
    'touch -d @1000000000 "$HOST/canary"; [ "$(stat -c %Y "$HOST/canary")" = 1000000000 ] && echo REACHED',
  "running a program of the host": '"$HOST/program" 2>/dev/null',
  "reading a host file through a symbolic link": `ln -s "$HOST/canary" link; ${readCommand("link")}; rm -f link`,
  "reading a host file through a hard link": `ln "$HOST/canary" linked; ${readCommand("linked")}; rm -f linked`,
  "reading a host file through a folder that is swapped for a link": `mkdir turn; echo own >turn/canary; i=0
while [ $i -lt 20 ]; do mv turn kept; ln -s "$HOST" turn; cat turn/canary; rm turn; mv kept turn; i=$((i+1)); done 2>/dev/null |
grep -q "$CANARY" && echo REACHED; rm -rf turn`,
  "reading a host file through `..` of the working directory": readCommand(
    '"/proc/self/cwd/../../../../../../..$HOST/canary"',
  ),
  "reading a host file through the root of process 1": readCommand('"/proc/1/root$HOST/canary"'),
  "reading a host file through the root of a host process": readCommand('"/proc/$HOST_PID/root$HOST/canary"'),
  "reading another agent's workspace": readCommand('"$OTHER/canary"'),
  "reading the password hashes of the host": readCommand("/etc/shadow"),
  "reading the user list of the host": 'grep -q "^daemon:" /etc/passwd 2>/dev/null && echo REACHED',
  "reading /dev/shm of the host": readCommand('"/dev/shm/$CANARY"'),
  "watching a folder of the host": perlCommand(`
    my $watch = syscall(nr("inotify_init1"), 0);
    reached() if syscall(nr("inotify_add_watch"), $watch, $ENV{HOST}, 2) >= 0`),
  "opening a host file by its file handle": perlCommand(`
    my ($handle, $mount) = (pack("Ii", 120, 0) . "\\0" x 120, "\\0" x 8);
    my $path = "$ENV{HOST}/canary";
    exit 1 if syscall(nr("name_to_handle_at"), -100, $path, $handle, $mount, 0) < 0;
    open(my $folder, "<", ".") or exit 1;
    passed(syscall(nr("open_by_handle_at"), fileno($folder), $handle, 0))`),
});

const processes = files({
  "reading the environment of process 1": "tr -d '\\0' </proc/1/environ 2>/dev/null | grep -q . && echo REACHED",
  "reading the environment of a host process": canaryCommand("cat /proc/$HOST_PID/environ"),
  "reading the command lines of host processes": 'grep -qs "$CANARY-process" /proc/[0-9]*/cmdline && echo REACHED',
  "listing the open files of a host process": "ls /proc/$HOST_PID/fd 2>/dev/null | grep -q . && echo REACHED",
  "opening the memory of a host process": "(exec 3</proc/$HOST_PID/mem) 2>/dev/null && echo REACHED",
  "reading the working directory of a host process": readCommand("/proc/$HOST_PID/cwd/canary"),
  "sending a signal to a host process": "kill -0 $HOST_PID 2>/dev/null && echo REACHED",
  "changing the priority of a host process": "renice -n 1 -p $HOST_PID >/dev/null 2>&1 && echo REACHED",
  "reading the limits of a host process": perlCommand(`
    my $limit = pack("QQ", 0, 0);
    reached() if syscall(nr("prlimit64"), int($ENV{HOST_PID}), 7, 0, $limit) >= 0`),
  "attaching shared memory of the host": perlCommand(`
    my $shared = syscall(nr("shmget"), hex(substr($ENV{CANARY}, -7)), 1, 0);
    reached() if $shared >= 0`),
});

const machine = files({
  "reading the kernel's memory (`/proc/kcore`)": readCommand("/proc/kcore"),
  "reading the kernel's log (`/dev/kmsg`)": perlCommand(
    `my ($file, $words); sysopen($file, "/dev/kmsg", 2048) && sysread($file, $words, 8192) && reached()`,
  ),
  "reading the memory map (`/proc/iomem`)": readCommand("/proc/iomem"),
  "opening `/proc/sysrq-trigger`": openCommand("/proc/sysrq-trigger"),
  "changing `core_pattern`": openCommand("/proc/sys/kernel/core_pattern"),
  "changing the `modprobe` program": openCommand("/proc/sys/kernel/modprobe"),
  "dropping the kernel's caches": openCommand("/proc/sys/vm/drop_caches"),
  "changing the `release_agent` of a control group":
    "for each in /sys/fs/cgroup/release_agent /sys/fs/cgroup/*/release_agent; do (: >>$each) 2>/dev/null && echo REACHED; done",
  "creating a control group":
    "for each in /sys/fs/cgroup /sys/fs/cgroup/*; do mkdir $each/$CANARY && rmdir $each/$CANARY && echo REACHED; done 2>/dev/null",
  "suspending the machine": openCommand("/sys/power/state"),
  "reading a block device":
    "for each in /dev/[sv]d[a-z] /dev/nvme?n1 /dev/zram0 /dev/loop[0-9]; do head -c 1 $each; done 2>/dev/null | wc -c | grep -q [1-9] && echo REACHED",
  "creating a block device node": "mknod node b 7 0 2>/dev/null && echo REACHED; rm -f node",
  "opening `/dev/kvm`": "(exec 3<>/dev/kvm) 2>/dev/null && echo REACHED",
  "opening `/dev/fuse`": "(exec 3<>/dev/fuse) 2>/dev/null && echo REACHED",
  "opening `/dev/vsock`": "(exec 3</dev/vsock) 2>/dev/null && echo REACHED",
  "opening a console": "(exec 3<>/dev/tty0) 2>/dev/null && echo REACHED",
});

const CALLS = {
  "watching a folder of the host": ["inotify_init1", "inotify_add_watch"],
  "opening a host file by its file handle": ["name_to_handle_at", "open_by_handle_at"],
  "reading the limits of a host process": ["prlimit64"],
  "attaching shared memory of the host": ["shmget"],
} as const satisfies Readonly<Record<string, Escape["calls"]>>;

export const fileEscapes: readonly Escape[] = [...brain, ...host, ...processes, ...machine].map((escape) => {
  const calls = Object.entries(CALLS).find(([name]) => name === escape.name)?.[1];
  return calls === undefined ? escape : { ...escape, calls };
});
