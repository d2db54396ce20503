/**
 * Limits chains of bots that answer bots. Every activation has a root, the message that started the
 * chain, and a depth, the number of bots in a row that led to it. The depth is limited, and so is
 * the number of replies to one root. Messages that people write always pass.
 */
import type { Records } from "../../people/index.ts";
import type { Guard, Store, Write, DurableStreams } from "../../kernel/index.ts";
import type { AgentId, EventId, MessageEvent, RoomId, Stored } from "@hearth/protocol";

export interface ChainLimitsOptions {
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "read" | "find">;
  readonly records: Pick<Records, "find">;
  /** Called for each message, so that a changed setting applies at once. */
  readonly limits: () => {
    /** How many bots may wake each other in a row. */
    readonly maxChain: number;
    /** How many bot replies one message may lead to in its room. */
    readonly maxReplies: number;
  };
}

export interface Origin {
  readonly root: EventId;
  /** 0 for a message that a person wrote. */
  readonly depth: number;
}

export interface ChainLimits {
  originOf(message: Stored<MessageEvent>): Promise<Origin>;
  isTooDeep(depth: number): boolean;
  /**
   * Counts the replies to a root in a room: those written, and those of activations that are queued
   * or running. An ambient activation counts after it has passed its gates.
   */
  countReplies(room: RoomId, root: EventId): Promise<number>;
  isAtReplyLimit(replies: number): boolean;
  /**
   * Returns what a commit that adds a reply must contain. Call it before `countReplies`: the guard
   * fails if another commit added a reply in the meantime.
   */
  planReply(room: RoomId): Promise<{ readonly guard: Guard; readonly write: Write }>;
}

/**
 * How far back to search for the message that an external program answers, if its reply names none.
 */
const MAX_SEARCHED_MESSAGES = 20;
const MAX_ANSWER_DELAY_MS = 2 * 60_000;
const READER = "replies";

export const createChainLimits = ({ store, streams, records, limits }: ChainLimitsOptions): ChainLimits => {
  const isBot = async (id: AgentId): Promise<boolean> => (await records.find("agent", id))?.content.kind === "bot";

  /**
   * Returns the message that an external bot answers: the one it names, or else the latest earlier
   * message of another author.
   */
  const findAnswered = async (message: Stored<MessageEvent>): Promise<Stored<MessageEvent> | undefined> => {
    const stream = `room:${message.room}` as const;
    if (message.replyTo !== undefined) {
      const event = await streams.find(stream, message.replyTo);
      return event?.type === "message" ? event : undefined;
    }
    const firstOffset = Math.max(0, message.offset - 1 - MAX_SEARCHED_MESSAGES);
    const earlierEvents = await streams.read(stream, firstOffset, message.offset - 1 - firstOffset);
    return earlierEvents
      .filter((event) => event.type === "message")
      .findLast(({ author, at }) => author !== message.author && message.at - at < MAX_ANSWER_DELAY_MS);
  };

  /** Follows at most `maxSteps` earlier messages. A longer chain exceeds the depth limit anyway. */
  const originOf = async (message: Stored<MessageEvent>, maxSteps: number): Promise<Origin> => {
    const { id, author, activation } = message;
    if (activation !== undefined) {
      const [row] = await store.select({ table: "activations", where: { id: activation } });
      if (row !== undefined) return { root: row.root ?? row.cause, depth: row.depth + 1 };
    }
    if (!(await isBot(author))) return { root: id, depth: 0 };
    const answeredMessage = maxSteps === 0 ? undefined : await findAnswered(message);
    if (answeredMessage === undefined) return { root: id, depth: 1 };
    const { root, depth } = await originOf(answeredMessage, maxSteps - 1);
    return { root, depth: depth + 1 };
  };

  return {
    originOf: (message) => originOf(message, limits().maxChain + 1),
    isTooDeep: (depth) => depth > limits().maxChain,
    isAtReplyLimit: (replies) => replies >= limits().maxReplies,

    async countReplies(room, root) {
      const rows = await store.select({
        table: "activations",
        where: { root, room },
        and: [{ column: "state", is: "in", value: ["queued", "running", "waiting", "replied"] }],
      });
      // An activation that another agent requested answers that agent and adds nothing to the room.
      return rows.filter(({ trigger, ready_at }) => trigger !== "inbox" && ready_at === 0).length;
    },

    async planReply(room) {
      const key = { reader: READER, stream: `room:${room}` };
      const [row] = await store.select({ table: "readers", where: key });
      return {
        guard:
          row === undefined
            ? { kind: "absent", table: "readers", where: key }
            : { kind: "exists", table: "readers", where: { ...key, offset: row.offset } },
        write: { kind: "put", table: "readers", row: { ...key, offset: (row?.offset ?? 0) + 1 } },
      };
    },
  };
};
