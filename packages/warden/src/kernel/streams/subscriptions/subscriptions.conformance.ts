/**
 * The contract of `Subscriptions` as tests. The harness plays the receiver: the webhook, and the
 * worker that reads.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { AgentId, HouseId } from "@hearth/protocol";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import type { Store } from "../../store/store.ts";
import type { ByteStreams } from "../bytes/byte-streams.ts";
import { MAX_EXPLICIT_LINKS, MAX_SUBSCRIPTIONS, type SubscriptionConfig, type Subscriptions } from "./subscriptions.ts";

export interface SubscriptionsHarness extends AsyncDisposable {
  readonly store: Store;
  /** Opens the streams and subscriptions as after a restart. `mayReach`: whether the owner still has access. */
  open(
    world: FakeWorld,
    mayReach: (agent: AgentId) => boolean,
  ): { readonly bytes: ByteStreams; readonly subscriptions: Subscriptions };
}

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const HOME = HouseId.parse("house_00000000000000000000000001");
const OTHER = HouseId.parse("house_00000000000000000000000002");
const OWNER = AgentId.parse("agent_00000000000000000000000001");
const LEASE_MS = 30_000;

const webhook = (overrides: Partial<SubscriptionConfig> = {}): SubscriptionConfig =>
  ({
    type: "webhook",
    url: "https://far.example/hook",
    pattern: "events/*",
    streams: [],
    leaseMs: LEASE_MS,
    ...overrides,
  }) as SubscriptionConfig;
const pullWake: SubscriptionConfig = {
  type: "pull-wake",
  wakeStream: "wake/pool",
  pattern: "events/*",
  streams: [],
  leaseMs: LEASE_MS,
};

/** Waits for the work of a store on disk, which no fake clock controls. */
const settleStore = async (): Promise<void> => {
  for (let count = 0; count < 30; count += 1) await new Promise((resolve) => setImmediate(resolve));
};

export const subscriptionsConformance = (name: string, start: () => Promise<SubscriptionsHarness>): void => {
  describe(`subscriptions: ${name}`, () => {
    let harness: SubscriptionsHarness;
    let world: FakeWorld;
    let bytes: ByteStreams;
    let subscriptions: Subscriptions;
    let stop: AbortController;
    let running: Promise<void>;
    let calls: { readonly url: string; readonly init: RequestInit; readonly body: ReturnType<typeof JSON.parse> }[];
    let answer: () => Response | Promise<Response>;
    let mayReach: (agent: AgentId) => boolean;

    const restart = async (): Promise<void> => {
      stop?.abort();
      await running;
      ({ bytes, subscriptions } = harness.open(world, (agent) => mayReach(agent)));
      stop = new AbortController();
    };
    const run = async (): Promise<void> => {
      running = subscriptions.run(stop.signal);
      await settleStore();
    };
    const appendTo = async (path: string, house = HOME): Promise<void> => {
      const content = new TextEncoder().encode("1");
      const created = await bytes.create(
        { house, path },
        { owner: OWNER, contentType: "application/json", isClosed: false, content },
      );
      if (created.kind === "known")
        await bytes.append({ house, path }, { bytes: content, contentType: "application/json", closes: false });
      await settleStore();
    };
    const advance = async (ms: number): Promise<void> => {
      await world.advance(ms);
      await settleStore();
    };
    const put = (config: SubscriptionConfig, id = "s") => subscriptions.put(HOME, id, OWNER, config);
    const readAcked = async (path: string): Promise<number | undefined> =>
      (await subscriptions.get(HOME, "s"))?.links.find((link) => link.path === path)?.acked;
    const readWakes = async (): Promise<readonly { generation: number; stream: string }[]> => {
      const found = await bytes.find({ house: HOME, path: "wake/pool" });
      if (typeof found !== "object") return [];
      return (await bytes.read(found.id, 0)).map((chunk) => JSON.parse(new TextDecoder().decode(chunk.bytes)));
    };

    beforeEach(async () => {
      calls = [];
      answer = () => Response.json({});
      mayReach = () => true;
      harness = await start();
      world = createFakeWorld({
        hash,
        async fetch(input, init = {}) {
          const { body } = init;
          if (typeof input !== "string" || typeof body !== "string")
            throw new TypeError("a webhook is called with text");
          calls.push({ url: input, init, body: JSON.parse(body) });
          return answer();
        },
      });
      running = Promise.resolve();
      await restart();
      await run();
    });
    afterEach(async () => {
      stop.abort();
      await running;
      await harness[Symbol.asyncDispose]();
    });

    test("an equal request is known, and any other differs", async () => {
      expect(await put(webhook())).toMatchObject({ kind: "created" });
      expect(await put(webhook())).toMatchObject({ kind: "known" });
      expect(await put(webhook({ leaseMs: 1000 }))).toEqual({ kind: "differs" });
      await subscriptions.remove(HOME, "s");
      expect(await subscriptions.get(HOME, "s")).toBeUndefined();
      expect(await put(webhook({ leaseMs: 1000 }))).toMatchObject({ kind: "created" });
    });

    test("a house has a maximum of subscriptions, and each a maximum of named streams", async () => {
      await put(webhook(), "s0");
      const [row] = await harness.store.select({ table: "subscriptions" });
      if (row === undefined) throw new Error("it is not there");
      await harness.store.commit({
        writes: Array.from({ length: MAX_SUBSCRIPTIONS - 1 }, (_, index) => ({
          kind: "insert",
          table: "subscriptions",
          row: { ...row, id: `s${index + 1}` },
        })),
      });
      expect(await put(webhook(), "more")).toEqual({ kind: "full" });
      const paths = Array.from({ length: MAX_EXPLICIT_LINKS }, (_, index) => `named/${index}`);
      expect(await subscriptions.link(HOME, "s0", paths)).toBe("linked");
      expect(await subscriptions.link(HOME, "s0", ["named/0"])).toBe("linked");
      expect(await subscriptions.link(HOME, "s0", ["one/more"])).toBe("full");
      expect(await subscriptions.link(HOME, "none", ["x"])).toBe("absent");
    });

    test("existing content wakes no subscriber; new content does, once", async () => {
      await appendTo("events/old");
      await put(webhook());
      await advance(LEASE_MS * 2);
      expect(calls).toEqual([]);
      await appendTo("events/old");
      await appendTo("events/new");
      await appendTo("elsewhere/x");
      expect(calls).toHaveLength(1);
      expect(calls[0]).toMatchObject({
        url: "https://far.example/hook",
        init: { method: "POST", redirect: "manual" },
        body: {
          subscription_id: "s",
          generation: 1,
          callback_url: "http://house/v1/stream/__ds/subscriptions/s/callback",
          streams: [{ path: "events/old", link_type: "glob", has_pending: true }],
        },
      });
    });

    test("streams of another house are ignored", async () => {
      await put(webhook());
      await put(webhook({ pattern: "**" }), "all");
      await appendTo("events/a", OTHER);
      expect(calls).toEqual([]);
      expect(await subscriptions.get(OTHER, "s")).toBeUndefined();
      expect(await subscriptions.claim(OTHER, "s", "worker")).toEqual({ kind: "absent" });
    });

    test("an answer with done acknowledges the notified offsets, and later content wakes again", async () => {
      await put(webhook());
      const gate = Promise.withResolvers<void>();
      answer = async () => {
        await gate.promise;
        return Response.json({ done: true });
      };
      await appendTo("events/a");
      expect(calls).toHaveLength(1);
      await appendTo("events/a");
      gate.resolve();
      await settleStore();
      expect(calls.map(({ body }) => [body.generation, body.streams[0].tail_offset.slice(0, 16)])).toEqual([
        [1, "0000000000000001"],
        [2, "0000000000000002"],
      ]);
      expect(await readAcked("events/a")).toBe(2);
      await advance(LEASE_MS * 2);
      expect(calls).toHaveLength(2);
    });

    test("a receiver that does not answer is notified again with growing pauses, also after a restart", async () => {
      await put(webhook());
      answer = () => Promise.reject(new TypeError("connection refused"));
      await appendTo("events/a");
      expect((await subscriptions.get(HOME, "s"))?.isFailing).toBe(true);
      await advance(1300);
      expect(calls).toHaveLength(2);
      await advance(1300);
      expect(calls).toHaveLength(2);
      await restart();
      await run();
      await advance(1500);
      expect(calls).toHaveLength(3);
      for (let round = 0; round < 10; round += 1) await advance(75_000);
      expect(calls.length).toBeGreaterThanOrEqual(12);
      expect(calls.every(({ body }) => body.generation === 1)).toBe(true);
      answer = () => Response.json({ done: true });
      await advance(75_000);
      expect(await readAcked("events/a")).toBe(1);
      expect((await subscriptions.get(HOME, "s"))?.isFailing).toBe(false);
    });

    test.each([
      ["an error", () => new Response("", { status: 500 })],
      ["a redirect", () => new Response("", { status: 302, headers: { location: "http://10.0.0.1/" } })],
      ["missing after the timeout", () => new Promise<Response>(() => {})],
    ])("an answer that is %s is a failed delivery", async (_what, failedAnswer) => {
      await put(webhook());
      answer = failedAnswer;
      await appendTo("events/a");
      await advance(11_000);
      expect((await subscriptions.get(HOME, "s"))?.isFailing).toBe(true);
    });

    test("a receiver that reports nothing in time is notified again, and its late report changes nothing", async () => {
      await put(webhook());
      await appendTo("events/a");
      await advance(LEASE_MS + 1);
      expect(calls.map(({ body }) => body.generation)).toEqual([1, 2]);
      const [first, second] = calls.map(({ body }) => body);
      const report = (body: typeof first) =>
        subscriptions.report("s", body.callback_token, {
          wake: body.wake_id,
          generation: body.generation,
          acks: [{ path: "events/a", offset: 1 }],
          isDone: true,
        });
      expect(await report(first)).toEqual({ kind: "fenced" });
      expect(await readAcked("events/a")).toBe(0);
      expect(await report({ ...first, callback_token: second.callback_token })).toEqual({ kind: "fenced" });
      expect(await report({ ...second, callback_token: first.callback_token })).toEqual({ kind: "fenced" });
      expect(await report({ ...second, callback_token: `${second.callback_token}x` })).toEqual({ kind: "unknown" });
      expect(await report(second)).toEqual({ kind: "taken", wakesAgain: false });
      expect(await report(second)).toEqual({ kind: "fenced" });
      expect(await readAcked("events/a")).toBe(1);
    });

    test("a report without done keeps the lease, and may not name unknown streams", async () => {
      await put(webhook());
      await appendTo("events/a");
      const [{ body }] = calls as [(typeof calls)[number]];
      const report = (path: string, offset: number, isDone: boolean) =>
        subscriptions.report("s", body.callback_token, {
          wake: body.wake_id,
          generation: body.generation,
          acks: [{ path, offset }],
          isDone,
        });
      await advance(LEASE_MS - 1000);
      expect(await report("events/none", 1, false)).toEqual({ kind: "no-such-offset", path: "events/none" });
      expect(await report("events/a", 2, false)).toEqual({ kind: "no-such-offset", path: "events/a" });
      expect(await report("events/a", 0, false)).toEqual({ kind: "taken", wakesAgain: false });
      await advance(LEASE_MS - 1000);
      expect(calls).toHaveLength(1);
      expect(await report("events/a", 0, true)).toEqual({ kind: "taken", wakesAgain: true });
      await settleStore();
      expect(calls.map((call) => call.body.generation)).toEqual([1, 2]);
    });

    test("content that arrived while the daemon was down wakes after the restart", async () => {
      await put(webhook());
      await put(webhook({ pattern: "others/**" }), "other");
      await restart();
      await appendTo("events/a");
      await appendTo("others/new/one");
      expect(calls).toEqual([]);
      await run();
      expect(new Set(calls.map(({ body }) => body.subscription_id))).toEqual(new Set(["other", "s"]));
      expect(calls).toHaveLength(2);
    });

    test("a stream at the path of a removed one is read from its beginning", async () => {
      await put(webhook());
      answer = () => Response.json({ done: true });
      for (let count = 0; count < 3; count += 1) await appendTo("events/a");
      expect(await readAcked("events/a")).toBe(3);
      await bytes.remove({ house: HOME, path: "events/a" });
      answer = () => Response.json({});
      await appendTo("events/a");
      expect(calls.at(-1)?.body.streams).toMatchObject([
        { acked_offset: expect.stringMatching(/^0{16}_/), has_pending: true },
      ]);
    });

    test("a subscription whose owner lost access pauses, and resumes with access", async () => {
      await put(webhook());
      mayReach = () => false;
      await appendTo("events/a");
      await appendTo("events/a");
      expect(calls).toEqual([]);
      mayReach = () => true;
      await appendTo("events/a");
      expect(calls).toHaveLength(1);
    });

    test("a named stream is watched until it is unlinked, and one that matches the pattern stays", async () => {
      const config = webhook({ streams: ["named/a"] });
      await put(config);
      expect(await subscriptions.link(HOME, "s", ["events/b", "named/b"])).toBe("linked");
      await appendTo("events/b");
      const links = async () => (await subscriptions.get(HOME, "s"))?.links.map(({ path, kind }) => [path, kind]);
      expect(await links()).toEqual([
        ["events/b", "explicit"],
        ["named/a", "explicit"],
        ["named/b", "explicit"],
      ]);
      expect(calls).toHaveLength(1);
      expect(await subscriptions.unlink(HOME, "s", "named/b")).toBe("unlinked");
      expect(await subscriptions.unlink(HOME, "s", "named/b")).toBe("unlinked");
      expect(await subscriptions.unlink(HOME, "none", "named/b")).toBe("absent");
      expect(await links()).toEqual([
        ["events/b", "explicit"],
        ["named/a", "explicit"],
      ]);
    });

    describe("with a wake stream for workers", () => {
      beforeEach(async () => {
        await bytes.create(
          { house: HOME, path: "wake/pool" },
          { owner: OWNER, contentType: "application/json", isClosed: false, content: new Uint8Array() },
        );
      });
      const done = (claim: { id: string; generation: number; token: string }, offset: number) =>
        subscriptions.report("s", claim.token, {
          wake: claim.id,
          generation: claim.generation,
          acks: [{ path: "events/a", offset }],
          isDone: true,
        });

      test("has one event per wake, one holder, and is idle in between", async () => {
        await put(pullWake);
        expect(await subscriptions.claim(HOME, "s", "one")).toEqual({ kind: "idle" });
        await appendTo("events/a");
        await appendTo("events/a");
        expect(await readWakes()).toMatchObject([{ generation: 1, stream: "events/a" }]);
        const claimed = await subscriptions.claim(HOME, "s", "one");
        if (claimed.kind !== "claimed") throw new Error(claimed.kind);
        expect(claimed.wake).toMatchObject({ generation: 1, links: [{ path: "events/a", acked: 0, tail: 2 }] });
        expect(await subscriptions.claim(HOME, "s", "two")).toEqual({ kind: "held", holder: "one", generation: 1 });
        expect(await done(claimed.wake, 2)).toEqual({ kind: "taken", wakesAgain: false });
        expect(await subscriptions.claim(HOME, "s", "two")).toEqual({ kind: "idle" });
        await appendTo("events/a");
        expect(await readWakes()).toMatchObject([{ generation: 1 }, { generation: 2 }]);
      });

      test("has one holder of several concurrent claims", async () => {
        await put(pullWake);
        await appendTo("events/a");
        const claims = await Promise.all(
          Array.from({ length: 8 }, (_, index) => subscriptions.claim(HOME, "s", `worker-${index}`)),
        );
        expect(claims.filter(({ kind }) => kind === "claimed")).toHaveLength(1);
        expect(claims.filter(({ kind }) => kind === "held")).toHaveLength(7);
      });

      test("replaces a holder that is too slow, whose report then changes nothing", async () => {
        await put(pullWake);
        await appendTo("events/a");
        const slow = await subscriptions.claim(HOME, "s", "slow");
        if (slow.kind !== "claimed") throw new Error(slow.kind);
        await advance(LEASE_MS + 1);
        expect(await readWakes()).toMatchObject([{ generation: 1 }, { generation: 2 }]);
        expect(await done(slow.wake, 1)).toEqual({ kind: "fenced" });
        const quick = await subscriptions.claim(HOME, "s", "quick");
        if (quick.kind !== "claimed") throw new Error(quick.kind);
        expect(quick.wake.generation).toBe(2);
        expect(await done(slow.wake, 1)).toEqual({ kind: "fenced" });
        expect(await done(quick.wake, 1)).toEqual({ kind: "taken", wakesAgain: false });
      });

      test("keeps its holder across a restart, and wakes for the rest", async () => {
        await put(pullWake);
        await appendTo("events/a");
        const claimed = await subscriptions.claim(HOME, "s", "one");
        if (claimed.kind !== "claimed") throw new Error(claimed.kind);
        await restart();
        await run();
        expect(await subscriptions.claim(HOME, "s", "two")).toMatchObject({ kind: "held", holder: "one" });
        await appendTo("events/a");
        expect(await done(claimed.wake, 1)).toEqual({ kind: "taken", wakesAgain: true });
        await settleStore();
        expect(await readWakes()).toMatchObject([{ generation: 1 }, { generation: 2 }]);
      });

      test("is not for webhooks, and waits until its wake stream exists", async () => {
        await put(webhook(), "called");
        expect(await subscriptions.claim(HOME, "called", "one")).toEqual({ kind: "not-claimed" });
        await bytes.remove({ house: HOME, path: "wake/pool" });
        await put(pullWake);
        await appendTo("events/a");
        await bytes.create(
          { house: HOME, path: "wake/pool" },
          { owner: OWNER, contentType: "application/json", isClosed: false, content: new Uint8Array() },
        );
        await advance(1300);
        expect(await readWakes()).toMatchObject([{ generation: 1 }]);
      });
    });
  });
};
