/**
 * Settings of the config and the record reach the index, and an unreadable file does not affect the
 * others.
 */
import { expect, test } from "bun:test";
import { type AgentRecord, HearthError, type MemoryQuestion } from "@hearth/protocol";
import { BOT, byBot, openTestBrain } from "../../fixtures/brain.ts";
import { ask, createScanParts, openTestMemory } from "../../fixtures/memory.ts";
import { createBrainSource } from "./brain-source.ts";

const NOTES = ["red", "green", "blue", "grey"].map((colour) => `# ${colour}\n\nThe ${colour} bike is in the shed.\n`);

test("the config sets the default number and order of results, and a query can override the number", async () => {
  const house = await openTestBrain();
  await house.brain.append("MEMORY.md", NOTES.join("\n"), byBot);
  const scan = createScanParts();
  const asked: MemoryQuestion[] = [];
  const tuning = { semantic: 0.7, lexical: 0.3, halfLifeDays: 90 };
  await using memory = openTestMemory(house, {
    ...{ ...scan, topK: 2, tuning },
    async open(source, requests) {
      const backend = await scan.open(source, requests);
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

test("each fact has a score, which is the sum of its parts", async () => {
  const house = await openTestBrain();
  await house.brain.append("MEMORY.md", NOTES.join("\n"), byBot);
  await using memory = openTestMemory(house);
  const { found } = await memory.recall(ask("green bike"));
  expect(found[0]?.text).toContain("green");
  for (const { score, parts } of found)
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 9);
});

test("an agent with retrieval turned off is never queried", async () => {
  const house = await openTestBrain();
  await house.brain.append("MEMORY.md", NOTES.join("\n"), byBot);
  const parts = createScanParts();
  await using memory = openTestMemory(house, parts);
  const agent = { ...BOT, content: { ...BOT.content, retrieval: "none" } } as AgentRecord;
  expect(await memory.recall({ ...ask("bike"), agent })).toEqual({ found: [], mode: "none", rebuilding: false });
  expect(parts.opened()).toBe(0);
});

test("an unreadable file is omitted with the reason, and a store error is thrown", async () => {
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

test("task files are not memory, and knowledge files are", async () => {
  const { brain } = await openTestBrain();
  for (const path of ["MEMORY.md", "HEARTBEAT.md", "memory/HEARTBEAT.md"])
    await brain.append(path, "- The bike.", byBot);
  const source = createBrainSource({
    records: { get: (async () => BOT) as never },
    brains: { open: async () => brain },
  });
  expect([...(await source.list(BOT.id)).keys()].sort()).toEqual(["MEMORY.md", "SOUL.md", "memory/HEARTBEAT.md"]);
});
