/**
 * An API key that a person types: the house stores it in one file, uses it, and never reveals it.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHome, startDaemon } from "./daemon.ts";
import { readHome } from "./home-files.ts";

const KEY = "sk-canary-9876543210";

/** A vendor that accepts this key, and repeats every other key in its error. */
let asked: string[] = [];
let vendor: ReturnType<typeof Bun.serve>;
beforeAll(() => {
  vendor = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const sent = request.headers.get("authorization") ?? "";
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      if (sent !== `Bearer ${KEY}`)
        return Response.json({ error: { message: `Unknown key ${sent}` } }, { status: 401 });
      if (request.method === "GET") return Response.json({ object: "list", data: [{ id: "large" }, { id: "small" }] });
      const said = { choices: [{ index: 0, delta: { content: "Good morning." }, finish_reason: "stop" }] };
      return new Response(`data: ${JSON.stringify(said)}\n\ndata: [DONE]\n\n`, {
        headers: { "content-type": "text/event-stream" },
      });
    },
  });
});
afterAll(() => vendor.stop(true));
beforeEach(() => {
  asked = [];
});

/** Files of a home that contain a text. */
const holdersOf = async (folder: string, text: string): Promise<readonly string[]> =>
  [...(await readHome(folder))].filter(([, bytes]) => bytes.includes(text)).map(([path]) => path);

test("a key typed in the browser is used, is in one file with mode 0600, and is deleted with its provider", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const answers: string[] = [];
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await house.ask(method, path, body);
    answers.push(JSON.stringify(answer));
    return answer;
  };
  const provider = { name: "mine", kind: "openai", baseUrl: `${vendor.url.origin}/v1` };
  const before = await readFile(join(home.folder, "hearth.toml"), "utf8");

  expect(await ask("POST", "/api/providers", { ...provider, key: KEY, apiKey: "env:KEY" })).toMatchObject({
    status: 400,
    json: { error: { code: "request.invalid" } },
  });
  expect((await ask("POST", "/api/providers", { ...provider, kind: "oracle", key: KEY })).status).toBe(400);
  expect(await holdersOf(home.folder, KEY)).toEqual([]);

  expect(await ask("POST", "/api/providers", { ...provider, key: KEY })).toMatchObject({
    status: 201,
    json: { source: "config", ready: true },
  });
  expect((await ask("GET", "/api/providers/mine/models")).json).toEqual(["large", "small"]);
  expect((await ask("POST", "/api/providers/mine/test", { model: "large" })).json).toMatchObject({ ok: true });
  await ask("PATCH", "/api/agents/main", { content: { model: "mine/large" } });
  expect((await house.hearth("chat", "-m", "hello")).stdout).toContain("Good morning.");

  // A wrong key, which the vendor repeats in its error.
  const wrong = `${KEY}-wrong`;
  await ask("POST", "/api/providers", { ...provider, name: "wrong", key: wrong });
  expect((await ask("POST", "/api/providers/wrong/test", { model: "large" })).json).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/does not accept the key.*\[key\].*Check that the key/),
  });
  expect((await ask("GET", "/api/providers/wrong/models")).json).toMatchObject({ error: { code: "provider.auth" } });
  await ask("PATCH", "/api/agents/main", { content: { model: "wrong/large" } });
  const { stdout, stderr } = await house.hearth("chat", "-m", "hello again");
  answers.push(stdout, stderr);

  for (const path of ["/api/providers", "/api/doctor", "/api/rooms/main/events", "/api/agents/main/log"])
    expect((await ask("GET", path)).status).toBe(200);
  for (const answer of answers) expect(answer).not.toContain(KEY);
  expect([...(await holdersOf(home.folder, KEY))].sort()).toEqual(["keys/mine", "keys/wrong"]);
  expect((await stat(join(home.folder, "keys"))).mode & 0o777).toBe(0o700);
  expect((await stat(join(home.folder, "keys/mine"))).mode & 0o777).toBe(0o600);
  expect(asked).toContain("GET /v1/models");

  for (const name of ["mine", "wrong"]) expect((await ask("DELETE", `/api/providers/${name}`)).status).toBe(204);
  expect(await holdersOf(home.folder, KEY)).toEqual([]);
  expect(await readFile(join(home.folder, "hearth.toml"), "utf8")).toBe(before);
  const { stdout: said, stderr: told } = await house.stop();
  expect(said + told).not.toContain(KEY);
});

test("a key piped into the command survives a restart", async () => {
  using home = createHome();
  {
    await using house = await startDaemon(home.folder);
    const words = ["provider", "add", "mine", "--kind", "openai", "--base-url", `${vendor.url.origin}/v1`];
    const child = Bun.spawn(
      [fileURLToPath(new URL("../../hearth", import.meta.url)), ...words, "--key-stdin", "--home", house.home],
      {
        env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: "/nonexistent" },
        stdin: new TextEncoder().encode(`${KEY}\n`),
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const shown = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    expect(await child.exited).toBe(0);
    expect(shown.join("")).not.toContain(KEY);
  }
  await using house = await startDaemon(home.folder);
  expect((await house.hearth("provider", "models", "mine")).stdout).toBe("large\nsmall\n");
  expect(JSON.parse((await house.hearth("provider", "found", "--json")).stdout)).toBeArray();
  expect((await house.hearth("login")).stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login\?code=\S+\n$/);
});
