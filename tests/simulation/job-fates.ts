/**
 * Checks the slots of every job of a house at rest. Every slot that was due has exactly one fate,
 * which its catch-up rule allows. No other slot has a fate. Every slot that fired led to one turn.
 * Due slots are computed from the jobs files and the wall clocks, not from the house's rows.
 */
import type { Row } from "@hearth/warden/memory-warden";
import type { House } from "./house.ts";
import type { JobHistory, Stretch } from "./job-history.ts";
import { type JobTerms, nextSlot, slotsBetween } from "./job-terms.ts";
import { nameOf, type SeenSlot } from "./job-watch.ts";

/** How late a slot may fire and still be on time. */
const ON_TIME_MS = 60_000;
/** How many missed slots fire under the rule `all`. */
const MAX_CAUGHT_UP = 20;
/** A job is halted after this many failures in a row. */
const HALTS_AFTER = 5;
/** The longest backoff of a job after a failure. */
const LONGEST_WAIT_MS = 60 * 60_000;

/**
 * `isShared`: work that one of two daemons leaves to the other may wait until a daemon reopens. By
 * then its slot may have been given up.
 */
export const checkJobs = async (house: House, { isShared }: { readonly isShared: boolean }): Promise<void> => {
  const { disk, complain, jobs } = house;
  const { history, seen, runs } = jobs;
  if (history.jobs().length === 0) return;
  const records = await disk.store.select({ table: "records", where: { type: "agent" } });
  const handleOf = (agent: string): string => records.find(({ id }) => id === agent)?.handle ?? "?";
  for (const [key, own] of Map.groupBy(seen, ({ row }) => `${handleOf(row.agent)} ${row.job}`)) {
    const [agent = "", job = ""] = key.split(" ");
    for (const batch of Map.groupBy(
      own.filter(({ row }) => row.by_hand === 0),
      ({ batch: nth }) => nth,
    ).values())
      checkBatch(batch, own, history, agent, complain);
    const byHand = own.filter(({ row }) => row.by_hand === 1).length;
    const { asked, answered } = runs.get(key) ?? { asked: 0, answered: 0 };
    if (byHand > asked || byHand < answered)
      complain("I4", `${job} was run ${byHand} times by hand, after ${asked} requests of which ${answered} succeeded`);
  }
  for (const key of history.jobs()) {
    const [agent = "", job = ""] = key.split(" ");
    const own = seen.filter(({ row }) => handleOf(row.agent) === agent && row.job === job && row.by_hand === 0);
    checkDue(own, history, agent, job, complain);
  }
  await checkTurns(house, isShared);
};

/** The latest instant at which the house learned of this stretch or of a later one. */
const knownBy = (stretches: readonly Stretch[], index: number): number =>
  Math.min(Infinity, ...stretches.slice(index).map(({ known }) => known));

const isActive = (terms: JobTerms | undefined): terms is JobTerms => terms !== undefined && !terms.isPaused;

/**
 * Checks the slots that one commit stored: they were due under a version of the file that the house
 * may have read by then, and their fates follow that job's catch-up rule.
 */
const checkBatch = (
  batch: readonly SeenSlot[],
  all: readonly SeenSlot[],
  history: JobHistory,
  agent: string,
  complain: House["complain"],
): void => {
  const [first] = batch;
  if (first === undefined) return;
  const { at, row } = first;
  const when = row.fired_at ?? row.ended_at ?? 0;
  const stretches = history.stretches(agent, row.job);
  // A `once` job whose instant had passed before the file was read is missed, or fires once by its
  // rule.
  const firesLate = (terms: JobTerms): boolean => terms.catchUp !== "skip" || when - row.slot <= ON_TIME_MS;
  const isUnread = stretches.some(
    ({ terms, from }, index) =>
      terms?.times.kind === "once" &&
      terms.times.at === row.slot &&
      row.slot <= history.latest(from, knownBy(stretches, index)) &&
      (row.fate === "missed" || (row.fate === "fired" && firesLate(terms))),
  );
  const wasDue = stretches.filter(({ terms, from }, index) => {
    if (!isActive(terms) || from > at || knownBy(stretches, index + 1) < at) return false;
    const since = history.earliest(from, knownBy(stretches, index));
    return batch.every(
      ({ row: slot }) =>
        (slot.slot > since || isUnread) &&
        slotsBetween(terms, slot.slot, slot.through).length === slot.count &&
        nextSlot(terms, slot.slot - 1) === slot.slot,
    );
  });
  const fates = batch.map(({ row: slot }) => `${slot.fate} ${slot.count}`).join(", ");
  if (isUnread && (fates === "missed 1" || fates === "fired 1")) return;
  if (wasDue.length === 0) return complain("I4", `${nameOf(row)} became ${fates}, but was not due`);
  const others = all.filter((slot) => slot.at <= at && slot.batch < first.batch);
  const isRunning = others.some(({ row: slot, end }) => slot.ended_at === null && (end === undefined || end.at > at));
  const mayRest = others.some(({ end }) => end?.fate === "failed" && when < end.endedAt + LONGEST_WAIT_MS);
  const ruled = wasDue.flatMap(({ terms }) => (terms === undefined ? [] : [byRule(terms, batch, when)]));
  const skipped = `skipped ${countOf(batch)}`;
  const allowed = isRunning ? [skipped] : mayRest ? [...ruled, skipped] : ruled;
  if (!allowed.includes(fates))
    complain("I4", `${nameOf(row)} became ${fates}, but its rule requires ${allowed.join(" or ")}`);
};

const countOf = (batch: readonly SeenSlot[]): number => batch.reduce((sum, { row }) => sum + row.count, 0);

const byRule = ({ catchUp }: JobTerms, batch: readonly SeenSlot[], when: number): string => {
  const count = countOf(batch);
  const isLate = when - (batch.at(-1)?.row.through ?? 0) > ON_TIME_MS;
  const fires = catchUp === "skip" && isLate ? 0 : Math.min(count, catchUp === "all" ? MAX_CAUGHT_UP : 1);
  const passed = count > fires ? [`${catchUp === "once" ? "merged" : "missed"} ${count - fires}`] : [];
  return [...passed, ...Array.from({ length: fires }, () => "fired 1")].join(", ");
};

/** Every slot that was certainly due has exactly one fate. */
const checkDue = (
  own: readonly SeenSlot[],
  history: JobHistory,
  agent: string,
  job: string,
  complain: House["complain"],
): void => {
  if (own.filter(({ end }) => end?.fate === "failed").length >= HALTS_AFTER) return;
  const stretches = history.stretches(agent, job);
  for (const [index, { terms }] of stretches.entries()) {
    const known = knownBy(stretches, index);
    const next = stretches[index + 1];
    if (!isActive(terms) || known === Infinity || known > (next?.from ?? Infinity)) continue;
    // Slots before the house learned of this stretch, and after it learned of the next, are not
    // certain.
    const from = history.latest(0, known) + 1;
    const to = next === undefined ? history.wall() : history.earliest(next.from, knownBy(stretches, index + 1));
    for (const slot of slotsBetween(terms, from, to)) {
      const fates = own.filter(({ row }) => row.slot <= slot && slot <= row.through).length;
      if (fates !== 1)
        complain("I4", `the job ${job} of ${agent} was due at ${new Date(slot).toISOString()}, but has ${fates} fates`);
    }
  }
};

/**
 * Each slot that fired has one message, one turn and one end, and reached the model in one turn.
 */
const checkTurns = async ({ disk, complain, jobs }: House, isShared: boolean): Promise<void> => {
  const rows = await disk.store.select({ table: "job_slots" });
  const activations = await disk.store.select({ table: "activations" });
  if (rows.length !== jobs.seen.length)
    complain("I4", `${jobs.seen.length} slots were stored, but the table has ${rows.length}`);
  for (const { row, message, end } of jobs.seen) {
    const kept = rows.find(
      (candidate) =>
        candidate.agent === row.agent &&
        candidate.job === row.job &&
        candidate.slot === row.slot &&
        candidate.by_hand === row.by_hand,
    );
    const name = nameOf(row);
    if (kept === undefined) complain("I4", `${name} had a fate, but its row is missing`);
    else if (kept.ended_at === null) complain("I4", `${name} never ended`);
    else if (kept.fate !== (end?.fate ?? row.fate))
      complain("I4", `${name} was ${end?.fate ?? row.fate} and is ${kept.fate}`);
    if (message === undefined || kept === undefined) continue;
    const turns = activations.filter(({ cause }) => cause === message);
    const [turn] = turns;
    if (turn === undefined || turns.length > 1) complain("I4", `${name} fired, but led to ${turns.length} turns`);
    else if (
      kept.ended_at !== null &&
      kept.fate !== endOf(turn, activations) &&
      !(isShared && turn.created_at > kept.ended_at)
    )
      complain("I4", `${name} is ${kept.fate}, but its turn is ${turn.state}`);
    const heard = turns.filter(({ id }) => jobs.heard.has(id)).length;
    if (heard > 1 || (turn?.state === "replied" && heard === 0))
      complain("I4", `${name} reached the model in ${heard} turns`);
  }
};

/** The fate of a slot, from the state of its turn or of the turn that merged it. */
const endOf = (turn: Row<"activations">, all: readonly Row<"activations">[]): string => {
  const host = turn.merged_into === null ? undefined : all.find(({ id }) => id === turn.merged_into);
  if (host !== undefined) return endOf(host, all);
  const { state, skip } = turn;
  return state === "replied" || (state === "skipped" && skip === null)
    ? "fired"
    : state === "stopped"
      ? "stopped"
      : "failed";
};
