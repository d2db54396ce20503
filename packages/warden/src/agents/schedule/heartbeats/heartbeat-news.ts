/**
 * Finds what is new for an agent since its last heartbeat. The read positions of a heartbeat in
 * readable rooms and in the agent's log are stored with the slot. The agent's own actions and the
 * results of heartbeats are not news, so that heartbeats cannot trigger themselves or each other.
 */
import type { Permissions, Records } from "../../../people/index.ts";
import type { Store, Write, Row, DurableStreams } from "../../../kernel/index.ts";
import {
  type AgentRecord,
  type EventId,
  HEARTBEAT,
  isHeartbeatPrompt,
  type InboxMessage,
  type MessageEvent,
  includesLevel,
  type RoomId,
  type RoomRecord,
  type Stored,
  type StreamName,
} from "@hearth/protocol";
import type { Brains } from "../../brains/brains.ts";
import { findChange } from "../origin.ts";

export interface NewsOptions {
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "heads" | "read" | "find">;
  readonly records: Pick<Records, "find" | "list">;
  readonly permissions: Pick<Permissions, "levelIn">;
  readonly brains: Pick<Brains, "open">;
}

export interface News {
  /** Whether this is the first heartbeat. Everything is new for it, and nothing is counted. */
  readonly isFirst: boolean;
  /** The number of new messages, by room. */
  readonly rooms: ReadonlyMap<RoomId, number>;
  /** The brain files that other authors changed. */
  readonly files: readonly string[];
  /** The number of new inbox messages. */
  readonly newInboxCount: number;
  /** The names of the agent's jobs that ended. */
  readonly jobs: readonly string[];
  /** Returns the previous read position in a room. */
  readonly previousOffset: (room: RoomId) => number;
  /** The writes that store the new read positions. */
  readonly positionWrites: readonly Write[];
}

/** Maximum number of events in one read. */
const EVENTS_PER_READ = 500;

export const isNew = ({ isFirst, rooms, files, newInboxCount, jobs }: News): boolean =>
  isFirst || rooms.size > 0 || files.length > 0 || newInboxCount > 0 || jobs.length > 0;

export const createNews = ({ store, streams, records, permissions, brains }: NewsOptions) => {
  const findActivation = async (id: string): Promise<Row<"activations"> | undefined> =>
    (await store.select({ table: "activations", where: { id } }))[0];

  /** Whether a heartbeat of any agent caused this turn. */
  const isOfHeartbeat = async (activation: string): Promise<boolean> => {
    const row = await findActivation(activation);
    if (row === undefined || row.trigger === "heartbeat") return row !== undefined;
    const rootRows = await store.select({ table: "activations", where: { cause: row.root ?? row.cause } });
    return rootRows.some(({ trigger }) => trigger === "heartbeat");
  };

  const isHuman = async (id: string): Promise<boolean> => (await records.find("agent", id))?.content.kind === "human";

  /**
   * Whether the message answers a heartbeat. If an external program wrote it, only its reply
   * reference shows this.
   */
  const answersHeartbeat = async (room: RoomId, { author, replyTo, causes }: MessageEvent): Promise<boolean> => {
    if (await isHuman(author)) return false;
    const answeredIds: readonly EventId[] = replyTo === undefined ? causes : [...causes, replyTo];
    for (const id of answeredIds) {
      const event = await streams.find(`room:${room}`, id);
      if (event?.type !== "message") continue;
      if (isHeartbeatPrompt(event)) return true;
      if (event.activation !== undefined && (await isOfHeartbeat(event.activation))) return true;
    }
    return false;
  };

  const isNewsOfRoom = async (agent: AgentRecord, room: RoomId, event: Stored): Promise<boolean> => {
    if (event.type === "message-edited" || event.type === "message-deleted") return isHuman(event.by);
    // A job's prompt is not news, but its result is.
    if (event.type !== "message" || event.author === agent.id || event.job !== undefined) return false;
    if (event.copied !== undefined) return false;
    return event.activation === undefined
      ? !(await answersHeartbeat(room, event))
      : !(await isOfHeartbeat(event.activation));
  };

  const isNewNoteFor = async (agent: AgentRecord, { to, from, status, activation }: InboxMessage): Promise<boolean> =>
    to === agent.id && from !== agent.id && status === "pending" && !(await isOfHeartbeat(activation));

  /**
   * Returns the job of this run, unless the job belongs to a heartbeat. Otherwise a heartbeat
   * could wake itself through the file.
   */
  const findJob = async (agent: AgentRecord, activation: string): Promise<string | undefined> => {
    const row = await findActivation(activation);
    if (row?.trigger !== "job" || row.merged_into !== null) return undefined;
    const [slot] = await store.select({ table: "job_slots", where: { agent: agent.id, activation } });
    if (slot === undefined) return undefined;
    const createdBy = (await findChange(await brains.open(agent), "+", slot.job))?.activation;
    return createdBy !== undefined && (await isOfHeartbeat(createdBy)) ? undefined : slot.job;
  };

  async function* readEventsAfter(stream: StreamName, position: number, head: number) {
    for (let after = position; after < head; after += EVENTS_PER_READ)
      for (const event of await streams.read(stream, after, Math.min(EVENTS_PER_READ, head - after))) yield event;
  }

  const listReadableRooms = async (agent: AgentRecord): Promise<readonly RoomRecord[]> => {
    const rooms = await records.list("room");
    const levels = await Promise.all(rooms.map((room) => permissions.levelIn({ agent: agent.id }, room)));
    return rooms.filter((_, index) => includesLevel(levels[index], "r"));
  };

  return async (agent: AgentRecord): Promise<News> => {
    const reader = `${HEARTBEAT} ${agent.id}`;
    const agentLog: StreamName = `agent:${agent.id}`;
    const ids = (await listReadableRooms(agent)).map(({ id }) => id);
    const names = [agentLog, ...ids.map((id): StreamName => `room:${id}`)];
    const [readerRows, heads] = await Promise.all([
      store.select({ table: "readers", where: { reader } }),
      streams.heads(names),
    ]);
    const positions = new Map(readerRows.map(({ stream, offset }) => [stream, offset]));
    const positionOf = (stream: string): number => positions.get(stream) ?? 0;
    const headOf = (stream: StreamName): number => heads.get(stream)?.offset ?? 0;
    const grownStreams = names.filter(
      (name) => headOf(name) > positionOf(name) || (name === agentLog && !positions.has(agentLog)),
    );
    const news = {
      previousOffset: (room: RoomId) => positionOf(`room:${room}`),
      positionWrites: grownStreams.map((stream): Write => ({
        kind: "put",
        table: "readers",
        row: { reader, stream, offset: headOf(stream) },
      })),
    };
    if (!positions.has(agentLog))
      return { ...news, isFirst: true, rooms: new Map(), files: [], newInboxCount: 0, jobs: [] };
    const rooms = new Map<RoomId, number>();
    for (const room of ids) {
      const stream: StreamName = `room:${room}`;
      for await (const event of readEventsAfter(stream, positionOf(stream), headOf(stream)))
        if (await isNewsOfRoom(agent, room, event)) rooms.set(room, (rooms.get(room) ?? 0) + 1);
    }
    const files = new Set<string>();
    const jobs = new Set<string>();
    let newInboxCount = 0;
    for await (const event of readEventsAfter(agentLog, positionOf(agentLog), headOf(agentLog))) {
      if (event.type === "memory-written" && event.activation === undefined) files.add(event.path);
      if (event.type === "inbox-changed" && (await isNewNoteFor(agent, event.message))) newInboxCount += 1;
      const job = event.type === "activation-ended" ? await findJob(agent, event.activation) : undefined;
      if (job !== undefined) jobs.add(job);
    }
    return { ...news, isFirst: false, rooms, files: [...files], newInboxCount, jobs: [...jobs] };
  };
};
