/** Forwarding to one target over a log in memory, with failures and restarts. */
import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { plainRow } from "../../../fixtures/rows.ts";
import { ANNEX, HOUSE } from "../fixtures.conformance.ts";
import { hash, setUp } from "../open.conformance.ts";
import { BATCH, SEND_INTERVAL_MS, forwardRows } from "./forward.ts";
import { createHttpAuditTarget } from "./http-target.ts";
import { createMemoryAuditTarget } from "./memory-target.ts";
import { auditTargetConformance } from "./target.conformance.ts";

auditTargetConformance("memory", async () => {
  const target = createMemoryAuditTarget();
  return {
    target,
    receivedLines: async () => target.lines.map((line) => line.trimEnd()),
    breakDown: async (isBroken) => target.fail(isBroken ? "lost" : undefined),
    [Symbol.asyncDispose]: async () => {},
  };
});

auditTargetConformance("http", async () => {
  const lines: string[] = [];
  let isBroken = false;
  const world = {
    ...createFakeWorld({ hash }),
    async fetch(input: string | URL | Request, init?: RequestInit) {
      const request = new Request(input, init);
      expect([
        request.method,
        request.redirect,
        request.headers.get("authorization"),
        request.headers.get("content-type"),
      ]).toEqual(["POST", "error", "Bearer k", "application/x-ndjson"]);
      if (isBroken) return new Response("later", { status: 503 });
      lines.push(...(await request.text()).trimEnd().split("\n"));
      return new Response(null, { status: 204 });
    },
  };
  return {
    target: createHttpAuditTarget({
      world,
      url: "https://collector.test/hearth",
      headers: async () => ({ authorization: "Bearer k" }),
    }),
    receivedLines: async () => lines,
    breakDown: async (broken) => {
      isBroken = broken;
    },
    [Symbol.asyncDispose]: async () => {},
  };
});

/** A furnished log and its forwarding, which can be stopped and started again. */
const openForwarding = async () => {
  const log = await setUp();
  await log.furnish();
  const target = createMemoryAuditTarget();
  const start = () => {
    const stop = new AbortController();
    const { audit, world, below: store } = log;
    const ended = forwardRows({ clock: world.clock, store, audit, name: "disk", target }, stop.signal);
    return {
      ended,
      async stop() {
        stop.abort();
        await ended;
      },
    };
  };
  const offsets = (house = HOUSE): readonly number[] =>
    target.lines
      .map((line) => JSON.parse(line) as { readonly stream: string; readonly offset: number })
      .flatMap(({ stream, offset }) => (stream === `audit:${house}` ? [offset] : []));
  const grow = async (count: number): Promise<void> => {
    for (let row = 0; row < count; row += 1) {
      const agent = log.world.ids.fresh("agent");
      const grant = plainRow("grants", {
        agent,
        target: HOUSE,
        house: HOUSE,
        level: "w",
        by: agent,
        at: 5,
        rights: null,
      });
      await log.store.commit({ writes: [{ kind: "put", table: "grants", row: grant }] });
    }
  };
  return { ...log, target, start, offsets, grow };
};

const upTo = (end: number, from = 1): readonly number[] =>
  Array.from({ length: end - from + 1 }, (_, index) => from + index);

test("every row of every log arrives once and in order, also rows from before and many at once", async () => {
  const { world, start, offsets, grow, target } = await openForwarding();
  await grow(BATCH + 7);
  const forwarding = start();
  await world.advance(0);
  expect([offsets(), offsets(ANNEX)]).toEqual([upTo(BATCH + 9), upTo(2)]);
  await grow(3);
  await world.advance(SEND_INTERVAL_MS);
  expect(offsets()).toEqual(upTo(BATCH + 12));
  expect(JSON.parse(target.lines[0] ?? "")).toMatchObject({
    kind: "row",
    seal: expect.any(String),
    body: expect.any(String),
  });
  await forwarding.stop();
});

test("a restart continues after the last row that the target has taken", async () => {
  const { world, start, offsets, grow } = await openForwarding();
  const first = start();
  await world.advance(0);
  await first.stop();
  await grow(2);
  const second = start();
  await world.advance(0);
  expect(offsets()).toEqual(upTo(4));
  await second.stop();
});

test("rows that a target may not have are sent again, and none is skipped", async () => {
  const { world, start, offsets, target } = await openForwarding();
  target.fail("lost");
  await expect(start().ended).rejects.toThrow("the target is away");
  target.fail("unconfirmed");
  await expect(start().ended).rejects.toThrow("the target is away");
  expect(offsets()).toEqual([1, 2]);
  target.fail(undefined);
  const forwarding = start();
  await world.advance(0);
  expect(offsets()).toEqual([1, 2, 1, 2]);
  await forwarding.stop();
});

test("a row that a power cut can remove is sent only after a later row that it cannot", async () => {
  const { world, store, start, offsets, grow } = await openForwarding();
  const forwarding = start();
  await world.advance(0);
  const agent = world.ids.fresh("agent");
  const row = plainRow("grants", { agent, target: HOUSE, house: HOUSE, level: "w", by: agent, at: 5, rights: null });
  await store.commit({ writes: [{ kind: "put", table: "grants", row }], isReproducible: true });
  await world.advance(10 * SEND_INTERVAL_MS);
  expect(offsets()).toEqual([1, 2]);
  await grow(1);
  await world.advance(SEND_INTERVAL_MS);
  expect(offsets()).toEqual([1, 2, 3, 4]);
  await forwarding.stop();
});

test("a row that cannot be read ends the forwarding, because no row may be skipped", async () => {
  const { below, start } = await openForwarding();
  await below.commit({ writes: [{ kind: "trim", table: "events", where: { stream: `audit:${HOUSE}` }, through: 2 }] });
  await expect(start().ended).rejects.toThrow(`row 1 of the audit log of ${HOUSE} cannot be read`);
});
