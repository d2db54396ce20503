/**
 * Agents that message each other, in a daemon that ends before or after any commit: after the
 * restart the result is the same, once.
 */
import { expect, test } from "bun:test";
import { doneOrDead, until } from "@hearth/protocol/until";
import { createCrashingStore } from "../../src/fixtures/crashing-store.ts";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { addBot, call, type Cast, lastIn, play, resultsIn } from "../../src/fixtures/talk.ts";

const CONFIG = 'tools = ["send_to_agent", "ask_agent", "delegate", "list"]\n';
const PLAN = [
  ["send_to_agent", { agent: "scout", text: "a note" }],
  ["ask_agent", { agent: "scout", question: "where?" }],
  ["delegate", { task: "count", tools: ["list"] }],
] as const;

/** Deterministic: the same request gets the same reply. */
const cast: Cast = {
  Main: (request) => {
    const results = resultsIn(request);
    if (lastIn(request) === "count") return results.length === 0 ? call("list", {}) : { text: "none" };
    const next = PLAN[results.length];
    return next === undefined ? { text: results.map(({ text }) => text).join(", ") } : call(next[0], next[1]);
  },
  Scout: (request) => (resultsIn(request).length === 0 ? call("time", {}) : { text: "there" }),
};

const untilDone = async (house: TestHouse, isDead: () => boolean): Promise<void> => {
  const posting = house.post("go", "the one key");
  await doneOrDead(posting, isDead);
  await until(
    async () =>
      isDead() || (await house.disk.store.select({ table: "events", where: { type: "message" } })).length >= 2,
  );
};

const live = async (crash?: { readonly at: number; readonly side: "before" | "after" }) => {
  using disk = createTestDisk();
  const first = await openTestHouse({ disk, script: play(cast), config: CONFIG });
  await addBot(first, "Scout");
  await first[Symbol.asyncDispose]();

  const life = createCrashingStore(disk.store, crash);
  const opening = openTestHouse({ disk: { ...disk, store: life.store }, script: play(cast), config: CONFIG });
  const doomed = opening.then(async (house) => {
    await untilDone({ ...house, disk }, life.isDead);
    if (!life.isDead()) await house[Symbol.asyncDispose]();
  });
  await doneOrDead(doomed, life.isDead);
  const commits = life.commits();
  life.die();

  await using house = await openTestHouse({ disk, script: play(cast), config: CONFIG });
  await untilDone(house, () => false);
  const { store } = disk;
  const [inbox, activations, steps, events] = await Promise.all([
    store.select({ table: "inbox" }),
    store.select({ table: "activations" }),
    store.select({ table: "steps", where: { kind: "tool" } }),
    store.select({ table: "events", where: { type: "inbox-changed" } }),
  ]);
  return {
    commits,
    said: (await house.messages()).map(({ body }) => body.text),
    inbox: inbox.map(({ type, status, text }) => `${type} ${status} ${text}`).sort(),
    activations: activations.map(({ trigger, state, depth }) => `${trigger} ${state} ${depth}`).sort(),
    steps: steps.map(({ name, state }) => `${name} ${state}`).sort(),
    told: events
      .map(({ body }) => JSON.parse(body ?? "").message)
      .map(({ type, status }) => `${type} ${status}`)
      .sort(),
  };
};

test("a crash at any commit loses or duplicates no note, question, answer or turn", async () => {
  const { commits, ...expected } = await live();
  expect(commits).toBeGreaterThan(20);
  expect(expected).toEqual({
    said: ["go", "Left for Scout (@scout)., there, none"],
    inbox: [
      "answer read none",
      "answer read there",
      "delegation read count",
      "note pending a note",
      "question read where?",
    ],
    activations: ["direct replied 0", "inbox replied 1", "inbox replied 1"],
    steps: ["ask_agent done", "delegate done", "list done", "send_to_agent done", "time done"],
    told: [
      ...["answer pending", "answer pending", "answer read", "answer read", "delegation pending", "delegation read"],
      ...["note pending", "question pending", "question read"],
    ],
  });
  for (let at = 1; at <= commits; at += 1) {
    for (const side of ["before", "after"] as const) {
      const { commits: _commits, ...found } = await live({ at, side });
      expect({ at, side, ...found }).toEqual({ at, side, ...expected });
    }
  }
}, 180_000);
