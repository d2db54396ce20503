/**
 * Checks of retention. After two days: no row is gone, and every blob that a row or a frozen input
 * names exists. After a month: old turns are deleted, and every blob that a row names exists.
 */
import type { House } from "./house.ts";

export const TWO_DAYS_MS = 2 * 24 * 60 * 60_000;
export const MONTH_MS = 31 * 24 * 60 * 60_000;

/** Rows of turns before a sweep, and the blobs that they name. */
export interface Stock {
  readonly rows: readonly string[];
  readonly blobs: ReadonlySet<string>;
}

const HASH = /\b[0-9a-f]{64}\b/g;

export const takeStock = async ({ disk: { store, blobs } }: House): Promise<Stock> => {
  const [activations, steps] = await Promise.all([
    store.select({ table: "activations" }),
    store.select({ table: "steps" }),
  ]);
  const named = new Set<string>();
  for (const { frozen, frozen_blob: blob } of activations) {
    const bytes = blob === null ? undefined : await blobs.intact(blob);
    const text = frozen ?? new TextDecoder().decode(bytes);
    for (const hash of text.match(HASH) ?? []) if (blobs.names().includes(hash)) named.add(hash);
  }
  return {
    rows: [...activations.map(({ id }) => id), ...steps.map(({ activation, step }) => `step ${step} of ${activation}`)],
    blobs: named,
  };
};

/** Runs after a sweep within the retention time of all rows. */
export const checkKept = async (house: House, before: Stock): Promise<void> => {
  const { disk, complain } = house;
  const left = new Set((await takeStock(house)).rows);
  const lost = before.rows.find((row) => !left.has(row));
  if (lost !== undefined) complain("retention", `${lost} was deleted within its retention time`);
  for (const hash of before.blobs)
    if (!disk.blobs.names().includes(hash)) complain("retention", `the blob ${hash}, which an input names, is missing`);
  await checkBlobs(house);
};

/**
 * Runs after a sweep. Turns that ended before `endedBefore`, by the wall clock, are a month old.
 */
export const checkRetention = async (house: House, endedBefore: number): Promise<void> => {
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
  await checkBlobs(house);
};

/** Every blob that a row names exists. */
const checkBlobs = async ({ disk: { store, blobs }, complain }: House): Promise<void> => {
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
