/** The pages that `hearth room fates` reads. `channel.test.ts` has the sentence of each fate. */
import { expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, json } = own;

const ID = "0".repeat(26);
const fate = (more: object) => ({
  ...{ event: `evt_${ID}`, offset: 5, at: 1, author: own.house.owner.id },
  fate: { by: own.house.main.id, activation: `act_${ID}`, ...more },
});
const answer = (fates: readonly object[], next: number): void =>
  own.house.answer(`GET /api/rooms/${own.house.addRoom({ name: "Den", kind: "group" }).id}/fates`, { fates, next });
const pages = () => own.house.queries.filter((query) => "limit" in query);

test("each page begins after the last one, until a page brings nothing new", async () => {
  const skipped = fate({ kind: "skipped", reason: "It is paused." });
  answer([skipped], 5);
  // The fake house gives the same page to each request.
  expect(await json("room", "fates", "den", "--after", "2")).toEqual([skipped, skipped]);
  expect(pages()).toEqual([
    { after: "2", limit: "1000" },
    { after: "5", limit: "1000" },
  ]);
  const { out } = await hearth("room", "fates", "den");
  expect(out.split("\n")[1]).toMatch(/^5 .* {2}Owner {2,}skipped by Main: It is paused\.$/);
});

test("an empty page is the last one", async () => {
  answer([], 9);
  expect(await hearth("room", "fates", "den")).toEqual({ code: 0, out: "", err: "No person has written here.\n" });
  expect(pages()).toEqual([{ after: "0", limit: "1000" }]);
});
