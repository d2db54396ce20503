/**
 * Tests how a provider with retries handles each failure of a vendor's API: in the first model
 * call, after a tool result, and in the middle of the stream. Also tests unusual but complete
 * answers, and answers that never end.
 */
import type { ModelMessage, ModelRequest } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { type Answer, ask, codeOf, collect, settle } from "../provider.conformance.ts";
import { IDLE_TIMEOUT_MS, TOTAL_TIMEOUT_MS, type ProviderFactory } from "../provider.ts";
import type { RawCall } from "./reply.ts";
import { createRetryingProvider } from "../resilience/retrying.ts";
import { instantSleepClock } from "../scripted/scripted-harness.conformance.ts";
import { createFakeWire, type WireReply } from "./wire-fake.ts";
import { bytes, hash, KEY, neverAborted, type VendorWire } from "./wire-harness.conformance.ts";

const MINUTE_MS = 60_000;

/** Repetitions of a fault that outlast every retry. */
const MORE_THAN_RETRIES = 9;
const htmlHeaders = { "content-type": "text/html" };
const jsonHeaders = { "content-type": "application/json" };

const afterTool: readonly ModelMessage[] = [
  { role: "user", text: "Hello" },
  { role: "assistant", text: "", toolCalls: [{ id: "call_1", name: "read", input: { path: "notes.md" } }] },
  { role: "tool", call: "call_1", name: "read", text: "milk", failed: false },
];
const positions: readonly (readonly [string, ModelRequest])[] = [
  ["at the first call", ask("Hello")],
  ["after a tool call", { ...ask(""), messages: afterTool }],
];

export const describeWireFaults = (name: string, factory: ProviderFactory, vendor: VendorWire): void => {
  const open = async (replies: readonly WireReply[], request: ModelRequest) => {
    const wire = createFakeWire(replies);
    const world = createFakeWorld({ hash, fetch: wire.fetch });
    const options = { apiKey: KEY, fetch: wire.fetch, clock: world.clock };
    const provider = createRetryingProvider({
      provider: await factory(options),
      // The pauses between attempts take no real time; the provider's own timeouts never pass.
      clock: instantSleepClock(world),
      random: world.random,
      retries: 3,
    });
    return { wire, world, answering: collect(provider.stream(request, neverAborted)) };
  };

  interface Run extends Answer {
    readonly attempts: number;
    readonly tookMs: number;
    readonly requestBodies: readonly string[];
  }

  const run = async (replies: readonly WireReply[], request: ModelRequest = ask("Hello")): Promise<Run> => {
    const { wire, world, answering } = await open(replies, request);
    const answer = await answering;
    await settle();
    expect(wire.open()).toBe(0);
    const requestBodies = wire.requests.map(({ body }) => body);
    return { ...answer, attempts: requestBodies.length, tookMs: world.clock.monotonic(), requestBodies };
  };

  const streaming = (text: string): WireReply => ({ chunks: [bytes(text)] });
  const good = streaming(vendor.stream({ texts: ["Here", " it is."] }));
  const errorReply = (
    kind: Parameters<VendorWire["complaint"]>[0],
    headers: Record<string, string> = {},
  ): WireReply => {
    const { status, body } = vendor.complaint(kind, "No.");
    return { status, headers: { ...jsonHeaders, ...headers }, chunks: [bytes(body)] };
  };
  const status = (code: number): WireReply => ({ status: code, headers: jsonHeaders, chunks: [bytes("{}")] });
  const network = (code: string): WireReply => ({ network: Object.assign(new TypeError("fetch failed"), { code }) });
  const calling = (...calls: readonly RawCall[]): string => vendor.stream({ texts: [], calls, stop: "tool-calls" });
  const cutAt = (text: string, mark: string): string => text.slice(0, text.indexOf(mark));
  /** The stream ends inside the input of a tool call, at "alice and more". */
  const cutInTool = cutAt(calling({ id: "a", name: "send", input: '{"to":"alice and more"}' }), "ice and");

  const transientFaults: readonly (readonly [string, WireReply, string])[] = [
    ["429-retry-after", errorReply("rate", { "retry-after": "2" }), "provider.rate-limited"],
    ["500", errorReply("failed"), "provider.failed"],
    ["529", errorReply("overloaded"), "provider.overloaded"],
    ["504", status(504), "provider.failed"],
    ["200-empty", { chunks: [] }, "provider.truncated"],
    ["connect-refused", network("ECONNREFUSED"), "provider.unreachable"],
    ["dns-fail", network("ENOTFOUND"), "provider.unreachable"],
    ["cut-in-tool-json", streaming(cutInTool), "provider.truncated"],
    ["broken-in-tool-json", { chunks: [bytes(cutInTool)], then: "break" }, "provider.truncated"],
    ["error-event-before-text", streaming(vendor.begin([]) + vendor.overloadedEvent), "provider.overloaded"],
  ];

  const permanentFaults: readonly (readonly [string, WireReply, string])[] = [
    ["429-huge", errorReply("rate", { "retry-after": "86400" }), "provider.rate-limited"],
    ["401", errorReply("auth"), "provider.auth"],
    ["402", status(402), "provider.refused"],
    ["overflow", errorReply("overflow"), "provider.context-overflow"],
    ["200-html", { headers: htmlHeaders, chunks: [bytes("<html>")] }, "provider.malformed"],
    ["200-json-not-sse", { headers: jsonHeaders, chunks: [bytes('{"content":[]}')] }, "provider.malformed"],
    ["garbage-utf8", { chunks: [Uint8Array.of(0xff, 0xff, 0xff, 0xff)] }, "provider.malformed"],
  ];

  describe.each(positions)(`${name}: a fault %s`, (_where, request) => {
    test.each(transientFaults)("%s is transient: a retry gets the answer", async (_id, fault) => {
      const { deltas, last, attempts, requestBodies } = await run([fault, good], request);
      expect([deltas.join(""), last.type, attempts]).toEqual(["Here it is.", "end", 2]);
      expect(requestBodies[1]).toBe(requestBodies[0] ?? "");
    });

    test.each(transientFaults)(
      "%s that persists ends after four attempts, with a message",
      async (_id, fault, code) => {
        const { deltas, last, attempts, tookMs } = await run(
          Array.from({ length: MORE_THAN_RETRIES }, () => fault),
          request,
        );
        expect([deltas, codeOf({ deltas, last }), attempts]).toEqual([[], code, 4]);
        expect(tookMs).toBeLessThan(MINUTE_MS);
        expect(last).toMatchObject({
          error: {
            message: expect.stringMatching(/\. Tried 4 times in \d+ s\.$/),
            hint: expect.stringMatching(/\w+.*\./),
          },
        });
      },
    );

    test.each(permanentFaults)("%s is not retried, and reported at once", async (_id, fault, code) => {
      const { deltas, last, attempts, tookMs } = await run([fault, good], request);
      expect([deltas, codeOf({ deltas, last }), attempts, tookMs]).toEqual([[], code, 1, 0]);
      expect(last).toMatchObject({ error: { hint: expect.stringMatching(/\w+.*/) } });
    });
  });

  describe(`${name}: a wait that the vendor requests`, () => {
    test("429-retry-after is respected", async () => {
      const { tookMs } = await run([errorReply("rate", { "retry-after": "2" }), good]);
      expect(tookMs).toBeWithin(2_000, 3_001);
    });

    test("429-huge is reported and not waited for", async () => {
      const { last, tookMs } = await run([errorReply("rate", { "retry-after": "86400" }), good]);
      expect(tookMs).toBe(0);
      expect(last).toMatchObject({
        error: {
          message: expect.stringContaining("It requests a wait of 24 hours"),
          hint: expect.stringContaining("Try again in 24 hours"),
        },
      });
    });
  });

  const half = vendor.begin(["half a "]);
  describe(`${name}: a failure in the middle of the stream`, () => {
    test.each<readonly [string, WireReply, string]>([
      ["cut-frame-boundary", streaming(half), "provider.truncated"],
      ["connection-broken", { chunks: [bytes(half)], then: "break" }, "provider.truncated"],
      ["error-event-after-text", streaming(half + vendor.overloadedEvent), "provider.overloaded"],
      ["garbage-utf8", { chunks: [bytes(half), Uint8Array.of(0xff, 0xff)] }, "provider.malformed"],
      ["cut-in-tool-json", streaming(cutAt(vendor.stream(halfAndCall), "ice and")), "provider.truncated"],
    ])("%s ends with an error, and is not retried after text was shown", async (_id, fault, code) => {
      const { deltas, last, attempts } = await run([fault, good]);
      expect([deltas.join(""), codeOf({ deltas, last }), attempts]).toEqual(["half a ", code, 1]);
      expect(last).toMatchObject({
        error: { message: expect.stringMatching(/^api\.\w+\.com/), hint: expect.any(String) },
      });
      expect(last).not.toHaveProperty("message");
    });
  });

  describe(`${name}: an unusual but complete answer`, () => {
    const answer = (text: string): Promise<Run> => run([streaming(text)]);
    const one = { id: "a", name: "read", input: '{"path":"x"}' };

    test("dup-tool-id: two calls with one id are two calls", async () => {
      const { last } = await answer(calling(one, { ...one, name: "list", input: "{}" }));
      expect(last).toMatchObject({ message: { toolCalls: [{ name: "read" }, { name: "list" }] } });
    });

    test("tool-unknown: a call of a tool that was not offered is returned, for the house to refuse", async () => {
      const { last } = await answer(calling({ ...one, name: "launch" }));
      expect(last).toMatchObject({ message: { toolCalls: [{ name: "launch", input: { path: "x" } }] } });
    });

    test("tool-args-not-object: the call has empty input and keeps the unreadable text", async () => {
      const { last } = await answer(calling({ ...one, input: "[1,2]" }));
      expect(last).toMatchObject({ message: { toolCalls: [{ name: "read", input: {}, unreadable: "[1,2]" }] } });
    });

    test("one-byte-chunks", async () => {
      const text = bytes(vendor.stream({ texts: ["Grüße, ", "🌍"] }));
      const { deltas } = await run([{ chunks: [...text].map((byte) => Uint8Array.of(byte)) }]);
      expect(deltas.join("")).toBe("Grüße, 🌍");
    });

    test("split-surrogate", async () => {
      expect((await answer(vendor.stream({ texts: ["a \uD83C", "\uDF0D b"] }))).deltas.join("")).toBe("a 🌍 b");
    });

    test.each(vendor.brokenUsages.map((usage) => [JSON.stringify(usage), usage]))(
      "usage-missing and usage-negative: %p costs nothing",
      async (_text, usage) => {
        expect((await answer(vendor.stream({ texts: ["x"], usage }))).last).toMatchObject({
          usage: { inputTokens: 0, outputTokens: 0 },
        });
      },
    );

    test.each(["length", "refusal"] as const)(
      "stop-max-tokens and refusal: an answer that stops with `%s` has no tool calls",
      async (stop) => {
        const cut = { ...one, input: '{"path": "no' };
        const { last, attempts } = await answer(vendor.stream({ texts: ["x"], calls: [one, cut], stop }));
        expect(attempts).toBe(1);
        expect(last).toMatchObject({ type: "end", stopReason: stop, message: { text: "x", toolCalls: [] } });
      },
    );
  });

  describe(`${name}: an answer without an end`, () => {
    /** Starts a call, sends `first`, then `keepAlive` in each step of the clock until it ends. */
    const callWithEndlessStream = async (first: string, keepAlive: string, stepMs: number) => {
      const world = createFakeWorld({ hash });
      const pipe = new TransformStream<Uint8Array, Uint8Array>();
      const writer = pipe.writable.getWriter();
      let calls = 0;
      const provider = createRetryingProvider({
        provider: await factory({
          apiKey: KEY,
          clock: world.clock,
          async fetch() {
            calls += 1;
            return new Response(pipe.readable, { headers: { "content-type": "text/event-stream" } });
          },
        }),
        clock: world.clock,
        random: world.random,
        retries: 3,
      });
      let over = false;
      const answering = collect(provider.stream(ask("Hello"), neverAborted)).finally(() => {
        over = true;
      });
      // Writes after the reader has stopped fail, which is expected.
      const send = (text: string): void => void writer.write(bytes(text)).catch(() => undefined);
      send(first);
      for (let step = 0; step < 100 && !over; step += 1) {
        await settle();
        send(keepAlive);
        await settle();
        await world.advance(stepMs);
      }
      return { ...(await answering), calls, tookMs: world.clock.monotonic() };
    };

    test.each([
      ["before the first text", ""],
      ["in the middle of a text", half],
    ])("slowloris: activity %s extends the call only up to a limit", async (_where, first) => {
      const { deltas, last, calls, tookMs } = await callWithEndlessStream(
        first,
        ": still here\n\n",
        IDLE_TIMEOUT_MS / 2,
      );
      expect([codeOf({ deltas, last }), calls]).toEqual(["provider.timeout", 1]);
      expect(tookMs).toBe(TOTAL_TIMEOUT_MS);
      expect(last).toMatchObject({
        error: { message: expect.stringContaining("The answer did not end within 30 minutes.") },
      });
    });

    test("slowloris: bytes that never complete a line count as silence", async () => {
      const { deltas, last, tookMs } = await callWithEndlessStream(half, "d", IDLE_TIMEOUT_MS / 2);
      expect([codeOf({ deltas, last }), deltas.join("")]).toEqual(["provider.timeout", "half a "]);
      expect(tookMs).toBe(IDLE_TIMEOUT_MS);
    });

    test("a text beyond the size limit is abandoned, and not retried", async () => {
      const piece = bytes(vendor.begin(["x".repeat(4 * 1024 * 1024)]));
      const { last, attempts } = await run([{ chunks: Array.from({ length: 20 }, () => piece), then: "hang" }]);
      expect([last.type === "error" && last.error.code, attempts]).toEqual(["provider.malformed", 1]);
    });
  });
};

const halfAndCall = {
  texts: ["half a "],
  calls: [{ id: "a", name: "send", input: '{"to":"alice and more"}' }],
  stop: "tool-calls",
} as const;
