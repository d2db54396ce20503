/** Recall returns the current lines of the files, for audiences that may read them. */
import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { createMemoryBrainDisk, type MemoryFiles } from "../brains/memory-disk.ts";
import { byBot, byPerson, byTainted, openTestBrain, PAGE } from "../../fixtures/brain.ts";
import { ask, createScanParts, openTestMemory } from "../../fixtures/memory.ts";
import type { Memory } from "./house-memory.ts";

const ROOM = `room:room_${"0".repeat(25)}1` as const;
const OTHER = `room:room_${"0".repeat(25)}2` as const;
const folder = (room: string) => `memory/rooms/${room.slice("room:".length)}`;

const open = async () => {
  const files: MemoryFiles = new Map<string, string | Uint8Array>();
  const house = await openTestBrain({ disk: createMemoryBrainDisk(files) });
  const parts = createScanParts();
  return { ...house, files, parts, memory: openTestMemory(house, parts) };
};

const texts = async (memory: Memory, query: string, audience?: "private" | `room:${string}`) =>
  (await memory.recall(ask(query, audience))).found.map(({ text }) => text.trim());

/** Waits until the reader is blocked on the clock or on the next event. */
const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
};

test("nothing is opened before the first query, and it is opened once", async () => {
  const { brain, parts, memory } = await open();
  await using _ = memory;
  await brain.append("MEMORY.md", "- The bike is red.", byBot);
  expect(parts.opened()).toBe(0);
  await texts(memory, "bike");
  await texts(memory, "bike");
  expect(parts.opened()).toBe(1);
});

test("writes, edits by hand and removals between two queries take effect at the second", async () => {
  const { brain, files, memory } = await open();
  await using _ = memory;
  await brain.append("MEMORY.md", "- The bike is red.", byBot);
  expect(await texts(memory, "bike")).toEqual(["- The bike is red."]);
  await brain.append("memory/2026-01-30.md", "- The bike went to the shop.", byBot);
  expect(await texts(memory, "bike shop")).toContain("- The bike went to the shop.");
  files.set("main/MEMORY.md", "- The bike is green.\n");
  expect(await texts(memory, "bike")).toContain("- The bike is green.");
  expect(await texts(memory, "bike red")).not.toContain("- The bike is red.");
  files.delete("main/MEMORY.md");
  await brain.write("memory/2026-01-30.md", undefined, byPerson);
  expect(await texts(memory, "bike")).toEqual([]);
});

test("a hit is cited by path, headings and lines, with the label of these lines", async () => {
  const { brain, memory } = await open();
  await using _ = memory;
  await brain.write("memory/2026-01-30.md", "# Garden\n\nThe apple tree was cut.\n", byPerson);
  await brain.append("MEMORY.md", "The stranger sells ladders.", byTainted);
  const [tree] = (await memory.recall(ask("apple tree"))).found;
  expect(tree).toMatchObject({ path: "memory/2026-01-30.md", headings: ["Garden"], date: "2026-01-30" });
  expect(tree?.label.integrity).toBe("owner");
  const [ladder] = (await memory.recall(ask("ladders"))).found;
  expect(ladder?.label).toMatchObject({ integrity: "untrusted", sources: PAGE.sources });
});

test("members of a room find the persona and that room's memory, and other files do not change their results", async () => {
  const { brain, memory } = await open();
  await using _ = memory;
  await brain.append(`${folder(ROOM)}/2026-01-30.md`, "- The wedding cake is lemon.", byBot);
  const before = await memory.recall(ask("wedding cake canary", ROOM));
  await brain.append("MEMORY.md", "- The canary: the wedding cake of Ada is a secret.", byPerson);
  await brain.append("USER.md", "The canary loves wedding cake.", byPerson);
  await brain.append("memory/2026-01-30.md", "- canary wedding cake", byPerson);
  await brain.append(`${folder(OTHER)}/2026-01-30.md`, "- The canary of another room eats wedding cake.", byBot);
  // More than an answer holds, and each a better match.
  for (let day = 10; day < 20; day += 1)
    await brain.append(`memory/2026-01-${day}.md`, "wedding cake canary", byPerson);
  expect(await memory.recall(ask("wedding cake canary", ROOM))).toEqual(before);
  expect(await texts(memory, "wedding cake", ROOM)).toEqual(["- The wedding cake is lemon."]);
  expect(JSON.stringify(await memory.recall(ask("canary", ROOM)))).not.toContain("canary");
  expect(await texts(memory, "kind", ROOM)).toEqual(["You are kind."]);
  expect(await texts(memory, "wedding cake")).toHaveLength(5);
});

test("a line struck through by a newer fact or by hand is not recalled", async () => {
  const { brain, memory } = await open();
  await using _ = memory;
  await brain.write("MEMORY.md", "- ~~The car is blue.~~\n- The car is black.\n", byPerson);
  expect((await texts(memory, "car")).join()).not.toContain("blue");
  expect((await texts(memory, "car")).join()).toContain("black");
});

test("a failed index is retried after a while; until then words find facts, and the answer says so", async () => {
  const house = await openTestBrain();
  await house.brain.append("MEMORY.md", "- The bike is red.", byBot);
  // The index excludes this file, so a word search does too.
  await house.brain.write("HEARTBEAT.md", "See that the bike is locked.", byPerson);
  const scan = createScanParts();
  let tries = 0;
  await using memory = openTestMemory(house, {
    ...scan,
    async open(source, requests) {
      const backend = await scan.open(source, requests);
      return {
        ...backend,
        whenIndexed: (agent) => {
          tries += 1;
          return tries > 2 ? backend.whenIndexed(agent) : Promise.reject(new HearthError("memory.lost", "gone"));
        },
      };
    },
  });
  const answer = () => memory.recall(ask("bike"));
  expect(await answer()).toMatchObject({ rebuilding: true, mode: "lexical", found: [{ text: "- The bike is red." }] });
  await answer();
  // Backing off meanwhile.
  expect(tries).toBe(1);
  await house.world.advance(1001);
  expect((await answer()).rebuilding).toBe(true);
  await house.world.advance(1001);
  expect((await answer()).rebuilding).toBe(true);
  expect(tries).toBe(2);
  await house.world.advance(1001);
  expect((await answer()).rebuilding).toBe(false);
});
test("the index follows writes until the agent has asked nothing for the idle time", async () => {
  const house = await openTestBrain();
  await house.brain.append("MEMORY.md", "- The bike is red.", byBot);
  const scan = createScanParts();
  const sent: string[] = [];
  await using memory = openTestMemory(house, {
    ...scan,
    async open(source, requests) {
      const backend = await scan.open(source, requests);
      const put: typeof backend.put = (agent, file) => {
        sent.push(file.path);
        return backend.put(agent, file);
      };
      return { ...backend, put };
    },
  });
  await texts(memory, "bike");
  await house.brain.append("memory/2026-01-30.md", "- The bike went to the shop.", byBot);
  await settle();
  await house.world.advance(5000);
  await settle();
  expect(sent).toEqual(["memory/2026-01-30.md"]);
  await house.world.advance(scan.idleMs);
  await house.brain.append("memory/2026-01-31.md", "- The bike is back.", byBot);
  await settle();
  await house.world.advance(5000);
  await settle();
  expect(sent).toEqual(["memory/2026-01-30.md"]);
  expect(await texts(memory, "bike back")).toContain("- The bike is back.");
  expect(sent).toEqual(["memory/2026-01-30.md", "memory/2026-01-31.md"]);
});

test.each([
  ["reports a problem", { problem: "the model is missing" }, 0],
  ["has caught up", { catchingUp: false }, 0],
  ["is still catching up", {}, 4000],
])("a first query waits for an index at most until it %s", async (_title, state, waitedMs) => {
  const house = await openTestBrain();
  await house.brain.append("MEMORY.md", "- The bike is red.", byBot);
  const scan = createScanParts();
  await using memory = openTestMemory(house, {
    ...scan,
    async open(source, requests) {
      const backend = await scan.open(source, requests);
      return {
        ...backend,
        status: async (agent) => ({ ...(await backend.status(agent)), catchingUp: true, ...state }),
      };
    },
  });
  const before = house.world.clock.monotonic();
  let isAnswered = false;
  const answer = texts(memory, "bike").finally(() => (isAnswered = true));
  await settle();
  while (!isAnswered && house.world.clock.monotonic() < before + 10_000) await house.world.advance(50);
  expect(await answer).toEqual(["- The bike is red."]);
  expect(house.world.clock.monotonic() - before).toBe(waitedMs);
});
