/** Words to pictures: the interface of all picture providers. */
import type { PictureSize } from "@hearth/protocol/tools";
import type { WireOptions } from "../wires/vendor-call.ts";

export const pictureTypes = ["image/png", "image/jpeg", "image/webp"] as const;
export type PictureType = (typeof pictureTypes)[number];

/** A picture whose bytes were checked, without metadata. */
export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Detected in the bytes. */
  readonly type: PictureType;
  readonly width: number;
  readonly height: number;
}

export interface PictureOrder {
  readonly prompt: string;
  /** How many pictures, from 1 to `MAX_PICTURES`. */
  readonly count: number;
  /** Absent: the provider chooses. */
  readonly size?: PictureSize;
  /** The picture to change. Absent: a new one is made. */
  readonly source?: Picture;
  /** A picture of the same dimensions whose transparent parts are changed. Only with `source`. */
  readonly mask?: Picture;
}

/** Largest picture that a provider may return: the largest file that tools read. */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
/** Largest answer: `MAX_PICTURES` pictures as base64, and the JSON around them. */
export const MAX_PICTURE_ANSWER_BYTES = 56 * 1024 * 1024;
/** Longest edge of a picture. A small file can claim any size. */
export const MAX_PICTURE_PIXELS = 8192;
/** Longest time of one request. High quality takes minutes. */
export const PICTURE_LIMIT_MS = 180_000;

/**
 * Contract, checked by `pictureProviderConformance`:
 * - `make` returns 1 to `count` pictures. Their types and dimensions come from their bytes, whatever
 *   the server says, and they have no metadata
 * - a refusal by the provider's moderation is `provider.refused`
 * - an answer without pictures, with a file that has no type of `pictureTypes`, is damaged, or
 *   is too large, is `provider.malformed`. No address in an answer is requested
 * - no request is sent again: a provider may charge for one that failed
 * - every failure throws a `provider.*` error with a message for a person, and the key is never part
 *   of it
 * - a request that takes longer than `PICTURE_LIMIT_MS` is `provider.timeout`
 * - an aborted signal ends the call with `provider.aborted` and closes the connection
 * - a redirect is not followed: prompt, pictures and key are meant for the configured host
 */
export interface PictureProvider {
  make(order: PictureOrder, signal: AbortSignal): Promise<readonly Picture[]>;
}

export type PictureProviderFactory = (options: WireOptions) => PictureProvider;

export interface PictureKindTraits {
  /** Whether it takes a mask. */
  readonly masks: boolean;
}
