/** Forwarding follows the config: targets come, go and change while the house runs. */
import { expect, test } from "bun:test";
import { until } from "@hearth/protocol/until";
import type { AuditTargetConfig } from "../../config/text/audit-text.ts";
import { createListeners } from "../../listeners.ts";
import { createSupervisor } from "../../supervisor.ts";
import { setUp } from "../open.conformance.ts";
import { SEND_INTERVAL_MS } from "./forward.ts";
import { createAuditForwarding, FINISH_LIMIT_MS } from "./forwarding.ts";
import { createMemoryAuditTarget, type MemoryAuditTarget } from "./memory-target.ts";

const disk = (path: string): AuditTargetConfig => ({ kind: "file", path });

/** `opened`: the targets by path. A path opens the same target each time. */
const open = async () => {
  const log = await setUp();
  await log.furnish();
  const opened = new Map<string, MemoryAuditTarget>();
  const changes = createListeners<void>();
  const requests: Request[] = [];
  let targets = new Map<string, AuditTargetConfig>();
  const supervisor = createSupervisor({ clock: log.world.clock, log: log.log });
  const environment = new Map<string, string>();
  const forwarding = createAuditForwarding({
    log: log.log,
    world: {
      ...log.world,
      async fetch(input, init) {
        requests.push(new Request(input, init));
        return new Response();
      },
    },
    config: { current: () => ({ audit: { targets } }) as never, onChange: (listener) => changes.add(listener) },
    store: log.below,
    audit: {
      ...log.audit,
      async openTarget(target) {
        const path = target.kind === "file" ? target.path : "";
        const known = opened.get(path) ?? createMemoryAuditTarget();
        opened.set(path, known);
        return known;
      },
    },
    supervisor,
    references: { environment: (name) => environment.get(name), readFile: async () => undefined },
  });
  const stop = new AbortController();
  const ended = forwarding.run(stop.signal);
  return {
    ...log,
    ...{ opened, requests, supervisor, environment },
    async use(...list: readonly (readonly [string, AuditTargetConfig])[]) {
      targets = new Map(list);
      changes.notify();
      await import("./forward.ts");
      await log.world.advance(SEND_INTERVAL_MS);
    },
    /** Ends the forwarding, as a stop of the house does, and sends the last rows. */
    async finish(): Promise<void> {
      stop.abort();
      await ended;
      await log.audit.note("daemon", { change: "stopped" });
      const finished = forwarding.finish();
      await import("./forward.ts");
      await log.world.advance(FINISH_LIMIT_MS);
      await finished;
    },
    countOf: (path: string): number => opened.get(path)?.lines.length ?? 0,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
};

test("a target that is added gets the log from its beginning, and a removed one gets no further rows", async () => {
  await using house = await open();
  await house.use(["a", disk("/a")]);
  expect(house.countOf("/a")).toBe(4);
  await house.use(["b", disk("/b")]);
  expect(house.supervisor.list().map(({ name }) => name)).toEqual(["audit target b"]);
  await house.audit.note("daemon", { change: "started" });
  await house.world.advance(SEND_INTERVAL_MS);
  expect([house.countOf("/a"), house.countOf("/b")]).toEqual([4, 5]);
});

test("a target whose address changes continues where it was", async () => {
  await using house = await open();
  await house.use(["a", disk("/a")]);
  await house.audit.note("daemon", { change: "started" });
  await house.use(["a", disk("/b")]);
  expect([house.countOf("/a"), house.countOf("/b")]).toEqual([4, 1]);
});

test("a target that fails is a failing reader, and stops no other", async () => {
  await using house = await open();
  house.opened.set("/a", createMemoryAuditTarget());
  house.opened.get("/a")?.fail("lost");
  await house.use(["a", disk("/a")], ["b", disk("/b")]);
  expect(house.countOf("/b")).toBe(4);
  expect(house.supervisor.list()).toMatchObject([
    { name: "audit target a", lastError: "the target is away" },
    { name: "audit target b", failures: 0 },
  ]);
});

test("a header is read for each request, and without its value nothing is sent", async () => {
  await using house = await open();
  const headers = { authorization: { kind: "env", name: "KEY" } } as const;
  await house.use(["a", { kind: "http", url: "https://collector.test/", headers }]);
  await until(() => house.supervisor.list()[0]?.lastError !== undefined);
  expect(house.supervisor.list()[0]?.lastError).toBe("its header authorization has no value: env:KEY is not set");
  expect(house.requests).toEqual([]);
  house.environment.set("KEY", "Bearer k");
  await house.world.advance(60_000);
  await until(() => house.requests.length === 2);
  expect(house.requests.map((request) => request.headers.get("authorization"))).toEqual(["Bearer k", "Bearer k"]);
});

test("the row of a stop is sent too, and a target that fails or does not answer delays the stop for seconds only", async () => {
  await using house = await open();
  const silent = createMemoryAuditTarget();
  await house.use(["a", disk("/a")], ["b", disk("/b")]);
  house.opened.set("/c", {
    ...silent,
    send: (_lines, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  });
  house.opened.get("/b")?.fail("lost");
  await house.use(["a", disk("/a")], ["b", disk("/b")], ["c", disk("/c")]);
  await house.finish();
  expect([house.countOf("/a"), house.countOf("/b")]).toEqual([5, 4]);
  expect(house.log.lines.filter((line) => line.includes("after the next start"))).toHaveLength(2);
});
