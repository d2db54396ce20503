/**
 * Streams that agents make for themselves, at paths of a house: bytes as they were appended, or JSON messages. They are kept like
 * everything else that happens, as events of the house's own streams, so what holds for those holds for them.
 *
 * Who may do what is not decided here.
 */
import type { AgentId, ByteStreamId, HouseId } from "@hearth/protocol";

/** Where a stream is. The paths of two houses have nothing to do with each other. */
export interface Address {
  readonly house: HouseId;
  readonly path: string;
}

export interface ByteStreamInfo extends Address {
  readonly id: ByteStreamId;
  /** The agent that made it. */
  readonly owner: AgentId;
  readonly contentType: string;
  /** The offset of its last chunk, 0 when it is empty. */
  readonly tail: number;
  /** Nothing is appended any more. */
  readonly isClosed: boolean;
  /** It goes when nobody has read or written it for so long. */
  readonly ttlSeconds?: number;
  /** It goes at this instant. */
  readonly expiresAt?: number;
}

/** `gone`: it was removed, and its forks still read what it held. */
export type Found = ByteStreamInfo | "absent" | "gone";

/** What was appended at once, or one JSON message. Offsets are dense and start at 1. */
export interface Chunk {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface NewByteStream {
  readonly owner: AgentId;
  /** Default: what it is forked from, else bytes. */
  readonly contentType?: string;
  readonly ttlSeconds?: number;
  readonly expiresAt?: number;
  readonly isClosed: boolean;
  /** What it begins with. An empty JSON array is nothing. */
  readonly content: Uint8Array;
  readonly fork?: Fork;
}

/** A stream that begins as another one did, up to a point. */
export interface Fork {
  readonly path: string;
  /** Default: its end. */
  readonly offset?: number;
  /** How much of what follows that offset comes along: messages of a JSON stream, bytes of the next chunk of any other. */
  readonly sub: number;
}

/** What a maker must be ready for. None of these is an error. */
export type Created =
  | { readonly kind: "created" | "known"; readonly info: ByteStreamInfo }
  /** There is one that was asked for otherwise, or whose path its forks still hold. */
  | { readonly kind: "differs" }
  | { readonly kind: "no-source" }
  /** What it would be forked from is of another type, or gone. */
  | { readonly kind: "unfit-source" }
  /** The point lies behind the end, or the chain of forks is too long. */
  | { readonly kind: "no-such-point" }
  /** The house has as many as it may have. */
  | { readonly kind: "full" };

/** Who appends, how often it began anew, and which of its appends this is: the same one twice is one. */
export interface Producer {
  readonly id: string;
  readonly epoch: number;
  readonly seq: number;
}

export interface Content {
  readonly bytes: Uint8Array;
  /** Must be given with bytes, and must be the stream's. */
  readonly contentType?: string;
  /** Must be greater than the one before, code unit by code unit. */
  readonly seq?: string;
  readonly producer?: Producer;
  /** Nothing comes after this. */
  readonly closes: boolean;
}

/** What a writer must be ready for. None of these is an error. */
export type Written =
  | { readonly kind: "appended"; readonly info: ByteStreamInfo; readonly isNew: boolean; readonly producer?: Producer }
  | { readonly kind: "absent" | "gone" | "type-differs" | "seq-behind" | "too-many-producers" }
  | { readonly kind: "closed"; readonly info: ByteStreamInfo }
  /** A later self of this producer has written. */
  | { readonly kind: "fenced"; readonly epoch: number }
  /** Appends of this producer are missing before this one. */
  | { readonly kind: "gap"; readonly expected: number; readonly received: number }
  /** A producer that begins anew begins with 0. */
  | { readonly kind: "late-start" };

/**
 * Contract, checked by `byteStreamsConformance`:
 * - a stream's chunks are what was appended, in the order in which `append` resolved for writers that wait for each other
 * - an append is there whole or not at all, also across a crash: its chunks, what is known of its producer, and whether it closes
 * - the same append of one producer twice is there once; the second answer tells the last that was accepted
 * - a fork reads like its source up to the point and like itself after it, and neither sees what the other gets later
 * - what is removed while forks read on in it is `gone` until the last of them is; then its path is free
 * - a stream whose time has come is as if it were removed
 */
export interface ByteStreams {
  /** Throws `request.invalid` for content that is not of its type. */
  create(address: Address, wanted: NewByteStream): Promise<Created>;
  find(address: Address): Promise<Found>;
  /** Where a stream of this id is. */
  addressOf(id: ByteStreamId): Promise<Address | undefined>;
  /** All of a house. */
  list(house: HouseId): Promise<readonly ByteStreamInfo[]>;
  /** Throws `request.invalid` for content that is not of the stream's type. */
  append(address: Address, content: Content): Promise<Written>;
  remove(address: Address): Promise<"removed" | "absent" | "gone">;
  /** Somebody reads it: if it has a time to live, that begins anew. */
  touch(info: ByteStreamInfo): Promise<void>;
  /** Chunks after an offset, oldest first, as many as fit an answer; at least one if there is any. */
  read(id: ByteStreamId, after: number): Promise<readonly Chunk[]>;
  /** The same, waiting for the first; none when the stream is closed or removed, or `signal` aborts. */
  next(id: ByteStreamId, after: number, signal: AbortSignal): Promise<readonly Chunk[]>;
  /** Removes what is due, until `signal` aborts. Never rejects. Costs nothing while nothing will be due. */
  run(signal: AbortSignal): Promise<void>;
}

/** Of one house. */
export const MAX_BYTE_STREAMS = 10_000;
/** Of one stream. */
export const MAX_PRODUCERS = 1_000;
/** Of one append. */
export const MAX_MESSAGES = 10_000;
/** Forks of forks. */
export const MAX_FORK_DEPTH = 32;
export const DEFAULT_CONTENT_TYPE = "application/octet-stream";

/** What is compared of two types: without parameters, in any case. */
export const essenceOf = (contentType: string): string => contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
export const isJson = (contentType: string): boolean => essenceOf(contentType) === "application/json";
