/** Decides which of a job's due slots fire and which are skipped. */
import { readReplyRoute, type Guard, type Outbox, type Write } from "../../kernel/index.ts";
import { HearthError, type JobStatus } from "@hearth/protocol";
import { type SlotOutcome, decideSlots, type BlockReason, MAX_CAUGHT_UP, MAX_CONFLICTS } from "./time/catch-up.ts";
import type { HookPayload } from "./hook-payload.ts";
import type { HeartbeatGate } from "./heartbeats/heartbeat-gate.ts";
import { traitsOf } from "./job-traits.ts";
import { createFreeSlots } from "./next-slot.ts";
import { backOffMs, failureNotice, MAX_FAILURES } from "./notices.ts";
import { type JobRow, type SlotRow, readDefinition } from "./rows.ts";
import { createSlotCommits, slotRow, type SlotCommitsOptions } from "./slot-commits.ts";
import { type createSlotsOf, findDueSlots } from "./time/slots.ts";
import type { createTargets, Target } from "./target.ts";

export interface FiringOptions extends SlotCommitsOptions {
  readonly slotsOf: ReturnType<typeof createSlotsOf>;
  readonly targetOf: ReturnType<typeof createTargets>;
  /** Delivers the job's replies to its reply route. */
  readonly outbox: Pick<Outbox, "plan" | "poke">;
  readonly heartbeats: HeartbeatGate;
}

export interface Firing {
  /**
   * Decides all due slots of the job. Does nothing if no slot is due, or if another daemon was
   * first.
   */
  decideDueSlots(agent: string, name: string): Promise<void>;
  /** Skips all due slots of the job, with this reason. */
  skip(agent: string, name: string, reason: string): Promise<void>;
  /**
   * Fires the job outside its schedule. Throws `job.not-found`, and `job.invalid` if the job
   * cannot run.
   */
  fireManually(agent: string, name: string, request?: FireRequest): Promise<SlotRow>;
  /** Called with each slot that has fired. */
  onFired(listener: (slot: SlotRow) => void): void;
}

/** A request to fire the job now: its reason, its payload, and the change to commit with the slot. */
export interface FireRequest {
  readonly reason: string;
  readonly payload?: HookPayload;
  readonly guards: readonly Guard[];
  readonly writes: (slot: number) => readonly Write[];
}

const MANUAL_REQUEST: FireRequest = { reason: "A person started it.", guards: [], writes: () => [] };

export const createFiring = (options: FiringOptions): Firing => {
  const { world, store, slotsOf, targetOf, onRescheduled, outbox, heartbeats } = options;
  const { fire, write, onFired } = createSlotCommits(options);

  const find = async (agent: string, name: string): Promise<JobRow | undefined> =>
    (await store.select({ table: "jobs", where: { agent, name } }))[0];

  const blockReason = async (row: JobRow, now: number): Promise<BlockReason | undefined> => {
    const where = { agent: row.agent, job: row.name, ended_at: null };
    const unfinished = await store.select({ table: "job_slots", where });
    if (unfinished.length > 0) return traitsOf(row).whileRunning;
    return now < row.not_before ? "backing-off" : undefined;
  };

  /** Settles the job once. Returns false if the row has changed at the same time. */
  const decideOnce = async (row: JobRow, skipReason?: string): Promise<boolean> => {
    const now = world.clock.now();
    if (row.next_at === null || row.next_at > now) {
      onRescheduled(row);
      return true;
    }
    const terms = readDefinition(row);
    const slots = slotsOf(terms.schedule, terms.until);
    const { free, split } = await createFreeSlots(store, row, slots, row.next_at);
    const due = findDueSlots(free, row.next_at, now, MAX_CAUGHT_UP + 1);
    if (due === undefined) return true;
    const nextSlot = free.next(due.last);
    const decidedOutcomes: readonly SlotOutcome[] =
      skipReason === undefined
        ? decideSlots(due, terms.catchUp, now, await blockReason(row, now))
        : [{ slot: due.first, through: due.last, count: due.count, fate: "skipped", reason: skipReason }];
    const outcomes = traitsOf(row).firesForNews ? await admit(row, decidedOutcomes) : decidedOutcomes;
    const rows = outcomes.flatMap(split).map((part) => slotRow(row, part, now));
    const status: JobStatus = nextSlot === undefined ? "over" : "active";
    const newRow: JobRow = { ...row, status, next_at: nextSlot ?? null };
    if (!outcomes.some(({ fate }) => fate === "fired")) return write(row, newRow, rows, []);
    const target = await targetOf(row, terms);
    if (target.kind === "refused") return writeRefusal(row, newRow, rows, target, now);
    const heartbeat = traitsOf(row).firesForNews ? await heartbeats.createMessage(row, terms, target.room) : undefined;
    const plannedSlots = rows.map((slot) =>
      slot.fate === "fired" ? fire(row, terms, slot, target, { now, heartbeat }) : { slot, events: [] },
    );
    return write(
      row,
      newRow,
      plannedSlots.map(({ slot }) => slot),
      plannedSlots.flatMap(({ events }) => events),
      { guards: [], writes: heartbeat?.writes ?? [] },
    );
  };

  /** Skips the slots at which the heartbeat has no reason to run. */
  const admit = (row: JobRow, outcomes: readonly SlotOutcome[]): Promise<readonly SlotOutcome[]> =>
    Promise.all(
      outcomes.map(async (outcome) => {
        const reason = outcome.fate === "fired" ? await heartbeats.refusal(row, outcome.slot) : undefined;
        return reason === undefined ? outcome : { ...outcome, fate: "skipped", reason };
      }),
    );

  const writeRefusal = async (
    row: JobRow,
    newRow: JobRow,
    slots: readonly SlotRow[],
    { reason, notify }: Extract<Target, { kind: "refused" }>,
    now: number,
  ): Promise<boolean> => {
    const failedSlots = slots.map((slot) =>
      slot.fate === "fired" ? { ...slot, fate: "failed" as const, reason } : slot,
    );
    const failures = row.failures + 1;
    const id = world.ids.derive("evt", "job-failed", row.agent, row.name, String(slots.at(-1)?.slot));
    const failureFields = { agent: row.agent, job: row.name, reason, failures, at: now, causes: [] };
    if (notify === undefined) return write(row, withFailures(newRow, failures, now), failedSlots, []);
    const { room, handle } = notify;
    const event = failureNotice({ ...failureFields, room: room.id, handle });
    const route = readReplyRoute(row.way);
    const outboxWrites = await outbox.plan({ ...event, id, ...(route === undefined ? {} : { route }) });
    const events = [{ stream: `room:${room.id}`, id, event }] as const;
    const isWritten = await write(row, withFailures(newRow, failures, now), failedSlots, events, {
      guards: [],
      writes: outboxWrites,
    });
    if (isWritten && outboxWrites.length > 0) outbox.poke();
    return isWritten;
  };

  const decideDueSlots = async (agent: string, name: string, skipReason?: string): Promise<void> => {
    for (let attempt = 0; attempt < MAX_CONFLICTS; attempt += 1) {
      const row = await find(agent, name);
      if (row === undefined || (await decideOnce(row, skipReason))) return;
    }
    throw new Error(`The job ${name} of ${agent} could not be written: ${MAX_CONFLICTS} conflicts in a row`);
  };

  return {
    decideDueSlots: (agent, name) => decideDueSlots(agent, name),
    skip: decideDueSlots,
    onFired,

    async fireManually(agent, name, { reason, payload, guards, writes } = MANUAL_REQUEST) {
      for (let attempt = 0; attempt < MAX_CONFLICTS; attempt += 1) {
        const row = await find(agent, name);
        if (row === undefined) throw jobNotFoundError(name);
        const now = world.clock.now();
        const terms = readDefinition(row);
        const target = await targetOf(row, terms);
        if (target.kind === "refused")
          throw new HearthError("job.invalid", `The job "${name}" cannot run: ${target.reason}`, {
            hint: `Correct the job: hearth job edit ${agent} ${name}`,
          });
        // If there are two firings in one millisecond, the later slot gets the next millisecond.
        const [lastSlot] = await store.select({
          table: "job_slots",
          where: { agent, job: name, by_hand: 1 },
          limit: 1,
          order: [{ column: "slot", descending: true }],
        });
        const slotAt = lastSlot === undefined ? now : Math.max(now, lastSlot.slot + 1);
        const outcome: SlotOutcome = { slot: slotAt, through: slotAt, count: 1, fate: "fired", reason };
        const heartbeat = traitsOf(row).firesForNews
          ? await heartbeats.createMessage(row, terms, target.room)
          : undefined;
        const details = { now, delivered: payload, heartbeat };
        const { slot, events } = fire(row, terms, { ...slotRow(row, outcome, now), by_hand: 1 }, target, details);
        const sameCommit = { guards, writes: [...writes(slotAt), ...(heartbeat?.writes ?? [])] };
        if (await write(row, row, [slot], events, sameCommit)) return slot;
      }
      throw new Error(`The job ${name} of ${agent} could not be written: ${MAX_CONFLICTS} conflicts in a row`);
    },
  };
};

/** Returns the job's row after this many consecutive failures: backing off, or halted. */
export const withFailures = (row: JobRow, failures: number, now: number): JobRow =>
  failures < MAX_FAILURES
    ? { ...row, failures, not_before: now + backOffMs(failures) }
    : { ...row, failures, status: "halted", next_at: null };

export const jobNotFoundError = (name: string): HearthError =>
  new HearthError("job.not-found", `There is no job "${name}".`, { hint: "List the jobs: hearth job list" });
