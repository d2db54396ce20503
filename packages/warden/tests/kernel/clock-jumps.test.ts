/**
 * Jumps of the wall clock, whether set by people, daemons or bad batteries. No promise of the house
 * may depend on it.
 */
import { expect, test } from "bun:test";
import type { World } from "@hearth/protocol";
import { createBunWorld, createIds } from "../../src/adapter/bun/world.ts";
import { createTestDisk, openTestHouse } from "../../src/fixtures/house.ts";

const HOUR_MS = 60 * 60_000;

/** The real world except for its wall clock, which the test sets. */
const createSetWorld = (): { readonly world: World; readonly set: (byMs: number) => void } => {
  const real = createBunWorld();
  let offset = 0;
  const now = (): number => real.clock.now() + offset;
  return {
    world: { ...real, clock: { ...real.clock, now }, ids: createIds({ now, random: real.random }) },
    set: (byMs) => {
      offset += byMs;
    },
  };
};

test("R9: a clock that jumps by hours while a turn runs, forward and back, changes neither the answers nor their order", async () => {
  using disk = createTestDisk();
  const { world, set } = createSetWorld();
  const jumps = [6, -12, 24 * 365, -24 * 365, -6, 12].map((hours) => hours * HOUR_MS);
  await using house = await openTestHouse({
    disk,
    world,
    script: (_request, call) => {
      set(jumps[call] ?? 0);
      return { text: `reply ${call}` };
    },
  });
  const ids: string[] = [];
  for (const [index] of jumps.entries()) {
    ids.push((await house.post(`message ${index}`)).id);
    await house.until((index + 1) * 2);
  }
  const messages = await house.messages();
  expect(messages.flatMap(({ causes }) => causes)).toEqual(ids as never);
  expect(messages.map(({ offset }) => offset)).toEqual(messages.map((_, index) => index + 1));
});

for (const hours of [6, -6]) {
  test(`a turn cut off in the middle is resumed by a daemon whose clock is ${hours} hours off`, async () => {
    using disk = createTestDisk();
    const { world, set } = createSetWorld();
    const asked = Promise.withResolvers<void>();
    await using before = await openTestHouse({
      disk,
      world,
      script: () => {
        asked.resolve();
        return { hang: true };
      },
    });
    const { id } = await before.post("hello");
    await asked.promise;
    set(hours * HOUR_MS);
    await using house = await openTestHouse({ disk, world, script: () => ({ text: "here" }) });
    const messages = await house.until(2);
    expect(messages.flatMap(({ causes }) => causes)).toEqual([id]);
  });
}
