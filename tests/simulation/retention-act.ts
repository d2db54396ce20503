/**
 * Checks of retention. After two days: no row is gone, and every blob that a row or a frozen input
 * names exists. After a month: old turns are deleted, deliveries, updates and job slots are not,
 * and every blob that a row names exists. After a quarter: finished deliveries and updates are
 * deleted; open ones and the last slot of each job are not.
 */
import type { House } from "./house.ts";
import { checkAbandoned, checkUploadBlobs } from "./upload-runner.ts";

export const TWO_DAYS_MS = 2 * 24 * 60 * 60_000;
export const MONTH_MS = 31 * 24 * 60 * 60_000;
export const QUARTER_MS = 91 * 24 * 60 * 60_000;

/** Rows before a sweep, and the blobs that inputs of turns name. */
export interface Stock {
  readonly rows: readonly string[];
  /** The last slot of each job, by its kind. */
  readonly lastSlots: ReadonlyMap<string, number>;
  readonly blobs: ReadonlySet<string>;
}

const HASH = /\b[0-9a-f]{64}\b/g;

export const takeStock = async ({ disk: { store, blobs } }: House): Promise<Stock> => {
  const [activations, steps, inbound, outbox, slots] = await Promise.all([
    store.select({ table: "activations" }),
    store.select({ table: "steps" }),
    store.select({ table: "inbound" }),
    store.select({ table: "outbox" }),
    store.select({ table: "job_slots" }),
  ]);
  const named = new Set<string>();
  for (const { frozen, frozen_blob: blob } of activations) {
    const bytes = blob === null ? undefined : await blobs.intact(blob);
    const text = frozen ?? new TextDecoder().decode(bytes);
    for (const hash of text.match(HASH) ?? []) if (blobs.names().includes(hash)) named.add(hash);
  }
  const lastSlots = new Map<string, number>();
  for (const { agent, job, by_hand: byHand, slot } of slots) {
    const group = `${job} of ${agent}, ${byHand}`;
    lastSlots.set(group, Math.max(slot, lastSlots.get(group) ?? 0));
  }
  return {
    lastSlots,
    rows: [
      ...activations.map(({ id }) => id),
      ...steps.map(({ activation, step }) => `step ${step} of ${activation}`),
      ...inbound.map(({ channel, external }) => `update ${external} of ${channel}`),
      ...outbox.map(({ id }) => `delivery ${id}`),
      ...slots.map((row) => `slot ${row.slot} of ${row.job} of ${row.agent}, ${row.by_hand}`),
    ],
    blobs: named,
  };
};

/** Rows of turns, which end earlier than the others. */
const isOfTurn = (row: string): boolean => row.startsWith("act_") || row.startsWith("step ");

/** None of these rows is gone. */
const checkRows = async (house: House, rows: readonly string[]): Promise<void> => {
  const left = new Set((await takeStock(house)).rows);
  const lost = rows.find((row) => !left.has(row));
  if (lost !== undefined) house.complain("retention", `${lost} was deleted within its retention time`);
};

/** Runs after a sweep within the retention time of all rows. */
export const checkKept = async (house: House, before: Stock): Promise<void> => {
  const { disk, complain } = house;
  await checkRows(house, before.rows);
  for (const hash of before.blobs)
    if (!disk.blobs.names().includes(hash)) complain("retention", `the blob ${hash}, which an input names, is missing`);
  await checkBlobs(house);
  await checkAbandoned(house);
};

/**
 * Runs after a sweep. Turns that ended before `endedBefore`, by the wall clock, are a month old.
 */
export const checkRetention = async (house: House, before: Stock, endedBefore: number): Promise<void> => {
  const { disk, complain } = house;
  const [activations, steps] = await Promise.all([
    disk.store.select({ table: "activations" }),
    disk.store.select({ table: "steps" }),
  ]);
  const old = activations.filter(({ ended_at: ended }) => ended !== null && ended < endedBefore);
  if (old.length > 0) complain("retention", `${old.length} turns that ended a month ago are still there`);
  const known = new Set(activations.map(({ id }) => id));
  const orphan = steps.find(({ activation }) => !known.has(activation));
  if (orphan !== undefined) complain("retention", `the steps of ${orphan.activation} outlived their turn`);
  await checkRows(
    house,
    before.rows.filter((row) => !isOfTurn(row)),
  );
  await checkBlobs(house);
};

/** Runs after a sweep a quarter later. No row of `before` is younger than the retention of deliveries. */
export const checkPruned = async (house: House, before: Stock): Promise<void> => {
  const { disk, complain } = house;
  const open = new Set(
    (await disk.store.select({ table: "outbox", where: { ended_at: null } })).map(({ id }) => `delivery ${id}`),
  );
  const left = new Set((await takeStock(house)).rows);
  for (const row of before.rows) {
    const isAged = row.startsWith("update ") || (row.startsWith("delivery ") && !open.has(row));
    if (isAged && left.has(row)) complain("retention", `${row} was not deleted after a quarter`);
  }
  await checkRows(
    house,
    before.rows.filter((row) => open.has(row)),
  );
  const { lastSlots } = await takeStock(house);
  for (const [group, slot] of before.lastSlots)
    if ((lastSlots.get(group) ?? 0) < slot) complain("retention", `the last slot of ${group} was deleted`);
};

/** Every blob that a row names exists. */
const checkBlobs = async (house: House): Promise<void> => {
  await checkUploadBlobs(house);
  const { disk, complain } = house;
  const { store, blobs } = disk;
  const [activations, steps, events, bodies, compactions] = await Promise.all([
    store.select({ table: "activations" }),
    store.select({ table: "steps" }),
    store.select({ table: "events" }),
    store.select({ table: "brain_bodies" }),
    store.select({ table: "compactions" }),
  ]);
  const named = new Set<string>();
  const name = (hash: string | null, what: string): void => {
    if (hash === null || named.has(hash)) return;
    named.add(hash);
    if (!blobs.names().includes(hash)) complain("retention", `the blob of ${what} is missing`);
  };
  for (const { stream, offset, blob } of events) name(blob, `event ${offset} of ${stream}`);
  for (const { hash, text } of bodies) if (text === null) name(hash, "a version of a file");
  for (const { summary, place } of compactions) name(summary, `the summary of compaction ${place}`);
  for (const { activation, step, output_blob: blob } of steps) name(blob, `step ${step} of ${activation}`);
  for (const { id, frozen_blob: blob } of activations) name(blob, `the input of ${id}`);
};
