/** Computes when a schedule is due. The functions have no side effects and return the same result on every machine. */
import type { JobSchedule } from "@hearth/protocol";
import { createCronSlots } from "./cron.ts";
import { createZone, type Zone } from "./zone.ts";

export interface Slots {
  /** Returns the first slot after the instant, or undefined. */
  next(after: number): number | undefined;
}

/** The slots that are due by an instant. */
export interface DueSlots {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** The last of the due slots, oldest first, up to the requested number. */
  readonly latest: readonly number[];
}

/** Creates the function that creates the slots of a schedule. It caches zones. */
export const createSlotsOf = (): ((schedule: JobSchedule, until?: number) => Slots) => {
  const zones = new Map<string, Zone>();
  const zoneOf = (name: string): Zone => {
    const zone = zones.get(name) ?? createZone(name);
    zones.set(name, zone);
    return zone;
  };
  return (schedule, until = Infinity) => {
    const slots = slotsOf(schedule, zoneOf);
    return {
      next(after) {
        const slot = slots.next(after);
        return slot === undefined || slot > until ? undefined : slot;
      },
    };
  };
};

const slotsOf = (schedule: JobSchedule, zoneOf: (name: string) => Zone): Slots => {
  switch (schedule.kind) {
    case "cron":
      return createCronSlots(schedule.cron, zoneOf(schedule.zone));
    case "every": {
      const { everyMs, from } = schedule;
      return { next: (after) => from + Math.max(1, Math.floor((after - from) / everyMs) + 1) * everyMs };
    }
    case "once":
      return { next: (after) => (schedule.at > after ? schedule.at : undefined) };
  }
};

/**
 * Returns the slots that are due by `now`, beginning with the slot `first`, or undefined if `first`
 * is in the future. Counts all slots.
 */
export const findDueSlots = (slots: Slots, first: number, now: number, maxLatest: number): DueSlots | undefined => {
  if (first > now) return undefined;
  const latest: number[] = [];
  let [lastSlot, count] = [first, 0];
  for (let slot: number | undefined = first; slot !== undefined && slot <= now; slot = slots.next(slot)) {
    lastSlot = slot;
    count += 1;
    latest.push(slot);
    if (latest.length > maxLatest) latest.shift();
  }
  return { first, last: lastSlot, count, latest };
};
