/**
 * A separate machine that systemd manages: namespaces for processes, mounts and control groups,
 * and a copy of this machine's files whose changes are kept in memory. Nothing of it remains.
 */
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { until } from "@hearth/protocol/until";
import { LAUNCHER } from "./daemon.ts";

const SYSTEMD = "/usr/lib/systemd/systemd";
/** Where the machine has this checkout, read-only. */
export const CHECKOUT = "/opt/hearth";

/** Runs in the new namespaces and becomes systemd. Kernel settings of the host stay read-only. */
const BOOT = `set -e
base=$1
checkout=$2
mount --make-rprivate /
mount -t tmpfs tmpfs "$base"
mkdir "$base/upper" "$base/work" "$base/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$base/upper,workdir=$base/work" "$base/root"
cd "$base/root"
mkdir -p .${CHECKOUT}
mount --bind "$checkout" .${CHECKOUT}
mount -o remount,bind,ro .${CHECKOUT}
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount --rbind /dev dev
for folder in run tmp var/tmp; do mount -t tmpfs tmpfs $folder; done
mkdir -p old-root
pivot_root . old-root
umount -l /old-root
export container=hearth-test
exec ${SYSTEMD} --system --log-target=console --show-status=no --unit=basic.target
`;

const ISOLATE = ["unshare", "--mount", "--pid", "--fork", "--cgroup", "--uts", "--ipc", "--kill-child"];

export interface SystemdMachine extends AsyncDisposable {
  /** Runs a shell script as root in it. */
  run(script: string): Promise<{ readonly code: number; readonly out: string; readonly err: string }>;
}

/** The reason why this machine cannot have such a machine, if it cannot. */
export const whyNoSystemdMachine = (): string | undefined => {
  if (process.platform !== "linux") return "needs Linux";
  if (process.getuid?.() !== 0) return "needs root";
  for (const program of [SYSTEMD, "/usr/bin/dbus-daemon", "unshare", "nsenter", "runuser"])
    if (Bun.which(program) === null) return `${program} is not installed`;
  const script =
    'mount -t tmpfs tmpfs "$1" && mkdir "$1/u" "$1/w" "$1/r" "$1/c" && mount -t cgroup2 cgroup2 "$1/c" && mount -t overlay overlay -o "lowerdir=/,upperdir=$1/u,workdir=$1/w" "$1/r"';
  const folder = mkdtempSync(join(tmpdir(), "hearth-systemd-"));
  try {
    const { success, stderr } = Bun.spawnSync([...ISOLATE, "sh", "-c", script, "sh", folder]);
    return success ? undefined : `this machine refuses namespaces or mounts: ${stderr.toString().trim()}`;
  } finally {
    rmdirSync(folder);
  }
};

export const startSystemdMachine = async (): Promise<SystemdMachine> => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-systemd-"));
  const outer = Bun.spawn([...ISOLATE, "sh", "-c", BOOT, "sh", folder, dirname(LAUNCHER)], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const childOf = async (): Promise<string> =>
    (
      await Bun.file(`/proc/${outer.pid}/task/${outer.pid}/children`)
        .text()
        .catch(() => "")
    ).trim();
  const run = async (script: string) => {
    const argv = [
      "nsenter",
      "--target",
      await childOf(),
      "--mount",
      "--pid",
      "--cgroup",
      "--uts",
      "--ipc",
      "--root",
      "--wd=/",
    ];
    const child = Bun.spawn([...argv, "bash", "-c", script], {
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: "/root", LANG: "C.UTF-8" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, out, err };
  };
  await until(async () => (await run("systemctl is-active basic.target")).code === 0);
  return {
    run,
    async [Symbol.asyncDispose]() {
      // `--kill-child` ends systemd, and with it every process of its namespace.
      outer.kill("SIGKILL");
      await outer.exited;
      rmdirSync(folder);
    },
  };
};
