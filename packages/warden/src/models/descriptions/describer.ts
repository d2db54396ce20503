/** The interface of all describers, which convert pictures to text. */
import type { Usage } from "@hearth/protocol";
import type { PictureLimits } from "@hearth/protocol/picture-sizes";
import type { Provider } from "../provider.ts";
import type { ChargeGate } from "../resilience/charge.ts";

export interface ShownPicture {
  readonly bytes: Uint8Array;
  /** The media type that was detected in the content. */
  readonly type: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** SHA-256 of the bytes. */
  readonly hash: string;
}

export interface PictureDescription {
  /** Never empty, without white space around it. */
  readonly text: string;
  /** The tokens and the cost of the call. */
  readonly usage: Usage;
}

/** Maximum length of a description in UTF-16 code units. */
export const MAX_DESCRIPTION_LENGTH = 4000;
/** Maximum number of tokens of a description, with the reasoning that some models write before it. */
export const DESCRIPTION_TOKENS = 2000;
/** Upper bound of the tokens of a request: a picture counts at most 8,000, and the instruction few. */
export const REQUEST_TOKENS = 9000;
/** Maximum duration of one call. */
export const DESCRIPTION_LIMIT_MS = 120_000;

/**
 * Contract, checked by `describerConformance`:
 * - the text is never empty, has no white space around it, and at most `MAX_DESCRIPTION_LENGTH`
 * - every failure throws a `provider.*` error, or that of the gate, with a message for a person
 * - an aborted signal ends the call with `provider.aborted`
 * - every request to a vendor passes the gate
 */
export interface Describer {
  describe(picture: ShownPicture, gate: ChargeGate, signal: AbortSignal): Promise<PictureDescription>;
}

export interface DescriberModel {
  readonly provider: Provider;
  /** The vendor's name of the model. */
  readonly model: string;
  readonly limits: PictureLimits;
}

export interface DescriberOptions {
  /** Returns the configured model. Throws if it is unknown, or its provider cannot be used. */
  readonly resolve: () => Promise<DescriberModel>;
}

export type DescriberFactory = (options: DescriberOptions) => Describer;
