/**
 * Runs one seed: a house with random work and random faults, and the checks of all invariants at
 * the end.
 */
import { type Chance, createChance } from "./chance.ts";
import { drawFamilies, type Families } from "./families.ts";
import { createFamilyWork, withFamilyMessages } from "./family-work.ts";
import { createHouse } from "./house.ts";
import { checkHouse } from "./invariants.ts";
import {
  checkKept,
  checkPruned,
  checkRetention,
  MONTH_MS,
  QUARTER_MS,
  takeStock,
  TWO_DAYS_MS,
} from "./retention-act.ts";
import { createStage } from "./stage.ts";
import { createWorkload, type Operation } from "./workload.ts";

export interface Run {
  readonly seed: number;
  readonly families: Families;
  readonly operations: readonly Operation[];
  readonly complaints: readonly string[];
  readonly diary: readonly string[];
  readonly events: number;
  /** A checksum of the run. Equal for equal seeds. */
  readonly trace: string;
}

/** Share of houses in which agents have jobs. */
const SHARE_WITH_JOBS = 0.15;

/** How long people wait for responses before a house with jobs is ended. */
const PATIENCE_MS = 30_000;

const QUEUES = ["steer", "followup", "collect", "interrupt"] as const;

/** The fault families that the seed draws. */
export const familiesOf = (seed: number): Families => drawFamilies(createChance(seed).branch("families"));

export const simulate = async (
  seed: number,
  counts: Map<string, number> = new Map(),
  /** Selects the operations to perform. */
  keep: (index: number) => boolean = () => true,
  /** The fault families of this house. Default: those that its seed draws. */
  forced?: Families,
): Promise<Run> => {
  const chance = createChance(seed);
  const families = forced ?? familiesOf(seed);
  const shared = chance.happens(0.25);
  const crashes = chance.happens(0.8);
  const slowestMs = chance.pick([1, 5, 30]);
  const lifetimes = chance.branch("lifetimes");
  const power = chance.branch("power");
  const dying = { chance: chance.branch("dying"), deaths: chance.branch("deaths").whole(4, 12) };
  const house = createHouse({
    ...{ seed, families, isShared: shared, queue: chance.pick(QUEUES), otherQueue: chance.pick(QUEUES), counts },
    // Most crossings are quick, some are slow.
    latency: (own) => own.next() ** 2 * slowestMs,
    slowReads: chance.pick([0, 0.1, 0.5]),
    cutsPower: () => power.happens(0.5),
    crashesAt: (life) => {
      const isDying = families.has("dying-turns") && life > 1 && life <= dying.deaths;
      let left = isDying
        ? dying.chance.whole(4, 40)
        : crashes && lifetimes.happens(0.7)
          ? lifetimes.whole(1, lifetimes.pick([30, 150, 500]))
          : Infinity;
      return () => {
        left -= 1;
        return left === 0;
      };
    },
  });
  // The job checks need a single clock, so houses whose daemons have separate clocks have no jobs.
  const hasJobs = chance.branch("has jobs").happens(SHARE_WITH_JOBS) && !families.has("own-clocks");
  const work = createWorkload(chance.branch("work"), { count: chance.whole(4, 20), shared, jobs: hasJobs });
  const operations = withFamilies(chance.branch("family work"), families, shared, work);
  const stage = createStage(house, shared, chance.branch("stage"));
  await stage.settle(stage.prepare());
  const usual = { model: chance.pick([0, 0, 0.05]), channel: chance.pick([0, 0.2, 0.4]) };
  Object.assign(house.faults, usual, { crashes: true });
  const performing = stage.perform(operations.filter((_, index) => keep(index)));
  // A house with jobs never comes to rest until its jobs end.
  if (!hasJobs) await stage.settle(performing);
  else
    await stage.settle(
      Promise.race([performing, stage.later((operations.at(-1)?.at ?? 0) + PATIENCE_MS)]),
      "when done",
    );
  // Half of the houses must come to rest as they are. The others are reopened with a single daemon.
  const isReopened = shared || chance.happens(0.5);
  await stage.settle(stage.finish(isReopened));
  await checkHouse(house, stage.accepted, { isClean: false, isShared: shared });
  if (families.has("retention")) {
    const before = await takeStock(house);
    await stage.settle(stage.passTime(TWO_DAYS_MS));
    await checkKept(house, before);
    const endedBefore = house.jobs.history.wall();
    await stage.settle(stage.passTime(MONTH_MS));
    await checkRetention(house, before, endedBefore);
    await stage.settle(stage.passTime(QUARTER_MS));
    await checkPruned(house, before);
  }
  // A house with jobs never comes to rest.
  else if (families.has("older-copy") && !hasJobs) await stage.settle(stage.restoreCopy());
  house.forget();
  return {
    ...{
      seed,
      families,
      operations,
      complaints: house.complaints,
      diary: house.diary,
      events: house.timeline.happened(),
    },
    trace: Bun.hash
      .crc32(JSON.stringify([house.diary, house.timeline.now(), await house.disk.store.select({ table: "events" })]))
      .toString(16),
  };
};

/** Adds the operations and messages of the fault families to the work. */
const withFamilies = (
  chance: Chance,
  families: Families,
  isShared: boolean,
  work: readonly Operation[],
): readonly Operation[] => {
  if (families.size === 0) return work;
  // Facts are lines of the notes file, so operations that replace the whole file would remove them.
  const hasFacts = families.has("forgetting") || families.has("memory-process");
  const kept = hasFacts
    ? work.filter((operation) => operation.do !== "write" && operation.do !== "edit-by-hand")
    : work;
  const added = createFamilyWork(chance, { families, isShared, lastAt: work.at(-1)?.at ?? 0 });
  return [...withFamilyMessages(chance, families, kept), ...added].sort((a, b) => a.at - b.at);
};
