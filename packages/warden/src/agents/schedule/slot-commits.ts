/**
 * Commits slots with their outcomes, together with the job's next due time and, if a slot fires, its
 * message.
 */
import {
  activationId,
  createListeners,
  type DurableStreams,
  type Guard,
  type NewEvent,
  readJson,
  type Store,
  type Write,
} from "../../kernel/index.ts";
import type { MessageEvent, World } from "@hearth/protocol";
import type { SlotOutcome } from "./time/catch-up.ts";
import { type HookPayload, toJobMessage } from "./hook-payload.ts";
import type { HeartbeatMessage } from "./heartbeats/heartbeat-gate.ts";
import { traitsOf } from "./job-traits.ts";
import { joinSkipped } from "./joined-slots.ts";
import type { JobRow, SlotRow, JobDefinition, OnRescheduled } from "./rows.ts";
import type { Target } from "./target.ts";

export interface SlotCommitsOptions {
  readonly world: World;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly onRescheduled: OnRescheduled;
}

export interface SlotCommits {
  /** Returns the row of a slot that fires, and the events with its message. Writes nothing. */
  fire(
    row: JobRow,
    terms: JobDefinition,
    slot: SlotRow,
    target: Extract<Target, { kind: "room" }>,
    details: {
      readonly now: number;
      readonly delivered?: HookPayload | undefined;
      readonly heartbeat?: HeartbeatMessage | undefined;
    },
  ): { readonly slot: SlotRow; readonly events: readonly NewEvent[] };
  /**
   * Writes the slots, and replaces the job's `row` by `newRow`. Returns false if another commit has
   * changed the row.
   */
  write(
    row: JobRow,
    newRow: JobRow,
    slots: readonly SlotRow[],
    events: readonly NewEvent[],
    sameCommit?: { readonly guards: readonly Guard[]; readonly writes: readonly Write[] },
  ): Promise<boolean>;
  /** Calls the listener with each slot that has fired. */
  onFired(listener: (slot: SlotRow) => void): void;
}

export const createSlotCommits = ({ world, store, streams, onRescheduled }: SlotCommitsOptions): SlotCommits => {
  const fired = createListeners<SlotRow>();

  const fire: SlotCommits["fire"] = (row, terms, slot, { room, agent }, { now, delivered, heartbeat }) => {
    const idParts = [row.agent, row.name, String(slot.slot), String(slot.by_hand)];
    const id = world.ids.derive("evt", "job", ...idParts);
    const message: MessageEvent = {
      type: "message",
      room: room.id,
      author: row.owner,
      at: now,
      mentions: [agent.id],
      causes: [],
      ...toJobMessage(terms, row.labels === null ? undefined : readJson(row.labels), delivered),
      ...(heartbeat === undefined ? {} : heartbeat.content),
    };
    const firedEvent = {
      type: "job-fired",
      at: now,
      agent: agent.id,
      job: terms.name,
      slot: slot.slot,
      room: room.id,
    } as const;
    return {
      slot: {
        ...slot,
        fired_at: now,
        ended_at: null,
        activation: activationId(world, id, agent.id),
        fate: "fired",
        ...(heartbeat === undefined ? {} : { way: heartbeat.way }),
      },
      events: [
        { stream: `room:${room.id}`, id, event: message },
        {
          stream: `agent:${agent.id}`,
          id: world.ids.derive("evt", "job-fired", ...idParts),
          event: { ...firedEvent, message: id },
        },
      ],
    };
  };

  const write: SlotCommits["write"] = async (row, newRow, slots, events, sameCommit = { guards: [], writes: [] }) => {
    const where = { agent: row.agent, name: row.name };
    const inserts = traitsOf(row).joinsSkipped
      ? await joinSkipped(store, row, slots)
      : slots.map((slot): Write => ({ kind: "insert", table: "job_slots", row: slot }));
    const { kind } = await streams.commit({
      guards: [{ kind: "exists", table: "jobs", where: { ...where, version: row.version } }, ...sameCommit.guards],
      writes: [
        { kind: "put", table: "jobs", row: { ...newRow, version: row.version + 1 } },
        ...inserts,
        ...sameCommit.writes,
      ],
      events,
    });
    if (kind !== "committed") return false;
    for (const slot of slots) if (slot.ended_at === null) fired.notify(slot);
    onRescheduled(newRow);
    return true;
  };

  return { fire, write, onFired: fired.add };
};

/** Returns the row of a slot that does not run. */
export const slotRow = (row: JobRow, { slot, through, count, fate, reason }: SlotOutcome, now: number): SlotRow => ({
  agent: row.agent,
  job: row.name,
  slot,
  by_hand: 0,
  through,
  count,
  fate,
  reason,
  fired_at: null,
  ended_at: now,
  activation: null,
  result: null,
  way: row.way,
});
