/** Compares the parts of a source with an agent, and imports those that the agent lacks. */
import { type ErrorCode, isHearthError, type Job } from "@hearth/protocol";
import {
  type ChannelItem,
  type FileItem,
  fingerprintOf,
  type Item,
  type JobItem,
  type JobTimes,
  type ListedItem,
  placeOf,
} from "./plan.ts";

/**
 * `new`: the part will be imported. `replaces`: it will replace another text, which stays in the
 * version history. `same`: the agent already has it. `left`: it is not imported. `failed`: the
 * house refused it.
 */
export type PartFate = "new" | "replaces" | "same" | "left" | "failed";

export interface PartComparison {
  readonly item: ListedItem;
  readonly fate: PartFate;
  readonly why?: string;
}

/** The agent that receives the parts. Each call rejects with the reason of the house. */
export interface ImportTarget {
  /** Hashes of the agent's files, by path. */
  files(): Promise<ReadonlyMap<string, string>>;
  jobs(): Promise<readonly Pick<Job, "name" | "prompt">[]>;
  /** Names of the channels. Undefined if the person may not add channels. */
  channels(): Promise<ReadonlySet<string> | undefined>;
  /** Whether a job with these times would run. Rejects if the house would refuse them. Changes nothing. */
  wouldRun(times: JobTimes): Promise<boolean>;
  writeFile(file: FileItem): Promise<void>;
  addJob(job: ImportedJob): Promise<void>;
  addChannel(channel: ChannelItem): Promise<void>;
}

export interface ImportedJob extends JobTimes {
  readonly name: string;
  readonly prompt: string;
  readonly paused: boolean;
}

interface PresentParts {
  readonly hashes: ReadonlyMap<string, string>;
  readonly jobs: readonly Pick<Job, "name" | "prompt">[];
  readonly channels: ReadonlySet<string> | undefined;
}

/** Compares parts with the target, and changes nothing. */
export const compareParts = async (
  target: ImportTarget,
  items: readonly ListedItem[],
): Promise<readonly PartComparison[]> => {
  const hasChannels = items.some(({ kind }) => kind === "channel");
  const [hashes, jobs, channels] = await Promise.all([
    target.files(),
    target.jobs(),
    hasChannels ? target.channels() : new Set<string>(),
  ]);
  const usedNames = new Set<string>();
  const comparisons: PartComparison[] = [];
  for (const item of items) {
    const place = placeOf(item);
    if (place !== undefined && usedNames.has(place)) {
      comparisons.push({ item, fate: "left", why: "Another part of the source has the same name." });
      continue;
    }
    if (place !== undefined) usedNames.add(place);
    comparisons.push(await comparePart(target, { hashes, jobs, channels }, item));
  }
  return comparisons;
};

const comparePart = async (
  target: ImportTarget,
  { hashes, jobs, channels }: PresentParts,
  item: ListedItem,
): Promise<PartComparison> => {
  switch (item.kind) {
    case "left":
      return { item, fate: "left", why: item.why };
    case "file": {
      const hash = hashes.get(item.to);
      return { item, fate: hash === undefined ? "new" : hash === item.hash ? "same" : "replaces" };
    }
    case "job": {
      const existingJob = jobs.find(({ name }) => name === item.name);
      if (existingJob?.prompt === item.prompt) return { item, fate: "same" };
      if (existingJob !== undefined) return { item, fate: "left", why: `The agent has another job "${item.name}".` };
      try {
        if (await target.wouldRun(timesOf(item))) return { item, fate: "new" };
        return { item, fate: "left", why: "Its time has passed." };
      } catch (error) {
        if (!isHearthError(error) || isHouseFailure(error.code)) throw error;
        return { item, fate: "left", why: error.message };
      }
    }
    case "channel":
      if (channels === undefined)
        return { item, fate: "left", why: "Only an administrator of the first house can add a chat platform." };
      return { item, fate: channels.has(item.name) ? "same" : "new" };
  }
};

/** Failures of the house as a whole, after which every other part would fail too. */
const HOUSE_FAILURES: ReadonlySet<ErrorCode> = new Set([
  "house.unreachable",
  "house.closing",
  "store.unavailable",
  "home.full",
  "home.read-only",
]);
const isHouseFailure = (code: ErrorCode): boolean => HOUSE_FAILURES.has(code);

export interface TakeOptions {
  readonly target: ImportTarget;
  /** The outcome of `compare`. */
  readonly compared: readonly PartComparison[];
  /** The parts, read again. */
  readonly items: AsyncIterable<Item>;
  /** Whether a part is imported. Absent: every new or changed part. */
  readonly isChosen?: (index: number) => boolean;
  /** Called after each part with its fate so far. */
  readonly onDone?: (index: number, outcome: PartComparison) => void;
}

/**
 * Imports the chosen parts that are `new` or `replaces`. Each part is imported as a whole or not at
 * all. If the house refuses one, the others are still imported. A part that changed after `compare`
 * is left out, so that nothing is imported that the person has not seen. Throws failures of the
 * house as a whole; the parts that `onDone` reported are imported then.
 */
export const takeOver = async ({
  target,
  compared,
  items,
  isChosen = () => true,
  onDone = () => {},
}: TakeOptions): Promise<readonly PartComparison[]> => {
  const outcomes = compared.map((comparison, index) =>
    isOpen(comparison) && !isChosen(index) ? notChosen(comparison) : comparison,
  );
  const openIndexes = new Map(
    outcomes.flatMap((comparison, index) => {
      const place = placeOf(comparison.item);
      return place !== undefined && isOpen(comparison) ? [[place, index] as const] : [];
    }),
  );
  const settle = (index: number, newOutcome: PartComparison): void => {
    outcomes[index] = newOutcome;
    onDone(index, newOutcome);
  };
  for await (const item of items) {
    const place = placeOf(item);
    const index = place === undefined ? undefined : openIndexes.get(place);
    const comparison = index === undefined ? undefined : outcomes[index];
    if (place === undefined || index === undefined || comparison === undefined) continue;
    openIndexes.delete(place);
    settle(index, await importPart(target, comparison, item));
  }
  for (const index of openIndexes.values()) {
    const comparison = outcomes[index];
    if (comparison !== undefined) settle(index, { item: comparison.item, fate: "left", why: "It is no longer there." });
  }
  return outcomes;
};

/** Whether the part can be imported. */
export const isOpen = ({ fate }: PartComparison): boolean => fate === "new" || fate === "replaces";
export const notChosen = ({ item }: PartComparison): PartComparison => ({
  item,
  fate: "left",
  why: "It was not chosen.",
});

const timesOf = ({ cron, every, once, zone }: JobTimes): JobTimes => ({
  ...(cron === undefined ? {} : { cron }),
  ...(every === undefined ? {} : { every }),
  ...(once === undefined ? {} : { once }),
  ...(zone === undefined ? {} : { zone }),
});

const toImportedJob = (job: JobItem): ImportedJob => {
  const { name, prompt, isPaused: paused } = job;
  return { name, prompt, paused, ...timesOf(job) };
};

const importPart = async (target: ImportTarget, comparison: PartComparison, item: Item): Promise<PartComparison> => {
  if (fingerprintOf(item) !== fingerprintOf(comparison.item))
    return { item: comparison.item, fate: "left", why: "It changed after the preview. Look again to import it." };
  try {
    if (item.kind === "file") await target.writeFile(item);
    else if (item.kind === "job") await target.addJob(toImportedJob(item));
    else if (item.kind === "channel") await target.addChannel(item);
    return comparison;
  } catch (error) {
    if (!isHearthError(error) || isHouseFailure(error.code)) throw error;
    return { item: comparison.item, fate: "failed", why: error.message };
  }
};
