/** The requests and the output of the memory commands. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EventId } from "@hearth/protocol";
import { createFakeHouse, type FakeHouse } from "../fakes/fake-house.ts";
import { createFakeTerminal } from "../fakes/fake-terminal.ts";
import { run } from "../run.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await createFakeHouse(await mkdtemp(join(tmpdir(), "hearth-cli-")));
});
afterEach(() => house.close());

const hearth = async (...words: string[]) => {
  const terminal = createFakeTerminal({ home: house.home });
  const code = await run(words, terminal);
  return { code, ...terminal.written };
};

const rank = { score: 1.5, parts: { words: 1.5 } };
const MEMORY = "/api/agents/main/memory";
const own = { integrity: "owner", readers: "anyone", sources: [] };
const page = { integrity: "untrusted", readers: "anyone", sources: ["https://example.org/page"] };
const LEFT = { path: "big\u001b.md", why: "has 9 bytes" };
const STATUS = {
  files: 3,
  chunks: 7,
  vectors: 2,
  embedder: "m/int8",
  leftOut: [LEFT],
  catchingUp: true,
  rebuilding: false,
};

test("memory search prints places, the sources of untrusted text, and the search mode", async () => {
  const answer = {
    mode: "lexical",
    rebuilding: true,
    problem: "ollama answered 500.",
    found: [
      {
        path: "MEMORY.md",
        headings: ["Boiler"],
        lines: [3, 4],
        text: "- a\n- b",
        date: "2026-05-01",
        label: own,
        ...rank,
      },
      { path: "memory/a.md", headings: [], lines: [1, 1], text: "evil \u001b[2J", label: page, ...rank },
    ],
  };
  house.answer(`POST ${MEMORY}/recall`, answer);
  const { code, out, err } = await hearth("memory", "search", "boiler", "--limit", "2");
  expect([code, out]).toEqual([
    0,
    "MEMORY.md:3-4 (Boiler, 2026-05-01)\n  - a\n  - b\nmemory/a.md:1 from https://example.org/page\n? evil \\e[2J\n",
  ]);
  expect(err.split("\n")).toEqual([
    "Keyword search only. Texts that use different words are not found.",
    "ollama answered 500.",
    "The index is being rebuilt, so results may be incomplete.",
    "",
  ]);
  expect(house.requests.at(-1)).toBe(`POST ${MEMORY}/recall {"query":"boiler","limit":2}`);
  expect(JSON.parse((await hearth("memory", "search", "boiler", "--json")).out)).toEqual(answer);
});

test("memory remember and forget print their effect, for the named agent", async () => {
  house.answer("POST /api/agents/bob/memory/remember", { path: "MEMORY.md", wasKnown: false, replaced: ["- old"] });
  const kept = await hearth("memory", "remember", "new", "--replaces", "old", "--agent", "bob");
  expect(kept).toMatchObject({ code: 0, out: "stored in MEMORY.md\n", err: "replaced: - old\n" });
  expect(house.requests.at(-1)).toBe('POST /api/agents/bob/memory/remember {"text":"new","replaces":"old"}');
  const counts = { versions: 2, steps: 1, messages: 3, summaries: 1, running: 1 };
  const forgotten = { ...counts, files: ["MEMORY.md"], kept: [], keptCount: 0 };
  house.answer(`POST ${MEMORY}/forget`, forgotten);
  expect(await hearth("memory", "forget", "example.org")).toMatchObject({
    out: "forgotten: MEMORY.md\n",
    err: [
      "Text was removed from 2 versions and 1 call result.\n",
      "Deleted: 3 messages, 1 summary.\n",
      "Still running: 1 turn. Text of a running turn is deleted when it ends.\n",
    ].join(""),
  });
});

test("memory forget lists text that the agent itself wrote and keeps it, unless a flag deletes that too", async () => {
  const reply = {
    id: EventId.parse(`evt_${"0".repeat(26)}`),
    room: `room_${"0".repeat(26)}`,
    at: 0,
    text: "Red.\u001b[2J",
  };
  house.answer(`POST ${MEMORY}/forget`, {
    files: [],
    versions: 0,
    steps: 1,
    messages: 0,
    summaries: 0,
    running: 0,
    kept: [reply],
    keptCount: 3,
  });
  const { err } = await hearth("memory", "forget", "example.org");
  expect(err.split("\n").slice(1)).toEqual([
    `kept, written in a turn that had read it: ${reply.id} “Red.\\e[2J”`,
    "also kept: 2 older messages",
    "These messages repeat no words of the source, but they may paraphrase it.",
    'To delete these too: hearth memory forget "example.org" --replies',
    "",
  ]);
  expect(house.requests.at(-1)).toBe(`POST ${MEMORY}/forget {"source":"example.org"}`);
  await hearth("memory", "forget", "example.org", "--replies");
  expect(house.requests.at(-1)).toBe(`POST ${MEMORY}/forget {"source":"example.org","replies":true}`);
});

test("memory status, check and reindex print the progress of the index; check fails for an incomplete one", async () => {
  house.answer(`GET ${MEMORY}/status`, STATUS);
  house.answer(`POST ${MEMORY}/reindex`, STATUS);
  const out = "3 files in 7 chunks; 2 of 7 chunks are searchable by meaning so far; embedding model: m/int8\n";
  for (const verb of ["status", "check", "reindex"])
    expect(await hearth("memory", verb)).toMatchObject({ code: 0, out, err: "left out: big\\e.md: has 9 bytes\n" });
  house.answer(`GET ${MEMORY}/status`, { ...STATUS, problem: "There is no model." });
  expect((await hearth("memory", "check")).code).toBe(1);
});

test("memory commands default to the only bot, also after it was renamed", async () => {
  house.answer("GET /api/agents", [{ ...house.main, handle: "iris" }, house.owner]);
  house.answer("POST /api/agents/iris/memory/recall", { mode: "hybrid", rebuilding: false, found: [] });
  expect(await hearth("memory", "search", "boiler")).toMatchObject({ code: 0, err: "No matches.\n" });
});
