import { expect, test } from "bun:test";
import { type AgentRecord, type Audience, OWNER_LABEL, type RoomId } from "@hearth/protocol";
import type { LabelledLine } from "../brains/brain.ts";
import { canSee } from "../brains/audience-files.ts";
import { filesInPrefix, gatherParts } from "./parts.ts";
import { createPromptFiles, HIDDEN_LINES_NOTE } from "./prompt-files.ts";

const OTHERS = { ...OWNER_LABEL, integrity: "untrusted" } as const;
const room = "room_00000000000000000000000001" as RoomId;
const audience: Audience = `room:${room}`;

const linesOf = (text: string): readonly LabelledLine[] =>
  text
    .split("\n")
    .map((line) => ({ text: line.replace(/^! /u, ""), label: line.startsWith("! ") ? OTHERS : OWNER_LABEL }));

/** Returns the prompt files of a brain. A line that begins with "! " has a stranger's label. */
const promptFilesOf = (files: Readonly<Record<string, string>>) => {
  const lines = new Map(Object.entries(files).map(([path, text]) => [path, linesOf(text)]));
  return createPromptFiles()({
    readLabelled: async (path) => lines.get(path),
    names: async (folder) => [
      ...new Set(
        [...lines.keys()].flatMap((path) =>
          path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1).split("/")[0] ?? ""] : [],
        ),
      ),
    ],
  });
};

const open = (files: Readonly<Record<string, string>>, prompt?: string) => {
  const promptFiles = promptFilesOf(files);
  const agent = { content: prompt === undefined ? {} : { prompt } } as AgentRecord;
  return (whom: Audience) => gatherParts({ agent, files: promptFiles, audience: whom, day: "2026-03-01" });
};

const whole = {
  "SOUL.md": "kind",
  "IDENTITY.md": "Robin",
  "USER.md": "Ana",
  "AGENTS.md": "work",
  "TOOLS.md": "tools",
  "BOOTSTRAP.md": "settle in",
  "MEMORY.md": "the bike is red",
  "HEARTBEAT.md": "no part of it",
  "instructions/a.md": "be brief",
  "instructions/picture.png": "no text",
  "skills/cook/SKILL.md": "---\nname: cook\ndescription: >\n  Cooks soup,\n  and bread\n---\nBoil.",
  "skills/bare/SKILL.md": "no head",
  "skills/README.md": "no skill",
  "memory/2026-02-27.md": "too old",
  "memory/2026-02-28.md": "yesterday",
  "memory/2026-03-01.md": "today",
  [`memory/rooms/${room}/2026-03-01.md`]: "in the room",
  "memory/rooms/room_00000000000000000000000002/2026-03-01.md": "in another",
};

test("stable parts come first, then memory, then daily logs, and the record's prompt follows the files", async () => {
  const parts = await open(whole, "Be nice.")("private");
  expect(parts.map(({ name, place }) => `${place} ${name}`)).toEqual([
    "prefix IDENTITY.md",
    "prefix SOUL.md",
    "prefix USER.md",
    "prefix AGENTS.md",
    "prefix TOOLS.md",
    "prefix instructions/a.md",
    "prefix skills",
    "prefix BOOTSTRAP.md",
    "prefix prompt",
    "memory MEMORY.md",
    "late memory/2026-02-28.md",
    "late memory/2026-03-01.md",
  ]);
  expect(parts.find(({ name }) => name === "skills")?.text).toEndWith("\n- cook: Cooks soup, and bread\n- bare");
});

test("members of a room see the persona and that room's memory only", async () => {
  const parts = await open(whole)(audience);
  expect(parts.map(({ name }) => name)).toEqual([
    ...["IDENTITY.md", "SOUL.md", "AGENTS.md", "TOOLS.md", "instructions/a.md", "skills"],
    `memory/rooms/${room}/2026-03-01.md`,
  ]);
  expect(canSee(audience, "skills/../MEMORY.md")).toBe(false);
  for (const { name } of await open(whole)("private")) expect(canSee("private", name)).toBe(true);
  const hidden = (await open(whole)("private")).filter(
    ({ name, file }) => file !== undefined && !canSee(audience, name),
  );
  expect(hidden.map(({ name }) => name)).toEqual([
    ...["USER.md", "BOOTSTRAP.md", "MEMORY.md", "memory/2026-02-28.md", "memory/2026-03-01.md"],
  ]);
});

test("missing and blank files produce no part", async () => {
  expect(await open({ "SOUL.md": " \n\t", "USER.md": "! only a stranger's\n" })(audience)).toEqual([]);
});

test("consecutive lines of others become one marker, and the other lines are unchanged", async () => {
  const [part] = await open({ "SOUL.md": "kind\n\n! obey\n\n! me\nwarm\n\n! twice" })("private");
  expect(part?.text).toBe(`kind\n\n${HIDDEN_LINES_NOTE}\nwarm\n\n${HIDDEN_LINES_NOTE}`);
  expect(part?.file).toMatchObject({ hiddenLines: 3, isCut: false, length: 26 });
});

test("a file that is too long keeps its head and tail, and names where to read all of it", async () => {
  const [part] = await open({ "SOUL.md": `${"a".repeat(20_000)}${"z".repeat(20_000)}` })("private");
  expect(part?.text).toContain("[… 22000 characters left out; `read_brain` shows SOUL.md whole …]");
  expect(part?.file).toMatchObject({ isCut: true, length: 40_000 });
});

test("an unchanged file is not processed again", async () => {
  const lines = linesOf("kind\n! obey");
  let looks = 0;
  const counted = lines.map(({ text, label }) => ({
    get text() {
      looks += 1;
      return text;
    },
    label,
  }));
  const files = createPromptFiles()({ readLabelled: async () => counted, names: async () => [] });
  const first = await files.read("SOUL.md");
  const before = looks;
  expect(await files.read("SOUL.md")).toBe(first as NonNullable<typeof first>);
  expect(looks).toBe(before);
});

test("files in the prefix are those that an audience reads completely there", async () => {
  const files = (more: Readonly<Record<string, string>> = {}) => promptFilesOf({ ...whole, ...more });
  const all = ["IDENTITY.md", "SOUL.md", "USER.md", "AGENTS.md", "TOOLS.md", "instructions/a.md", "BOOTSTRAP.md"];
  expect(await filesInPrefix(files(), "private")).toEqual(all);
  expect(await filesInPrefix(files(), audience)).toEqual(all.filter((path) => !/USER|BOOTSTRAP/.test(path)));
  const changed = { "USER.md": "Ana\n! Ana sells ladders", "SOUL.md": `kind${"!".repeat(20_000)}` };
  expect(await filesInPrefix(files(changed), "private")).toEqual(all.filter((path) => !/USER|SOUL/.test(path)));
});
