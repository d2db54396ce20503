import { expect, test } from "bun:test";
import { type ErrorCode, HearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { isTransient, isTransientForStream, retryUntilAnswered } from "./transient.ts";

const failing = (code: ErrorCode): HearthError => new HearthError(code, "x");

test("a house that is away is a transient failure of requests and of streams", () => {
  for (const code of ["house.unreachable", "house.closing", "store.unavailable", "store.locked"] as const)
    expect([code, isTransient(failing(code)), isTransientForStream(failing(code))]).toEqual([code, true, true]);
});

test("a late body is transient for a request, and a bug of the house for a stream", () => {
  const kinds = (["request.timeout", "house.bug", "auth.invalid"] as const).map((code) => {
    const error = failing(code);
    return [isTransient(error), isTransientForStream(error)];
  });
  expect(kinds).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
});

test("a permanent failure is thrown without a retry", async () => {
  const { clock } = createFakeWorld({ hash: () => "" });
  let count = 0;
  const refuse = (): Promise<never> => {
    count += 1;
    return Promise.reject(failing("auth.denied"));
  };
  await expect(retryUntilAnswered(refuse, { clock, signal: new AbortController().signal })).rejects.toThrow("x");
  expect(count).toBe(1);
});
