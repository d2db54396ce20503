/** Decides the fate of each due slot by the job's rule. */
import type { CatchUp, SlotFate } from "@hearth/protocol";
import type { DueSlots } from "./slots.ts";

/** A slot, or a run of slots with one fate. */
export interface SlotOutcome {
  readonly slot: number;
  readonly through: number;
  readonly count: number;
  readonly fate: Extract<SlotFate, "fired" | "merged" | "missed" | "skipped">;
  readonly reason: string;
}

/** The reason why no slot of the job may fire now. */
export type BlockReason = "running" | "looking" | "backing-off";

/** Maximum delay of a slot that counts as on time, because of a busy machine or a restart. */
export const GRACE_MS = 60_000;
/** Maximum number of slots that fire one after the other when all slots are caught up. */
export const MAX_CAUGHT_UP = 20;
/**
 * Maximum number of retries of a conflicting write to a job's row. Every ending slot writes the row
 * too, and MAX_CAUGHT_UP slots of one job may end in quick succession.
 */
export const MAX_CONFLICTS = 5 * MAX_CAUGHT_UP;

/** Returns the fates of all slots in `due`, in order. */
export const decideSlots = (
  due: DueSlots,
  rule: CatchUp,
  now: number,
  blocked?: BlockReason,
): readonly SlotOutcome[] => {
  if (blocked !== undefined) return [toOutcome(due.first, due.last, due.count, ...BLOCKED_OUTCOMES[blocked])];
  const firingSlots = due.latest
    .slice(rule === "all" ? -MAX_CAUGHT_UP : -1)
    .filter((slot) => rule !== "skip" || isOnTime(slot, now));
  const [firstFiring] = firingSlots;
  const missedCount = due.count - firingSlots.length;
  const missedOutcomes = ((): readonly SlotOutcome[] => {
    if (missedCount === 0) return [];
    const lastMissed =
      firstFiring === undefined ? due.last : (due.latest[due.latest.indexOf(firstFiring) - 1] ?? due.first);
    const [fate, reason] = MISSED_OUTCOMES[rule];
    return [toOutcome(due.first, lastMissed, missedCount, fate, reason)];
  })();
  return [
    ...missedOutcomes,
    ...firingSlots.map((slot) =>
      toOutcome(slot, slot, 1, "fired", isOnTime(slot, now) ? "On time." : CAUGHT_UP_REASON),
    ),
  ];
};

const isOnTime = (slot: number, now: number): boolean => now - slot <= GRACE_MS;

const toOutcome = (
  slot: number,
  through: number,
  count: number,
  fate: SlotOutcome["fate"],
  reason: string,
): SlotOutcome => ({
  slot,
  through,
  count,
  fate,
  reason,
});

const CAUGHT_UP_REASON = "Late: the house was not running at that time and caught up.";

const BLOCKED_OUTCOMES: Readonly<Record<BlockReason, readonly [SlotOutcome["fate"], string]>> = {
  running: ["skipped", "The previous run had not ended."],
  looking: ["merged", "The previous heartbeat had not ended."],
  "backing-off": ["skipped", "The job failed recently and is backing off."],
};

const MISSED_OUTCOMES: Readonly<Record<CatchUp, readonly [SlotOutcome["fate"], string]>> = {
  once: ["merged", "A later slot fired for it."],
  all: ["missed", `Only the last ${MAX_CAUGHT_UP} missed slots run later.`],
  skip: ["missed", "The house was not running at that time, and the job does not catch up."],
};
