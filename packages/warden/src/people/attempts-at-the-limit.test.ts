import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createLoginAttempts, MAX_TRACKED, INVALID_CREDENTIALS_OF_PEER } from "./credentials/login-attempts.ts";

test("expired addresses make room for new ones at once", async () => {
  const world = createFakeWorld({ hash: () => "" });
  const attempts = createLoginAttempts(world);
  const may = (peer: string): boolean => {
    try {
      attempts.recordInvalidCredential(peer);
      return true;
    } catch {
      return false;
    }
  };
  for (let index = 0; index < MAX_TRACKED; index += 1) expect(may(`peer ${index}`)).toBe(true);
  // From here on all new addresses share one count, until it is used up.
  for (let index = 0; index < INVALID_CREDENTIALS_OF_PEER.burst; index += 1) expect(may(`late ${index}`)).toBe(true);
  expect(may("one too many")).toBe(false);
  await world.advance(INVALID_CREDENTIALS_OF_PEER.everyMs - 1);
  expect(may("still too many")).toBe(false);
  await world.advance(1);
  expect([may("newcomer"), may("another"), may("a third")]).toEqual([true, true, true]);
});
