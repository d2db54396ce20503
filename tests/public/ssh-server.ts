/** A real SSH server with its own keys, and a command `ssh` that knows them. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SBIN = `${process.env["PATH"] ?? ""}:/usr/sbin`;
const sshd = Bun.which("sshd", { PATH: SBIN });
const ssh = Bun.which("ssh");

/** Whether this machine can run the server: it needs root and openssh-server. */
export const hasSshServer = sshd !== null && ssh !== null && process.getuid?.() === 0;

export interface SshServerOptions {
  /** A folder for its files, which is created. */
  readonly folder: string;
  readonly address: string;
  readonly port: number;
  /** The network namespace in which it runs. Absent: the one of this process. */
  readonly space?: string;
}

export interface SshServer {
  /** A PATH on which `ssh root@server` reaches the server. */
  readonly path: string;
  start(): Promise<AsyncDisposable>;
}

export const createSshServer = ({ folder, address, port, space }: SshServerOptions): SshServer => {
  const at = (name: string): string => join(folder, name);
  mkdirSync(folder, { mode: 0o700 });
  // The server separates its privileges in this folder, which its service creates.
  mkdirSync("/run/sshd", { recursive: true });
  for (const key of ["host", "user"])
    Bun.spawnSync(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", at(key)], { stdin: "ignore" });
  const lines = [
    `Port ${port}`,
    `ListenAddress ${address}`,
    `HostKey ${at("host")}`,
    `AuthorizedKeysFile ${at("user.pub")}`,
    ...["StrictModes no", "UsePAM no", "PidFile none", "PermitRootLogin yes", "PasswordAuthentication no"],
  ];
  writeFileSync(at("sshd_config"), `${lines.join("\n")}\n`);
  const options = ["StrictHostKeyChecking no", `UserKnownHostsFile ${at("known")}`, `IdentityFile ${at("user")}`];
  writeFileSync(at("config"), `Host server\n  HostName ${address}\n  Port ${port}\n  ${options.join("\n  ")}\n`);
  writeFileSync(at("ssh"), `#!/bin/sh\nexec ${ssh} -F ${at("config")} "$@"\n`);
  chmodSync(at("ssh"), 0o700);
  const inSpace = space === undefined ? [] : ["ip", "netns", "exec", space];
  return {
    path: `${folder}:${process.env["PATH"] ?? ""}`,
    async start(): Promise<AsyncDisposable> {
      // `ip netns exec` replaces itself by the server, so the process is the server in both cases.
      const child = Bun.spawn([...inSpace, sshd ?? "", "-D", "-f", at("sshd_config")], {
        ...{ stdin: "ignore", stderr: "ignore" },
      });
      return {
        async [Symbol.asyncDispose]() {
          // Sessions are processes of their own.
          Bun.spawnSync(["pkill", "-KILL", "-P", String(child.pid)]);
          child.kill("SIGKILL");
          await child.exited;
        },
      };
    },
  };
};
