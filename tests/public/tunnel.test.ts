/** The house behind a real SSH server: `ssh -R` carries requests from the server's port to it. */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";

const SBIN = `${process.env["PATH"] ?? ""}:/usr/sbin`;
const sshd = Bun.which("sshd", { PATH: SBIN });
const ssh = Bun.which("ssh");
const isPossible = sshd !== null && ssh !== null && process.getuid?.() === 0;
const why = isPossible ? "" : " (needs root and openssh-server)";
const PASSWORD = "correct horse battery staple";

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
};

/** An SSH server with its own keys, and a command `ssh` that knows them. */
const createSshServer = (folder: string, port: number) => {
  const at = (name: string): string => join(folder, name);
  mkdirSync(folder, { mode: 0o700 });
  // The server separates its privileges in this folder, which its service creates.
  mkdirSync("/run/sshd", { recursive: true });
  for (const key of ["host", "user"])
    Bun.spawnSync(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", at(key)], { stdin: "ignore" });
  const lines = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${at("host")}`,
    `AuthorizedKeysFile ${at("user.pub")}`,
    ...["StrictModes no", "UsePAM no", "PidFile none", "PermitRootLogin yes", "PasswordAuthentication no"],
  ];
  writeFileSync(at("sshd_config"), `${lines.join("\n")}\n`);
  const options = ["StrictHostKeyChecking no", `UserKnownHostsFile ${at("known")}`, `IdentityFile ${at("user")}`];
  writeFileSync(at("config"), `Host server\n  HostName 127.0.0.1\n  Port ${port}\n  ${options.join("\n  ")}\n`);
  writeFileSync(at("ssh"), `#!/bin/sh\nexec ${ssh} -F ${at("config")} "$@"\n`);
  chmodSync(at("ssh"), 0o700);
  return {
    path: `${folder}:${process.env["PATH"] ?? ""}`,
    async start(): Promise<AsyncDisposable> {
      const child = Bun.spawn([sshd ?? "", "-D", "-f", at("sshd_config")], { stdin: "ignore", stderr: "ignore" });
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

const stateOf = async (daemon: Daemon): Promise<string> => (await daemon.ask("GET", "/api/tunnel")).json.state;
const statusAt = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
  try {
    return (await fetch(url, { headers })).status;
  } catch {
    return 0;
  }
};

test.skipIf(!isPossible)(
  `a person signs in and writes through an SSH tunnel, which opens again after a failure${why}`,
  async () => {
    using home = createHome();
    const [port, far] = [await freePort(), await freePort()];
    const server = createSshServer(join(home.folder, "server"), port);
    const url = `http://127.0.0.1:${far}`;
    const house = join(home.folder, "house");
    const environment = { PATH: server.path };
    const words = ["tunnel", "open", "ssh", "--to", "root@server", "--remote-port", String(far), "--url", url];
    await using first = await server.start();
    {
      await using daemon = await startDaemon(house, environment);
      const refused = await daemon.hearth(...words);
      expect(refused.code).toBe(1);
      expect(refused.stdout).toContain("has no password");
      const me = (await daemon.ask("GET", "/api/me")).json;
      const set = await daemon.ask("POST", `/api/agents/${me.agent.id}/password`, { password: PASSWORD });
      expect(set).toMatchObject({ status: 200 });
      const opened = await daemon.hearth(...words);
      expect(opened.stdout + opened.stderr).toContain(url);
      expect(opened.code).toBe(0);

      const origin = { origin: url, "content-type": "application/json" };
      const login = await fetch(`${url}/login`, {
        method: "POST",
        headers: origin,
        body: JSON.stringify({ person: me.agent.handle, password: PASSWORD }),
      });
      const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
      const [{ id: room }] = (await daemon.ask("GET", "/api/rooms")).json;
      const said = await fetch(`${url}/api/rooms/${room}/messages`, {
        method: "POST",
        headers: { ...origin, cookie },
        body: JSON.stringify({ text: "from far away" }),
      });
      expect([login.status, said.status]).toEqual([200, 201]);
      expect(await statusAt(`${url}/healthz`, { host: new URL(daemon.url).host })).toBe(421);
      expect((await daemon.hearth("doctor")).stdout).toContain(`ssh carries ${url} to this house`);

      await first[Symbol.asyncDispose]();
      await until(async () => (await stateOf(daemon)) === "waiting");
      await using _second = await server.start();
      await until(async () => (await statusAt(`${url}/healthz`)) === 200);
      await daemon.kill();
      await until(async () => (await statusAt(`${url}/healthz`)) === 0);

      await using again = await startDaemon(house, environment);
      await until(async () => (await statusAt(`${url}/healthz`)) === 200);
      expect((await again.hearth("tunnel", "close")).code).toBe(0);
      expect(await stateOf(again)).toBe("off");
      expect(await statusAt(`${url}/healthz`)).toBe(0);
    }
  },
);
