/**
 * After forgetting, nothing derived from the source is left in files, versions, calls or recall.
 * The rest stays.
 */
import { plainRow } from "../../fixtures/rows.ts";
import { expect, test } from "bun:test";
import { type EventId, isHearthError } from "@hearth/protocol";
import { BOT, byBot, byPerson, byTainted, openTestBrain, PAGE, TURN } from "../../fixtures/brain.ts";
import { ask, openTestMemory } from "../../fixtures/memory.ts";
import { createTestUploads } from "../../fixtures/uploads.ts";
import { createTraces } from "../context/traces/traces.ts";
import { createTextBlobCache } from "../../kernel/store/blobs.ts";
import { createForget } from "./forgetting.ts";
import { remember } from "./remembering.ts";

const URL_OF_PAGE = PAGE.sources[0] ?? "";
const ROOM = { id: `room_${"0".repeat(26)}` };
const CAUSE = `evt_${"0".repeat(26)}` as EventId;
const tables = ["brain_versions", "brain_bodies", "brain_lines", "steps"] as const;

/** The rooms have no title from a message. */
const untitled = {
  find: async () => undefined,
  mutate: () => Promise.reject(new Error("no record changes here")),
};

const open = async () => {
  const house = await openTestBrain();
  const { store, brain } = house;
  const memory = openTestMemory(house);
  const { world, blobs, streams } = house;
  const records = {
    ...untitled,
    list: (async (type: string) => (type === "room" ? [{ content: {}, ...ROOM }] : [])) as never,
  };
  const traces = createTraces({
    ...{ world, store, blobs, streams, records, signal: new AbortController().signal },
    ...{ texts: createTextBlobCache({ clock: world.clock, blobs }), sessions: { evict: () => {} } },
    ...{ redactions: new Map(), uploads: createTestUploads({ world, store }) },
  });
  const forget = createForget({ store, streams, records, memory, traces });
  const forgets = (source: string) => forget({ agent: BOT, brain, source, by: byPerson, person: byPerson.agent });
  const everything = async (): Promise<string> => {
    const rows = await Promise.all(tables.map((table) => store.select({ table })));
    const texts = await Promise.all((await brain.list()).files.map(({ path }) => brain.read(path)));
    const { found } = await memory.recall(ask("canary ladders bicycle"));
    return JSON.stringify([rows, texts, found]);
  };
  const turn = async (id: string, endedAt: number | null, labels: unknown): Promise<void> => {
    await store.commit({
      writes: [
        {
          kind: "insert",
          table: "activations",
          row: plainRow("activations", {
            ...{
              id,
              agent: BOT.id,
              room: "room_1",
              trigger: "direct",
              cause: CAUSE,
              cause_offset: 1,
              person: byPerson.agent,
            },
            ...{ state: "done", reason: null, error: null, model: null, usage: "{}", frozen: null, frozen_blob: null },
            ...{
              created_at: 0,
              started_at: 0,
              ended_at: endedAt,
              fence: 1,
              crashes: 0,
              progress: 0,
              retries: 0,
              retry_at: 0,
              retried_by: null,
              depth: 0,
              merged_into: null,
            },
            ...{ parked: null, skip: null, ready_at: 0, root: null, parent: null, inbox: null },
          }),
        },
        {
          kind: "insert",
          table: "steps",
          row: plainRow("steps", {
            ...{
              activation: id,
              step: 1,
              kind: "tool",
              name: "http_fetch",
              input_hash: "",
              effect: "pure",
              state: "done",
            },
            ...{ output: "canary ladders", output_blob: null, started_at: 0, ended_at: 0, refused_by: null },
            labels: JSON.stringify(labels),
          }),
        },
      ],
    });
  };
  return { ...house, memory, forgets, everything, turn };
};

test.each([URL_OF_PAGE, "example.org"])(
  "a fact from %p is erased, with the results of calls that read it",
  async (source) => {
    const { brain, forgets, everything, turn } = await open();
    await brain.append("MEMORY.md", "the bicycle is red", byPerson);
    await brain.append("MEMORY.md", "the canary sells ladders", byTainted);
    await turn(TURN, 1, PAGE);
    expect(await everything()).toContain("ladders");
    expect(await forgets(source)).toMatchObject({ files: ["MEMORY.md"], steps: 1 });
    const left = await everything();
    expect([left.includes("ladders"), left.includes('example.org/page\\"]'), left.includes("bicycle")]).toEqual([
      false,
      false,
      true,
    ]);
  },
);

test("facts of the message's turn are erased, and earlier ones stay", async () => {
  const { brain, forgets, everything, turn } = await open();
  await brain.append("MEMORY.md", "the bicycle is red", byPerson);
  await turn(TURN, 1, PAGE);
  const fact = { agent: BOT, audience: "private", day: "2026-01-31", from: "@ada", by: byBot } as const;
  await remember(brain, { ...fact, text: "the canary sells ladders" });
  expect(await forgets(CAUSE)).toMatchObject({ files: ["MEMORY.md"], steps: 1 });
  const left = await everything();
  expect([left.includes("ladders"), left.includes("bicycle")]).toEqual([false, true]);
});

test("a fact at a place is erased from every line that states it, with the version it replaced", async () => {
  const { brain, forgets, everything } = await open();
  const fact = { agent: BOT, audience: "private", day: "2026-01-31", from: "@ada", by: byBot } as const;
  await remember(brain, { ...fact, text: "the canary sells ladders" });
  await brain.append("memory/2026-01-31.md", "- 14:05 Ada: “remember the canary sells ladders” → remember", byBot);
  await remember(brain, { ...fact, text: "the bicycle is red", replaces: "sells ladders" });
  await forgets("MEMORY.md:1");
  const left = await everything();
  expect([left.includes("ladders"), left.includes("bicycle")]).toEqual([false, true]);
});

test("a running turn keeps its data until it ends; a file is erased whole; an unknown source is an error", async () => {
  const { brain, forgets, store, turn } = await open();
  await brain.append("notes.md", "the canary", byTainted);
  await turn(TURN, null, PAGE);
  expect(await forgets("notes.md")).toMatchObject({ files: ["notes.md"], steps: 0 });
  expect((await store.select({ table: "steps" }))[0]?.output).toBe("canary ladders");
  for (const source of ["notes.md:1", "https://example.org/other", "other.example", "x"])
    expect(isHearthError(await forgets(source).catch((error: unknown) => error), "memory.nothing")).toBe(true);
});

test("a source is named by its address in any spelling, its host or its own name, and others stay", async () => {
  const other = { ...PAGE, sources: ["https://example.com:8080/other"] };
  const file = { ...PAGE, sources: ["report.pdf"] };
  const kept: readonly (readonly [source: string, left: readonly string[]])[] = [
    ["HTTPS://EXAMPLE.org/page", ["bells", "cakes", "dogs"]],
    ["example.com", ["ants", "cakes", "dogs"]],
    ["example.com:8080", ["ants", "cakes", "dogs"]],
    ["report.pdf", ["ants", "bells", "dogs"]],
  ];
  for (const [source, left] of kept) {
    const { brain, forgets } = await open();
    await brain.append("a.md", "the canary likes ants", byTainted);
    await brain.append("b.md", "the canary likes bells", { ...byTainted, label: other });
    await brain.append("c.md", "the canary likes cakes", { ...byTainted, label: file });
    await brain.append("d.md", "the canary likes dogs", byPerson);
    await forgets(source);
    const texts = await Promise.all((await brain.list()).files.map(({ path }) => brain.read(path)));
    const said = texts.join(" ");
    expect(["ants", "bells", "cakes", "dogs"].filter((word) => said.includes(word))).toEqual([...left]);
  }
});

test("forgetting a turn leaves the lines of other turns that were logged with it", async () => {
  const { brain, forgets, turn } = await open();
  await turn(TURN, 1, PAGE);
  const other = TURN.replace(/1$/, "2");
  await brain.append(
    "memory/2026-01-31.md",
    `- 14:05 Ada: “canary” → ladders (${TURN})\n- 14:06 Ada: “bicycle” → wheels (${other})`,
    byBot,
  );
  await forgets(TURN);
  const text = (await brain.read("memory/2026-01-31.md")) ?? "";
  expect([text.includes("ladders"), text.includes("wheels")]).toEqual([false, true]);
});
