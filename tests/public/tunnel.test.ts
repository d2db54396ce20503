/** The house behind a real SSH server: `ssh -R` carries requests from the server's port to it. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { createSshServer, hasSshServer } from "./ssh-server.ts";
import { freePort } from "../fixtures/free-port.ts";

const why = hasSshServer ? "" : " (needs root and openssh-server)";
const PASSWORD = "correct horse battery staple";

const stateOf = async (daemon: Daemon): Promise<string> => (await daemon.ask("GET", "/api/tunnel")).json.state;
const statusAt = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
  try {
    return (await fetch(url, { headers })).status;
  } catch {
    return 0;
  }
};

test.skipIf(!hasSshServer)(
  `a person signs in and writes through an SSH tunnel, which opens again after a failure${why}`,
  async () => {
    using home = createHome();
    const [port, far] = [await freePort(), await freePort()];
    const server = createSshServer({ folder: join(home.folder, "server"), address: "127.0.0.1", port });
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
