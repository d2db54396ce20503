/** The request and the output of `hearth search`. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

const EMPTY = { messages: [], files: [], workspaceFiles: [], agents: [], rooms: [], isComplete: true };

test("search prints each kind of result, escaped, and how to continue", async () => {
  const { id: agent, content } = house.main;
  const { id: room, handle } = house.addRoom({ name: "Den", kind: "group" });
  house.answer("GET /api/search", {
    messages: [
      {
        ...{ room, id: "evt_0123456789abcdefghjkmnpqrs", offset: 3, author: agent, at: Date.UTC(2026, 0, 31) },
        excerpt: { text: "the boiler\u001b[2J\nis warm", marks: [[4, 10]] },
      },
      {
        ...{ room, id: "evt_0123456789abcdefghjkmnpqrs", offset: 3, author: agent, at: Date.UTC(2026, 0, 31) },
        excerpt: { text: "a boiler", marks: [[2, 8]] },
        file: { id: "upl_0123456789abcdefghjkmnpqrs", name: "lease.pdf", place: "page 12" },
      },
    ],
    files: [{ agent, path: "MEMORY.md", lines: [3, 4], headings: [], text: "- boiler" }],
    workspaceFiles: [
      { agent, path: "boiler.txt" },
      { agent, path: "notes\u001b.md", line: 7, excerpt: { text: "the boiler", marks: [[4, 10]] } },
    ],
    agents: [{ id: agent, handle: "main", name: "Main", kind: "bot" }],
    rooms: [{ id: room, handle: "den", name: "Den" }],
    next: "17",
    isComplete: false,
  });
  const { code, out, err } = await hearth("search", "boiler", "warm", "--room", "den", "--limit", "1");
  expect(code).toBe(0);
  expect(out.split("\n").map((line) => line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, "TIME"))).toEqual([
    "agent  @main  Main",
    "room  den  Den",
    `memory of ${content.name}  MEMORY.md:3  - boiler`,
    `workspace of ${content.name}  boiler.txt`,
    `workspace of ${content.name}  notes\\e.md:7  the boiler`,
    `TIME  ${handle}  ${content.name}: the boiler\\e[2J\\nis warm`,
    `TIME  ${handle}  ${content.name}: lease.pdf, page 12: a boiler`,
    "",
  ]);
  expect(err).toContain("More messages: --cursor 17");
  expect(err).toContain("still being indexed");
  expect(house.queries.find(({ q }) => q !== undefined)).toEqual({ q: "boiler warm", room: "den", limit: "1" });
});

test("search passes its filters, and says that nothing matches", async () => {
  house.answer("GET /api/search", EMPTY);
  const filters = [
    "--from",
    "ana",
    "--since",
    "2026-01-31T00:00Z",
    "--until",
    "2026-02-01T00:00Z",
    "--kind",
    "message",
  ];
  const { err } = await hearth("search", "x", ...filters, "--cursor", "5");
  expect(err).toContain("No matches.");
  expect(house.queries.find(({ q }) => q !== undefined)).toEqual({
    ...{ q: "x", from: "ana", kind: "message", cursor: "5" },
    since: String(Date.UTC(2026, 0, 31)),
    until: String(Date.UTC(2026, 1, 1)),
  });
  expect(JSON.parse((await hearth("search", "x", "--json")).out)).toEqual(EMPTY);
  expect((await hearth("search")).code).toBe(2);
});
