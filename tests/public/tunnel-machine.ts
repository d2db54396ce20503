/**
 * Runs in the network namespace of the machine of a house without a public address: opens a tunnel
 * to a server on a second machine, lets that machine use the house, and prints what it saw.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTestCertificates } from "@hearth/warden/certificates";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import type { Visit } from "./second-machine.ts";
import { createSshServer } from "./ssh-server.ts";

/** The addresses of both machines, and the namespace of the second one. */
const [here = "", there = "", space = ""] = process.argv.slice(2);
const [SSH_PORT, TUNNEL_PORT, PUBLIC_PORT] = [22_022, 22_080, 22_443];
const PASSWORD = "correct horse battery staple";

const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const see = async () => {
  using home = createHome();
  const site = join(home.folder, "site");
  mkdirSync(site);
  const files = createTestCertificates(site);
  await files.renew(there);
  const authority = join(home.folder, "authority.pem");
  writeFileSync(authority, await files.authority());
  const server = createSshServer({ folder: join(home.folder, "server"), address: there, port: SSH_PORT, space });
  await using _ssh = await server.start();
  const far = (...words: readonly string[]) =>
    Bun.spawn(["ip", "netns", "exec", space, process.execPath, ...words], {
      ...{ stdin: "ignore", stdout: "pipe", stderr: "inherit" },
    });
  const ports = [String(PUBLIC_PORT), String(TUNNEL_PORT)];
  const proxy = far(program("tls-forward.ts"), there, ...ports, files.certificate, files.key);
  await using undo = new AsyncDisposableStack();
  undo.defer(async () => {
    proxy.kill();
    await proxy.exited;
  });

  await using daemon = await startDaemon(join(home.folder, "house"), {
    PATH: server.path,
    NODE_EXTRA_CA_CERTS: authority,
  });
  const me = (await daemon.ask("GET", "/api/me")).json;
  await daemon.ask("POST", `/api/agents/${me.agent.id}/password`, { password: PASSWORD });
  const url = `https://${there}:${PUBLIC_PORT}`;
  const opened = await daemon.hearth(
    ...["tunnel", "open", "ssh", "--to", "root@server", "--remote-port", String(TUNNEL_PORT), "--url", url],
  );
  // The proxy may accept connections only after the first check of the route.
  await until(async () => (await daemon.ask("GET", "/api/tunnel")).json.route?.isReached === true);
  const { json: link } = await daemon.ask("POST", "/api/login-links", {});
  const [{ id: room }] = (await daemon.ask("GET", "/api/rooms")).json;
  const visit: Visit = {
    place: { address: there, port: PUBLIC_PORT, ca: await files.authority(), name: there },
    ...{ loginLink: link.publicUrl, room, house: here, localPort: Number(new URL(daemon.url).port) },
  };
  const visitor = far(program("second-machine.ts"), JSON.stringify(visit));
  return {
    opened: opened.code,
    link: new URL(link.publicUrl).origin,
    seen: JSON.parse(await new Response(visitor.stdout).text()),
    doctorNamesIt: (await daemon.hearth("doctor")).stdout.includes(`ssh carries ${url} to this house`),
  };
};

console.log(JSON.stringify(await see()));
process.exit(0);
