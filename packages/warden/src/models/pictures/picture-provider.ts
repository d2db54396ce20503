/** The interface of all picture providers, which make pictures from a text. */
import type { PictureSize } from "@hearth/protocol/tools";
import type { WireOptions } from "../wires/vendor-call.ts";

export const pictureTypes = ["image/png", "image/jpeg", "image/webp"] as const;
export type PictureType = (typeof pictureTypes)[number];

/** A picture whose bytes were checked, without metadata. */
export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The type detected in the bytes. */
  readonly type: PictureType;
  readonly width: number;
  readonly height: number;
}

export interface PictureOrder {
  readonly prompt: string;
  /** Number of pictures, from 1 to `MAX_PICTURES`. */
  readonly count: number;
  /** The size. Absent if the provider chooses it. */
  readonly size?: PictureSize;
  /** The picture to change. Absent for a new picture. */
  readonly source?: Picture;
  /**
   * A picture of the same dimensions. Its transparent parts mark what is changed. Only with
   * `source`.
   */
  readonly mask?: Picture;
}

/** Maximum size of a picture in an answer, which is that of the largest file that tools read. */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
/** Maximum size of an answer: `MAX_PICTURES` pictures as base64, and the JSON around them. */
export const MAX_PICTURE_ANSWER_BYTES = 56 * 1024 * 1024;
/** Maximum length of a picture's edge in pixels. A small file can claim any dimensions. */
export const MAX_PICTURE_PIXELS = 8192;
/** Maximum duration of one request. High quality takes minutes. */
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
