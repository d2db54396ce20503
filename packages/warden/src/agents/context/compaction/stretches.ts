/**
 * Determines the part of a room that is an agent's session: the messages after the last `/new` and
 * the last summary, limited to a window.
 */
import type { Records } from "../../../people/index.ts";
import type { Row, DurableStreams } from "../../../kernel/index.ts";
import { isScheduled, type AgentId, type RoomId, type Stored, isHeartbeatPrompt, isNewCommand } from "@hearth/protocol";
import type { Frozen } from "../frozen.ts";
import { earlierStart, historyStart } from "../history.ts";
import { type Session, type Sessions, type Summary, toSummary } from "../sessions.ts";
import { type CurrentMessages, currentMessages } from "../current-messages.ts";

export interface SessionRange {
  readonly range: Frozen["range"];
  readonly current: CurrentMessages;
  /** The summary of the session before this range. */
  readonly summary?: Summary;
}

export interface SessionRanges {
  /**
   * Returns the activation's session. The session of an isolated job holds only the job's prompt.
   * That of a heartbeat also holds the new messages of the room.
   */
  find(activation: Pick<Row<"activations">, "agent" | "room" | "trigger" | "cause_offset">): Promise<SessionRange>;
  /** Reads the messages of a known range. Without a cause, leaves out the prompts of heartbeats. */
  read(
    room: RoomId,
    range: Pick<Frozen["range"], "start" | "head"> & { readonly cause?: number },
  ): Promise<CurrentMessages>;
}

/** Maximum number of events in one read. */
const EVENTS_PER_READ = 1000;

export const createSessionRanges = (options: {
  readonly records: Pick<Records, "find">;
  readonly streams: Pick<DurableStreams, "head" | "read" | "find">;
  readonly sessions: Pick<Sessions, "get" | "end">;
}): SessionRanges => {
  const { records, streams, sessions } = options;

  const readEvents = async (
    room: RoomId,
    { start, head }: Pick<Frozen["range"], "start" | "head">,
  ): Promise<readonly Stored[]> => (head === start ? [] : streams.read(`room:${room}`, start, head - start));

  /**
   * Converts the events to messages, without the heartbeat prompts other than the cause. There may
   * be many, and only the turn that answers such a prompt needs it.
   */
  const toMessages = (events: readonly Stored[], cause?: number): CurrentMessages =>
    currentMessages(
      events.filter((event) => event.type !== "message" || !isHeartbeatPrompt(event) || event.offset === cause),
    );

  const isHuman = async (author: AgentId): Promise<boolean> =>
    (await records.find("agent", author))?.content.kind === "human";

  /** Returns the offset of the last message with which a person began a new session. */
  const findSessionStart = async (
    { messages, removed }: CurrentMessages,
    cause: number,
  ): Promise<number | undefined> => {
    for (const { id, author, offset, body, job } of messages.toReversed()) {
      if (offset >= cause || removed.has(id) || job !== undefined || !isNewCommand(body.text)) continue;
      if (await isHuman(author)) return offset;
    }
    return undefined;
  };

  /** Ends the summary if an event since the last check changed a message that it covers. */
  const endStaleSummary = async (session: Session, cause: number, head: number): Promise<void> => {
    const { room, activeCompaction } = session;
    if (activeCompaction === undefined) return;
    for (let after = session.checkedOffset; after < head; after += EVENTS_PER_READ) {
      const events = await readEvents(room, { start: after, head: Math.min(head, after + EVENTS_PER_READ) });
      for (const event of events) {
        const isNew = event.type === "message" && event.job === undefined && isNewCommand(event.body.text);
        if (isNew && event.offset < cause && (await isHuman(event.author)))
          return sessions.end(session, "all", "A new session began.");
        if (event.type !== "message-deleted" && event.type !== "message-edited") continue;
        const changedMessage = await streams.find(`room:${room}`, event.message);
        if (changedMessage !== undefined && changedMessage.offset <= activeCompaction.through) {
          await sessions.end(session, changedMessage.offset, "A message in it was changed or taken back.");
          return endStaleSummary(session, cause, head);
        }
      }
    }
    // A message after the cause that begins a session belongs to the turn that it starts.
    session.checkedOffset = Math.max(session.checkedOffset, cause - 1);
  };

  /** Returns the session of an isolated job: only its prompt. */
  const findRangeOfIsolatedJob = async (room: RoomId, cause: number): Promise<SessionRange | undefined> => {
    const [prompt] = await streams.read(`room:${room}`, cause - 1, 1);
    if (prompt?.type !== "message" || prompt.job?.context !== "isolated") return undefined;
    if (prompt.job.after !== undefined) return findRangeOfHeartbeat(room, cause, prompt.job.after);
    const { removed } = currentMessages(
      await readEvents(room, { start: cause, head: await streams.head(`room:${room}`) }),
    );
    return { range: { start: cause - 1, cause, head: cause }, current: { ...currentMessages([prompt]), removed } };
  };

  /** Returns the session of a heartbeat: the new messages of the current session. */
  const findRangeOfHeartbeat = async (room: RoomId, cause: number, after: number): Promise<SessionRange> => {
    const head = await streams.head(`room:${room}`);
    const firstOffset = Math.max(after, historyStart(cause));
    const events = await readEvents(room, { start: firstOffset, head });
    const start = (await findSessionStart(currentMessages(events), cause)) ?? firstOffset;
    return {
      range: { start, cause, head },
      current: toMessages(
        events.filter(({ offset }) => offset > start),
        cause,
      ),
    };
  };

  return {
    async find(activation) {
      const [agent, room] = [activation.agent, activation.room];
      const { cause_offset: cause } = activation;
      const jobRange = isScheduled(activation) ? await findRangeOfIsolatedJob(room, cause) : undefined;
      if (jobRange !== undefined) return jobRange;
      const [session, head] = await Promise.all([sessions.get(agent, room), streams.head(`room:${room}`)]);
      await endStaleSummary(session, cause, head);
      const summary = toSummary(session.activeCompaction);
      // A turn that was queued before the end of the summary uses the room's messages up to its
      // cause.
      const usableSummary = summary === undefined || summary.through >= cause ? undefined : summary;
      const floor = usableSummary?.through ?? 0;
      let start = Math.max(floor, historyStart(cause));
      let events = await readEvents(room, { start, head });
      for (;;) {
        const current = toMessages(events, cause);
        const sessionOffset = await findSessionStart(current, cause);
        if (sessionOffset !== undefined) {
          const sessionEvents = events.filter(({ offset }) => offset > sessionOffset);
          return { range: { start: sessionOffset, cause, head }, current: toMessages(sessionEvents, cause) };
        }
        const earlierOffset = Math.max(floor, earlierStart(current, cause, start));
        if (earlierOffset >= start)
          return {
            range: { start, cause, head },
            current,
            ...(usableSummary === undefined ? {} : { summary: usableSummary }),
          };
        events = [...(await readEvents(room, { start: earlierOffset, head: start })), ...events];
        start = earlierOffset;
      }
    },

    read: async (room, range) => toMessages(await readEvents(room, range), range.cause),
  };
};
