import { expect, test } from "bun:test";
import type { AgentId, HouseId, World } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createMemoryBlobs } from "../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../kernel/store/memory.ts";
import type { Store } from "../kernel/store/store.ts";
import { createDurableStreams } from "../kernel/streams/durable.ts";
import { createHolds } from "./holds.ts";

const [ana, main, ben] = ["agent_a", "agent_m", "agent_b"] as AgentId[] as [AgentId, AgentId, AgentId];
const house = "house_h" as HouseId;

const setUp = async (
  store: Store = createMemoryStore(),
  world: World = createFakeWorld({ hash: () => "" }),
  onHold?: () => boolean,
) => {
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(() => "") });
  /** While set, no commit finishes; then it finishes with this result. */
  let fate: (() => Promise<void>) | undefined;
  const open = () =>
    createHolds({
      ...{ world, store, house, onHold },
      streams: {
        async commit(change) {
          await fate?.();
          return streams.commit(change);
        },
      },
    });
  const told = async () =>
    (await streams.read(`house:${house}`, 0, 100)).map((event) =>
      event.type === "hold-changed" ? [event.scope, event.by, event.isHeld] : event,
    );
  return { holds: await open(), open, told, meet: (next: typeof fate) => void (fate = next) };
};
const diskFull = (): Promise<void> => Promise.reject(new Error("disk full"));

test("a held agent stays held after a restart, and other agents are not held", async () => {
  const { holds, open } = await setUp();
  expect(holds.isHeld(main)).toBe(false);
  const hold = await holds.hold(main, ana);
  for (const opened of [holds, await open()]) {
    expect([opened.isHeld(main), opened.isHeld(ben)]).toEqual([true, false]);
    expect(opened.list()).toEqual([hold]);
  }
});

test("a second hold keeps the first, and one release ends both", async () => {
  const { holds, open } = await setUp();
  await holds.hold(main, ana);
  expect((await holds.hold(main, ben)).by).toBe(ana);
  expect([await holds.release(main, ben), await holds.release(main, ben)]).toEqual([true, false]);
  expect((await open()).list()).toEqual([]);
});

test("of two releases at once, one ends the hold", async () => {
  const { holds, told } = await setUp();
  await holds.hold(main, ana);
  expect(await Promise.all([holds.release(main, ana), holds.release(main, ben)])).toEqual([true, false]);
  expect(await told()).toEqual([
    [main, ana, true],
    [main, ana, false],
  ]);
});

test("a hold of the house applies to every agent, in addition to its own", async () => {
  const { holds } = await setUp();
  await holds.hold("house", ana);
  await holds.hold(main, ana);
  expect(holds.isHeld(ben)).toBe(true);
  await holds.release("house", ana);
  expect([holds.isHeld(ben), holds.isHeld(main)]).toEqual([false, true]);
});

/** Which holds are in force, and whether the house and an agent are held then. */
const HELD = [
  { onHold: false, scopes: [], isHouseHeld: false, isAgentHeld: false },
  { onHold: false, scopes: [main], isHouseHeld: false, isAgentHeld: true },
  { onHold: false, scopes: ["house"], isHouseHeld: true, isAgentHeld: true },
  { onHold: false, scopes: ["house", main], isHouseHeld: true, isAgentHeld: true },
  { onHold: true, scopes: [], isHouseHeld: true, isAgentHeld: true },
  { onHold: true, scopes: [main], isHouseHeld: true, isAgentHeld: true },
  { onHold: true, scopes: ["house"], isHouseHeld: true, isAgentHeld: true },
] as const;
test.each(HELD)(
  "with the reason of the home $onHold and holds of $scopes, the house is held $isHouseHeld and an agent $isAgentHeld",
  async ({ onHold, scopes, isHouseHeld, isAgentHeld }) => {
    const { holds } = await setUp(undefined, undefined, () => onHold);
    for (const scope of scopes) await holds.hold(scope, ana);
    expect([holds.isHouseHeld(), holds.isHeld(main)]).toEqual([isHouseHeld, isAgentHeld]);
  },
);

test("changes of one scope are written one after the other", async () => {
  const { holds, meet, told } = await setUp();
  const disk = Promise.withResolvers<void>();
  let writes = 0;
  meet(() => ((writes += 1), disk.promise));
  const both = [holds.hold(main, ana), holds.release(main, ben)];
  await new Promise((resolve) => setImmediate(resolve));
  expect(writes).toBe(1);
  disk.resolve();
  await Promise.all(both);
  expect(await told()).toEqual([
    [main, ana, true],
    [main, ben, false],
  ]);
});

test("the house's log reports each change once, with the person who made it", async () => {
  const { holds, told } = await setUp();
  await holds.hold(main, ana);
  await holds.hold(main, ben);
  await holds.hold("house", ben);
  await holds.release(main, ben);
  await holds.release(main, ben);
  expect(await told()).toEqual([
    [main, ana, true],
    ["house", ben, true],
    [main, ben, false],
  ]);
});

test("a hold is in force even when the disk cannot store it; a release is not", async () => {
  const { holds, meet, told } = await setUp();
  meet(diskFull);
  await expect(holds.hold(main, ana)).rejects.toThrow("disk full");
  expect(holds.isHeld(main)).toBe(true);
  await expect(holds.release(main, ana)).rejects.toThrow("disk full");
  expect(holds.isHeld(main)).toBe(true);
  expect(await told()).toEqual([]);
});

test("repeating a hold that was not stored fails until the disk stores it", async () => {
  const { holds, open, meet, told } = await setUp();
  meet(diskFull);
  await expect(holds.hold(main, ana)).rejects.toThrow("disk full");
  await expect(holds.hold(main, ben)).rejects.toThrow("disk full");
  meet(undefined);
  const hold = await holds.hold(main, ben);
  expect(hold.by).toBe(ana);
  expect((await open()).list()).toEqual([hold]);
  expect(await told()).toEqual([[main, ana, true]]);
});

test("a second hold resolves only once the first one is on disk", async () => {
  const { holds, meet } = await setUp();
  const disk = Promise.withResolvers<void>();
  meet(() => disk.promise);
  const answers: string[] = [];
  const both = [holds.hold(main, ana), holds.hold(main, ben)].map((hold) => hold.then(({ by }) => answers.push(by)));
  await new Promise((resolve) => setImmediate(resolve));
  expect([holds.isHeld(main), answers]).toEqual([true, []]);
  disk.resolve();
  await Promise.all(both);
  expect(answers).toEqual([ana, ana]);
});

test("a STOP during a resume is not undone by that resume", async () => {
  const { holds, open, meet } = await setUp();
  await holds.hold(main, ana);
  const disk = Promise.withResolvers<void>();
  meet(() => disk.promise);
  const release = holds.release(main, ana);
  const again = holds.hold(main, ben);
  disk.resolve();
  expect([await release, (await again).by]).toEqual([true, ben]);
  expect(holds.isHeld(main)).toBe(true);
  expect((await open()).list()).toMatchObject([{ scope: main, by: ben }]);
});

test("listeners are called for each change, and not when nothing changed", async () => {
  const { holds } = await setUp();
  let count = 0;
  holds.onChange(() => (count += 1));
  await holds.hold(main, ana);
  await holds.hold(main, ana);
  await holds.release(main, ana);
  await holds.release(main, ana);
  expect(count).toBe(2);
});
