import { noUsage, type Usage } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { ask, codeOf, collect, providerConformance, settle } from "../provider.conformance.ts";
import type { Provider } from "../provider.ts";
import { createRetryingProvider } from "./retrying.ts";
import { createScriptedProvider, type ScriptedReply } from "../scripted/scripted.ts";
import { failing, instantSleepClock, scriptedHarness } from "../scripted/scripted-harness.conformance.ts";

const never = new AbortController().signal;

providerConformance(
  "retrying",
  scriptedHarness((provider, { random }, clock) => createRetryingProvider({ provider, clock, random, retries: 3 }), 4),
);

const cost = (inputTokens: number): Usage => ({ ...noUsage, inputTokens });
const passing = failing("provider.overloaded");

const run = async (replies: readonly ScriptedReply[], options: { retries?: number; byte?: number } = {}) => {
  const world = createFakeWorld({ hash: () => "" });
  const scripted = createScriptedProvider(replies);
  const provider = createRetryingProvider({
    provider: scripted,
    clock: instantSleepClock(world),
    random: (length) => new Uint8Array(length).fill(options.byte ?? 255),
    retries: options.retries ?? 3,
  });
  const answer = await collect(provider.stream(ask("Hello"), never));
  return {
    ...answer,
    attempts: scripted.requests.length,
    tookMs: world.clock.monotonic(),
    requests: scripted.requests,
  };
};

describe("retries", () => {
  test.each([
    "provider.rate-limited",
    "provider.overloaded",
    "provider.unreachable",
    "provider.timeout",
    "provider.truncated",
    "provider.failed",
  ] as const)("after %s get the answer, with the same request", async (code) => {
    const { deltas, last, requests } = await run([failing(code), { text: "Here." }]);
    expect([deltas.join(""), last.type]).toEqual(["Here.", "end"]);
    expect(requests[1]).toEqual(requests[0] as never);
  });

  test.each([
    "provider.auth",
    "provider.refused",
    "provider.context-overflow",
    "provider.malformed",
    "provider.unknown",
    "provider.aborted",
  ] as const)("do not follow %s, which is passed on unchanged", async (code) => {
    const { last, attempts } = await run([failing(code), { text: "Never." }]);
    expect([last, attempts]).toEqual([{ type: "error", error: { code, message: "It is so written." } }, 1]);
  });

  test("R4: end after four attempts, with a summary", async () => {
    const { last, attempts } = await run(Array.from({ length: 9 }, () => passing));
    expect(attempts).toBe(4);
    expect(last).toMatchObject({
      error: { code: "provider.overloaded", message: "It is so written. Tried 4 times in 7 s." },
    });
  });

  test("are at most three, whatever the setting, and none for 0", async () => {
    const replies = Array.from({ length: 9 }, () => passing);
    expect((await run(replies, { retries: 100 })).attempts).toBe(4);
    expect((await run(replies, { retries: 0 })).last).toEqual({
      type: "error",
      error: { code: "provider.overloaded", message: "It is so written." },
    });
  });

  test("never follow a delta, because the text would be repeated", async () => {
    const { deltas, last, attempts } = await run([{ ...passing, text: "I begin, and" }, { text: "I begin, and end." }]);
    expect([deltas.join(""), codeOf({ last }), attempts]).toEqual(["I begin, and", "provider.overloaded", 1]);
  });

  test("report the number of attempts when a later attempt fails after its first delta", async () => {
    const { last, attempts } = await run([passing, { ...passing, text: "I begin, and" }, { text: "x" }]);
    expect(attempts).toBe(2);
    expect(last).toMatchObject({ error: { message: expect.stringContaining("Tried 2 times in 1 s.") } });
  });

  test("R5: treat a stream without an end as a failure", async () => {
    const silent: Provider = { ...createScriptedProvider([]), async *stream() {} };
    const { clock, random } = createFakeWorld({ hash: () => "" });
    const provider = createRetryingProvider({ provider: silent, clock, random, retries: 0 });
    expect(codeOf(await collect(provider.stream(ask("Hello"), never)))).toBe("provider.truncated");
  });
});

describe("the pause before another attempt", () => {
  const pauses = async (byte: number) => (await run([passing, passing, passing, { text: "x" }], { byte })).tookMs;

  test("has a random length up to a maximum that doubles", async () => {
    expect(await pauses(0)).toBe(0);
    expect(await pauses(128)).toBeWithin(3500, 3600);
    expect(await pauses(255)).toBe(7000);
  });

  test("is announced with its end, its reason and the number of the attempt", async () => {
    const asked: ScriptedReply = { ...passing, retryAfterMs: 20_000 };
    const { retries } = await run([asked, passing, { text: "x" }], { byte: 0 });
    const startedAt = createFakeWorld({ hash: () => "" }).clock.now();
    const error = { code: "provider.overloaded", message: "It is so written." };
    expect(retries).toEqual([
      { type: "retry", error, retryAt: startedAt + 20_000, attempt: 2, attempts: 4 },
      { type: "retry", error, retryAt: startedAt + 20_000, attempt: 3, attempts: 4 },
    ] as never);
  });

  test("is never shorter than what the vendor requests", async () => {
    const asked: ScriptedReply = { ...passing, retryAfterMs: 20_000 };
    expect((await run([asked, { text: "x" }], { byte: 0 })).tookMs).toBe(20_000);
    expect((await run([asked, asked, { text: "x" }], { byte: 0 })).tookMs).toBe(40_000);
  });

  test("that would be too long ends the call at once, with its length and a hint", async () => {
    const { last, attempts, tookMs } = await run([{ ...passing, retryAfterMs: 86_400_000 }, { text: "Never." }]);
    expect([attempts, tookMs]).toEqual([1, 0]);
    expect(last).toMatchObject({
      retryAfterMs: 86_400_000,
      error: {
        message: "It is so written. It requests a wait of 24 hours, which is longer than Hearth waits.",
        hint: "Try again in 24 hours, or give the agent a fallback model: hearth agent edit NAME --fallback PROVIDER/MODEL",
      },
    });
  });

  test("counts towards a minute in total", async () => {
    const slow: ScriptedReply = { ...passing, retryAfterMs: 25_000 };
    const { last, attempts, tookMs } = await run([slow, slow, slow, { text: "Never." }], { byte: 0 });
    expect([attempts, tookMs]).toEqual([3, 50_000]);
    expect(last).toMatchObject({
      error: { message: expect.stringContaining("Tried 3 times in 50 s. It requests a wait of 25 s") },
    });
  });

  test("ends when the caller aborts, without another call", async () => {
    const world = createFakeWorld({ hash: () => "" });
    const scripted = createScriptedProvider([{ ...passing, usage: cost(7) }, { text: "Never." }]);
    const { clock, random } = world;
    const provider = createRetryingProvider({ provider: scripted, clock, random, retries: 3 });
    const stop = new AbortController();
    const answer = collect(provider.stream(ask("Hello"), stop.signal));
    await settle();
    stop.abort();
    expect((await answer).last).toEqual({
      type: "error",
      error: { code: "provider.aborted", message: "The call was stopped." },
      usage: cost(7),
    });
    expect(scripted.requests).toHaveLength(1);
  });
});

describe("the usage of failed attempts", () => {
  test("is added to the answer's", async () => {
    const replies = [{ ...passing, usage: cost(5) }, passing, { ...passing, usage: cost(6) }];
    expect((await run([...replies, { text: "x", usage: cost(10) }])).last).toMatchObject({ usage: cost(21) });
    expect((await run([...replies, { ...passing, usage: cost(10) }])).last).toMatchObject({ usage: cost(21) });
  });

  test("is empty where none was reported", async () => {
    expect((await run([passing, passing, passing, passing])).last).not.toHaveProperty("usage");
  });
});
