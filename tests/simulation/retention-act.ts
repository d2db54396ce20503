/**
 * Checks of retention after a month: old turns are deleted, and every blob that a row names still
 * exists.
 */
import type { House } from "./house.ts";

export const MONTH_MS = 31 * 24 * 60 * 60_000;

/**
 * Runs after a sweep. Turns that ended before `endedBefore`, by the wall clock, are a month old.
 */
export const checkRetention = async ({ disk, complain }: House, endedBefore: number): Promise<void> => {
  const { store, blobs } = disk;
  const [activations, steps, events, bodies, compactions] = await Promise.all([
    store.select({ table: "activations" }),
    store.select({ table: "steps" }),
    store.select({ table: "events" }),
    store.select({ table: "brain_bodies" }),
    store.select({ table: "compactions" }),
  ]);
  const old = activations.filter(({ ended_at: ended }) => ended !== null && ended < endedBefore);
  if (old.length > 0) complain("retention", `${old.length} turns that ended a month ago are still there`);
  const known = new Set(activations.map(({ id }) => id));
  const orphan = steps.find(({ activation }) => !known.has(activation));
  if (orphan !== undefined) complain("retention", `the steps of ${orphan.activation} outlived their turn`);

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
