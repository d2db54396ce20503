/**
 * Plans the messages at the end of an activation: the reply or failure in the room, and the
 * deliveries to the conversations that its messages came from.
 */
import {
  readReplyRoute,
  replyIdOf,
  type NewEvent,
  type Outbox,
  type PartialReply,
  type ReplyRoute,
  type Row,
  type Write,
  type ConfigSource,
  type DurableStreams,
  type Journal,
  type Store,
} from "../../../kernel/index.ts";
import type { Rooms, Uploads, VoiceChoiceBook } from "../../../people/index.ts";
import { withSources } from "../../../policy/index.ts";
import {
  isScheduled,
  type Attachment,
  type ErrorBody,
  type EventId,
  type MessageEvent,
  type RoomRecord,
  withoutAddresses,
  type World,
} from "@hearth/protocol";
import { countToolCalls } from "../activation-parts.ts";
import { type Ended, finalReplyOf, type EndingActivation, type FinalState } from "./final-state.ts";
import type { Listeners } from "./listeners.ts";

type ActivationRow = Row<"activations">;

export interface EndMessagesOptions {
  readonly kernel: {
    readonly world: World;
    readonly store: Store;
    readonly streams: DurableStreams;
    readonly journal: Journal;
    readonly config: ConfigSource;
  };
  readonly voiceChoices: Pick<VoiceChoiceBook, "of">;
  readonly rooms: Pick<Rooms, "compose">;
  readonly uploads: Pick<Uploads, "attachmentsOf" | "planRemoval">;
  readonly outbox: Pick<Outbox, "plan">;
}

/** Part of the commit that ends the activation. */
export interface EndMessagesChange {
  readonly events: readonly NewEvent[];
  readonly writes: readonly Write[];
}

export interface EndMessages {
  /** Returns the files that the activation attached to its reply. */
  filesOf(row: ActivationRow, outcome: Ended): Promise<readonly Attachment[]>;
  /**
   * Returns the change, which the caller commits. Event ids derive from the activation, so a
   * repeated plan has the same messages. A child, and an activation in a removed room, add nothing.
   * `answeredElsewhere`: messages that new activations answer, so a failure does not name them.
   */
  plan(
    ending: EndingActivation,
    final: FinalState,
    answeredElsewhere: ReadonlySet<EventId>,
  ): Promise<EndMessagesChange>;
}

export const createEndMessages = (options: EndMessagesOptions): EndMessages => {
  const { kernel, rooms, uploads, outbox } = options;
  const { world, store, journal } = kernel;

  /** Returns the message that woke the activation, and those of merged activations, in room order. */
  const causesOf = async (row: ActivationRow): Promise<EventId[]> => {
    const causes = [{ cause: row.cause, offset: row.cause_offset }];
    const targets = [row.id];
    for (let target = targets.shift(); target !== undefined; target = targets.shift()) {
      for (const mergedRow of await store.select({ table: "activations", where: { merged_into: target } })) {
        causes.push({ cause: mergedRow.cause, offset: mergedRow.cause_offset });
        targets.push(mergedRow.id);
      }
    }
    return causes.sort((a, b) => a.offset - b.offset).map(({ cause }) => cause);
  };

  /** Returns the reply route of a job: the conversation in which the job was created. */
  const routeOf = async (row: ActivationRow): Promise<ReplyRoute | undefined> => {
    if (!isScheduled(row)) return undefined;
    const where = { agent: row.agent, activation: row.id, ended_at: null };
    const [slot] = await store.select({ table: "job_slots", where, limit: 1 });
    return slot === undefined ? undefined : readReplyRoute(slot.way);
  };

  /** Finds the listeners of a reply. The module is loaded only in a house that speaks. */
  const listenersOf = async (room: RoomRecord, causes: readonly EventId[]): Promise<Listeners | undefined> => {
    if (kernel.config.current().voice?.speak === undefined) return undefined;
    const { findListeners } = await import("./listeners.ts");
    return findListeners(options, room.id, causes);
  };

  const planReply = async (
    { row, outcome, files }: EndingActivation,
    room: RoomRecord,
    { text, label }: PartialReply,
    isStopped: boolean,
  ): Promise<EndMessagesChange> => {
    const message = await rooms.compose(room, { text }, row.agent);
    const toolCalls = outcome.kind === "reply" ? outcome.toolCalls : countToolCalls(await journal.rows(row.id));
    const citations = outcome.kind === "reply" ? outcome.citations : undefined;
    const causes = await causesOf(row);
    // The text of a stopped reply is incomplete.
    const listeners = isStopped ? undefined : await listenersOf(room, causes);
    const isDirect = room.content.kind === "direct";
    const reply: MessageEvent = {
      ...message,
      causes,
      activation: row.id,
      ...(files.length === 0 ? {} : { attachments: [...files] }),
      ...(citations === undefined ? {} : { citations }),
      ...(isDirect && listeners?.people.length ? { spokenFor: [...listeners.people] } : {}),
      ...(toolCalls === 0 ? {} : { toolCalls }),
      ...(label === undefined ? {} : { label }),
      // A stopped reply causes nothing: it wakes no agent and is not delivered to a channel.
      ...(isStopped ? { mentions: [], stopped: true } : {}),
    };
    const id = replyIdOf(world.ids, row.id);
    const events: readonly NewEvent[] = [{ stream: `room:${room.id}`, id, event: reply }];
    if (isStopped) return { events, writes: [] };
    const route = await routeOf(row);
    const { label: _, ...sentReply } = reply;
    const writes = await outbox.plan({
      ...sentReply,
      body: { text: withoutAddresses(reply.body.text) },
      id,
      roomName: room.content.name,
      complete: (completeText) => withSources(completeText, label),
      ...(route === undefined ? {} : { route }),
      ...(listeners?.causes.length ? { speech: { text: reply.body.text, causes: listeners.causes } } : {}),
    });
    return { events, writes };
  };

  /** Plans a failure. Readers of the room get an event. A channel has no events, so it gets a message. */
  const planFailure = async (
    row: ActivationRow,
    error: ErrorBody,
    answeredElsewhere: ReadonlySet<EventId>,
  ): Promise<EndMessagesChange> => {
    const id = world.ids.derive("evt", row.id, "failed");
    const causes = (await causesOf(row)).filter((cause) => !answeredElsewhere.has(cause));
    const event = {
      type: "activation-failed",
      room: row.room,
      at: world.clock.now(),
      agent: row.agent,
      activation: row.id,
      causes,
      error,
    } as const;
    return {
      events: [{ stream: `room:${row.room}`, id, event }],
      writes: await outbox.plan({ id, room: row.room, body: { text: errorText(error) }, causes }),
    };
  };

  return {
    async filesOf(row, outcome) {
      // Only tools attach files.
      if (outcome.kind === "reply" && outcome.toolCalls === 0) return [];
      const id = replyIdOf(world.ids, row.id);
      // Most replies have no files, so the module of uploads is not loaded for them.
      const [attachmentRow] = await store.select({ table: "attachments", where: { event: id }, limit: 1 });
      return attachmentRow === undefined ? [] : uploads.attachmentsOf(id);
    },

    async plan(ending, { state, error }, answeredElsewhere) {
      const { row, outcome, room, files } = ending;
      const replyRoom = row.parent === null ? room : undefined;
      const reply = finalReplyOf(outcome, state);
      if (replyRoom !== undefined && reply !== undefined)
        return planReply(ending, replyRoom, reply, state === "stopped");
      // No message names these files, so their rows are removed. The sweep erases their bytes.
      const removal = files.length === 0 ? [] : (await uploads.planRemoval(replyIdOf(world.ids, row.id))).writes;
      if (replyRoom === undefined || error === undefined) return { events: [], writes: removal };
      const { events, writes } = await planFailure(row, error, answeredElsewhere);
      return { events, writes: [...removal, ...writes] };
    },
  };
};

const errorText = ({ message, hint }: ErrorBody): string => (hint === undefined ? message : `${message}\n\n${hint}`);
