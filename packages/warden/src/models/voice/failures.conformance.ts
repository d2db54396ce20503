/** How every call over a wire of speech or of pictures fails. */
import { expect, test } from "bun:test";
import { isHearthError, type ErrorCode } from "@hearth/protocol";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import type { WireOptions } from "../wires/vendor-call.ts";
import { createFakeVoiceWire, type VoiceWire } from "./voice-wire.ts";

export const KEY = "key-of-the-voice";

export type Attempt = (options: WireOptions, signal: AbortSignal) => Promise<unknown>;

export const open = (
  answer: () => Response | Error | undefined,
): VoiceWire & { world: FakeWorld; options: WireOptions } => {
  const world = createFakeWorld({ hash: () => "" });
  const wire = createFakeVoiceWire(answer);
  return {
    ...wire,
    world,
    options: { fetch: wire.fetch, clock: world.clock, baseUrl: "http://voice.test/v1", apiKey: KEY },
  };
};

export const never = new AbortController().signal;

/** Fails with that code, and without the key in its text. */
export const expectFailure = async (attempt: Promise<unknown>, code: ErrorCode): Promise<string> => {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isHearthError(error, code)) throw new Error(`expected ${code}, got ${String(error)}`);
  const text = JSON.stringify([error.message, error.hint, String(error.cause)]);
  expect(text).not.toContain(KEY);
  return text;
};

/** The longest time and the largest answer of a call. */
export interface CallLimits {
  readonly ms: number;
  readonly bytes: number;
}

const SPEECH_LIMITS: CallLimits = { ms: 120_000, bytes: 32 * 1024 * 1024 };

export const wireFailures = (name: string, attempt: Attempt, limits: CallLimits = SPEECH_LIMITS): void => {
  test.each([
    [401, "provider.auth"],
    [429, "provider.rate-limited"],
    [503, "provider.overloaded"],
  ] as const)(`${name}: status %d is %s`, async (status, code) => {
    const { options } = open(() => Response.json({ error: { message: `no ${KEY}` } }, { status }));
    await expectFailure(attempt(options, never), code);
  });

  test(`${name}: the time that a vendor names for the next call is in the hint`, async () => {
    const { options } = open(() => new Response("{}", { status: 429, headers: { "retry-after": "7" } }));
    expect(await expectFailure(attempt(options, never), "provider.rate-limited")).toContain("Try again in 7 s.");
  });

  test(`${name}: a redirect is not followed`, async () => {
    const { options, requests } = open(
      () => new Response(null, { status: 307, headers: { location: "http://elsewhere.test/" } }),
    );
    const text = await expectFailure(attempt(options, never), "provider.malformed");
    expect(text).toContain("voice.test");
    expect(requests.map(({ redirect }) => redirect)).toEqual(["manual"]);
  });

  test(`${name}: a server that cannot be reached is provider.unreachable`, async () => {
    const { options } = open(() => new TypeError(`connection to ${KEY} refused`));
    await expectFailure(attempt(options, never), "provider.unreachable");
  });

  test(`${name}: an answer that is no answer, or is too long, is provider.malformed`, async () => {
    for (const body of ["<html></html>", "x".repeat(limits.bytes + 1)]) {
      const { options } = open(() => new Response(body, { headers: { "content-type": "text/html" } }));
      await expectFailure(attempt(options, never), "provider.malformed");
    }
  });

  test(`${name}: silence for ${limits.ms / 60_000} minutes is provider.timeout, and closes the connection`, async () => {
    const { options, world, isClosed } = open(() => undefined);
    const failing = expectFailure(attempt(options, never), "provider.timeout");
    await world.advance(limits.ms);
    await failing;
    expect(isClosed()).toBe(true);
  });

  test(`${name}: an aborted signal is provider.aborted, and closes the connection`, async () => {
    const { options, isClosed } = open(() => undefined);
    const stop = new AbortController();
    const failing = expectFailure(attempt(options, stop.signal), "provider.aborted");
    stop.abort();
    await failing;
    expect(isClosed()).toBe(true);
  });
};
