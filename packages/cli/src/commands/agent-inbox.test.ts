/** The requests and the output of the inbox commands. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const hearth = (...words: string[]) => runAt(house, words);

const ID = "0".repeat(26);
const noteOf = (more: object) => ({
  id: `note_${ID}`,
  from: house.main.id,
  to: house.main.id,
  type: "note",
  status: "pending",
  room: `room_${ID}`,
  activation: `act_${ID}`,
  at: 1_000_000 - 60_000,
  text: "the key\nis blue",
  ...more,
});

test("agent inbox prints each message with its author on one line", async () => {
  const notes = [noteOf({}), noteOf({ type: "answer", status: "read", text: `\u001b[2J${"x".repeat(200)}` })];
  house.answer("GET /api/agents/main/inbox", notes);
  const { code, out } = await hearth("agent", "inbox", "main");
  expect(code).toBe(0);
  const [head, first, second, ...more] = out.trimEnd().split("\n");
  expect(head).toMatch(/^ID +FROM +TYPE +STATUS +SENT +TEXT$/);
  expect(first).toMatch(new RegExp(`^note_${ID} +@main +note +pending +1 min ago +the key\\\\nis blue$`));
  expect(second).toMatch(/ @main +answer +read +1 min ago +\\e\[2Jx+…$/);
  expect(second?.length).toBeLessThan(180);
  expect(more).toEqual([]);
  expect(JSON.parse((await hearth("agent", "inbox", "main", "--json")).out)).toEqual(notes);
});

test("agent inbox filters by status, and says when there are no messages", async () => {
  house.answer("GET /api/agents/main/inbox", []);
  expect(await hearth("agent", "inbox", "main", "--status", "pending")).toEqual({
    code: 0,
    out: "",
    err: "The inbox is empty.\n",
  });
  expect(house.requests).toEqual(["GET /api/agents/main/inbox"]);
  expect(house.queries).toEqual([{ status: "pending" }]);
  expect((await hearth("agent", "inbox", "main", "--status", "new")).code).toBe(2);
});

test("agent inbox shortens texts of more than 80 characters, and shows the id of an agent that was removed", async () => {
  const from = `agent_${"9".padStart(26, "0")}`;
  house.answer(
    "GET /api/agents/main/inbox",
    [80, 81].map((length) => noteOf({ from, text: "x".repeat(length) })),
  );
  const [, whole = "", cut = ""] = (await hearth("agent", "inbox", "main")).out.split("\n");
  expect(whole).toEndWith(` ${"x".repeat(80)}`);
  expect(cut).toEndWith(` ${"x".repeat(79)}…`);
  expect(whole).toContain(` ${from} `);
  expect(house.queries[0]).toEqual({});
});

test("inbox archive archives a message", async () => {
  house.answer(`PATCH /api/inbox/note_${ID}`, noteOf({ status: "archived" }));
  expect(await hearth("inbox", "archive", `note_${ID}`)).toEqual({ code: 0, out: `archived note_${ID}\n`, err: "" });
  expect(house.requests).toContain(`PATCH /api/inbox/note_${ID} {"status":"archived"}`);
});
