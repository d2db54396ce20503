/**
 * Byte streams, which agents create at paths of a house, hold appended bytes or JSON messages. They
 * are stored as events of the house's durable streams, with the same guarantees.
 * The caller checks access.
 */
import type { AgentId, ByteStreamId, HouseId } from "@hearth/protocol";

/** The address of a stream. Paths of different houses are independent. */
export interface Address {
  readonly house: HouseId;
  readonly path: string;
}

export interface ByteStreamInfo extends Address {
  readonly id: ByteStreamId;
  /** The agent that created it. */
  readonly owner: AgentId;
  readonly contentType: string;
  /** The offset of its last chunk, or 0 if the stream is empty. */
  readonly tail: number;
  /** Whether it accepts no more appends. */
  readonly isClosed: boolean;
  /** The stream is removed after this time without reads and writes. */
  readonly ttlSeconds?: number;
  /** The stream is removed at this instant. */
  readonly expiresAt?: number;
}

/**
 * The result of a search. `gone` means that the stream was removed and its forks still read its
 * content.
 */
export type FindResult = ByteStreamInfo | "absent" | "gone";

/** One append, or one JSON message. Offsets are dense and start at 1. */
export interface Chunk {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface NewByteStream {
  readonly owner: AgentId;
  /** The content type. Default: that of the source, or otherwise bytes. */
  readonly contentType?: string;
  readonly ttlSeconds?: number;
  readonly expiresAt?: number;
  readonly isClosed: boolean;
  /** The initial content. An empty JSON array counts as empty. */
  readonly content: Uint8Array;
  readonly fork?: Fork;
}

/** The source of a stream that starts with another stream's content, up to a point. */
export interface Fork {
  readonly path: string;
  /** The offset of the point. Default: the source's end. */
  readonly offset?: number;
  /**
   * How much of the content after that offset is included: messages of a JSON stream, or bytes of
   * the next chunk of any other stream.
   */
  readonly sub: number;
}

/** The expected outcomes of a creation. None of them is an error. */
export type CreateResult =
  | { readonly kind: "created" | "known"; readonly info: ByteStreamInfo }
  /** A stream with other settings exists, or forks of a removed stream still use the path. */
  | { readonly kind: "differs" }
  | { readonly kind: "no-source" }
  /** The source has another type, or was removed. */
  | { readonly kind: "unfit-source" }
  /** The point is after the source's end, or the chain of forks is too long. */
  | { readonly kind: "no-such-point" }
  /** The house has the maximum number of streams. */
  | { readonly kind: "full" };

/**
 * An idempotent producer, with its epoch and the number of the append: a repeated append is applied
 * once.
 */
export interface Producer {
  readonly id: string;
  readonly epoch: number;
  readonly seq: number;
}

export interface Content {
  readonly bytes: Uint8Array;
  /** The content type. Required if there is content. It must be the stream's type. */
  readonly contentType?: string;
  /** Must be greater than the previous sequence text, compared by code unit. */
  readonly seq?: string;
  readonly producer?: Producer;
  /** Whether the stream is closed after this append. */
  readonly closes: boolean;
}

/** The expected outcomes of an append. None of them is an error. */
export type WriteResult =
  | { readonly kind: "appended"; readonly info: ByteStreamInfo; readonly isNew: boolean; readonly producer?: Producer }
  | { readonly kind: "absent" | "gone" | "type-differs" | "seq-behind" | "too-many-producers" }
  | { readonly kind: "closed"; readonly info: ByteStreamInfo }
  /** A later epoch of this producer has written. */
  | { readonly kind: "fenced"; readonly epoch: number }
  /** Earlier appends of this producer are missing. */
  | { readonly kind: "gap"; readonly expected: number; readonly received: number }
  /** A new epoch of a producer has to start with 0. */
  | { readonly kind: "late-start" };

/**
 * Contract, checked by `byteStreamsConformance`:
 * - a stream contains its appended chunks, in the order in which `append` resolved for writers that
 *   wait for each other
 * - an append is stored as a whole or not at all, also across a crash: its chunks, its producer's
 *   state, and the close
 * - a repeated append of one producer is stored once; the second answer has the last accepted
 *   number
 * - a fork reads like its source up to the point and has its own content after it; later appends
 *   are not shared
 * - a removed stream with forks is `gone` until the last of them is removed; then its path is free
 * - an expired stream counts as removed
 */
export interface ByteStreams {
  /** Creates a stream. Throws `request.invalid` for content that is not of its type. */
  create(address: Address, settings: NewByteStream): Promise<CreateResult>;
  find(address: Address): Promise<FindResult>;
  /** Returns the address of the stream with this id. */
  addressOf(id: ByteStreamId): Promise<Address | undefined>;
  /** Returns all streams of a house. */
  list(house: HouseId): Promise<readonly ByteStreamInfo[]>;
  /** Appends content. Throws `request.invalid` for content that is not of the stream's type. */
  append(address: Address, content: Content): Promise<WriteResult>;
  remove(address: Address): Promise<"removed" | "absent" | "gone">;
  /** Records a read, which restarts a time to live. */
  touch(info: ByteStreamInfo): Promise<void>;
  /**
   * Returns chunks after an offset, oldest first, as many as fit into an answer, and at least one
   * if there is any.
   */
  read(id: ByteStreamId, after: number): Promise<readonly Chunk[]>;
  /**
   * Returns chunks like `read`, but waits for the first. Empty if the stream is closed or
   * removed, or if `signal` aborts.
   */
  next(id: ByteStreamId, after: number, signal: AbortSignal): Promise<readonly Chunk[]>;
  /**
   * Removes expired streams until `signal` aborts. Never rejects. Uses no time while no stream
   * can expire.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** Maximum number of streams per house. */
export const MAX_BYTE_STREAMS = 10_000;
/** Maximum number of producers per stream. */
export const MAX_PRODUCERS = 1_000;
/** Maximum number of messages per append. */
export const MAX_MESSAGES = 10_000;
/** Maximum number of levels of forks. */
export const MAX_FORK_DEPTH = 32;
export const DEFAULT_CONTENT_TYPE = "application/octet-stream";

/** Returns a type without parameters, in lower case, for comparisons. */
export const essenceOf = (contentType: string): string => contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
export const isJson = (contentType: string): boolean => essenceOf(contentType) === "application/json";
