/**
 * A turn that schedules a job, in a daemon that ends before or after any commit: after the restart
 * there is one job, or one proposal.
 */
import { expect, test } from "bun:test";
import { doneOrDead, until } from "@hearth/protocol/until";
import { createCrashingStore } from "../../src/fixtures/crashing-store.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import { call, play, resultsIn } from "../../src/fixtures/talk.ts";
import { declareExternal } from "../../src/agents/tools/external-tools.ts";

type Plan = readonly (readonly [string, object])[];

const OWN: Plan = [
  ["schedule_task", { name: "tea", when: "in 20 minutes", prompt: "Tea." }],
  ["schedule_task", { every: "1h", prompt: "Look after the oven." }],
  ["cancel_task", { name: "own" }],
];

/** The same after reading an untrusted page. */
const TAINTED: Plan = [
  ["far", {}],
  ["schedule_task", { name: "tea", when: "in 20 minutes", prompt: "Tea." }],
  ["pause_task", { name: "own" }],
];

const MINE = '[jobs.own]\nprompt = "Mine."\nevery = "1h"\n';

const far = declareExternal({
  ...{ name: "far", description: "x", schema: { type: "object", properties: {} }, effect: "pure", sinks: [] },
  traits: { readsUntrusted: true, readsPrivate: false, acts: false, destroys: false },
  ...{ level: "w", needs: "nothing", timeoutMs: 10_000 },
});

const untilDone = async (house: TestHouse, isDead: () => boolean): Promise<void> => {
  const posting = house.post("go", "the one key");
  await doneOrDead(posting, isDead);
  await until(
    async () =>
      isDead() || (await house.disk.store.select({ table: "events", where: { type: "message" } })).length >= 2,
  );
};

const live = async (plan: Plan, crash?: { readonly at: number; readonly side: "before" | "after" }) => {
  using disk = createTestDisk();
  await disk.brains.write("main/cron/jobs.toml", MINE);
  /** Deterministic: the same request gets the same reply. */
  const script = play({
    Main: (request) => {
      const results = resultsIn(request);
      const [name, input] = plan[results.length] ?? [];
      if (name !== undefined) return call(name, input, `call-${results.length}`);
      return { text: results.map(({ failed }) => (failed ? "failed" : "done")).join(" ") };
    },
  });
  const open = (on: TestDisk) =>
    openTestHouse({
      ...{ disk: on, script },
      further: { far: { declaration: far, run: async () => ({ text: "from afar", failed: false }) } },
    });
  await (await open(disk))[Symbol.asyncDispose]();

  const life = createCrashingStore(disk.store, crash);
  const doomed = open({ ...disk, store: life.store }).then(async (house) => {
    await untilDone({ ...house, disk }, life.isDead);
    if (!life.isDead()) await house[Symbol.asyncDispose]();
  });
  await doneOrDead(doomed, life.isDead);
  const commits = life.commits();
  life.die();

  await using house = await open(disk);
  await untilDone(house, () => false);
  const { jobs, mistakes } = (await house.ask("GET", "/api/agents/main/jobs")).json;
  const proposals = await disk.store.select({ table: "brain_proposals", where: { state: "pending" } });
  return {
    commits,
    said: (await house.messages()).map(({ body }) => body.text),
    mistakes,
    jobs: jobs.map(({ name, status }: { name: string; status: string }) => `${name.replace(/\w{6}$/, "")} ${status}`),
    proposals: proposals.length,
  };
};

const sweep = async (plan: Plan, expected: object): Promise<void> => {
  const { commits, ...whole } = await live(plan);
  expect(commits).toBeGreaterThan(10);
  expect(whole).toEqual({ mistakes: [], ...expected } as never);
  for (let at = 1; at <= commits; at += 1) {
    for (const side of ["before", "after"] as const) {
      const { commits: _commits, ...found } = await live(plan, { at, side });
      expect({ at, side, ...found }).toEqual({ at, side, ...whole });
    }
  }
};

test("a crash at any commit leaves each job once, and none that was cancelled", async () => {
  await sweep(OWN, {
    said: ["go", "done done done"],
    jobs: ["look-after-the-oven- active", "tea active"],
    proposals: 0,
  });
}, 180_000);

test("a crash at any commit leaves each proposal of a tainted turn once", async () => {
  await sweep(TAINTED, { said: ["go", "done done done"], jobs: ["own active"], proposals: 2 });
}, 180_000);
