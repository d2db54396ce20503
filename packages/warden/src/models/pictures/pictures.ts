/** The picture provider of a house, as configured. */
import type { MediaState } from "../media/media-state.ts";
import type { CheckedPicture } from "./picture-bytes.ts";
import type { Picture, PictureOrder } from "./picture-provider.ts";

export interface PreparedPictures {
  /** Kind and model, which become the label of the pictures. */
  readonly name: string;
  /** Returns the cost of this many pictures, in micro-dollars. */
  costOf(count: number): number;
  run(signal: AbortSignal): Promise<readonly Picture[]>;
}

export interface Pictures {
  /**
   * Prepares a call without making it. Returns undefined if no provider is configured. Throws
   * `provider.auth` if the key cannot be read, and `provider.refused` for a mask that the
   * provider does not accept.
   */
  prepare(order: PictureOrder): Promise<PreparedPictures | undefined>;
  /** Checks a picture that is to be changed, and removes its metadata. */
  check(bytes: Uint8Array): Promise<CheckedPicture>;
  /** Describes the state of the provider without a request to a vendor. */
  describe(): Promise<MediaState>;
}
