/**
 * Computes fates from the store: which activations a message woke, how they ended, and whether
 * their replies were delivered.
 */
import type { Records } from "../../people/index.ts";
import type { Store, Row, DurableStreams } from "../../kernel/index.ts";
import type {
  AgentId,
  Clock,
  EventId,
  Fate,
  FatePage,
  FateQuery,
  MessageEvent,
  MessageFate,
  RoomId,
  Stored,
  StoredMessage,
  StreamName,
} from "@hearth/protocol";

/** Reports one fate for every message that a person wrote in a room. It changes nothing. */
export interface Fates {
  /** Fates of the messages after the offset, oldest first. */
  list(room: RoomId, query: FateQuery): Promise<FatePage>;
}

export interface FatesOptions {
  readonly clock: Pick<Clock, "now">;
  /** Returns how long the rows of activations are kept after they end. */
  readonly retentionMs: () => number;
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "read">;
  readonly records: Pick<Records, "find">;
}

type ActivationRow = Row<"activations">;
type DeliveryState = Extract<Fate, { kind: "answered" }>["delivery"];

const BATCH_SIZE = 200;
/** Longest chain of merged activations to follow. */
const MAX_MERGE_STEPS = 100;

export const createFates = ({ clock, retentionMs, store, streams, records }: FatesOptions): Fates => {
  const isPerson = async (author: AgentId, isHumanByAuthor: Map<AgentId, boolean>): Promise<boolean> => {
    // An author whose record was removed counts as a person, so that the message keeps its fate.
    const isHuman = isHumanByAuthor.get(author) ?? (await records.find("agent", author))?.content.kind !== "bot";
    isHumanByAuthor.set(author, isHuman);
    return isHuman;
  };

  /** Returns up to `limit` messages that people wrote, and the offset of the next page. */
  const readMessagesOfPeople = async (stream: StreamName, after: number, limit: number) => {
    const messages: Stored<MessageEvent>[] = [];
    const isHumanByAuthor = new Map<AgentId, boolean>();
    let nextOffset = after;
    for (;;) {
      const events = await streams.read(stream, nextOffset, BATCH_SIZE);
      for (const event of events) {
        nextOffset = event.offset;
        if (event.type !== "message" || event.activation !== undefined || event.copied !== undefined) continue;
        if (!(await isPerson(event.author, isHumanByAuthor))) continue;
        messages.push(event);
        if (messages.length === limit) return { messages, next: nextOffset };
      }
      if (events.length < BATCH_SIZE) return { messages, next: nextOffset };
    }
  };

  /** A merged activation has the fate of the activation that answered its message. */
  const followMerged = async (row: ActivationRow): Promise<ActivationRow> => {
    let current = row;
    for (let stepCount = 0; current.merged_into !== null && stepCount < MAX_MERGE_STEPS; stepCount += 1) {
      const [mergeTarget] = await store.select({ table: "activations", where: { id: current.merged_into } });
      if (mergeTarget === undefined) break;
      current = mergeTarget;
    }
    return current;
  };

  /** Returns the event ids of the replies of these activations, which have offsets after `after`. */
  const repliesOf = async (stream: StreamName, after: number, ids: ReadonlySet<string>) => {
    const replies = new Map<string, EventId[]>();
    let offset = after;
    while (replies.size < ids.size) {
      const events = await streams.read(stream, offset, BATCH_SIZE);
      for (const event of events) {
        offset = event.offset;
        if (event.type !== "message" || event.activation === undefined || !ids.has(event.activation)) continue;
        replies.set(event.activation, [...(replies.get(event.activation) ?? []), event.id]);
      }
      if (events.length < BATCH_SIZE) break;
    }
    return replies;
  };

  /** Returns the delivery state of the replies, in the conversation that the message came from. */
  const deliveryOf = async (
    replies: readonly EventId[],
    origin: Row<"inbound"> | undefined,
  ): Promise<DeliveryState> => {
    if (origin === undefined || replies.length === 0) return "none";
    const rows = await store.select({
      table: "outbox",
      // Speech repeats the text, so it does not decide.
      where: { channel: origin.channel, conversation: origin.conversation, spoken: 0 },
      and: [{ column: "event", is: "in", value: replies }],
    });
    const states = new Set(rows.map(({ state }) => state));
    if (states.size === 0) return "none";
    if (states.has("refused")) return "refused";
    if (states.has("unknown")) return "unknown";
    return states.has("queued") || states.has("sending") ? "queued" : "sent";
  };

  /** Returns the activations of these messages, oldest first, without those that another agent requested. */
  const findWoken = async (room: RoomId, ids: readonly EventId[]): Promise<readonly ActivationRow[]> => {
    // The query selects by cause only: with the room in the query, SQLite would use the index of
    // the room and read all its activations.
    const rowsByCause = await Promise.all(ids.map((cause) => store.select({ table: "activations", where: { cause } })));
    return rowsByCause
      .flat()
      .filter((row) => row.room === room && row.parent === null)
      .toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
  };

  /** Returns the fate of a message without a known activation. */
  const fateWithoutActivation = ({ damaged, at }: StoredMessage): Fate => {
    if (damaged === true) return { kind: "damaged" };
    return { kind: at < clock.now() - retentionMs() ? "forgotten" : "ignored" };
  };

  return {
    async list(room, { after, limit }) {
      const stream = `room:${room}` as const;
      const { messages, next } = await readMessagesOfPeople(stream, after, limit);
      const ids = messages.map(({ id }) => id);
      if (ids.length === 0) return { fates: [], next };
      const [wokenRows, inboundRows] = await Promise.all([
        findWoken(room, ids),
        store.select({ table: "inbound", and: [{ column: "event", is: "in", value: ids }] }),
      ]);
      const activationsByCause = new Map<string, ActivationRow[]>();
      for (const row of wokenRows)
        activationsByCause.set(row.cause, [...(activationsByCause.get(row.cause) ?? []), await followMerged(row)]);
      const repliedRows = [...activationsByCause.values()].flat().filter(({ state }) => state === "replied");
      const replies = await repliesOf(stream, after, new Set(repliedRows.map(({ id }) => id)));
      const fates: MessageFate[] = [];
      for (const message of messages) {
        const origin = inboundRows.find(({ event }) => event === message.id);
        const row = furthestActivation(activationsByCause.get(message.id) ?? []);
        const delivery = row === undefined ? "none" : await deliveryOf(replies.get(row.id) ?? [], origin);
        fates.push({
          event: message.id,
          offset: message.offset,
          at: message.at,
          author: message.author,
          ...(origin === undefined ? {} : { channel: origin.channel }),
          fate: row === undefined ? fateWithoutActivation(message) : toFate(row, delivery),
        });
      }
      return { fates, next };
    },
  };
};

/** If a message woke several agents, the activation whose state comes first decides its fate. */
const STATES_BY_PROGRESS = ["replied", "running", "waiting", "queued", "failed", "stopped", "skipped"];

const furthestActivation = (rows: readonly ActivationRow[]): ActivationRow | undefined =>
  rows.toSorted((a, b) => STATES_BY_PROGRESS.indexOf(a.state) - STATES_BY_PROGRESS.indexOf(b.state))[0];

const toFate = (row: ActivationRow, delivery: DeliveryState): Fate => {
  const actor = { by: row.agent, activation: row.id };
  switch (row.state) {
    case "replied":
      return { kind: "answered", ...actor, delivery };
    case "queued":
    case "running":
    case "waiting":
      return { kind: row.state, ...actor };
    case "stopped":
    case "skipped":
      return { kind: row.state, ...actor, ...reasonOf(row) };
    default:
      return { kind: "failed", ...actor, ...reasonOf(row) };
  }
};

const reasonOf = ({ reason }: ActivationRow): { readonly reason?: string } => (reason === null ? {} : { reason });
