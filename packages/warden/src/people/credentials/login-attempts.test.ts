import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import {
  createLoginAttempts,
  GUESSES_AT_PERSON,
  GUESSES_OF_PEER,
  MAX_TRACKED,
  INVALID_CREDENTIALS_OF_PEER,
} from "./login-attempts.ts";

const { hash } = createBunWorld();
const setUp = () => {
  const world = createFakeWorld({ hash });
  const attempts = createLoginAttempts(world);
  const may = (act: () => unknown): boolean => {
    try {
      act();
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: "auth.limited", retryAfterMs: expect.any(Number) });
      return false;
    }
  };
  return {
    world,
    attempts,
    guess: (peer: string | undefined, person: string) => may(() => attempts.guess(peer, person)),
    stray: (peer: string | undefined) => may(() => attempts.recordInvalidCredential(peer)),
  };
};

test("an address has ten wrong passwords in a row, whatever the person, and then one per minute", async () => {
  const { world, attempts, guess } = setUp();
  for (let count = 0; count < GUESSES_OF_PEER.burst; count += 1)
    expect(guess("10.0.0.1", `person ${count}`)).toBe(true);
  expect(() => attempts.guess("10.0.0.1", "another")).toThrow(
    expect.objectContaining({ retryAfterMs: GUESSES_OF_PEER.everyMs, hint: expect.stringContaining("60 seconds") }),
  );
  expect(guess("10.0.0.2", "another")).toBe(true);
  await world.advance(GUESSES_OF_PEER.everyMs - 1);
  expect(guess("10.0.0.1", "another")).toBe(false);
  await world.advance(1);
  expect([guess("10.0.0.1", "another"), guess("10.0.0.1", "another")]).toEqual([true, false]);
});

test("a person has twenty wrong passwords in a row, from any address, and then one per thirty seconds", async () => {
  const { world, guess } = setUp();
  for (let count = 0; count < GUESSES_AT_PERSON.burst; count += 1) expect(guess(`10.0.1.${count}`, "ana")).toBe(true);
  expect([guess("10.0.2.1", "ana"), guess("10.0.2.1", "ben")]).toEqual([false, true]);
  await world.advance(GUESSES_AT_PERSON.everyMs);
  expect([guess("10.0.2.1", "ana"), guess("10.0.2.1", "ana")]).toEqual([true, false]);
});

test("an attacker at one address cannot use up a person's attempts from another address", async () => {
  const { world, guess } = setUp();
  for (let second = 0; second < 3 * 3600; second += 1) {
    guess("203.0.113.7", "ana");
    await world.advance(1000);
  }
  for (let count = 0; count < GUESSES_OF_PEER.burst; count += 1) expect(guess("198.51.100.1", "ana")).toBe(true);
});

test("a request refused because of the person's limit uses up no attempt of its address", () => {
  const { guess } = setUp();
  for (let count = 0; count < GUESSES_AT_PERSON.burst; count += 1) guess(`10.0.1.${count}`, "ana");
  for (let count = 0; count < 100; count += 1) expect(guess("10.0.2.1", "ana")).toBe(false);
  for (let count = 0; count < GUESSES_OF_PEER.burst; count += 1) expect(guess("10.0.2.1", `other ${count}`)).toBe(true);
});

test("a right password uses up no attempt and restores none", () => {
  const { attempts, guess } = setUp();
  for (let count = 0; count < 100; count += 1) attempts.guess("10.0.0.1", "ana").confirm();
  for (let count = 1; count < GUESSES_OF_PEER.burst; count += 1) expect(guess("10.0.0.1", "ana")).toBe(true);
  attempts.guess("10.0.0.1", "me").confirm();
  expect([guess("10.0.0.1", "ana"), guess("10.0.0.1", "ana")]).toEqual([true, false]);
});

test("attempts in progress count, so that concurrent ones do not bypass the limit", () => {
  const { attempts } = setUp();
  const open = Array.from({ length: GUESSES_OF_PEER.burst }, () => attempts.guess("10.0.0.1", "ana"));
  expect(() => attempts.guess("10.0.0.1", "ana")).toThrow(expect.objectContaining({ code: "auth.limited" }));
  for (const { confirm } of open) confirm();
  expect(() => attempts.guess("10.0.0.1", "ana")).not.toThrow();
});

test("all names of this machine count as one address, which is limited too", () => {
  const { guess } = setUp();
  const names = ["127.0.0.1", "::ffff:127.0.0.1", "::1", "127.9.9.9"];
  const allowed = Array.from({ length: 40 }, (_, index) => guess(names[index % names.length], `p${index}`));
  expect(allowed.filter(Boolean)).toHaveLength(GUESSES_OF_PEER.burst);
});

test("wrong keys, sessions and codes count for their address, and not for passwords", async () => {
  const { world, guess, stray } = setUp();
  for (let count = 0; count < INVALID_CREDENTIALS_OF_PEER.burst; count += 1) expect(stray("10.0.0.1")).toBe(true);
  expect([stray("10.0.0.1"), stray("10.0.0.2"), guess("10.0.0.1", "ana")]).toEqual([false, true, true]);
  await world.advance(INVALID_CREDENTIALS_OF_PEER.everyMs);
  expect([stray("10.0.0.1"), stray("10.0.0.1")]).toEqual([true, false]);
});

test("a flood of addresses drops no existing count, and new addresses share the rest", () => {
  const { guess } = setUp();
  for (let count = 0; count < GUESSES_OF_PEER.burst; count += 1) guess("203.0.113.7", `p${count}`);
  const address = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  expect(guess("203.0.113.8", "first")).toBe(true);
  let allowed = 0;
  for (let index = 0; index < 2 * MAX_TRACKED; index += 1) if (guess(address(index), `q${index}`)) allowed += 1;
  expect(guess("203.0.113.7", "again")).toBe(false);
  // A counted address keeps its own count, although the shared one is used up.
  for (let count = 1; count < GUESSES_OF_PEER.burst; count += 1) expect(guess("203.0.113.8", "first")).toBe(true);
  expect(guess("203.0.113.8", "first")).toBe(false);
  expect(guess("203.0.113.9", "new")).toBe(false);
  expect(allowed).toBeLessThanOrEqual(MAX_TRACKED + GUESSES_OF_PEER.burst);
});

test("expired counts make room for others", async () => {
  const { world, guess } = setUp();
  const address = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  for (let index = 0; index < MAX_TRACKED + 100; index += 1) guess(address(index), `q${index}`);
  await world.advance(GUESSES_OF_PEER.everyMs);
  for (let count = 0; count < GUESSES_OF_PEER.burst; count += 1) expect(guess("203.0.113.7", `p${count}`)).toBe(true);
  for (let count = 0; count < GUESSES_OF_PEER.burst; count += 1) expect(guess("203.0.113.8", `r${count}`)).toBe(true);
});

test("a full table is searched for expired counts at most once per interval", async () => {
  const { world, guess } = setUp();
  const address = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  // The counts expire one after the other, and the search at the first new address finds none.
  for (let index = 0; index < MAX_TRACKED; index += 1) guess(address(index), `q${index}`);
  const begun = world.clock.monotonic();
  for (let count = 0; count < GUESSES_OF_PEER.burst; count += 1) expect(guess("203.0.113.7", `p${count}`)).toBe(true);
  expect([guess("203.0.113.7", "x"), guess("203.0.113.8", "x")]).toEqual([false, false]);
  await world.advance(begun + GUESSES_OF_PEER.everyMs - world.clock.monotonic());
  for (let count = 0; count < GUESSES_OF_PEER.burst; count += 1) expect(guess("203.0.113.8", `r${count}`)).toBe(true);
  expect(guess("203.0.113.8", "x")).toBe(false);
});

test("a challenge counts for its address, and a code of the second factor for its person", async () => {
  const { world, attempts } = setUp();
  const isAllowed = (act: () => unknown): boolean => {
    try {
      act();
      return true;
    } catch {
      return false;
    }
  };
  const challenges = Array.from({ length: 31 }, () => isAllowed(() => attempts.challenge("10.0.0.1")));
  expect(challenges.filter(Boolean)).toHaveLength(30);
  expect(challenges.at(-1)).toBe(false);
  expect(isAllowed(() => attempts.challenge("10.0.0.2"))).toBe(true);
  await world.advance(5_000);
  expect([1, 2].map(() => isAllowed(() => attempts.challenge("10.0.0.1")))).toEqual([true, false]);
  const codes = Array.from({ length: 21 }, (_, index) => isAllowed(() => attempts.guessCode(`10.0.1.${index}`, "ana")));
  expect(codes.filter(Boolean)).toHaveLength(20);
  expect(codes.at(-1)).toBe(false);
  expect(isAllowed(() => attempts.guess("10.0.2.1", "ana"))).toBe(true);
  await world.advance(5 * 60_000);
  expect([3, 4].map((index) => isAllowed(() => attempts.guessCode(`10.0.3.${index}`, "ana")))).toEqual([true, false]);
});

test("the hint of a refusal names the time until the next attempt", () => {
  const { attempts } = setUp();
  const hintOf = (act: () => unknown): string | undefined => {
    for (;;) {
      try {
        act();
      } catch (error) {
        return (error as { hint?: string }).hint;
      }
    }
  };
  expect(hintOf(() => attempts.recordInvalidCredential("10.0.0.1"))).toStartWith("Try again in a second, or ");
  expect(hintOf(() => attempts.challenge("10.0.0.1"))).toStartWith("Try again in 5 seconds, or ");
});

test("right passwords fill no table, so each new address has a separate count", () => {
  const { attempts, guess } = setUp();
  for (let index = 0; index < 2 * MAX_TRACKED; index += 1)
    attempts.guess(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, `right ${index}`).confirm();
  const wrong = Array.from({ length: GUESSES_OF_PEER.burst + 1 }, (_, index) =>
    guess(`203.0.113.${index}`, `wrong ${index}`),
  );
  expect(wrong).not.toContain(false);
});
