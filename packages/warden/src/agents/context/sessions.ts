/**
 * Keeps agents' sessions in rooms: their size in tokens and their summary. They are cached in
 * memory, so that a turn without a compaction reads nothing. The `compactions` table is the durable
 * state.
 */
import { readJson, writeJson, readLabel, type Store, type Row } from "../../kernel/index.ts";
import {
  type AgentId,
  type Clock,
  type Compaction,
  isHearthError,
  type Label,
  noUsage,
  type RoomId,
  type CompactionState,
} from "@hearth/protocol";
import type { Summaries } from "./compaction/summaries.ts";

type CompactionRow = Row<"compactions">;

/** The summary that replaces a range of messages. */
export interface Summary {
  /** Hash of the text's blob. */
  readonly hash: string;
  readonly label: Label;
  /** The number of messages in the range, without those that earlier summaries cover. */
  readonly messages: number;
  /** Offset of the last event it covers. */
  readonly through: number;
}

export interface Session {
  readonly agent: AgentId;
  readonly room: RoomId;
  /**
   * Tokens of the last turn's first request, before any tool result, as the provider reported.
   * Undefined until a provider has reported them.
   */
  tokens: number | undefined;
  /** The newest compaction, with any outcome. */
  newestCompaction: CompactionRow | undefined;
  /** The compaction whose summary turns use. */
  activeCompaction: CompactionRow | undefined;
  /** Offset up to which the room was checked for changes that end the summary. */
  checkedOffset: number;
  /**
   * Time in UTC milliseconds before which no automatic compaction begins, because one has failed.
   */
  quietUntil: number;
}

export interface Sessions {
  /**
   * Reads the session once per lease, because another daemon may have changed it before the
   * lease.
   */
  get(agent: AgentId, room: RoomId, fence?: number): Promise<Session>;
  /**
   * Requests a compaction, with which the next turn begins. Returns the pending request if there
   * is one.
   */
  request(agent: AgentId, room: RoomId, keep: number): Promise<Compaction>;
  /** Returns the compactions in these rooms, newest first. */
  list(agent: AgentId, rooms: readonly RoomId[], limit: number): Promise<readonly Compaction[]>;
  /** Returns the compaction that this activation made or attempted. */
  findByActivation(activation: string): Promise<Compaction | undefined>;
  /** Ends the summaries that cover this event, or all summaries. They are not used again. */
  end(session: Session, offset: number | "all", reason: string): Promise<void>;
  /**
   * Discards this agent's sessions from the cache, after another part has ended their summaries.
   */
  evict(agent: AgentId): void;
}

/**
 * Maximum number of sessions in the cache. An evicted session is read again, and its tokens are
 * estimated.
 */
const MAX_CACHED_SESSIONS = 1000;

export const createSessions = (options: {
  readonly clock: Pick<Clock, "now">;
  readonly store: Store;
  readonly summaries: Pick<Summaries, "read">;
}): Sessions => {
  const { clock, store, summaries } = options;
  const cachedSessions = new Map<string, { readonly fence: number | undefined; readonly session: Promise<Session> }>();

  const selectNewest = async (
    where: { readonly agent: string; readonly room: string; readonly state?: CompactionState },
    limit = 1,
  ) => store.select({ table: "compactions", where, order: [{ column: "place", descending: true }], limit });

  /**
   * Returns the newest readable summary. Ends damaged ones, so that turns read the room's
   * messages.
   */
  const newestReadable = async (agent: AgentId, room: RoomId): Promise<CompactionRow | undefined> => {
    for (;;) {
      const [row] = await selectNewest({ agent, room, state: "done" });
      if (row === undefined || row.summary === null) return row;
      if ((await summaries.read(row.summary).catch(unlessDamaged)) !== undefined) return row;
      const set = { state: "over", reason: "Its summary is damaged." } as const;
      await store.commit({
        writes: [{ kind: "update", table: "compactions", where: { agent, room, place: row.place }, set }],
      });
    }
  };

  const load = async (agent: AgentId, room: RoomId): Promise<Session> => {
    const [[newestCompaction], activeCompaction] = await Promise.all([
      selectNewest({ agent, room }),
      newestReadable(agent, room),
    ]);
    return {
      agent,
      room,
      tokens: undefined,
      newestCompaction,
      activeCompaction,
      checkedOffset: activeCompaction?.head ?? 0,
      quietUntil: 0,
    };
  };

  const get: Sessions["get"] = async (agent, room, fence) => {
    const key = `${agent} ${room}`;
    const cached = cachedSessions.get(key);
    if (cached !== undefined && (fence === undefined || cached.fence === fence)) return cached.session;
    if (cachedSessions.size >= MAX_CACHED_SESSIONS) cachedSessions.clear();
    const session = load(agent, room);
    cachedSessions.set(key, { fence, session });
    try {
      return await session;
    } catch (error) {
      cachedSessions.delete(key);
      throw error;
    }
  };

  const toCompaction = async (row: CompactionRow): Promise<Compaction> => {
    const text = row.summary === null ? undefined : await summaries.read(row.summary).catch(unlessDamaged);
    const label = readLabel(row.labels);
    return {
      agent: row.agent,
      room: row.room,
      place: row.place,
      at: row.at,
      state: row.state,
      files: readJson(row.files),
      usage: readJson(row.usage),
      ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
      ...(row.activation === null ? {} : { activation: row.activation }),
      ...(row.through === 0 ? {} : { range: { after: row.after, through: row.through }, messages: row.messages }),
      ...(row.tokens === null ? {} : { tokens: row.tokens }),
      ...(row.summary === null || text === undefined ? {} : { summary: { hash: row.summary, text } }),
      ...(label === undefined ? {} : { label }),
      ...(row.reason === null ? {} : { reason: row.reason }),
    };
  };

  return {
    get,

    async request(agent, room, keep) {
      for (;;) {
        const session = await get(agent, room);
        if (session.newestCompaction !== undefined && isOpen(session.newestCompaction))
          return toCompaction(session.newestCompaction);
        const row = newCompaction({
          agent,
          room,
          place: (session.newestCompaction?.place ?? 0) + 1,
          at: clock.now(),
          keep,
        });
        const result = await store.commit({ writes: [{ kind: "insert", table: "compactions", row }] });
        if (result.kind === "committed") session.newestCompaction = row;
        // Another writer inserted a compaction first: read it.
        else cachedSessions.delete(`${agent} ${room}`);
      }
    },

    async list(agent, rooms, limit) {
      const rows = await Promise.all(rooms.map((room) => selectNewest({ agent, room }, limit)));
      const latest = rows.flat().toSorted((a, b) => b.at - a.at || b.place - a.place);
      return Promise.all(latest.slice(0, limit).map(toCompaction));
    },

    async findByActivation(activation) {
      const [row] = await store.select({ table: "compactions", where: { activation }, limit: 1 });
      return row === undefined ? undefined : toCompaction(row);
    },

    evict(agent) {
      for (const key of cachedSessions.keys()) if (key.startsWith(`${agent} `)) cachedSessions.delete(key);
    },

    async end(session, offset, reason) {
      const { agent, room } = session;
      const doneRows = await store.select({ table: "compactions", where: { agent, room, state: "done" } });
      const endedRows = doneRows.filter(({ through }) => offset === "all" || through >= offset);
      await store.commit({
        writes: endedRows.map(({ place }) => ({
          kind: "update",
          table: "compactions",
          where: { agent, room, place },
          set: { state: "over", reason },
        })),
      });
      session.activeCompaction = await newestReadable(agent, room);
    },
  };
};

/** Whether the compaction is requested or running. */
export const isOpen = ({ state }: Pick<CompactionRow, "state">): boolean => state === "asked" || state === "begun";

export const newCompaction = (
  fields: Pick<CompactionRow, "agent" | "room" | "place" | "at"> & Partial<CompactionRow>,
): CompactionRow => ({
  state: "asked",
  reason: null,
  keep: null,
  activation: null,
  after: 0,
  through: 0,
  head: 0,
  messages: 0,
  tokens: null,
  summary: null,
  labels: null,
  files: writeJson([]),
  usage: writeJson(noUsage),
  ended_at: null,
  ...fields,
});

/** Converts a compaction to the summary that replaces a session's oldest messages. */
export const toSummary = (row: CompactionRow | undefined): Summary | undefined =>
  row === undefined || row.summary === null
    ? undefined
    : {
        hash: row.summary,
        messages: row.messages,
        through: row.through,
        label: readLabel(row.labels) ?? UNKNOWN_LABEL,
      };

const UNKNOWN_LABEL: Label = { integrity: "untrusted", readers: "private", sources: ["a summary without a label"] };

const unlessDamaged = (error: unknown): undefined => {
  if (!isHearthError(error, "store.damaged")) throw error;
};
