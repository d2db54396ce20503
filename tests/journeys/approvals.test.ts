/**
 * An approval through the command line and across a kill of the daemon, for a server that counts
 * its requests.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, type Json, startDaemon, until } from "./daemon.ts";
import { configFor, createModel, type Model } from "./model.ts";

const env = { TEST_KEY: "key" };

/** A server that counts requests. */
const startFarSide = () => {
  const seen: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      seen.push(new URL(request.url).pathname);
      return new Response("the far side did it\n");
    },
  });
  return {
    seen,
    url: `http://127.0.0.1:${server.port}/order`,
    port: server.port,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
};

const obey = (model: Model, url: string): void => {
  model.answer = ({ messages }: Json) => {
    // Messages that arrived meanwhile are answered after it.
    const result = messages.findLast(({ role }: Json) => role === "tool");
    if (result !== undefined) return [`It said: ${result.content}`];
    return String(messages.at(-1).content).endsWith("order it")
      ? [{ tool: "http_fetch", input: { url } }]
      : ["meanwhile"];
  };
};

const said = async (house: Daemon): Promise<readonly string[]> =>
  (await house.ask("GET", "/api/rooms/main/events?limit=1000")).json.events.flatMap(({ body }: Json) =>
    body === undefined ? [] : [body.text],
  );

const pending = async (house: Daemon): Promise<readonly Json[]> =>
  JSON.parse((await house.hearth("approval", "list", "--json")).stdout);

test("a call waits for its approval across a kill while other messages are answered, runs once, and a second decision is refused", async () => {
  await using model = createModel();
  await using far = startFarSide();
  using home = createHome();
  obey(model, far.url);
  const config = `${configFor(model.baseUrl)}tools = ["http_fetch"]\nmode = "ask"\n[egress]\nloopback = true\n`;
  writeFileSync(join(home.folder, "hearth.toml"), config);
  let id = "";
  {
    await using house = await startDaemon(home.folder, env);
    const say = (text: string) => house.ask("POST", "/api/rooms/main/messages", { text });
    await house.ask("PATCH", "/api/agents/main", { content: { egress: [{ host: "127.0.0.1", port: far.port }] } });
    await say("order it");
    await until(async () => (await pending(house)).length === 1);
    [{ id }] = (await pending(house)) as readonly [Json];
    await say("are you there?");
    await until(async () => (await said(house)).includes("meanwhile"));
    expect((await house.ask("GET", "/api/agents/main/state")).json.status).toBe("waiting");
    const shown = await house.hearth("approval", "show", id);
    expect(shown.stdout).toContain(`http_fetch\n  url: "${far.url}"\n`);
    expect(shown.stdout).toMatch(/^state +pending$/m);
    await house.kill();
  }
  expect(far.seen).toEqual([]);
  await using house = await startDaemon(home.folder, env);
  expect((await pending(house)).map((approval) => approval.id)).toEqual([id]);
  expect(await house.hearth("approval", "allow", id)).toMatchObject({ code: 0, stdout: "allowed: This call, once.\n" });
  await until(async () => (await said(house)).some((text) => text.includes("the far side did it")));
  expect(far.seen).toEqual(["/order"]);
  expect((await house.ask("POST", `/api/approvals/${id}`, { decision: "allow" })).status).toBe(409);
  const again = await house.hearth("approval", "deny", id);
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain("The approval is already used by");
  expect(far.seen).toEqual(["/order"]);
  expect(await pending(house)).toEqual([]);
}, 300_000);
