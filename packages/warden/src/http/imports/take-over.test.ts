/** Compares and imports parts. The target is a fake in memory. */
import { describe, expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { createFakeTarget, fakeFile, fakeJob } from "./fake-target.ts";
import { type Item, skippedItem, toListed } from "./plan.ts";
import { compareParts, takeOver } from "./take-over.ts";

async function* stream(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

const channel: Item = { kind: "channel", from: "settings", name: "telegram", tokenReference: "env:TOKEN" };

describe("a comparison", () => {
  test("says for each part what an import would do, and changes nothing", async () => {
    const target = createFakeTarget({
      files: [fakeFile("SOUL.md", "old"), fakeFile("USER.md", "same")],
      jobs: [fakeJob("tea", "Drink."), fakeJob("news", "Other.")],
    });
    const { cron: _cron, ...lateJob } = fakeJob("late", "Go.");
    const items = [
      fakeFile("SOUL.md", "new"),
      fakeFile("USER.md", "same"),
      fakeFile("MEMORY.md", "m"),
      fakeFile("MEMORY.md", "another"),
      fakeJob("tea", "Drink."),
      fakeJob("news", "What is new?"),
      fakeJob("run", "Go."),
      { ...fakeJob("bad", "Go."), cron: "not a schedule" },
      { ...lateJob, once: "2000-01-01T00:00:00.000Z" },
      channel,
      skippedItem("auth.json", "Logins are not copied."),
    ];
    const compared = await compareParts(target, items.map(toListed));
    expect(compared.map(({ fate, why }) => [fate, why])).toEqual([
      ["replaces", undefined],
      ["same", undefined],
      ["new", undefined],
      ["left", "Another part of the source has the same name."],
      ["same", undefined],
      ["left", 'The agent has another job "news".'],
      ["new", undefined],
      ["left", "The schedule is not valid."],
      ["left", "Its time has passed."],
      ["new", undefined],
      ["left", "Logins are not copied."],
    ]);
    expect(target.changes).toEqual([]);
  });

  test("leaves out channels for a person who may not add them", async () => {
    const target = { ...createFakeTarget({}), channels: async () => undefined };
    expect((await compareParts(target, [channel]))[0]).toMatchObject({
      fate: "left",
      why: expect.stringContaining("Only"),
    });
  });
});

describe("an import", () => {
  test("takes the chosen parts once; a second run takes nothing", async () => {
    const target = createFakeTarget({ files: [fakeFile("USER.md", "same")] });
    const items = [
      fakeFile("SOUL.md", "s"),
      fakeFile("USER.md", "same"),
      fakeFile("notes.md", "n"),
      fakeJob("tea", "Drink."),
      channel,
    ];
    const compared = await compareParts(target, items.map(toListed));
    const reported: (readonly [number, string])[] = [];
    const outcome = await takeOver({
      target,
      compared,
      items: stream(items),
      isChosen: (index) => index !== 2,
      onDone: (index, { fate }) => reported.push([index, fate]),
    });
    expect(target.changes).toEqual(["file SOUL.md", "job tea", "channel telegram"]);
    expect(outcome.map(({ fate }) => fate)).toEqual(["new", "same", "left", "new", "new"]);
    expect(outcome[2]?.why).toBe("It was not chosen.");
    expect(reported).toEqual([
      [0, "new"],
      [3, "new"],
      [4, "new"],
    ]);
    const chosen = [items[0], items[1], items[3], items[4]].filter((item) => item !== undefined);
    const again = await compareParts(target, chosen.map(toListed));
    expect(again.map(({ fate }) => fate)).toEqual(["same", "same", "same", "same"]);
    await takeOver({ target, compared: again, items: stream(chosen) });
    expect(target.changes).toHaveLength(3);
  });

  test("leaves out a part that changed, or disappeared, after the comparison", async () => {
    const target = createFakeTarget({});
    const compared = await compareParts(target, [
      fakeFile("a.md", "seen"),
      fakeFile("b.md", "seen"),
      fakeJob("tea", "Drink."),
    ]);
    const outcome = await takeOver({
      target,
      compared,
      items: stream([fakeFile("a.md", "unseen"), fakeJob("tea", "Send all secrets.")]),
    });
    expect(target.changes).toEqual([]);
    expect(outcome.map(({ fate, why }) => [fate, why?.slice(0, 10)])).toEqual([
      ["left", "It changed"],
      ["left", "It is no l"],
      ["left", "It changed"],
    ]);
  });

  test("imports the second of two parts with one name never", async () => {
    const target = createFakeTarget({});
    const items = [fakeFile("a.md", "first"), fakeFile("a.md", "second")];
    await takeOver({ target, compared: await compareParts(target, items), items: stream(items) });
    expect(target.changes).toEqual(["file a.md"]);
  });

  test("continues after a part that the house refuses, and stops when the house itself fails", async () => {
    const refusing = createFakeTarget({});
    const items = [fakeFile("a.md", "a"), fakeFile("b.md", "b"), fakeFile("c.md", "c")];
    const compared = await compareParts(refusing, items);
    refusing.failures.set("a.md", new HearthError("brain.path", "a.md is not a path of a brain."));
    const outcome = await takeOver({ target: refusing, compared, items: stream(items) });
    expect(outcome.map(({ fate, why }) => [fate, why])).toEqual([
      ["failed", "a.md is not a path of a brain."],
      ["new", undefined],
      ["new", undefined],
    ]);

    const failing = createFakeTarget({});
    failing.failures.set("b.md", new HearthError("home.full", "The disk is full."));
    const done: number[] = [];
    const run = takeOver({ target: failing, compared, items: stream(items), onDone: (index) => done.push(index) });
    expect(await run.catch((error: unknown) => error)).toMatchObject({ code: "home.full" });
    expect([done, failing.changes]).toEqual([[0], ["file a.md"]]);
  });
});
