import { describe, expect, test } from "bun:test";
import { AgentId, type Fetch } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createMemoryConfigFile } from "../../kernel/config/file.ts";
import { parseConfig } from "../../kernel/config/read.ts";
import { createConfigSource } from "../../kernel/config/source.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";
import { createFakeTunnelParts } from "./fake-tunnel-parts.ts";
import { checkTunnel } from "./check-tunnel.ts";
import {
  LOGINS_CHECK_MS,
  MAX_ROUTE_FAILURES,
  ROUTE_CHECK_MS,
  ROUTE_RETRY_MS,
  START_TIMEOUT_MS,
} from "./open-tunnel.ts";
import { ROUTE_TIMEOUT_MS } from "./route-check.ts";
import { createTunnelChanges } from "./tunnel-changes.ts";
import { createTunnel, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, STEADY_MS } from "./tunnel.ts";

const { hash } = createBunWorld();
const CLOUDFLARED = 'version = 1\n# my tunnel\n[tunnel]\nkind = "cloudflared"\n';
const ADDRESS = "https://plain-words.trycloudflare.com";
const by = { agent: AgentId.parse("agent_0123456789abcdefghjkmnpqrs"), via: "run-token" } as const;

const open = async ({ text = CLOUDFLARED, missing = new Set<string>() } = {}) => {
  const outside = { answer: undefined as ((url: string, signal: AbortSignal) => Promise<Response>) | undefined };
  const never = new AbortController().signal;
  const fetch: Fetch = async (input, init) => {
    if (outside.answer === undefined) throw new TypeError("no route");
    return outside.answer(input instanceof Request ? input.url : input.toString(), init?.signal ?? never);
  };
  const world = createFakeWorld({ hash, fetch });
  const file = createMemoryConfigFile(text);
  const config = createConfigSource(file, parseConfig(text, file.name));
  const parts = createFakeTunnelParts(missing);
  const withoutLogin: string[] = [];
  const tunnel = createTunnel({
    ...world,
    log: createFakeLog(),
    config,
    parts,
    listPeopleWithoutLogin: async () => withoutLogin,
  });
  const { http } = await createFakeHouse(createFakeWorld({ hash }));
  const over = new AbortController();
  const running = tunnel.run(http, over.signal);
  return {
    ...{ world, config, parts, tunnel, withoutLogin, outside },
    changes: createTunnelChanges(config),
    program: async (index: number) => {
      await until(() => parts.programs.length > index);
      return parts.programs[index]!;
    },
    async end() {
      over.abort();
      await running;
    },
  };
};

test("the address of a program is the house's address until the program ends", async () => {
  const { tunnel, parts, program, end } = await open();
  const first = await program(0);
  expect(first.command).toContain("http://127.0.0.1:4000");
  expect(tunnel.info()).toEqual({ state: "starting", kind: "cloudflared" });
  expect(tunnel.address()).toBeUndefined();
  first.say(`INF |  ${ADDRESS}  |`);
  expect(tunnel.info()).toEqual({ state: "open", kind: "cloudflared", url: ADDRESS });
  expect(tunnel.address()).toEqual({ url: ADDRESS, isForwarded: true });
  first.say("ERR connection lost");
  first.end(1);
  await until(() => tunnel.info().state === "waiting");
  expect(tunnel.address()).toBeUndefined();
  expect(tunnel.info().error?.message).toContain("cloudflared ended with code 1");
  expect(tunnel.info().error?.message).toContain("ERR connection lost");
  await end();
  expect(tunnel.info()).toEqual({ state: "off" });
  expect([parts.running(), parts.ports()]).toEqual([0, 0]);
});

test("a program that fails again and again starts after growing pauses", async () => {
  const { world, tunnel, program, end } = await open();
  const pauses: number[] = [];
  for (let index = 0; index < 9; index += 1) {
    (await program(index)).end(1);
    await until(() => tunnel.info().state === "waiting");
    const pauseMs = tunnel.info().nextTryAt! - world.clock.now();
    pauses.push(pauseMs);
    await world.advance(pauseMs);
  }
  expect(pauses.slice(0, 3)).toEqual([FIRST_PAUSE_MS, 2 * FIRST_PAUSE_MS, 4 * FIRST_PAUSE_MS]);
  expect(pauses.at(-1)).toBe(LONGEST_PAUSE_MS);
  const last = await program(9);
  last.say(ADDRESS);
  await world.advance(STEADY_MS);
  last.end(1);
  await until(() => tunnel.info().state === "waiting");
  expect(tunnel.info().nextTryAt! - world.clock.now()).toBe(FIRST_PAUSE_MS);
  await end();
});

test("a program that announces no address is ended and started again", async () => {
  const { world, tunnel, parts, program, end } = await open();
  await program(0);
  await world.advance(START_TIMEOUT_MS);
  await until(() => tunnel.info().state === "waiting");
  expect(tunnel.info().error?.message).toBe("cloudflared has not announced a public address.");
  expect(parts.running()).toBe(0);
  await end();
});

test("a program that is not installed is named", async () => {
  const { tunnel, end } = await open({ missing: new Set(["cloudflared"]) });
  await until(() => tunnel.info().state === "waiting");
  expect(tunnel.info().error).toMatchObject({ code: "tunnel.failed", message: "cloudflared is not installed." });
  await end();
});

test("a tunnel stays closed while a person has no password, passkey or linked account", async () => {
  const { world, tunnel, parts, withoutLogin, changes, end } = await open({ text: "version = 1\n" });
  withoutLogin.push("ana", "ben");
  await changes.set({ kind: "ngrok" }, by);
  await until(() => tunnel.info().state === "waiting");
  expect(tunnel.info().error?.message).toBe(
    "The tunnel stays closed: @ana, @ben have no password, passkey or linked account.",
  );
  expect([parts.programs.length, parts.ports()]).toEqual([0, 0]);
  await world.advance(FIRST_PAUSE_MS);
  await until(() => tunnel.info().state === "waiting");
  withoutLogin.length = 0;
  tunnel.tryNow();
  await until(() => parts.programs.length === 1);
  await end();
});

test("A75: an open tunnel closes within a minute after a person without a login was added, and opens again", async () => {
  const { world, tunnel, parts, withoutLogin, program, end } = await open();
  (await program(0)).say(ADDRESS);
  await world.advance(LOGINS_CHECK_MS);
  expect(tunnel.info().state).toBe("open");
  withoutLogin.push("ana");
  await world.advance(LOGINS_CHECK_MS);
  await until(() => tunnel.info().state === "waiting");
  expect(tunnel.info().error?.message).toBe(
    "The tunnel stays closed: @ana has no password, passkey or linked account.",
  );
  expect([tunnel.address(), parts.running(), parts.ports()]).toEqual([undefined, 0, 0]);
  withoutLogin.length = 0;
  tunnel.tryNow();
  await until(() => parts.programs.length === 2);
  await end();
});

describe("the route of an open tunnel", () => {
  test("is proven by an answer that only this house knows", async () => {
    const { tunnel, parts, outside, program, end } = await open();
    outside.answer = parts.request;
    (await program(0)).say(ADDRESS);
    await until(() => tunnel.info().route !== undefined);
    expect(tunnel.info().route).toMatchObject({ isReached: true });
    expect(checkTunnel(tunnel.info())).toMatchObject([{ ok: true, detail: expect.stringContaining(ADDRESS) }]);
    // Another house answers its own health, too, but does not know the answer.
    outside.answer = async () => Response.json({ status: "ok" });
    await tunnel.check(new AbortController().signal);
    expect(tunnel.info().route).toMatchObject({
      isReached: false,
      problem: `${ADDRESS} is answered by another program`,
    });
    outside.answer = async () => new Response(null, { status: 302 });
    expect((await tunnel.check(new AbortController().signal)).route?.problem).toBe(
      `${ADDRESS} answers with status 302`,
    );
    expect(checkTunnel(tunnel.info())).toMatchObject([{ ok: false, detail: `${ADDRESS} answers with status 302` }]);
    await end();
  });

  test("that no longer works restarts the program after three failed checks", async () => {
    const { world, tunnel, parts, outside, program, end } = await open();
    outside.answer = parts.request;
    (await program(0)).say(ADDRESS);
    await until(() => tunnel.info().route?.isReached === true);
    outside.answer = undefined;
    await world.advance(ROUTE_CHECK_MS);
    await until(() => tunnel.info().route?.isReached === false);
    expect(tunnel.info()).toMatchObject({ state: "open", route: { problem: expect.stringContaining("no route") } });
    for (let count = 1; count < MAX_ROUTE_FAILURES; count += 1) await world.advance(ROUTE_RETRY_MS);
    await until(() => tunnel.info().state === "waiting");
    expect(tunnel.info().error?.message).toContain("no longer reaches this house");
    expect([tunnel.address(), parts.running()]).toEqual([undefined, 0]);
    outside.answer = parts.request;
    await world.advance(FIRST_PAUSE_MS);
    (await program(1)).say(ADDRESS);
    await until(() => tunnel.info().route?.isReached === true);
    await end();
  });

  test("that never worked stays open: the machine may not reach its own address", async () => {
    const { world, tunnel, parts, program, end } = await open();
    (await program(0)).say(ADDRESS);
    await until(() => tunnel.info().route?.isReached === false);
    for (let count = 0; count < 2 * MAX_ROUTE_FAILURES; count += 1) await world.advance(ROUTE_RETRY_MS);
    expect([tunnel.info().state, parts.programs.length]).toEqual(["open", 1]);
    await end();
  });

  test("that does not answer within ten seconds does not work", async () => {
    const { world, tunnel, outside, program, end } = await open();
    const asked = Promise.withResolvers<void>();
    outside.answer = (_url, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        asked.resolve();
      });
    (await program(0)).say(ADDRESS);
    await asked.promise;
    await world.advance(ROUTE_TIMEOUT_MS);
    await until(() => tunnel.info().route !== undefined);
    expect(tunnel.info().route?.problem).toContain("no answer within 10 s");
    await end();
  });

  test("answers nothing else: a question that no check asks is an ordinary health request", async () => {
    const { parts, program, end } = await open();
    (await program(0)).say(ADDRESS);
    const { host } = new URL(ADDRESS);
    const response = await parts.request(`https://${host}/healthz?tunnel-check=`);
    expect(response.headers.get("content-type")).toContain("json");
    await end();
  });
});

test("another tunnel replaces the open one at once, and removing it closes it", async () => {
  const { tunnel, parts, config, changes, program, end } = await open();
  (await program(0)).say(ADDRESS);
  await changes.set({ kind: "ssh", to: "me@host.example", url: "https://house.example" }, by);
  expect(tunnel.info()).toEqual({ state: "starting", kind: "ssh" });
  const second = await program(1);
  expect(second.command.slice(-2)).toEqual(["--", "me@host.example"]);
  await until(() => parts.running() === 1);
  second.say("debug1: remote forward success for: listen 80, connect 127.0.0.1:4000");
  expect(tunnel.address()).toEqual({ url: "https://house.example", isForwarded: false });
  await changes.remove(by);
  expect(config.current().tunnel).toBeUndefined();
  await until(() => parts.running() === 0 && parts.ports() === 0);
  expect(tunnel.info()).toEqual({ state: "off" });
  expect(changes.remove(by)).rejects.toThrow("There is no tunnel.");
  await end();
});

test("a change of another table leaves the tunnel open", async () => {
  const { tunnel, parts, config, program, end } = await open();
  (await program(0)).say(ADDRESS);
  await config.edit((text) => `${text}\n[turns]\nmax_chain = 2\n`);
  expect(tunnel.info().state).toBe("open");
  expect(parts.programs.length).toBe(1);
  await end();
});
