import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { spend } from "@hearth/protocol/until";
import { createChance, readSeed } from "./chance.ts";
import { createHome, type Daemon, eventsOf, type Json, startDaemon, until } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";

/** Number of houses, which run in parallel because each one mostly waits. */
const HOUSES = Number(process.env["HEARTH_HOUSES"] ?? 1);
const KILLS = 15;
/** The shortest interval of a job. */
const EVERY_MS = 10_000;
const TIMEOUT_MS = 900_000;
/** This many jobs, with starts spread evenly, so that about one slot is due per second. */
const JOBS = 12;
const env = { TEST_KEY: "key" };

/** Open activations of the house. */
const openIn = async (house: Daemon): Promise<readonly string[]> =>
  (await house.ask("GET", "/api/agents/main/activations?limit=1000")).json.flatMap(({ id, endedAt }: Json) =>
    endedAt === undefined ? [id] : [],
  );

const killAroundSlots = async (chance: ReturnType<typeof createChance>): Promise<void> => {
  await using model = createModel();
  model.answer = () => ["done"];
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));

  const names = Array.from({ length: JOBS }, (_, index) => `job-${index}`);
  const froms = new Map<string, number>();
  const instants = (): readonly number[] =>
    [...froms.values()].map((from) => from + Math.ceil((Date.now() - from) / EVERY_MS) * EVERY_MS);
  {
    await using house = await startDaemon(home.folder, env);
    const start = Date.now();
    const tables = names.map((name, index) => {
      // Their first slots are due as soon as the house has read the file.
      const from = start - EVERY_MS + Math.round(((index + 1) * EVERY_MS) / JOBS);
      froms.set(name, from);
      const catchUp = index % 3 === 0 ? "all" : "once";
      return `[jobs.${name}]\nprompt = "${name}"\nevery = "10s"\nfrom = "${new Date(from).toISOString()}"\ncatch_up = "${catchUp}"\n`;
    });
    const { status } = await house.ask("PUT", "/api/agents/main/brain/file?path=cron/jobs.toml", {
      text: tables.join("\n"),
    });
    expect(status).toBe(200);
    expect((await house.ask("GET", "/api/agents/main/jobs")).json.jobs).toHaveLength(JOBS);
    await house.kill();
  }
  for (let kill = 0; kill < KILLS; kill += 1) {
    await using house = await startDaemon(home.folder, env);
    // A turn whose daemons die repeatedly is given up. Therefore every second life lasts until all
    // earlier turns have ended.
    if (kill % 2 === 1) {
      const before = new Set(await openIn(house));
      await until(async () => !(await openIn(house)).some((id) => before.has(id)));
    }
    // Kill right before a slot is due, or in the milliseconds of its turn.
    const next = Math.min(...instants());
    await spend(Math.max(0, next - Date.now() + chance.between(-5, 40)));
    await house.kill();
  }

  await using last = await startDaemon(home.folder, env);
  const slotsOf = async (name: string): Promise<Json[]> =>
    (await last.ask("GET", `/api/agents/main/jobs/${name}/slots?limit=1000`)).json.toReversed();
  // Pause the jobs and wait until the open turns have ended.
  for (const name of names)
    expect((await last.ask("PATCH", `/api/agents/main/jobs/${name}`, { paused: true })).status).toBe(200);
  await until(async () => {
    const all = await Promise.all(names.map(slotsOf));
    return all.flat().every((slot: Json) => slot.endedAt !== undefined);
  });
  // Check the command for one job only, because each call is a process.
  const { code, stdout } = await last.hearth("job", "slots", "main", "job-1", "--json", "--limit", "1000");
  expect([code, JSON.parse(stdout)]).toEqual([0, (await slotsOf("job-1")).toReversed()]);
  const events = await eventsOf(last, "main");
  const asked = events.filter(({ job }) => job !== undefined);
  const answered = events.flatMap(({ type, causes }) => (type === "message" ? causes : []));
  let fired = 0;
  for (const name of names) {
    const slots = await slotsOf(name);
    const rule = Number(name.slice("job-".length)) % 3 === 0 ? "all" : "once";
    // Every slot has one fate: each row begins where the previous one ended.
    for (const [index, { slot, through, count, reason, fate, firedAt }] of slots.entries()) {
      expect((slot - (froms.get(name) ?? 0)) % EVERY_MS).toBe(0);
      expect(through - slot).toBe((count - 1) * EVERY_MS);
      if (index > 0) expect(slot).toBe(slots[index - 1].through + EVERY_MS);
      expect(reason).not.toBe("");
      // Missed slots are merged, and no slot fires early.
      expect(rule === "all" ? ["fired", "skipped", "failed"] : ["fired", "skipped", "merged", "failed"]).toContain(
        fate,
      );
      if (fate === "fired") expect(firedAt).toBeGreaterThanOrEqual(slot);
    }
    const woken = slots.filter(({ activation }) => activation !== undefined);
    fired += woken.length;
    expect(asked.filter(({ job }) => job.name === name)).toHaveLength(woken.length);
    expect(new Set(woken.map(({ activation }) => activation)).size).toBe(woken.length);
  }
  // Each turn was answered once.
  expect(asked).toHaveLength(fired);
  expect(new Set(answered).size).toBe(answered.length);
  expect(new Set(answered)).toEqual(new Set(asked.map(({ id }) => id)));
  expect(fired).toBeGreaterThan(JOBS);
};

test(
  "R11: slots of a daemon that is killed repeatedly fire at most once, follow their catch-up rule, and are listed",
  async () => {
    const seed = readSeed();
    console.log(`seed ${seed}: HEARTH_SEED=${seed} npm test -- tests/journeys/job-kills`);
    await Promise.all(Array.from({ length: HOUSES }, (_, house) => killAroundSlots(createChance(seed + house))));
  },
  TIMEOUT_MS,
);
