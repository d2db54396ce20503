/** What a cell made by bubblewrap sees of the machine, as bubblewrap's own arguments. Order counts: later ones stand on earlier ones. */
import { dirname } from "node:path";
import { CELL_BRAIN, CELL_WORKSPACE } from "../../../cells/backend.ts";

/** All of Hearth's that is in a cell. */
export const CELL_PROGRAMS = "/run/hearth";
export const CELL_RUNTIME = `${CELL_PROGRAMS}/bun`;
export const CELL_INMATE = `${CELL_PROGRAMS}/inmate`;

export interface BubblewrapView {
  /** Absolute paths on the host. */
  readonly runtime: string;
  readonly inmate: string;
  readonly brain: string;
  readonly workspace: string;
  /** Right below `brain`, and whether it is a folder. */
  readonly hidden: readonly { readonly name: string; readonly folder: boolean }[];
  /** Files of our own making that stand for the host's in /etc, by their names there. */
  readonly etc: Readonly<Record<string, string>>;
  /** Of the names right below the host's root and below /proc, those that are there. */
  readonly rootLinks: Readonly<Record<string, string>>;
  readonly covers: readonly { readonly path: string; readonly folder: boolean }[];
  readonly temporaryBytes: number;
  readonly sharedBytes: number;
  /** Descriptors: of the filter, of what is told which process is the first inside, and of what it waits for before it starts anything. */
  readonly seccomp: number;
  readonly info: number;
  readonly block: number;
}

export const bubblewrapArguments = (view: BubblewrapView): readonly string[] => [
  ...["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
  // Whoever the daemon runs as is an ordinary user inside. What it makes in the workspace stays the daemon's user's.
  ...["--uid", "1000", "--gid", "1000", "--hostname", "cell", "--cap-drop", "ALL"],
  ...["--die-with-parent", "--new-session"],
  ...["--seccomp", String(view.seccomp), "--info-fd", String(view.info), "--block-fd", String(view.block)],

  ...["--ro-bind", "/usr", "/usr"],
  ...Object.entries(view.rootLinks).flatMap(([name, target]) => ["--symlink", target, `/${name}`]),
  ...SEEN_IN_ETC.flatMap((path) => ["--ro-bind-try", path, path]),
  ...Object.entries(view.etc).flatMap(([name, path]) => ["--ro-bind", path, `/etc/${name}`]),

  ...["--proc", "/proc", ...view.covers.flatMap(({ path, folder }) => cover(path, folder))],
  ...["--dev", "/dev", "--size", String(view.sharedBytes), "--perms", "1777", "--tmpfs", "/dev/shm"],
  ...["--size", String(view.temporaryBytes), "--perms", "1777", "--tmpfs", "/tmp"],
  ...["--symlink", "/tmp", "/var/tmp"],

  ...["--dir", CELL_PROGRAMS, "--ro-bind", view.runtime, CELL_RUNTIME, "--ro-bind", view.inmate, CELL_INMATE],
  ...["--perms", "0755", "--dir", dirname(CELL_BRAIN), "--ro-bind", view.brain, CELL_BRAIN],
  ...view.hidden.flatMap(({ name, folder }) => cover(`${CELL_BRAIN}/${name}`, folder)),
  ...["--bind", view.workspace, CELL_WORKSPACE],

  // Whoever is the host's root inside would otherwise pass for the owner of what the kernel shows there.
  ...["--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/"],
  ...["--chdir", CELL_PROGRAMS],
  ...["--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "LANG", "C.UTF-8"],
  ...["--setenv", "BUN_RUNTIME_TRANSPILER_CACHE_PATH", "0"],
];

const cover = (path: string, folder: boolean): readonly string[] =>
  folder
    ? ["--size", "4096", "--perms", "0555", "--tmpfs", path, "--remount-ro", path]
    : ["--ro-bind", "/dev/null", path];

/** Certificates, and what programs need to find their own parts. Never what is somebody's: keys, passwords, hosts. */
export const SEEN_IN_ETC = [
  ...["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"],
  ...["/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/pki/tls/certs", "/etc/pki/ca-trust"],
  ...["/etc/crypto-policies", "/etc/mime.types", "/etc/protocols", "/etc/services", "/etc/debian_version"],
  ...["/etc/os-release", "/etc/magic", "/etc/terminfo"],
];

/** In place of the host's. */
export const CELL_ETC: Readonly<Record<string, string>> = {
  passwd: "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\nagent:x:1000:1000:agent:/mnt/brain/workspace:/bin/sh\n",
  group: "root:x:0:\nagent:x:1000:\n",
  hosts: "127.0.0.1 localhost\n::1 localhost\n",
  "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
  "resolv.conf": "",
  hostname: "cell\n",
};

/** Of the kernel's own files, what tells of the host and its other processes, or reaches into the machine. */
export const COVERED_IN_PROC: readonly string[] = [
  ...["acpi", "asound", "bus", "cmdline", "config.gz", "driver", "fs", "iomem", "ioports", "irq", "kallsyms", "kcore"],
  ...["key-users", "keys", "kmsg", "kpagecgroup", "kpagecount", "kpageflags", "latency_stats", "modules", "mtrr"],
  ...["pagetypeinfo", "partitions", "sched_debug", "schedstat", "scsi", "slabinfo", "sysrq-trigger", "sysvipc"],
  ...["timer_list", "timer_stats", "vmallocinfo", "dynamic_debug", "diskstats", "swaps"],
];
