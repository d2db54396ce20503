/**
 * Byte streams that agents create at paths of a house: appended bytes, or JSON messages. They are
 * stored as events of the house's durable streams, with the same guarantees.
 *
 * Access is checked by the caller.
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
  /** The offset of its last chunk, 0 if it is empty. */
  readonly tail: number;
  /** Nothing can be appended. */
  readonly isClosed: boolean;
  /** It is removed after this time without reads and writes. */
  readonly ttlSeconds?: number;
  /** It is removed at this instant. */
  readonly expiresAt?: number;
}

/** `gone`: it was removed, and its forks still read its content. */
export type Found = ByteStreamInfo | "absent" | "gone";

/** One append, or one JSON message. Offsets are dense and start at 1. */
export interface Chunk {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface NewByteStream {
  readonly owner: AgentId;
  /** Default: the source's type, otherwise bytes. */
  readonly contentType?: string;
  readonly ttlSeconds?: number;
  readonly expiresAt?: number;
  readonly isClosed: boolean;
  /** Initial content. An empty JSON array is no content. */
  readonly content: Uint8Array;
  readonly fork?: Fork;
}

/** A stream that starts with another one's content, up to a point. */
export interface Fork {
  readonly path: string;
  /** Default: its end. */
  readonly offset?: number;
  /**
   * How much after that offset is included: messages of a JSON stream, bytes of the next chunk of
   * any other.
   */
  readonly sub: number;
}

/** Expected outcomes of a creation; none is an error. */
export type Created =
  | { readonly kind: "created" | "known"; readonly info: ByteStreamInfo }
  /** A stream with other settings exists, or forks of a removed one still use the path. */
  | { readonly kind: "differs" }
  | { readonly kind: "no-source" }
  /** The source has another type, or is gone. */
  | { readonly kind: "unfit-source" }
  /** The point is after the end, or the chain of forks is too long. */
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
  /** Required with content; must be the stream's type. */
  readonly contentType?: string;
  /** Must be greater than the previous one, compared by code unit. */
  readonly seq?: string;
  readonly producer?: Producer;
  /** Closes the stream after this append. */
  readonly closes: boolean;
}

/** Expected outcomes of an append; none is an error. */
export type Written =
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
 * - a stream has its appended chunks, in the order in which `append` resolved for writers that wait
 *   for each other
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
  /** Throws `request.invalid` for content that is not of its type. */
  create(address: Address, wanted: NewByteStream): Promise<Created>;
  find(address: Address): Promise<Found>;
  /** The address of the stream with this id. */
  addressOf(id: ByteStreamId): Promise<Address | undefined>;
  /** All streams of a house. */
  list(house: HouseId): Promise<readonly ByteStreamInfo[]>;
  /** Throws `request.invalid` for content that is not of the stream's type. */
  append(address: Address, content: Content): Promise<Written>;
  remove(address: Address): Promise<"removed" | "absent" | "gone">;
  /** Notes a read, which restarts a time to live. */
  touch(info: ByteStreamInfo): Promise<void>;
  /**
   * Chunks after an offset, oldest first, as many as fit an answer; at least one if there is any.
   */
  read(id: ByteStreamId, after: number): Promise<readonly Chunk[]>;
  /**
   * The same, waiting for the first; empty when the stream is closed or removed, or `signal`
   * aborts.
   */
  next(id: ByteStreamId, after: number, signal: AbortSignal): Promise<readonly Chunk[]>;
  /**
   * Removes expired streams until `signal` aborts. Never rejects. Costs nothing while no stream can
   * expire.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** Per house. */
export const MAX_BYTE_STREAMS = 10_000;
/** Per stream. */
export const MAX_PRODUCERS = 1_000;
/** Per append. */
export const MAX_MESSAGES = 10_000;
/** Levels of forks. */
export const MAX_FORK_DEPTH = 32;
export const DEFAULT_CONTENT_TYPE = "application/octet-stream";

/** A type without parameters, in lower case, for comparison. */
export const essenceOf = (contentType: string): string => contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
export const isJson = (contentType: string): boolean => essenceOf(contentType) === "application/json";
