/** What the config and an agent's record tune reaches the index; a file that cannot be read keeps no other out of it. */
import { expect, test } from "bun:test";
import { type AgentRecord, HearthError } from "@hearth/protocol";
import { BOT, byBot, openTestBrain } from "../../fixtures/brain.ts";
import { ask, createScanParts, openTestMemory } from "../../fixtures/memory.ts";
import type { MemoryQuestion } from "./backend.ts";
import { createBrainSource } from "./brain-source.ts";

const NOTES = ["red", "green", "blue", "grey"].map((colour) => `# ${colour}\n\nThe ${colour} bike is in the shed.\n`);

test("an answer has as many facts as the config says unless the question says, and is ordered as the config says", async () => {
  const house = await openTestBrain();
  await house.brain.append("MEMORY.md", NOTES.join("\n"), byBot);
  const scan = createScanParts();
  const asked: MemoryQuestion[] = [];
  const tuning = { semantic: 0.7, lexical: 0.3, halfLifeDays: 90 };
  await using memory = openTestMemory(house, {
    ...{ ...scan, topK: 2, tuning },
    async open(source, way) {
      const backend = await scan.open(source, way);
      return {
        ...backend,
        recall(question) {
          asked.push(question);
          return backend.recall(question);
        },
      };
    },
  });
  const { limit: _, ...redactions } = ask("bike");
  expect((await memory.recall(redactions)).found).toHaveLength(2);
  expect((await memory.recall({ ...redactions, limit: 3 })).found).toHaveLength(3);
  expect(asked.map((question) => [question.limit, question.tuning])).toEqual([
    [2, tuning],
    [3, tuning],
  ]);
});

test("each fact comes with its score, and the parts of it are the score", async () => {
  const house = await openTestBrain();
  await house.brain.append("MEMORY.md", NOTES.join("\n"), byBot);
  await using memory = openTestMemory(house);
  const { found } = await memory.recall(ask("green bike"));
  expect(found[0]?.text).toContain("green");
  for (const { score, parts } of found)
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 9);
});

test("an agent whose memory nothing is found by is asked nothing", async () => {
  const house = await openTestBrain();
  await house.brain.append("MEMORY.md", NOTES.join("\n"), byBot);
  const parts = createScanParts();
  await using memory = openTestMemory(house, parts);
  const agent = { ...BOT, content: { ...BOT.content, retrieval: "none" } } as AgentRecord;
  expect(await memory.recall({ ...ask("bike"), agent })).toEqual({ found: [], mode: "none", rebuilding: false });
  expect(parts.opened()).toBe(0);
});

test("a file that cannot be read is left out with the reason; what is wrong with the store is no reason", async () => {
  const { brain } = await openTestBrain();
  await brain.append("MEMORY.md", "- The bike is red.", byBot);
  const open = (error: HearthError) =>
    createBrainSource({
      records: { get: (async () => BOT) as never },
      brains: { open: async () => ({ ...brain, readBytes: () => Promise.reject(error) }) },
    });
  const moving = open(new HearthError("brain.changed", "MEMORY.md changes faster than it can be read."));
  expect(await moving.read(BOT.id, "MEMORY.md")).toBeUndefined();
  expect(await moving.leftOut(BOT.id)).toEqual([
    { path: "MEMORY.md", why: "MEMORY.md changes faster than it can be read." },
  ]);
  const full = open(new HearthError("store.unavailable", "The disk is full."));
  await expect(full.read(BOT.id, "MEMORY.md")).rejects.toMatchObject({ code: "store.unavailable" });
});

test("what an agent is to look at or to begin with is no memory; what it knows is", async () => {
  const { brain } = await openTestBrain();
  for (const path of ["MEMORY.md", "HEARTBEAT.md", "memory/HEARTBEAT.md"])
    await brain.append(path, "- The bike.", byBot);
  const source = createBrainSource({
    records: { get: (async () => BOT) as never },
    brains: { open: async () => brain },
  });
  expect([...(await source.list(BOT.id)).keys()].sort()).toEqual(["MEMORY.md", "SOUL.md", "memory/HEARTBEAT.md"]);
});
