/**
 * Ends activations: the reply in the room, its deliveries and the entry in the agent's log are one
 * commit.
 */
import {
  writeJson,
  leaseLost,
  replyIdOf,
  readReplyRoute,
  isOfSchedule,
  type Kernel,
  type Lease,
  type Outbox,
  type Reply,
  type Change,
  type CommitResult,
  type Guard,
  type Write,
  type Row,
  type NewEvent,
  type PartialReply,
} from "../../kernel/index.ts";
import type { Records, Rooms, Uploads } from "../../people/index.ts";
import type { Inbox, InboxChange } from "../../agents/index.ts";
import { withSources, type Approvals } from "../../policy/index.ts";
import {
  type ActivationEnded,
  type ActivationId,
  type ActivationState,
  type Attachment,
  type AgentId,
  type DeltaEvent,
  type ErrorBody,
  type EventId,
  type LiveEvent,
  type MessageEvent,
  noUsage,
  type RoomRecord,
  isEmptyHeartbeat,
  type Usage,
} from "@hearth/protocol";
import { planAnswer } from "./answers.ts";
import type { Beginnings } from "./beginnings.ts";
import { countToolCalls } from "./parts.ts";
import type { Outcome } from "./run.ts";

type ActivationRow = Row<"activations">;

/** How an activation can end. */
export type Ended =
  | Exclude<Outcome, { kind: "waiting" } | { kind: "retry" }>
  /** Another activation took in its message. */
  | { readonly kind: "merged"; readonly into: ActivationId };

export interface Watchers {
  /** Notifies the room's watchers. */
  live(
    row: ActivationRow,
    event: Pick<LiveEvent, "type"> & {
      readonly state?: ActivationState;
      readonly error?: ErrorBody;
      readonly mergedInto?: ActivationId;
      readonly retryAt?: number;
    },
  ): void;
  /** Notifies the watchers of this activation. */
  delta(row: ActivationRow, event: DeltaEvent): void;
}

export interface EndingsOptions {
  readonly kernel: Pick<Kernel, "world" | "store" | "streams" | "memory" | "journal">;
  readonly records: Records;
  readonly rooms: Rooms;
  /** Finds the files that the activation attached to its reply. */
  readonly uploads: Pick<Uploads, "attachmentsOf" | "planRemoval">;
  readonly inbox: Inbox;
  /** Delivers a reply to the conversations that its causes came from. */
  readonly outbox: Pick<Outbox, "plan" | "poke">;
  readonly watchers: Watchers;
  /** Closes the pending approvals of the activation. */
  readonly approvals: Pick<Approvals, "planClose">;
  readonly beginnings: Pick<Beginnings, "missing">;
}

/** A merged activation, and the new one that answers its message instead. */
export interface Requeued {
  readonly merged: ActivationRow;
  readonly fresh: ActivationRow;
}

export interface Endings {
  /**
   * The only way to end an activation: last step, state, reply, deliveries, inbox and log in one
   * commit. A child adds nothing to the room; its reply is an answer in the inbox of its parent. No
   * effect on an activation that has ended. Without a lease (it never ran, or cannot run) it ends
   * as well. Under an old lease it throws `lease.lost` and writes nothing.
   */
  end(row: ActivationRow, outcome: Ended, usage: Usage, lease?: Lease, requeued?: readonly Requeued[]): Promise<void>;
  /**
   * Merges queued activations into this one, durably with the step that `plan` stores. Returns
   * false and changes nothing when one of them is no longer available.
   */
  merge(rows: readonly ActivationRow[], into: ActivationId, plan: Required<Change>, agent: AgentId): Promise<boolean>;
}

export const createEndings = (options: EndingsOptions): Endings => {
  const { kernel, records, rooms, uploads, inbox, outbox, watchers } = options;
  const { world, store, streams, memory, journal } = kernel;

  /**
   * Every message that its reply answers: its own and the merged ones, from the first to the last.
   */
  const causesOf = async (row: ActivationRow): Promise<EventId[]> => {
    const causes = [{ cause: row.cause, offset: row.cause_offset }];
    const hosts = [row.id];
    for (let host = hosts.shift(); host !== undefined; host = hosts.shift()) {
      for (const merged of await store.select({ table: "activations", where: { merged_into: host } })) {
        causes.push({ cause: merged.cause, offset: merged.cause_offset });
        hosts.push(merged.id);
      }
    }
    return causes.sort((one, other) => one.offset - other.offset).map(({ cause }) => cause);
  };

  /**
   * Inbox messages in its prompt are marked as read once it has replied. A child's question is
   * answered, or closed.
   */
  const planInbox = async (row: ActivationRow, outcome: Ended, state: ActivationState): Promise<InboxChange> => {
    const reply = outcome.kind === "reply" && state === "replied" ? outcome : undefined;
    const by = row.id;
    const [read, answer] = await Promise.all([
      inbox.planMove(reply?.used ?? [], { status: "read", by }),
      planAnswer({ world, inbox }, row, reply),
    ]);
    return {
      guards: [...read.guards, ...answer.guards],
      writes: [...read.writes, ...answer.writes],
      events: [...read.events, ...answer.events],
    };
  };

  const end: Endings["end"] = async (row, outcome, usage, lease, requeued = []) => {
    const room = await records.find("room", row.room);
    const replyId = replyIdOf(world.ids, row.id);
    const files = await filesOf(options, replyId);
    const { state, reason, error } = describeEnd(row, outcome, room, files);
    const at = world.clock.now();
    const activation = row.id;
    const events: NewEvent[] = [];
    const out: Write[] = [];
    const isSaid = room !== undefined && row.parent === null;
    const finalReply = toSaid(outcome, state);
    if (isSaid && finalReply !== undefined) {
      const [message, steps] = await Promise.all([
        rooms.compose(room, { text: finalReply.text }, row.agent),
        journal.rows(activation),
      ]);
      const toolCalls = countToolCalls(steps);
      const reply: MessageEvent = {
        ...message,
        causes: await causesOf(row),
        activation,
        ...(files.length === 0 ? {} : { attachments: [...files] }),
        ...(toolCalls === 0 ? {} : { toolCalls }),
        ...(finalReply.label === undefined ? {} : { label: finalReply.label }),
        // A stopped reply causes nothing: it wakes no agent and is not delivered to a channel.
        ...(state === "stopped" ? { mentions: [], stopped: true } : {}),
      };
      events.push({ stream: `room:${room.id}`, id: replyId, event: reply });
      if (state === "replied")
        out.push(...(await planDelivery(options, row, { ...reply, id: replyId, roomName: room.content.name })));
      // Files that no message names are left to the sweep.
    } else if (files.length > 0) out.push(...(await uploads.planRemoval(replyId)).writes);
    // Readers of the room get an event. A channel has no events, so it gets a message.
    if (isSaid && error !== undefined) {
      const id = world.ids.derive("evt", row.id, "failed");
      const elsewhere = new Set(requeued.map(({ merged }) => merged.cause));
      const causes = (await causesOf(row)).filter((cause) => !elsewhere.has(cause));
      events.push({
        stream: `room:${room.id}`,
        id,
        event: { type: "activation-failed", room: room.id, at, agent: row.agent, activation, causes, error },
      });
      out.push(...(await outbox.plan({ id, room: room.id, body: { text: inWords(error) }, causes })));
    }
    const mergedInto = outcome.kind === "merged" ? outcome.into : undefined;
    events.push(...options.beginnings.missing(row), {
      stream: `agent:${row.agent}`,
      id: world.ids.derive("evt", row.id, "ended"),
      event: {
        type: "activation-ended",
        at,
        activation,
        agent: row.agent,
        room: row.room,
        state,
        usage,
        ...(reason === undefined ? {} : { reason }),
        ...(error === undefined ? {} : { error }),
        ...(mergedInto === undefined ? {} : { mergedInto }),
      },
    });
    // An activation that replied has no pending approvals.
    const closed =
      outcome.kind === "reply"
        ? { writes: [], events: [] }
        : await options.approvals.planClose(activation, reason ?? "Its activation is over.");
    events.push(...closed.events);
    const own: readonly Guard[] = [
      { name: "open", kind: "exists", table: "activations", where: { id: row.id, ended_at: null } },
      ...(lease === undefined ? [] : [lease.guard]),
    ];
    const commit = async (): Promise<CommitResult> => {
      const { guards, writes, events: told } = await planInbox(row, outcome, state);
      const result = await streams.commit({
        guards: [...own, ...guards],
        writes: [...ended, ...writes],
        events: [...events, ...told],
      });
      // An inbox message was closed meanwhile, so plan again without it. Inbox states only move
      // forward, so this terminates.
      return isOfInbox(result) ? commit() : result;
    };
    const ended: readonly Write[] = [
      ...(outcome.kind === "reply" ? (outcome.last ?? []) : []),
      ...out,
      ...closed.writes,
      {
        kind: "update",
        table: "activations",
        where: { id: row.id },
        set: {
          state,
          reason: reason ?? null,
          error: error === undefined ? null : writeJson(error),
          usage: writeJson(usage),
          merged_into: mergedInto ?? null,
          parked: null,
          retry_at: 0,
          ended_at: at,
        },
      },
      ...planRequeue(requeued),
    ];
    const result = await commit();
    if (result.kind === "refused" && result.guard === "lease") throw leaseLost(row.agent);
    if (result.kind === "refused") {
      // It had ended before, and that end has already been reported.
      memory.close(`deltas:${activation}`);
      return;
    }
    if (out.length + closed.writes.length > 0) outbox.poke();
    watchers.delta(row, { type: "end", at, state, ...(error === undefined ? {} : { error }) });
    memory.close(`deltas:${activation}`);
    watchers.live(row, {
      ...{ type: "activation-over", state },
      ...(error === undefined ? {} : { error }),
      ...(mergedInto === undefined ? {} : { mergedInto }),
    });
  };

  const merge: Endings["merge"] = async (rows, into, { guards, writes }, agent) => {
    const at = world.clock.now();
    const { state, reason } = describeEnd(undefined, { kind: "merged", into }, undefined, []);
    const result = await streams.commit({
      guards: [
        ...guards,
        ...rows.map(({ id }) => ({ kind: "exists", table: "activations", where: { id, state: "queued" } }) as const),
      ],
      writes: [
        ...writes,
        ...rows.map(
          ({ id }) =>
            ({
              kind: "update",
              table: "activations",
              where: { id },
              set: { state, reason: reason ?? null, merged_into: into, ended_at: at },
            }) as const,
        ),
      ],
      events: rows.map((row) => ({
        stream: `agent:${agent}`,
        id: world.ids.derive("evt", row.id, "ended"),
        event: {
          ...{ type: "activation-ended", at, activation: row.id, agent, room: row.room },
          ...{ state, reason, usage: noUsage, mergedInto: into },
        } as ActivationEnded,
      })),
    });
    if (result.kind === "refused" && result.guard === "lease") throw leaseLost(agent);
    if (result.kind !== "committed") return false;
    for (const row of rows) {
      watchers.delta(row, { type: "end", at, state });
      memory.close(`deltas:${row.id}`);
      watchers.live(row, { type: "activation-over", state, mergedInto: into });
    }
    return true;
  };

  return { end, merge };
};

/** The reply of a job goes to the conversation in which the job was created. */
const wayOf = async (store: Pick<Kernel["store"], "select">, row: ActivationRow): Promise<Pick<Reply, "way">> => {
  if (!isOfSchedule(row)) return {};
  const where = { agent: row.agent, activation: row.id, ended_at: null };
  const [slot] = await store.select({ table: "job_slots", where, limit: 1 });
  const route = slot === undefined ? undefined : readReplyRoute(slot.way);
  return route === undefined ? {} : { way: route };
};

/** The rows that deliver a reply, with its files. */
const planDelivery = async (
  { kernel, outbox }: Pick<EndingsOptions, "kernel" | "outbox">,
  row: ActivationRow,
  { label, ...reply }: Reply & Pick<MessageEvent, "label">,
): Promise<readonly Write[]> =>
  outbox.plan({ ...reply, complete: (text) => withSources(text, label), ...(await wayOf(kernel.store, row)) });

/** The files of a reply. Most replies have none, and then nothing else is loaded. */
const filesOf = async (
  { kernel, uploads }: Pick<EndingsOptions, "kernel" | "uploads">,
  reply: EventId,
): Promise<readonly Attachment[]> => {
  const [named] = await kernel.store.select({ table: "attachments", where: { event: reply }, limit: 1 });
  return named === undefined ? [] : uploads.attachmentsOf(reply);
};

const describeEnd = (
  row: Pick<ActivationRow, "trigger"> | undefined,
  outcome: Ended,
  room: RoomRecord | undefined,
  files: readonly Attachment[],
): { readonly state: ActivationState; readonly reason?: string; readonly error?: ErrorBody } => {
  if (outcome.kind === "merged") return { state: "skipped", reason: "Another activation answers its message." };
  if (room === undefined) return { state: "skipped", reason: "The room was removed." };
  switch (outcome.kind) {
    case "reply":
      if (row?.trigger === "heartbeat" && isEmptyHeartbeat(outcome.text) && files.length === 0)
        return { state: "skipped", reason: "The agent checked and had nothing to report." };
      return outcome.text.trim() === "" && files.length === 0
        ? { state: "skipped", reason: "The agent had nothing to say." }
        : { state: "replied" };
    case "stopped":
      return { state: "stopped", reason: outcome.reason ?? "It was stopped." };
    case "failed":
      return { state: "failed", reason: outcome.error.message, error: outcome.error };
  }
};

/** New activations answer the messages of these. */
export const planRequeue = (requeued: readonly Requeued[]): readonly Write[] =>
  requeued.flatMap(({ merged, fresh }): readonly Write[] => [
    { kind: "put", table: "activations", row: fresh },
    { kind: "update", table: "activations", where: { id: merged.id }, set: { retried_by: fresh.id } },
  ]);
/**
 * The earlier reason for the end takes precedence. Only an activation that a person stopped keeps
 * its partial reply.
 */
export const toStopped = (
  { reason, partial }: { readonly reason?: string; readonly partial?: PartialReply },
  instead?: Ended,
): Ended =>
  instead === undefined || (instead.kind === "stopped" && instead.reason === undefined)
    ? {
        kind: "stopped",
        ...(reason === undefined ? {} : { reason }),
        ...(partial === undefined ? {} : { partial }),
      }
    : instead;

/** The end's message in the room: the reply, or the part of it that was written before the stop. */
const toSaid = (outcome: Ended, state: ActivationState): PartialReply | undefined => {
  if (outcome.kind === "reply" && state === "replied") return outcome;
  if (outcome.kind === "stopped" && state === "stopped") return outcome.partial;
  return undefined;
};

const inWords = ({ message, hint }: ErrorBody): string => (hint === undefined ? message : `${message}\n\n${hint}`);

/** Whether the change was refused by a guard of an inbox message, not by one of the activation itself. */
const isOfInbox = (result: CommitResult): boolean =>
  result.kind === "refused" && result.guard !== "open" && result.guard !== "lease";
