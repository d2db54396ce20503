/** The describer of a house, as configured. */
import type { PictureLimits } from "@hearth/protocol/picture-sizes";
import type { MediaState } from "../media/media-state.ts";
import type { ChargeGate } from "../resilience/charge.ts";
import type { PictureDescription, ShownPicture } from "./describer.ts";

export interface PreparedDescription {
  /** The model, as `provider/model`. */
  readonly name: string;
  /** The largest picture that the model takes. */
  readonly limits: PictureLimits;
  /** Upper bounds of one request. */
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
  run(picture: ShownPicture, gate: ChargeGate, signal: AbortSignal): Promise<PictureDescription>;
}

export interface Descriptions {
  /**
   * Prepares a call without making it. Returns undefined if descriptions are off. Throws
   * `provider.unknown`, `provider.auth`, and `provider.refused` for a model that does not accept
   * pictures.
   */
  prepare(): Promise<PreparedDescription | undefined>;
  /** Describes the state of the model without a request to a vendor. */
  describe(): Promise<MediaState>;
}
