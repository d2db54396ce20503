/** An activation between row and wire: how one begins, and how it looks to people. */
import {
  type Activation,
  type ActivationId,
  type ActivationState,
  type AgentId,
  type EventId,
  type MessageEvent,
  noUsage,
  type RoomId,
  type Stored,
  type Trigger,
  type World,
} from "@hearth/protocol";
import type { Row } from "../store/tables.ts";

export const newActivation = (options: {
  readonly world: World;
  readonly message: Stored<MessageEvent>;
  readonly agent: AgentId;
  readonly trigger: Trigger;
  readonly now: number;
}): Row<"activations"> => ({
  id: activationId(options.world, options.message.id, options.agent),
  agent: options.agent,
  room: options.message.room,
  trigger: options.trigger,
  cause: options.message.id,
  cause_offset: options.message.offset,
  person: options.message.author,
  state: "queued",
  reason: null,
  error: null,
  model: null,
  usage: JSON.stringify(noUsage),
  frozen: null,
  frozen_blob: null,
  created_at: options.now,
  started_at: null,
  ended_at: null,
});

/** The same message wakes the same agent once, however often it is read. */
export const activationId = (world: World, cause: EventId, agent: AgentId): ActivationId =>
  world.ids.derive("act", cause, agent);

export const isOver = (state: string): boolean => state !== "queued" && state !== "running";

export const toActivation = (row: Row<"activations">): Activation => ({
  id: row.id as ActivationId,
  agent: row.agent as AgentId,
  room: row.room as RoomId,
  trigger: row.trigger as Trigger,
  cause: row.cause as EventId,
  state: row.state as ActivationState,
  usage: JSON.parse(row.usage),
  createdAt: row.created_at,
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.error === null ? {} : { error: JSON.parse(row.error) }),
  ...(row.model === null ? {} : { model: row.model }),
  ...(row.started_at === null ? {} : { startedAt: row.started_at }),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
});
