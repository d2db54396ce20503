/** Creates activation rows, and converts them for people. */
import { readJson, writeJson } from "../store/json.ts";
import {
  type Activation,
  type ActivationId,
  type AgentId,
  type EventId,
  Label,
  type MessageEvent,
  noUsage,
  type Stored,
  type Trigger,
  Usage,
  type World,
  type InboxId,
} from "@hearth/protocol";
import { z } from "zod";
import type { Row } from "../store/tables/tables.ts";

/** The columns of an activation that is queued for the first time. */
const INITIAL_COLUMNS = {
  state: "queued",
  reason: null,
  error: null,
  model: null,
  usage: writeJson(noUsage),
  frozen: null,
  frozen_blob: null,
  started_at: null,
  ended_at: null,
  fence: 0,
  crashes: 0,
  merged_into: null,
  parked: null,
  skip: null,
  ready_at: 0,
  progress: 0,
  retries: 0,
  retry_at: 0,
  retried_by: null,
} as const satisfies Partial<Row<"activations">>;

/** The text of a stopped reply, with its label. */
export const PartialReply = z.object({ text: z.string(), label: Label.exactOptional() });
export type PartialReply = z.infer<typeof PartialReply>;

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
  ...INITIAL_COLUMNS,
  created_at: options.now,
  depth: 0,
  root: options.message.id,
  parent: null,
  inbox: null,
});

/**
 * Creates an activation that another one requested. It is in the same room, for the same person and
 * message, and one level deeper.
 */
export const childActivation = (options: {
  readonly parent: Row<"activations">;
  readonly id: ActivationId;
  readonly agent: AgentId;
  /** The id of the request. */
  readonly inbox: InboxId;
  readonly now: number;
}): Row<"activations"> => {
  const { parent, id, agent, inbox, now } = options;
  return {
    id,
    agent,
    inbox,
    created_at: now,
    parent: parent.id,
    depth: parent.depth + 1,
    trigger: "inbox",
    room: parent.room,
    cause: parent.cause,
    cause_offset: parent.cause_offset,
    person: parent.person,
    root: parent.root,
    ...INITIAL_COLUMNS,
  };
};

/**
 * Creates the activation that replaces a failed one. It answers the same message from the
 * beginning, and its id is deterministic.
 */
export const retryActivation = (world: World, failedRow: Row<"activations">, now: number): Row<"activations"> => ({
  ...failedRow,
  id: world.ids.derive("act", failedRow.id, "retry"),
  created_at: now,
  ...INITIAL_COLUMNS,
});

/**
 * Returns the usage of failed model calls. The journal does not contain them, so the row keeps
 * their usage until the activation ends.
 */
export const unjournaledUsage = ({ usage }: Pick<Row<"activations">, "usage">): Usage => Usage.parse(readJson(usage));

/**
 * Returns the id of an activation. It is deterministic, so that a message wakes an agent once,
 * however often it is read.
 */
export const activationId = (world: World, cause: EventId, agent: AgentId): ActivationId =>
  world.ids.derive("act", cause, agent);

export const hasEnded = (state: string): boolean => !["queued", "running", "waiting"].includes(state);

export const toActivation = (row: Row<"activations">): Activation => ({
  id: row.id,
  agent: row.agent,
  room: row.room,
  trigger: row.trigger,
  cause: row.cause,
  state: row.state,
  usage: readJson(row.usage),
  createdAt: row.created_at,
  depth: row.depth,
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.skip === null ? {} : { skip: row.skip }),
  ...(row.parent === null ? {} : { parent: row.parent }),
  ...(row.root === null ? {} : { root: row.root }),
  ...(row.ready_at === 0 || hasEnded(row.state) ? {} : { readyAt: row.ready_at }),
  ...(row.retry_at === 0 || hasEnded(row.state) ? {} : { retryAt: row.retry_at }),
  ...(row.retried_by === null ? {} : { retriedBy: row.retried_by }),
  ...(row.error === null ? {} : { error: readJson(row.error) }),
  ...(row.model === null ? {} : { model: row.model }),
  ...(row.started_at === null ? {} : { startedAt: row.started_at }),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  ...(row.merged_into === null ? {} : { mergedInto: row.merged_into }),
});

/** Whether the activation is ambient, waits for silence and has not begun. */
export const isWaitingForQuiet = ({ ready_at, fence }: Row<"activations">): boolean => ready_at > 0 && fence === 0;

/**
 * Returns the key of the activation's queue. A child has its own queue, so that a busy agent can
 * still answer other agents.
 */
export const queueKeyOf = (row: Row<"activations">): string =>
  row.parent === null ? `${row.agent} ${row.room}` : row.id;
