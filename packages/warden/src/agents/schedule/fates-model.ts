/**
 * A model of the fates of a job's slots between two looks at the store. It knows intervals, days
 * and instants, and nothing of the implementation. For tests with random actions of people, clocks
 * and machines.
 */
import type { JobSchedule } from "@hearth/protocol";
import { MAX_CAUGHT_UP } from "./time/catch-up.ts";
import { type JobRow, type SlotRow, type Terms, termsOf, UNREAD } from "./rows.ts";

const DAY_MS = 86_400_000;
/** Largest correction of the clock that changes no slot. */
const CORRECTION_MS = 5000;
/** Largest delay that counts as on time. */
const ON_TIME_MS = 60_000;

/** The stored state of a job at one moment. */
export interface Look {
  readonly now: number;
  /** Undefined: there is no such job. */
  readonly row: JobRow | undefined;
  /** Slots of the schedule, oldest first. */
  readonly slots: readonly SlotRow[];
  /** All slots, including those that people fired. */
  readonly ofAll: readonly SlotRow[];
  /** The unfinished slots: each as its instant, with 1 if a person fired it. */
  readonly under: ReadonlySet<string>;
  /** Whether the file has an error: then nothing of the job is due. */
  readonly isBroken: boolean;
}

/** The first slot after the instant. Cron expressions are daily only: `M H * * *` in UTC. */
export const slotAfter = (schedule: JobSchedule, after: number, until = Infinity): number | undefined => {
  const slot = ((): number | undefined => {
    switch (schedule.kind) {
      case "once":
        return schedule.at > after ? schedule.at : undefined;
      case "every": {
        const { from, everyMs } = schedule;
        return after < from ? from + everyMs : after + everyMs - ((after - from) % everyMs);
      }
      case "cron": {
        const [minute, hour] = schedule.cron.split(" ").map(Number);
        const inDay = ((hour ?? 0) * 60 + (minute ?? 0)) * 60_000;
        const today = Math.floor(after / DAY_MS) * DAY_MS + inDay;
        return today > after ? today : today + DAY_MS;
      }
    }
  })();
  return slot === undefined || slot > until ? undefined : slot;
};

/**
 * Returns all faults in a job's transition between two looks. New terms, if any, apply from some
 * instant after `began`.
 */
export const faultsBetween = (before: Look, after: Look, began: number = before.now): readonly string[] => {
  const faults: string[] = [];
  const addFault = (what: string): void => void faults.push(what);
  const known = new Map(before.slots.map((slot) => [slot.slot, slot]));
  for (const old of before.slots) {
    const kept = after.slots.find(({ slot }) => slot === old.slot);
    // A slot that did not run is due again if the clock was set back to before it.
    const isAhead = old.activation === null && old.through > after.now;
    if (kept === undefined) {
      if (!isAhead || old.slot <= after.now) addFault(`the slot ${at(old.slot)} is missing`);
    } else if (kept.through !== old.through || kept.count !== old.count) {
      if (!isAhead || kept.through > old.through) addFault(`the slot ${at(old.slot)} has changed`);
    } else if (kept.fate !== old.fate && !(old.fate === "fired" && ["failed", "stopped"].includes(kept.fate)))
      addFault(`the slot ${at(old.slot)} was ${old.fate} and is ${kept.fate}`);
  }
  let last = -Infinity;
  for (const { slot, through, reason, fate, ended_at, activation } of after.slots) {
    if (slot <= last) addFault(`${at(slot)} has two fates`);
    last = through;
    if (reason === "") addFault(`${at(slot)} is ${fate} without a reason`);
    if (ended_at === null && (fate !== "fired" || activation === null))
      addFault(`${at(slot)} is ${fate} without an end`);
  }
  // A single instant that passed before the file was read was never due.
  const fresh = after.slots.filter(({ slot, reason }) => !known.has(slot) && reason !== UNREAD);
  faults.push(...dueFaults(before, after, fresh, began), ...ruleFaults(before, after, fresh));
  return faults;
};

/**
 * Whether a single instant that passed this long before the file was read still fires, by the job's
 * catch-up rule.
 */
const isLateOnce = ({ schedule, catchUp }: Terms, lateMs: number): boolean =>
  schedule.kind === "once" && lateMs <= (catchUp === "skip" ? ON_TIME_MS : DAY_MS);

/** Checks that no due slot is left out, and that the next one follows from the last. */
const dueFaults = (
  { row: old, now: lookedAt }: Look,
  { row, now, isBroken, slots }: Look,
  fresh: readonly SlotRow[],
  began: number,
): readonly string[] => {
  const faults: string[] = [];
  const isSetBack = lookedAt - now > CORRECTION_MS;
  const edited = row === undefined || row.terms === old?.terms ? undefined : termsOf(row);
  /** A job edited right before a slot of its new terms has that slot at once. */
  const isOfNewTerms = (slot: number): boolean =>
    edited !== undefined &&
    (slot > began || isLateOnce(edited, began - slot)) &&
    slotAfter(edited.schedule, slot - 1, edited.until) === slot;
  if (old === undefined || old.next_at === null) {
    if (fresh.some(({ fate, slot }) => fate === "fired" && !isOfNewTerms(slot)))
      faults.push("a slot of a job that had none fired");
  } else if (fresh.length === 0) {
    if (old.next_at !== row?.next_at && old.next_at <= now) faults.push(`${at(old.next_at)} was due and has no fate`);
  } else {
    let { schedule, until } = termsOf(old);
    // Set back, it is planned again from the present clock.
    let expected: number | undefined = isSetBack ? fresh[0]?.slot : old.next_at;
    for (const { slot, through, count } of fresh) {
      while (expected !== undefined && expected < slot && isTaken(slots, expected))
        expected = slotAfter(schedule, expected, until);
      if (slot !== expected && edited !== undefined && isOfNewTerms(slot)) ({ schedule, until } = edited);
      else if (slot !== expected) faults.push(`${at(slot)} has a fate, and ${at(expected)} was due`);
      let counted = 0;
      for (expected = slot; expected !== undefined && expected <= through; counted += 1)
        expected = slotAfter(schedule, expected, until);
      if (counted !== count) faults.push(`${count} slots are recorded from ${at(slot)}, but ${counted} were due`);
    }
  }
  if (row === undefined) return faults;
  if (row.next_at !== null && row.next_at <= now) faults.push(`${at(row.next_at)} is due and was left`);
  const isMoved = isSetBack || old?.next_at !== row.next_at;
  const { schedule, until } = termsOf(row);
  // A clock that was put back does not repeat slots that already have a fate.
  let next = slotAfter(schedule, now, until);
  while (next !== undefined && isTaken(slots, next)) next = slotAfter(schedule, next, until);
  if (isMoved && row.next_at !== null && row.next_at !== next)
    faults.push(`${at(row.next_at)} is next, and ${at(next)} comes after ${at(now)}`);
  if (!isBroken && row.status === "active" && row.next_at === null && next !== undefined)
    faults.push("it is active and never due");
  return faults;
};

const isTaken = (slots: readonly SlotRow[], instant: number): boolean =>
  slots.some(({ slot, through }) => slot <= instant && instant <= through);

/** Checks which slots fired and the fates of the others, by the job's rule. */
const ruleFaults = (before: Look, after: Look, fresh: readonly SlotRow[]): readonly string[] => {
  const { row, under } = before;
  if (row === undefined) return [];
  const terms = termsOf(row);
  const faults: string[] = [];
  const isKnown = new Set(before.ofAll.map(({ slot, by_hand }) => `${slot} ${by_hand}`));
  // Slots that a person fired meanwhile.
  const earlier = after.ofAll.filter(
    ({ slot, by_hand }) => under.has(`${slot} ${by_hand}`) || (by_hand === 1 && !isKnown.has(`${slot} ${by_hand}`)),
  );
  for (const [when, batch] of Map.groupBy(fresh, ({ fired_at, ended_at }) => fired_at ?? ended_at ?? 0)) {
    const actual = fatesIn(batch);
    const isHeld = when < row.not_before || earlier.some(({ ended_at }) => ended_at === null || ended_at > when);
    // A running slot ended meanwhile, before or after these slots, and may have failed.
    const isEither = earlier.some(({ ended_at }) => ended_at !== null);
    const skipped = `skipped ${countOf(batch)}`;
    const ruled = byRule(terms, batch, when);
    const expected = isEither && actual === skipped ? skipped : isEither || !isHeld ? ruled : skipped;
    if (actual !== expected)
      faults.push(`by the rule "${terms.catchUp}" the fates should be ${expected}, and are ${actual}`);
    earlier.push(...batch.filter(({ activation }) => activation !== null));
  }
  return faults;
};

const isFired = (fate: string): boolean => fate === "fired" || fate === "failed" || fate === "stopped";

/** The fates in order. A run that a slot with an earlier fate divides counts as one. */
const fatesIn = (batch: readonly SlotRow[]): string => {
  const fates: { readonly fate: string; readonly count: number }[] = [];
  for (const { fate, count } of batch) {
    const before = fates.at(-1);
    if (isFired(fate)) fates.push({ fate: "fired", count });
    else if (before?.fate === fate) fates.splice(-1, 1, { fate, count: before.count + count });
    else fates.push({ fate, count });
  }
  return fates.map(({ fate, count }) => `${fate} ${count}`).join(", ");
};

const countOf = (batch: readonly SlotRow[]): number => batch.reduce((sum, { count }) => sum + count, 0);

const byRule = ({ catchUp }: Terms, batch: readonly SlotRow[], when: number): string => {
  const count = countOf(batch);
  const isLate = when - (batch.at(-1)?.through ?? 0) > ON_TIME_MS;
  const fires = catchUp === "skip" && isLate ? 0 : Math.min(count, catchUp === "all" ? MAX_CAUGHT_UP : 1);
  const others = catchUp === "once" ? "merged" : "missed";
  return [
    ...(count > fires ? [`${others} ${count - fires}`] : []),
    ...Array.from({ length: fires }, () => "fired 1"),
  ].join(", ");
};

const at = (instant: number | undefined): string =>
  instant === undefined || !Number.isFinite(instant) ? "nothing" : new Date(instant).toISOString();
