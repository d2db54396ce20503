/**
 * What must have become of every job's slots once a house has come to rest: what was due has one fate, by its rule, and nothing else has
 * any; what fired was one turn, at the model and at the tools. Counted from the files, the walls and the far sides, not from the house's rows.
 */
import type { Row } from "@hearth/warden/memory-warden";
import type { House } from "./house.ts";
import type { JobHistory, Stretch } from "./job-history.ts";
import { type JobTerms, nextSlot, slotsBetween } from "./job-terms.ts";
import { nameOf, type SeenSlot } from "./job-watch.ts";

/** How late is still on time, and how many slots are caught up with one by one. */
const ON_TIME_MS = 60_000;
const MAX_CAUGHT_UP = 20;
/** A job that fails so often in a row is left alone until somebody mends it. */
const HALTS_AFTER = 5;
/** The longest that a job is left alone after a failure. */
const LONGEST_WAIT_MS = 60 * 60_000;

/** `isShared`: of what two daemons leave to each other nobody is woken until one of them opens anew, and by then its slot may have been given up. */
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
      complain(
        "I4",
        `${job} ran ${byHand} times by hand: it was asked for ${asked} times, and ${answered} times it was said to have`,
      );
  }
  for (const key of history.jobs()) {
    const [agent = "", job = ""] = key.split(" ");
    const own = seen.filter(({ row }) => handleOf(row.agent) === agent && row.job === job && row.by_hand === 0);
    checkDue(own, history, agent, job, complain);
  }
  await checkTurns(house, isShared);
};

/** When the house at the latest knew of it, or of something that came after it. */
const knownBy = (stretches: readonly Stretch[], index: number): number =>
  Math.min(Infinity, ...stretches.slice(index).map(({ known }) => known));

const isActive = (terms: JobTerms | undefined): terms is JobTerms => terms !== undefined && !terms.isPaused;

/** What was stored together: it was due by then, by what the file may have said to the house, and by that job's rule. */
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
  // An instant that had passed before the file was read is missed, or fires once by the job's catch-up rule.
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
      ({ row: one }) =>
        (one.slot > since || isUnread) &&
        slotsBetween(terms, one.slot, one.through).length === one.count &&
        nextSlot(terms, one.slot - 1) === one.slot,
    );
  });
  const told = batch.map(({ row: one }) => `${one.fate} ${one.count}`).join(", ");
  if (isUnread && (told === "missed 1" || told === "fired 1")) return;
  if (wasDue.length === 0) return complain("I4", `${nameOf(row)} became ${told}, and was not due`);
  const others = all.filter((one) => one.at <= at && one.batch < first.batch);
  const isRunning = others.some(({ row: one, end }) => one.ended_at === null && (end === undefined || end.at > at));
  const mayRest = others.some(({ end }) => end?.fate === "failed" && when < end.endedAt + LONGEST_WAIT_MS);
  const ruled = wasDue.flatMap(({ terms }) => (terms === undefined ? [] : [byRule(terms, batch, when)]));
  const skipped = `skipped ${countOf(batch)}`;
  const allowed = isRunning ? [skipped] : mayRest ? [...ruled, skipped] : ruled;
  if (!allowed.includes(told))
    complain("I4", `${nameOf(row)} became ${told}, and by its rule it is to be ${allowed.join(" or ")}`);
};

const countOf = (batch: readonly SeenSlot[]): number => batch.reduce((sum, { row }) => sum + row.count, 0);

const byRule = ({ catchUp }: JobTerms, batch: readonly SeenSlot[], when: number): string => {
  const count = countOf(batch);
  const isLate = when - (batch.at(-1)?.row.through ?? 0) > ON_TIME_MS;
  const fires = catchUp === "skip" && isLate ? 0 : Math.min(count, catchUp === "all" ? MAX_CAUGHT_UP : 1);
  const passed = count > fires ? [`${catchUp === "once" ? "merged" : "missed"} ${count - fires}`] : [];
  return [...passed, ...Array.from({ length: fires }, () => "fired 1")].join(", ");
};

/** What surely was due has exactly one fate. */
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
    // What the wall showed before was over when the house came to know of it; what it shows when it knows of the next is not its any more.
    const from = history.latest(0, known) + 1;
    const to = next === undefined ? history.wall() : history.earliest(next.from, knownBy(stretches, index + 1));
    for (const slot of slotsBetween(terms, from, to)) {
      const fates = own.filter(({ row }) => row.slot <= slot && slot <= row.through).length;
      if (fates !== 1)
        complain("I4", `the job ${job} of ${agent} was due at ${new Date(slot).toISOString()}, and has ${fates} fates`);
    }
  }
};

/** Each slot that fired is one message, one turn and one end, and its tools were used no more often. */
const checkTurns = async ({ disk, complain, jobs }: House, isShared: boolean): Promise<void> => {
  const rows = await disk.store.select({ table: "job_slots" });
  const activations = await disk.store.select({ table: "activations" });
  if (rows.length !== jobs.seen.length)
    complain("I4", `${jobs.seen.length} slots had a fate, and ${rows.length} have one`);
  for (const { row, message, end } of jobs.seen) {
    const kept = rows.find(
      (one) => one.agent === row.agent && one.job === row.job && one.slot === row.slot && one.by_hand === row.by_hand,
    );
    const name = nameOf(row);
    if (kept === undefined) complain("I4", `${name} had a fate, and has none`);
    else if (kept.ended_at === null) complain("I4", `${name} is left under way`);
    else if (kept.fate !== (end?.fate ?? row.fate))
      complain("I4", `${name} was ${end?.fate ?? row.fate} and is ${kept.fate}`);
    if (message === undefined || kept === undefined) continue;
    const turns = activations.filter(({ cause }) => cause === message);
    const [turn] = turns;
    if (turn === undefined || turns.length > 1) complain("I4", `${name} fired and woke ${turns.length} turns`);
    else if (
      kept.ended_at !== null &&
      kept.fate !== endOf(turn, activations) &&
      !(isShared && turn.created_at > kept.ended_at)
    )
      complain("I4", `${name} is ${kept.fate}, and its turn ${turn.state}`);
    const heard = turns.filter(({ id }) => jobs.heard.has(id)).length;
    if (heard > 1 || (turn?.state === "replied" && heard === 0))
      complain("I4", `the model heard of ${name} in ${heard} turns`);
  }
};

/** What became of a slot, by what became of its turn, or of the one that took it in. */
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
