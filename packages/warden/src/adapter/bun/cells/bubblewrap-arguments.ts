/**
 * The bubblewrap arguments that define the cell's view of the machine. Their order matters: later
 * mounts cover earlier ones.
 */
import { dirname } from "node:path";
import { CELL_BRAIN, CELL_WORKSPACE } from "../../../cells/backend.ts";

/** The folder of all Hearth programs in a cell. */
export const CELL_PROGRAMS = "/run/hearth";
export const CELL_RUNTIME = `${CELL_PROGRAMS}/bun`;
export const CELL_INMATE = `${CELL_PROGRAMS}/inmate`;

export interface BubblewrapView {
  /** Absolute paths on the host. */
  readonly runtime: string;
  readonly inmate: string;
  readonly brain: string;
  readonly workspace: string;
  /** Names directly below `brain`, and whether each is a folder. */
  readonly hidden: readonly { readonly name: string; readonly folder: boolean }[];
  /** Files that replace the host's in /etc, by name. */
  readonly etc: Readonly<Record<string, string>>;
  /** Existing links directly below the host's root, and existing entries of /proc to cover. */
  readonly rootLinks: Readonly<Record<string, string>>;
  readonly covers: readonly { readonly path: string; readonly folder: boolean }[];
  /** The name of the machine inside. Without it, processes inside see the machine's own name. */
  readonly hostname?: string | undefined;
  readonly temporaryBytes: number;
  readonly sharedBytes: number;
  /**
   * Descriptors: the filter, the pipe that receives the first process's id, and the pipe that holds
   * its start.
   */
  readonly seccomp: number;
  readonly info: number;
  readonly block: number;
}

export const bubblewrapArguments = (view: BubblewrapView): readonly string[] => [
  ...["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
  // Inside, the daemon's user is an ordinary user. Files made in the workspace belong to the
  // daemon's user outside.
  ...["--uid", "1000", "--gid", "1000", "--cap-drop", "ALL"],
  ...(view.hostname === undefined ? [] : ["--hostname", view.hostname]),
  ...["--die-with-parent", "--new-session"],
  ...["--seccomp", String(view.seccomp), "--info-fd", String(view.info), "--block-fd", String(view.block)],

  ...["--ro-bind", "/usr", "/usr"],
  ...Object.entries(view.rootLinks).flatMap(([name, target]) => ["--symlink", target, `/${name}`]),
  ...VISIBLE_IN_ETC.flatMap((path) => ["--ro-bind-try", path, path]),
  ...Object.entries(view.etc).flatMap(([name, path]) => ["--ro-bind", path, `/etc/${name}`]),

  ...["--proc", "/proc", ...view.covers.flatMap(({ path, folder }) => coverArguments(path, folder))],
  ...["--dev", "/dev", "--size", String(view.sharedBytes), "--perms", "1777", "--tmpfs", "/dev/shm"],
  ...["--size", String(view.temporaryBytes), "--perms", "1777", "--tmpfs", "/tmp"],
  ...["--symlink", "/tmp", "/var/tmp"],

  ...["--dir", CELL_PROGRAMS, "--ro-bind", view.runtime, CELL_RUNTIME, "--ro-bind", view.inmate, CELL_INMATE],
  ...["--perms", "0755", "--dir", dirname(CELL_BRAIN), "--ro-bind", view.brain, CELL_BRAIN],
  ...view.hidden.flatMap(({ name, folder }) => coverArguments(`${CELL_BRAIN}/${name}`, folder)),
  ...["--bind", view.workspace, CELL_WORKSPACE],

  // Otherwise root on the host would count as the owner of the kernel's files there.
  ...["--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/"],
  ...["--chdir", CELL_PROGRAMS],
  ...["--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "LANG", "C.UTF-8"],
  ...["--setenv", "BUN_RUNTIME_TRANSPILER_CACHE_PATH", "0"],
];

const coverArguments = (path: string, folder: boolean): readonly string[] =>
  folder
    ? ["--size", "4096", "--perms", "0555", "--tmpfs", path, "--remount-ro", path]
    : ["--ro-bind", "/dev/null", path];

/**
 * Paths of certificates, and of files with which programs find their own parts. They never contain
 * keys, passwords or hosts of a user.
 */
export const VISIBLE_IN_ETC = [
  ...["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"],
  ...["/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/pki/tls/certs", "/etc/pki/ca-trust"],
  ...["/etc/crypto-policies", "/etc/mime.types", "/etc/protocols", "/etc/services", "/etc/debian_version"],
  ...["/etc/os-release", "/etc/magic", "/etc/terminfo"],
];

/** The contents of the files that replace the host's files. */
export const CELL_ETC: Readonly<Record<string, string>> = {
  passwd: "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\nagent:x:1000:1000:agent:/mnt/brain/workspace:/bin/sh\n",
  group: "root:x:0:\nagent:x:1000:\n",
  hosts: "127.0.0.1 localhost\n::1 localhost\n",
  "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
  "resolv.conf": "",
  hostname: "cell\n",
};

/** Kernel files that reveal the host or its other processes, or that reach into the machine. */
export const COVERED_IN_PROC: readonly string[] = [
  ...["acpi", "asound", "bus", "cmdline", "config.gz", "driver", "fs", "iomem", "ioports", "irq", "kallsyms", "kcore"],
  ...["key-users", "keys", "kmsg", "kpagecgroup", "kpagecount", "kpageflags", "latency_stats", "modules", "mtrr"],
  ...["pagetypeinfo", "partitions", "sched_debug", "schedstat", "scsi", "slabinfo", "sysrq-trigger", "sysvipc"],
  ...["timer_list", "timer_stats", "vmallocinfo", "dynamic_debug", "diskstats", "swaps"],
];
