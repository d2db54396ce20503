import { describe, expect, test } from "bun:test";
import type { AgentRecord, HouseId, Level } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse, FAKE_EPOCH } from "../fakes/fake-house.ts";
import { RECHECK_MS } from "../lifetimes.ts";
import { LONG_POLL_MS } from "./durable-read.ts";

const { hash } = createBunWorld();
const START = `0000000000000000_${FAKE_EPOCH}`;
const offset = (count: number): string => START.replace(/^\d+/, (zeros) => String(count).padStart(zeros.length, "0"));

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const setUp = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const { records, permissions, keys } = house.options.people;
  const owner = { agent: house.owner.id };
  const annex = (await records.mutate({ kind: "create", type: "house", content: { name: "Annex" } }, owner.agent))
    .id as HouseId;
  /** A member of the annex with these levels, and their key. */
  const somebody = async (levels: readonly (readonly [HouseId, Level])[]) => {
    const agent = (await records.mutate(
      { kind: "create", type: "agent", house: annex, level: "none", content: { name: "Ana", kind: "human" } },
      owner.agent,
    )) as AgentRecord;
    for (const [on, level] of levels) await permissions.grant({ agent: agent.id, on, level }, owner);
    const { key } = await keys.create({ name: "k", agent: agent.id }, owner);
    return { agent, headers: { authorization: `Bearer ${key}` } };
  };
  const ask = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
    const response = await house.call(`/v1/stream/${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "text/plain" }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const code = response.ok || text === "" ? undefined : JSON.parse(text).error.code;
    return { status: response.status, text, code, headers: response.headers };
  };
  const say = (text: string) => house.options.people.rooms.post(house.room.id, { text }, house.owner.id);
  return { world, house, annex, somebody, ask, say, bot: { authorization: `Bearer ${house.botKey}` } };
};

describe("a caller's own streams", () => {
  test("are in the caller's house, and in others by the house's name", async () => {
    const { house, annex, somebody, ask } = await setUp();
    const ana = await somebody([
      [house.house, "w"],
      [annex, "w"],
    ]);
    expect((await ask("PUT", "a", {}, "home")).status).toBe(201);
    expect((await ask("PUT", "a", ana.headers, "annex")).status).toBe(201);
    expect((await ask("GET", "a")).text).toBe("home");
    expect((await ask("GET", "a", ana.headers)).text).toBe("annex");
    expect((await ask("GET", `houses/${house.house}/a`, ana.headers)).text).toBe("home");
    expect((await ask("GET", `houses/${annex}/a`)).text).toBe("annex");
  });

  test("of a house without access are not visible", async () => {
    const { house, annex, somebody, ask } = await setUp();
    const ana = await somebody([[annex, "x"]]);
    await ask("PUT", "a", {}, "home");
    for (const path of ["a", "none"]) {
      const { status, code } = await ask("GET", `houses/${house.house}/${path}`, ana.headers);
      expect([path, status, code]).toEqual([path, 404, "record.not-found"]);
    }
    const fork = { "stream-forked-from": `/v1/stream/houses/${house.house}/a` };
    expect((await ask("PUT", "b", { ...ana.headers, ...fork })).status).toBe(403);
    expect((await ask("PUT", "b", { ...ana.headers, "stream-forked-from": "/v1/stream/a" })).status).toBe(404);
  });

  test("are removed by their creator or an administrator", async () => {
    const { house, somebody, ask, bot } = await setUp();
    const writer = await somebody([[house.house, "w"]]);
    const path = (name: string) => `houses/${house.house}/${name}`;
    for (const name of ["one", "two"]) expect((await ask("PUT", path(name), bot, "x")).status).toBe(201);
    expect((await ask("DELETE", path("one"), writer.headers)).code).toBe("auth.denied");
    expect((await ask("DELETE", path("one"), bot)).status).toBe(204);
    expect((await ask("DELETE", path("two"))).status).toBe(204);
    expect((await ask("DELETE", path("two"))).code).toBe("stream.not-found");
  });

  test("have paths of ordinary segments outside reserved ones", async () => {
    const { ask } = await setUp();
    for (const path of ["log", "rooms/x", "rooms", "agents/x/y", "activations/x", "houses"])
      expect([path, (await ask("PUT", path, {}, "x")).code]).toEqual([path, "auth.denied"]);
    for (const path of ["a//b", "a/", "a/__ds", "a/%00", "__ds/x", "x".repeat(501), "a/%2e%2e%2fb"])
      expect([path, (await ask("PUT", path, {}, "x")).code]).toEqual([path, "request.invalid"]);
    expect((await ask("PUT", "a/%C3%A9t%C3%A9/logs", {}, "x")).status).toBe(201);
  });

  test("are read by programs and not shown by browsers", async () => {
    const { ask } = await setUp();
    await ask("PUT", "page", { "content-type": "text/html" }, "<script>alert(1)</script>");
    for (const destination of ["document", "iframe", "script", "style", "worker", "image", "object"])
      expect((await ask("GET", "page", { "sec-fetch-dest": destination })).code).toBe("auth.origin");
    const { status, headers } = await ask("GET", "page", { "sec-fetch-dest": "empty" });
    expect([status, headers.get("content-type")]).toEqual([200, "text/html"]);
    expect(headers.get("content-security-policy")).toContain("sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("accept neither more than the body limit nor JSON that is nested too deep", async () => {
    const { ask } = await setUp();
    expect((await ask("PUT", "a", {}, "x".repeat(1024 * 1024 + 1))).status).toBe(413);
    const json = { "content-type": "application/json" };
    expect((await ask("PUT", "a", json, "[".repeat(100) + "]".repeat(100))).code).toBe("request.invalid");
    const many = JSON.stringify(Array.from({ length: 10_001 }, () => 0));
    expect((await ask("PUT", "a", json, many)).code).toBe("request.too-large");
    expect((await ask("GET", "a")).code).toBe("stream.not-found");
  });

  test("answer 304 until they change", async () => {
    const { ask } = await setUp();
    await ask("PUT", "a", {}, "x");
    const etag = (await ask("GET", "a")).headers.get("etag") ?? "";
    expect((await ask("GET", "a", { "if-none-match": etag })).status).toBe(304);
    await ask("POST", "a", { "stream-closed": "true" });
    expect((await ask("GET", "a", { "if-none-match": etag })).headers.get("stream-closed")).toBe("true");
  });

  test("refuse an offset past their end", async () => {
    const { ask } = await setUp();
    await ask("PUT", "a", {}, "x");
    expect((await ask("GET", `a?offset=${offset(1)}`)).status).toBe(200);
    expect((await ask("GET", `a?offset=${offset(2)}`)).code).toBe("stream.behind");
    for (const bad of ["1", "0000000000000001", `${offset(1)}x`, "", "-2", "9".repeat(16) + "_" + "0".repeat(16)])
      expect([bad, (await ask("GET", `a?offset=${bad}`)).code]).toEqual([bad, "request.invalid"]);
  });

  test("that end during a poll end the poll", async () => {
    const { house, ask } = await setUp();
    await ask("PUT", "a", {}, "x");
    const waiting = ask("GET", `a?offset=now&live=long-poll`);
    const listening = house.call(`/v1/stream/a?offset=now&live=sse`);
    const reader = (await listening).body?.getReader();
    const next = async () => new TextDecoder().decode((await reader?.read())?.value);
    expect(await next()).toContain(`"upToDate":true`);
    const last = next();
    await ask("POST", "a", { "stream-closed": "true" }, "y");
    const { text, headers } = await waiting;
    expect([text, headers.get("stream-closed"), headers.get("stream-next-offset")]).toEqual(["y", "true", offset(2)]);
    expect(await last).toBe(
      `event: data\ndata:y\n\nevent: control\ndata:{"streamNextOffset":"${offset(2)}","upToDate":true,"streamClosed":true}\n\n`,
    );
    expect((await reader?.read())?.done).toBe(true);
  });

  test("end a poll at its time limit", async () => {
    const { world, ask } = await setUp();
    await ask("PUT", "a", {}, "x");
    let isOver = false;
    const waiting = ask("GET", `a?offset=${offset(1)}&live=long-poll`).finally(() => (isOver = true));
    await turn();
    await world.advance(LONG_POLL_MS - 1000);
    await turn();
    expect(isOver).toBe(false);
    await world.advance(2000);
    const { status, headers } = await waiting;
    expect([status, headers.get("stream-up-to-date"), headers.get("stream-next-offset")]).toEqual([
      204,
      "true",
      offset(1),
    ]);
  });

  test("stop following within a second after the right is lost", async () => {
    const { world, house, somebody, ask } = await setUp();
    const reader = await somebody([[house.house, "r"]]);
    await ask("PUT", "a", {}, "x");
    const response = await house.call(`/v1/stream/houses/${house.house}/a?offset=now&live=sse`, {
      headers: reader.headers,
    });
    const events = response.body?.getReader();
    await events?.read();
    const last = events?.read();
    await house.options.people.permissions.revoke(
      { agent: reader.agent.id, on: house.house },
      { agent: house.owner.id },
    );
    await ask("POST", "a", {}, "y").then(() => undefined);
    await world.advance(RECHECK_MS);
    let piece = await last;
    while (piece?.done === false) piece = await events?.read();
    expect(piece?.done).toBe(true);
    expect((await ask("GET", `houses/${house.house}/a`, reader.headers)).status).toBe(404);
  });
});

describe("events of the house", () => {
  test("are read as JSON, from any offset, and followed", async () => {
    const { house, ask, say } = await setUp();
    for (const text of ["one", "two"]) await say(text);
    const path = `rooms/${house.room.id}`;
    const all = await ask("GET", path);
    expect(JSON.parse(all.text).map((event: { body: { text: string } }) => event.body.text)).toEqual(["one", "two"]);
    expect([all.headers.get("content-type"), all.headers.get("stream-next-offset")]).toEqual([
      "application/json",
      offset(2),
    ]);
    const waiting = ask("GET", `${path}?offset=${offset(2)}&live=long-poll`);
    await say("three");
    expect(JSON.parse((await waiting).text)).toMatchObject([{ offset: 3, body: { text: "three" } }]);
    const head = await ask("HEAD", path);
    expect([head.status, head.text, head.headers.get("stream-next-offset")]).toEqual([200, "", offset(3)]);
    expect((await ask("GET", `houses/${house.house}/log`)).status).toBe(200);
    expect((await ask("GET", `agents/${house.bot.id}/log`)).text).toBe("[]");
  });

  test("are read-only", async () => {
    const { house, ask } = await setUp();
    for (const path of [
      `rooms/${house.room.id}`,
      `agents/${house.bot.id}/log`,
      `activations/act_${"0".repeat(26)}/deltas`,
    ]) {
      for (const method of ["PUT", "POST", "DELETE"])
        expect([method, path, (await ask(method, path, {}, method === "DELETE" ? undefined : "x")).code]).toEqual([
          method,
          path,
          "auth.denied",
        ]);
    }
    expect((await ask("PUT", `houses/${house.house}/log`, {}, "x")).code).toBe("auth.denied");
  });

  test("of an activation end with it, and stay ended", async () => {
    const { house, world, ask, say } = await setUp();
    const { id } = house.wake(await say("hi"));
    house.options.kernel.memory.push(`deltas:${id}`, { type: "text-delta", at: 0, text: "one" });
    const waiting = ask("GET", `activations/${id}/deltas?offset=${offset(1)}&live=long-poll`);
    await house.finish(id, { state: "replied" }, "one");
    const { status, headers } = await waiting;
    expect([status, headers.get("stream-closed")]).toEqual([204, "true"]);
    const first = await ask("GET", `activations/${id}/deltas`);
    expect([JSON.parse(first.text).length, first.headers.get("stream-closed")]).toEqual([1, "true"]);
    // The events are gone, and a reader at the end learns that it has seen everything.
    await world.advance(5000);
    const late = await ask("GET", `activations/${id}/deltas?offset=${offset(1)}`);
    expect([late.status, late.text, late.headers.get("stream-closed")]).toEqual([200, "[]", "true"]);
  });
});

describe("pages of other sites", () => {
  test("get the methods but no permission", async () => {
    const { house, ask } = await setUp();
    await ask("PUT", "a", {}, "x");
    const preflight = await house.call("/v1/stream/a", {
      method: "OPTIONS",
      headers: { authorization: "", origin: "https://example.com", "access-control-request-method": "GET" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("if-none-match");
    for (const name of ["access-control-allow-origin", "access-control-allow-credentials"])
      expect(preflight.headers.has(name)).toBe(false);
    const call = await ask("GET", "a", { origin: "https://example.com" });
    expect([call.code, call.headers.has("access-control-allow-origin")]).toEqual(["auth.origin", false]);
    const elsewhere = await house.call("/api/rooms", {
      method: "OPTIONS",
      headers: { authorization: "", origin: "https://example.com" },
    });
    expect(elsewhere.status).toBe(403);
  });

  test("send nothing with a user's cookie, and neither does a form of this house's page", async () => {
    const { house } = await setUp();
    const { code } = house.options.people.logins.offer(house.owner.id);
    const login = await house.call("/login", {
      method: "POST",
      headers: {
        authorization: "",
        origin: `http://${new URL(house.request("/").url).host}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: `code=${code}`,
    });
    const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(cookie).not.toBe("");
    const put = (headers: Record<string, string>) =>
      house.call("/v1/stream/a", {
        method: "PUT",
        headers: { cookie, "content-type": "text/plain", ...headers },
        body: "x",
      });
    expect((await put({})).status).toBe(403);
    expect((await put({ origin: "https://example.com" })).status).toBe(403);
    expect((await put({ origin: `http://${new URL(house.request("/").url).host}` })).status).toBe(201);
  });
});
