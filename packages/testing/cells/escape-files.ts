/**
 * Escape attempts to files and processes: those of the host and of other agents, and the parts of
 * the brain that are read-only or hidden.
 */
import { type Escape, opens, perl, reads } from "./escape.ts";

const files = (all: Readonly<Record<string, string>>): readonly Escape[] =>
  Object.entries(all).map(([name, script]) => ({ name, wall: "fs", script }));

const sees = (command: string): string => `${command} 2>/dev/null | grep -q "$CANARY" && echo REACHED`;

const brain = files({
  "writing SOUL.md":
    'cp "$BRAIN/SOUL.md" kept; echo evil >>"$BRAIN/SOUL.md" && echo REACHED && cat kept >"$BRAIN/SOUL.md"',
  "a new file in the brain": 'echo evil >"$BRAIN/evil" && echo REACHED && rm "$BRAIN/evil"',
  "moving SOUL.md away": 'mv "$BRAIN/SOUL.md" "$BRAIN/moved" && echo REACHED && mv "$BRAIN/moved" "$BRAIN/SOUL.md"',
  "putting another file in SOUL.md's place": 'cp "$BRAIN/SOUL.md" soul && mv -f soul "$BRAIN/SOUL.md" && echo REACHED',
  "SOUL.md by a hard link in the workspace":
    'ln "$BRAIN/SOUL.md" linked && cp linked kept && echo evil >>linked && echo REACHED && cat kept >linked; rm -f linked',
  "SOUL.md by a symbolic link in the workspace":
    'ln -s ../SOUL.md link; cp link kept; echo evil >>link && echo REACHED && cat kept >"$BRAIN/SOUL.md"; rm -f link',
  "SOUL.md's mode":
    'chmod 606 "$BRAIN/SOUL.md"; [ "$(stat -c %a "$BRAIN/SOUL.md")" = 606 ] && echo REACHED && chmod 644 "$BRAIN/SOUL.md"',
  "what is hidden in the brain": reads('"$BRAIN/db/index"'),
  "what is hidden, by a way around": reads('"$BRAIN/workspace/../db/../db/index"'),
  "what is hidden, by a symbolic link": `ln -s ../db hidden; ${reads("hidden/index")}; rm -f hidden`,
  "what is hidden, moved to where it is seen": 'mv "$BRAIN/db" here && echo REACHED && mv here "$BRAIN/db"',
});

const host = files({
  "a file of the host": reads('"$HOST/canary"'),
  "a folder of the host": sees('ls "$HOST"; cat "$HOST"/*'),
  "writing a file of the host": 'echo evil 2>/dev/null >>"$HOST/written" && echo REACHED',
  "emptying a file of the host": 'echo text >"$HOST/emptied" && : >"$HOST/emptied" && echo REACHED',
  "removing a file of the host": 'rm "$HOST/removed" 2>/dev/null && echo REACHED && echo >"$HOST/removed"',
  "the mode of a file of the host":
    'chmod 606 "$HOST/canary"; [ "$(stat -c %a "$HOST/canary")" = 606 ] && echo REACHED && chmod 644 "$HOST/canary"',
  "the time of a file of the host":
    'touch -d @1000000000 "$HOST/canary"; [ "$(stat -c %Y "$HOST/canary")" = 1000000000 ] && echo REACHED',
  "a program of the host's own": '"$HOST/program" 2>/dev/null',
  "a file of the host by a symbolic link": `ln -s "$HOST/canary" link; ${reads("link")}; rm -f link`,
  "a file of the host by a hard link": `ln "$HOST/canary" linked; ${reads("linked")}; rm -f linked`,
  "a file of the host by a link that is swapped": `mkdir turn; echo own >turn/canary; i=0
while [ $i -lt 20 ]; do mv turn kept; ln -s "$HOST" turn; cat turn/canary; rm turn; mv kept turn; i=$((i+1)); done 2>/dev/null |
grep -q "$CANARY" && echo REACHED; rm -rf turn`,
  "a file of the host from the working directory up": reads('"/proc/self/cwd/../../../../../../..$HOST/canary"'),
  "a file of the host by the first process's root": reads('"/proc/1/root$HOST/canary"'),
  "a file of the host by another process's root": reads('"/proc/$HOST_PID/root$HOST/canary"'),
  "another agent's workspace": reads('"$OTHER/canary"'),
  "the passwords of the host": reads("/etc/shadow"),
  "the people of the host": 'grep -q "^daemon:" /etc/passwd 2>/dev/null && echo REACHED',
  "what the host keeps in /dev/shm": reads('"/dev/shm/$CANARY"'),
  "a watch on a folder of the host": perl(`
    my $watch = syscall(nr("inotify_init1"), 0);
    reached() if syscall(nr("inotify_add_watch"), $watch, $ENV{HOST}, 2) >= 0`),
  "a file of the host by a handle": perl(`
    my ($handle, $mount) = (pack("Ii", 120, 0) . "\\0" x 120, "\\0" x 8);
    my $path = "$ENV{HOST}/canary";
    exit 1 if syscall(nr("name_to_handle_at"), -100, $path, $handle, $mount, 0) < 0;
    open(my $folder, "<", ".") or exit 1;
    passed(syscall(nr("open_by_handle_at"), fileno($folder), $handle, 0))`),
});

const processes = files({
  "the environment of the first process": "tr -d '\\0' </proc/1/environ 2>/dev/null | grep -q . && echo REACHED",
  "the environment of a process of the host": sees("cat /proc/$HOST_PID/environ"),
  "the commands of the host's processes": 'grep -qs "$CANARY-process" /proc/[0-9]*/cmdline && echo REACHED',
  "the open files of a process of the host": "ls /proc/$HOST_PID/fd 2>/dev/null | grep -q . && echo REACHED",
  "the memory of a process of the host": "(exec 3</proc/$HOST_PID/mem) 2>/dev/null && echo REACHED",
  "the folder of a process of the host": reads("/proc/$HOST_PID/cwd/canary"),
  "the end of a process of the host": "kill -0 $HOST_PID 2>/dev/null && echo REACHED",
  "the priority of a process of the host": "renice -n 1 -p $HOST_PID >/dev/null 2>&1 && echo REACHED",
  "the limits of a process of the host": perl(`
    my $limit = pack("QQ", 0, 0);
    reached() if syscall(nr("prlimit64"), int($ENV{HOST_PID}), 7, 0, $limit) >= 0`),
  "memory that the host's processes share": perl(`
    my $shared = syscall(nr("shmget"), hex(substr($ENV{CANARY}, -7)), 1, 0);
    reached() if $shared >= 0`),
});

const machine = files({
  "the kernel's memory": reads("/proc/kcore"),
  "the kernel's words": perl(
    `my ($file, $words); sysopen($file, "/dev/kmsg", 2048) && sysread($file, $words, 8192) && reached()`,
  ),
  "where the machine's memory is": reads("/proc/iomem"),
  "the magic key": opens("/proc/sysrq-trigger"),
  "the program that is run for a core": opens("/proc/sys/kernel/core_pattern"),
  "the program that is run for a module": opens("/proc/sys/kernel/modprobe"),
  "the kernel's caches": opens("/proc/sys/vm/drop_caches"),
  "the program that is run when a control group empties":
    "for each in /sys/fs/cgroup/release_agent /sys/fs/cgroup/*/release_agent; do (: >>$each) 2>/dev/null && echo REACHED; done",
  "a control group without limits":
    "for each in /sys/fs/cgroup /sys/fs/cgroup/*; do mkdir $each/$CANARY && rmdir $each/$CANARY && echo REACHED; done 2>/dev/null",
  "the sleep of the machine": opens("/sys/power/state"),
  "a disk":
    "for each in /dev/[sv]d[a-z] /dev/nvme?n1 /dev/zram0 /dev/loop[0-9]; do head -c 1 $each; done 2>/dev/null | wc -c | grep -q [1-9] && echo REACHED",
  "a new node for a disk": "mknod node b 7 0 2>/dev/null && echo REACHED; rm -f node",
  "virtual machines": "(exec 3<>/dev/kvm) 2>/dev/null && echo REACHED",
  "new file systems": "(exec 3<>/dev/fuse) 2>/dev/null && echo REACHED",
  "the hypervisor's device": "(exec 3</dev/vsock) 2>/dev/null && echo REACHED",
  "the consoles": "(exec 3<>/dev/tty0) 2>/dev/null && echo REACHED",
});

const CALLS = {
  "a watch on a folder of the host": ["inotify_init1", "inotify_add_watch"],
  "a file of the host by a handle": ["name_to_handle_at", "open_by_handle_at"],
  "the limits of a process of the host": ["prlimit64"],
  "memory that the host's processes share": ["shmget"],
} as const satisfies Readonly<Record<string, Escape["calls"]>>;

export const fileEscapes: readonly Escape[] = [...brain, ...host, ...processes, ...machine].map((escape) => {
  const calls = Object.entries(CALLS).find(([name]) => name === escape.name)?.[1];
  return calls === undefined ? escape : { ...escape, calls };
});
