/** What every call over a wire of speech does when it fails. */
import { expect, test } from "bun:test";
import { isHearthError, type ErrorCode } from "@hearth/protocol";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import type { WireOptions } from "./transcriber.ts";
import { createVoiceWire, type VoiceWire } from "./voice-wire.ts";

export const KEY = "key-of-the-voice";

export type Attempt = (options: WireOptions, signal: AbortSignal) => Promise<unknown>;

export const open = (
  answer: () => Response | Error | undefined,
): VoiceWire & { world: FakeWorld; options: WireOptions } => {
  const world = createFakeWorld({ hash: () => "" });
  const wire = createVoiceWire(answer);
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

export const wireFailures = (name: string, attempt: Attempt): void => {
  test.each([
    [401, "provider.auth"],
    [429, "provider.rate-limited"],
    [503, "provider.overloaded"],
  ] as const)(`${name}: status %d is %s`, async (status, code) => {
    const { options } = open(() => Response.json({ error: { message: `no ${KEY}` } }, { status }));
    await expectFailure(attempt(options, never), code);
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
    for (const body of ["<html></html>", "x".repeat(33 * 1024 * 1024)]) {
      const { options } = open(() => new Response(body, { headers: { "content-type": "text/html" } }));
      await expectFailure(attempt(options, never), "provider.malformed");
    }
  });

  test(`${name}: silence for two minutes is provider.timeout, and closes the connection`, async () => {
    const { options, world, isClosed } = open(() => undefined);
    const failing = expectFailure(attempt(options, never), "provider.timeout");
    await world.advance(120_000);
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
