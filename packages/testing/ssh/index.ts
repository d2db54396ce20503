/** A real SSH server for tests, with its own keys. Needs root and openssh-server. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const sshd = Bun.which("sshd", { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` });
const SFTP_SERVER = [
  "/usr/lib/openssh/sftp-server",
  "/usr/libexec/openssh/sftp-server",
  "/usr/lib/ssh/sftp-server",
].find(existsSync);
/** Number of bytes in each direction after which a cut session ends. */
const CUT_BYTES = 60_000;

export const canRunSshServer =
  sshd !== null && SFTP_SERVER !== undefined && Bun.which("sftp") !== null && process.getuid?.() === 0;

export interface SshServer extends AsyncDisposable {
  readonly port: number;
  /** The private key of the user. */
  readonly identityFile: string;
  readonly knownHosts: string;
  /** Ends each later session of `sftp` in the middle, or stops doing so. */
  setCut(isCut: boolean): void;
}

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
};

/** Listens on 127.0.0.1. `folder`: a new folder for its files. */
export const startSshServer = async (folder: string): Promise<SshServer> => {
  const pathTo = (name: string): string => join(folder, name);
  mkdirSync(folder, { mode: 0o700, recursive: true });
  // The server separates its privileges in this folder, which its service creates.
  mkdirSync("/run/sshd", { recursive: true });
  for (const key of ["host", "user"])
    Bun.spawnSync(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", pathTo(key)], { stdin: "ignore" });
  const port = await freePort();
  writeFileSync(pathTo("known_hosts"), `[127.0.0.1]:${port} ${readFileSync(pathTo("host.pub"), "utf8")}`);
  // Without a buffer, in which answers would wait.
  const limit = `stdbuf -o0 head -c ${CUT_BYTES}`;
  // The whole session ends, as after a lost connection.
  const last = `{ ${limit}; kill -KILL 0; }`;
  writeFileSync(
    pathTo("sftp"),
    `#!/bin/sh\nif [ -e ${pathTo("cut")} ]; then ${limit} | ${SFTP_SERVER} | ${last}; else exec ${SFTP_SERVER}; fi\n`,
    { mode: 0o700 },
  );
  const lines = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${pathTo("host")}`,
    `AuthorizedKeysFile ${pathTo("user.pub")}`,
    `Subsystem sftp ${pathTo("sftp")}`,
    // The user's shell starts each session, and would run the settings of this machine's user first.
    `SetEnv HOME=${folder}`,
    ...["StrictModes no", "UsePAM no", "PidFile none", "PermitRootLogin yes", "PasswordAuthentication no"],
  ];
  writeFileSync(pathTo("sshd_config"), `${lines.join("\n")}\n`);
  const child = Bun.spawn([sshd ?? "", "-D", "-e", "-f", pathTo("sshd_config")], { stdin: "ignore", stderr: "pipe" });
  const reader = child.stderr.getReader();
  // The server prints this when its port is open.
  for (let text = ""; !text.includes("Server listening");) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`sshd did not start: ${text}`);
    text += new TextDecoder().decode(value);
  }
  const drained = (async () => {
    while (!(await reader.read()).done);
  })();
  return {
    port,
    identityFile: pathTo("user"),
    knownHosts: pathTo("known_hosts"),
    setCut(isCut) {
      if (isCut) writeFileSync(pathTo("cut"), "");
      else rmSync(pathTo("cut"), { force: true });
    },
    async [Symbol.asyncDispose]() {
      // Sessions are processes of their own.
      Bun.spawnSync(["pkill", "-KILL", "-P", String(child.pid)]);
      child.kill("SIGKILL");
      await child.exited;
      await drained;
    },
  };
};
