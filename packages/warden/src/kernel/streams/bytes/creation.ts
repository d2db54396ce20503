/** Creates byte streams, new or as forks. Each creation is one commit with the initial content. */
import type { ByteStreamId, HouseId, World } from "@hearth/protocol";
import type { Store } from "../../store/store.ts";
import type { DurableStreams } from "../streams.ts";
import {
  type Address,
  type Chunk,
  type CreateResult,
  DEFAULT_CONTENT_TYPE,
  essenceOf,
  type Fork,
  isJson,
  MAX_BYTE_STREAMS,
  MAX_FORK_DEPTH,
  type NewByteStream,
} from "./byte-streams.ts";
import { toChunks, toEvent } from "./chunks.ts";
import { type ByteStreamRow, dueAt, nameOf, type StreamRows, toInfo } from "./stream-rows.ts";

interface ForkPoint {
  readonly base: number;
  /** The included first bytes of the next chunk. */
  readonly partialChunk?: Uint8Array;
}

export const createCreation = (options: {
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly streamRows: StreamRows;
  /** Returns the row at an address. An expired stream is removed first. */
  readonly current: (address: Address) => Promise<ByteStreamRow | undefined>;
  readonly read: (id: ByteStreamId, after: number) => Promise<readonly Chunk[]>;
  readonly onDue: () => void;
}): ((address: Address, settings: NewByteStream) => Promise<CreateResult>) => {
  const { world, store, streams, streamRows, current, read, onDue } = options;

  const findPoint = async (source: ByteStreamRow, { offset, sub }: Fork): Promise<ForkPoint | undefined> => {
    const tail = await streamRows.tail(source);
    const base = offset ?? tail;
    if (base > tail || (await streamRows.segments(source.id)).length > MAX_FORK_DEPTH) return undefined;
    if (sub === 0) return { base };
    if (isJson(source.content_type)) return base + sub > tail ? undefined : { base: base + sub };
    const [chunk] = await read(source.id, base);
    if (chunk === undefined || sub > chunk.bytes.length) return undefined;
    return sub === chunk.bytes.length ? { base: base + 1 } : { base, partialChunk: chunk.bytes.slice(0, sub) };
  };

  /**
   * Whether an existing stream matches the request. A fork inherits type, time and point if the
   * request has none.
   */
  const matchesSettings = async (row: ByteStreamRow, settings: NewByteStream): Promise<boolean> => {
    const { fork, ttlSeconds = null, expiresAt = null } = settings;
    const source = fork === undefined ? undefined : await streamRows.byAddress({ house: row.house, path: fork.path });
    if (row.source !== (source?.id ?? null) || (fork !== undefined && source === undefined)) return false;
    const inheritsExpiry = fork !== undefined && ttlSeconds === null && expiresAt === null;
    const type = settings.contentType ?? (fork === undefined ? DEFAULT_CONTENT_TYPE : row.content_type);
    return (
      essenceOf(type) === essenceOf(row.content_type) &&
      (inheritsExpiry || (row.ttl_seconds === ttlSeconds && row.expires_at === expiresAt)) &&
      (row.state === "closed") === settings.isClosed &&
      (fork === undefined || (row.fork_sub === fork.sub && row.fork_offset === (fork.offset ?? row.fork_offset)))
    );
  };

  /**
   * Upper bounds of the counts by house. Removed streams are only noticed when a house seems
   * full.
   */
  const countUpperBounds = new Map<HouseId, number>();
  const isFull = async ({ house }: Address): Promise<boolean> => {
    if ((countUpperBounds.get(house) ?? MAX_BYTE_STREAMS) < MAX_BYTE_STREAMS) return false;
    const { length } = await store.select({ table: "byte_streams", where: { house }, limit: MAX_BYTE_STREAMS });
    countUpperBounds.set(house, length);
    return length >= MAX_BYTE_STREAMS;
  };

  const tryCreate = async (address: Address, settings: NewByteStream): Promise<CreateResult | "again"> => {
    const now = world.clock.now();
    const row = await current(address);
    if (row !== undefined) {
      if (row.state === "gone" || !(await matchesSettings(row, settings))) return { kind: "differs" };
      return { kind: "known", info: await streamRows.info(row) };
    }
    if (await isFull(address)) return { kind: "full" };
    const { fork } = settings;
    const source = fork === undefined ? undefined : await current({ house: address.house, path: fork.path });
    if (fork !== undefined && source === undefined) return { kind: "no-source" };
    const contentType = settings.contentType ?? source?.content_type ?? DEFAULT_CONTENT_TYPE;
    if (source !== undefined && (source.state === "gone" || essenceOf(contentType) !== essenceOf(source.content_type)))
      return { kind: "unfit-source" };
    const forkPoint = source === undefined || fork === undefined ? { base: 0 } : await findPoint(source, fork);
    if (forkPoint === undefined) return { kind: "no-such-point" };
    const chunks = [
      ...(forkPoint.partialChunk === undefined ? [] : [toEvent(forkPoint.partialChunk, now)]),
      ...toChunks(contentType, settings.content, now),
    ];
    const expiry = expiryOf(settings, source);
    const newRow: ByteStreamRow = {
      id: world.ids.fresh("bytes"),
      house: address.house,
      path: address.path,
      owner: settings.owner,
      content_type: contentType,
      ...expiry,
      due_at: dueAt(expiry, now),
      state: settings.isClosed ? "closed" : "open",
      last_seq: null,
      source: source?.id ?? null,
      fork_offset: fork?.offset ?? forkPoint.base,
      fork_sub: fork?.sub ?? 0,
      base: forkPoint.base,
      forks: 0,
      created_at: now,
    };
    const result = await streams.commit({
      guards:
        source === undefined
          ? []
          : [
              {
                kind: "exists",
                table: "byte_streams",
                where: { id: source.id, state: source.state, forks: source.forks },
              },
            ],
      writes: [
        { kind: "insert", table: "byte_streams", row: newRow },
        ...(source === undefined
          ? []
          : [
              {
                kind: "update",
                table: "byte_streams",
                where: { id: source.id },
                set: { forks: source.forks + 1 },
              } as const,
            ]),
      ],
      events: chunks.map((event) => ({ stream: nameOf(newRow.id), id: world.ids.fresh("evt"), event })),
    });
    // Another request used the path, or changed the source.
    if (result.kind !== "committed") return "again";
    countUpperBounds.set(address.house, (countUpperBounds.get(address.house) ?? 0) + 1);
    if (newRow.due_at !== null) onDue();
    return { kind: "created", info: toInfo(newRow, newRow.base + chunks.length) };
  };

  return async (address, settings) => {
    for (;;) {
      const result = await tryCreate(address, settings);
      if (result !== "again") return result;
    }
  };
};

/** Returns its own expiry if it has one, and otherwise the source's. */
const expiryOf = (
  { ttlSeconds, expiresAt }: NewByteStream,
  source: ByteStreamRow | undefined,
): Pick<ByteStreamRow, "ttl_seconds" | "expires_at"> =>
  ttlSeconds === undefined && expiresAt === undefined && source !== undefined
    ? { ttl_seconds: source.ttl_seconds, expires_at: source.expires_at }
    : { ttl_seconds: ttlSeconds ?? null, expires_at: expiresAt ?? null };
