/**
 * Ends slots when the turns that they woke end: writes the fate, counts failures and notifies
 * people.
 */
import {
  readJson,
  hasEnded,
  readReplyRoute,
  type Outbox,
  type Store,
  type Write,
  type Row,
  type DurableStreams,
  replyIdOf,
} from "../../kernel/index.ts";
import type { Records, Rooms } from "../../people/index.ts";
import { type EventId, isZeroUsage, type RoomId, type SlotFate, Usage, type World } from "@hearth/protocol";
import { MAX_CONFLICTS } from "./time/catch-up.ts";
import { withFailures } from "./firing.ts";
import { hasErrorCode } from "./failed-by.ts";
import { traitsOf } from "./job-traits.ts";
import { failureNotice } from "./notices.ts";
import type { JobRow, SlotRow, OnRescheduled } from "./rows.ts";

export interface SlotEndsOptions {
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly records: Pick<Records, "find">;
  readonly rooms: Pick<Rooms, "direct">;
  readonly onRescheduled: OnRescheduled;
  /** Decides the due slots of the job. */
  readonly decideDueSlots: (row: JobRow) => Promise<unknown>;
  /** Delivers the job's replies to its reply route. */
  readonly outbox: Pick<Outbox, "plan" | "poke" | "whyRouteClosed">;
}

export interface SlotEnds {
  watch(slot: SlotRow): void;
  /** Loads the unfinished slots of all daemons. */
  load(): Promise<void>;
  /** Checks which unfinished slots of this agent, or of all agents, have ended. */
  check(agent?: string): Promise<void>;
}

interface SlotEnd {
  readonly fate: SlotFate;
  readonly reason: string;
  readonly result?: EventId;
  /** The room of the turn that the slot woke. */
  readonly room?: RoomId;
  /** Whether the job would fail again until a person changes something. */
  readonly halts?: true;
}

/**
 * Maximum time in which a message wakes an agent while a daemon runs. An older message will not
 * wake one.
 */
const MAX_WAKE_DELAY_MS = 60_000;

export const createSlotEnds = (options: SlotEndsOptions): SlotEnds => {
  const { world, store, streams, records, rooms, onRescheduled, decideDueSlots, outbox } = options;
  /**
   * The unfinished slots. `since` is when this daemon learned of the slot, on its monotonic
   * clock. The wall clock may be set, and no agent wakes while no daemon runs.
   */
  const unfinished = new Map<string, { readonly slot: SlotRow; readonly since: number }>();
  const keyOf = ({ activation }: SlotRow): string => activation ?? "";

  const activationOf = async (id: string): Promise<Row<"activations"> | undefined> => {
    const [row] = await store.select({ table: "activations", where: { id } });
    return row === undefined || row.merged_into === null ? row : activationOf(row.merged_into);
  };

  /** Returns the end of the slot, or undefined while it is running. */
  const endOf = async (slot: SlotRow, knownMs: number): Promise<SlotEnd | undefined> => {
    const row = await activationOf(keyOf(slot));
    if (row === undefined) {
      if (knownMs < MAX_WAKE_DELAY_MS) return undefined;
      return {
        fate: "failed",
        reason: "The message of the job woke no agent: the agent is not in the room, or cannot write there.",
      };
    }
    if (!hasEnded(row.state)) return undefined;
    const room = row.room;
    if (row.state === "replied")
      return { fate: "fired", reason: slot.reason, result: replyIdOf(world.ids, row.id), room };
    const reason = row.reason ?? "It ended without a reason.";
    if (row.state === "stopped") return { fate: "stopped", reason };
    const { hasBudget, haltsWithoutKey } = traitsOf({ name: slot.job });
    // If its first call exceeded the remaining budget, no model was called.
    if (hasBudget && hasErrorCode(row.error, "budget.spent"))
      return { fate: costsNothing(row) ? "skipped" : "stopped", reason };
    if (haltsWithoutKey && hasErrorCode(row.error, "provider.auth"))
      return { fate: "failed", reason, room, halts: true };
    // A turn that had nothing to say has succeeded. A turn that a rule skipped has failed.
    return row.state === "skipped" && row.skip === null ? { fate: "fired", reason } : { fate: "failed", reason, room };
  };

  /** Returns the reason of the end. Adds why the reply did not reach its route, if it did not. */
  const withRouteProblem = async ({ way: route }: SlotRow, { reason, room }: SlotEnd): Promise<string> => {
    const replyRoute = readReplyRoute(route);
    const why =
      replyRoute === undefined || room === undefined ? undefined : await outbox.whyRouteClosed(replyRoute, room);
    return why === undefined ? reason : `${reason} The reply was sent only to the room: ${why}`;
  };

  const recordEnd = async (slot: SlotRow, end: SlotEnd): Promise<void> => {
    const { fate, reason, result, halts } = end;
    const { agent, job, slot: at, by_hand } = slot;
    for (let tries = 0; tries < MAX_CONFLICTS; tries += 1) {
      const now = world.clock.now();
      const [row] = await store.select({ table: "jobs", where: { agent, name: job } });
      const newRow = row === undefined ? undefined : halts === true ? haltedRow(row) : rowAfter(row, fate, now);
      // No slot is due from now on, so slots that are already due get their fate first.
      if (row !== undefined && row.next_at !== null && row.next_at <= now && newRow?.next_at === null) {
        await decideDueSlots(row);
        continue;
      }
      const set = { fate, reason: await withRouteProblem(slot, end), result: result ?? null, ended_at: now };
      const endWrite: Write = { kind: "update", table: "job_slots", where: { agent, job, slot: at, by_hand }, set };
      const notice =
        fate === "failed" && newRow !== undefined ? await planFailureNotice(slot, newRow, reason, now) : undefined;
      const outgoing = notice?.out ?? [];
      const outcome = await streams.commit({
        guards: [
          {
            name: "open",
            kind: "exists",
            table: "job_slots",
            where: { agent, job, slot: at, by_hand, ended_at: null },
          },
          row === undefined
            ? { kind: "absent", table: "jobs", where: { agent, name: job } }
            : { kind: "exists", table: "jobs", where: { agent, name: job, version: row.version } },
        ],
        writes:
          newRow === undefined ? [endWrite] : [endWrite, { kind: "put", table: "jobs", row: newRow }, ...outgoing],
        events: notice === undefined ? [] : [notice.event],
      });
      // Another daemon has recorded the end.
      if (outcome.kind === "refused" && outcome.guard === "open") return;
      if (outcome.kind === "committed") {
        if (newRow !== undefined) onRescheduled(newRow);
        if (outgoing.length > 0) outbox.poke();
        return;
      }
    }
    throw new Error(
      `The end of a slot of job ${job} of ${agent} could not be written: ${MAX_CONFLICTS} conflicts in a row`,
    );
  };

  /** Writes a notice to the job's room and reply route, or only to its owner if no agent woke. */
  const planFailureNotice = async (slot: SlotRow, { owner, failures, status }: JobRow, reason: string, at: number) => {
    const [row] = await store.select({ table: "activations", where: { id: keyOf(slot) } });
    const agent = await records.find("agent", slot.agent);
    if (agent === undefined || (await records.find("agent", owner)) === undefined) return undefined;
    const room = row === undefined ? await rooms.direct(owner, agent.id) : await records.find("room", row.room);
    if (room === undefined) return undefined;
    const context = { room: room.id, agent: agent.id, handle: agent.handle, job: slot.job };
    const causes = row === undefined ? [] : [row.cause];
    const message = failureNotice({ ...context, reason, failures, isHalted: status === "halted", at, causes });
    const id = world.ids.derive("evt", "job-failed", keyOf(slot));
    const route = readReplyRoute(slot.way);
    return {
      event: { stream: `room:${room.id}`, id, event: message } as const,
      out: await outbox.plan({ ...message, id, ...(route === undefined ? {} : { route }) }),
    };
  };

  return {
    watch: (slot) => void unfinished.set(keyOf(slot), { slot, since: world.clock.monotonic() }),
    async load() {
      for (const slot of await store.select({ table: "job_slots", where: { ended_at: null } }))
        if (!unfinished.has(keyOf(slot))) unfinished.set(keyOf(slot), { slot, since: world.clock.monotonic() });
    },
    async check(agent) {
      for (const [key, { slot, since }] of unfinished) {
        if (agent !== undefined && slot.agent !== agent) continue;
        const end = await endOf(slot, world.clock.monotonic() - since);
        if (end === undefined) continue;
        await recordEnd(slot, end);
        unfinished.delete(key);
      }
    },
  };
};

const haltedRow = (row: JobRow): JobRow => ({
  ...row,
  status: row.status === "active" ? "halted" : row.status,
  next_at: null,
  failures: row.failures + 1,
  version: row.version + 1,
});

/** Returns the job's row after the slot. A stop counts neither as a failure nor as a success. */
const rowAfter = (row: JobRow, fate: SlotFate, now: number): JobRow => {
  const newRow = { ...row, version: row.version + 1 };
  if (fate === "failed")
    return row.status === "active"
      ? withFailures(newRow, row.failures + 1, now)
      : { ...newRow, failures: row.failures + 1 };
  return fate === "stopped" ? newRow : { ...newRow, failures: 0, not_before: 0 };
};

const costsNothing = ({ usage }: Pick<Row<"activations">, "usage">): boolean =>
  isZeroUsage(Usage.parse(readJson(usage)));
