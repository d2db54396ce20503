/** The requests and the output of `hearth agent show --prompt` and `hearth agent compact`. */
import { describe, expect, test } from "bun:test";
import { noUsage } from "@hearth/protocol";
import { commandsForEach } from "../fakes/fake-command-line.ts";
import { localTime } from "../show/time.ts";

const commands = commandsForEach();
const { hearth, json } = commands;
const ROOM = `room_${"1".padStart(26, "0")}`;
const path = (end: string): string => `/api/agents/${commands.house.main.id}/${end}`;

describe("an agent's prompt", () => {
  const part = { place: "prefix", text: "Be kind.", length: 8, fileLength: 8, tokens: 2, isCut: false, hiddenLines: 0 };
  const report = (parts: readonly object[], audience = "private") => ({ audience, parts, tokens: 7 });

  test("is shown by part, with what was left out of each", async () => {
    const shown = report([
      { ...part, name: "SOUL.md" },
      { ...part, name: "TOOLS.md", isCut: true, fileLength: 90 },
      { ...part, name: "MEMORY.md", place: "memory", hiddenLines: 1 },
      { ...part, name: "USER.md", isCut: true, fileLength: 70, hiddenLines: 2 },
    ]);
    commands.house.answer(`GET ${path("prompt")}`, shown);
    const { out, err } = await hearth("agent", "show", "main", "--prompt");
    expect(out.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["PART", "PLACE", "CHARACTERS", "TOKENS", "NOTE"],
      ["SOUL.md", "prefix", "8", "2"],
      ["TOOLS.md", "prefix", "8", "2", "cut, of 90"],
      ["MEMORY.md", "memory", "8", "2", "1 line from other sources left out"],
      ["USER.md", "prefix", "8", "2", "cut, of 70; 2 lines from other sources left out"],
      [""],
    ]);
    expect(err).toContain("About 7 tokens");
    expect(err).toContain("for a private turn.");
    expect(await json("agent", "show", "main", "--prompt")).toEqual(shown);
  });

  test("is shown for a room, with its texts", async () => {
    commands.house.answer(`GET ${path("prompt")}`, report([{ ...part, name: "SOUL.md" }], `room:${ROOM}`));
    const { out, err } = await hearth("agent", "show", "main", "--prompt", "--room", "den", "--text");
    expect(out).toContain("\nSOUL.md\nBe kind.\n");
    expect(err).toContain("for everyone in that room.");
    expect(commands.house.queries.at(-1)).toEqual({ room: "den" });
  });

  test("without brain files says so", async () => {
    commands.house.answer(`GET ${path("prompt")}`, report([]));
    const said = Object.values(await hearth("agent", "show", "main", "--prompt")).join();
    expect(said).toContain("The prompt contains no brain files");
  });
});

describe("a compaction", () => {
  const compaction = (over: object = {}) => ({
    ...{ agent: commands.house.main.id, room: ROOM, place: 1, state: "asked", at: 5_000 },
    ...{ files: [], usage: noUsage },
    ...over,
  });

  test("is requested in the direct room, or in a named room with messages to keep", async () => {
    const { house } = commands;
    const direct = house.directRoom(house.main);
    const den = house.addRoom({ name: "Den", kind: "group" });
    house.answer(`POST ${path("compact")}`, compaction());
    const { code, out } = await hearth("agent", "compact", "@main");
    expect([code, out]).toEqual([0, `@main will compact at the start of its next turn in ${direct.handle}\n`]);
    expect((await hearth("agent", "compact", "main", "--room", "den", "--keep", "10")).out).toEndWith("in den\n");
    expect(await json("agent", "compact", "main")).toEqual(compaction());
    const bodies = house.asked
      .filter((line) => line.startsWith(`POST ${path("compact")}`))
      .map((line): unknown => JSON.parse(line.slice(line.indexOf("{"))));
    expect(bodies).toEqual([
      { room: direct.id, keep: 0 },
      { room: den.id, keep: 10 },
      { room: direct.id, keep: 0 },
    ]);
  });

  test("is listed with its range, and its files or the reason of its failure", async () => {
    const all = [
      compaction({ state: "failed", reason: "No model." }),
      compaction({
        ...{ state: "done", range: { after: 4, through: 9 }, messages: 5 },
        files: ["a.md", "b.md"].map((path) => ({ path, change: "0" })),
      }),
    ];
    commands.house.answer(`GET ${path("compactions")}`, all);
    const { out } = await hearth("agent", "compact", "main", "--list");
    const [, failed = "", done = ""] = out.split("\n");
    expect(failed).toStartWith(`${localTime(5_000)}  failed  `);
    expect(failed).toEndWith("  No model.");
    expect(done).toMatch(/ {2}done +5–9 +5 .* {2}a\.md, b\.md$/);
    expect(commands.house.queries.at(-1)).toEqual({});
    expect(await json("agent", "compact", "main", "--list", "--room", "den")).toEqual(all);
    expect(commands.house.queries.at(-1)).toEqual({ room: "den" });
  });
});
