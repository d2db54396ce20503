/** The providers of speech and pictures of a house: their settings and tests. */
import type { Actor } from "../../kernel/index.ts";
import type { ChargeGate } from "../resilience/charge.ts";
import type { MediaInfo, MediaPart, MediaTest, SetMedia } from "@hearth/protocol";

/** The cost of a test. */
export interface TestCost {
  /** Micro-dollars. */
  readonly costAtMost: number;
  /** The model, as `provider/model`. */
  readonly model: string;
  readonly kind: "voice" | "picture";
}

export interface TestCharge {
  /** Opens the gate of a call of a language model. */
  openGate(call: {
    readonly inputTokens: number;
    readonly maxOutputTokens: number;
    readonly kind: "picture";
  }): ChargeGate;
  /** Reserves the maximum cost. Only the first call of `settle` has an effect. */
  admit(
    cost: TestCost,
  ): Promise<
    | { readonly kind: "allowed"; settle(cost: number): void }
    | { readonly kind: "stop"; readonly text: string; readonly hint?: string }
  >;
  /** Whether a call that failed with this code costs nothing. */
  isUnpaid(code: string): boolean;
}

export interface Media {
  /** Describes all parts. Sends nothing to a vendor; a local program is run once. */
  list(signal: AbortSignal): Promise<readonly MediaInfo[]>;
  /**
   * Replaces the settings of a part in `hearth.toml`, keeps the rest of the file, and records the
   * actor. Throws `config.invalid` or `home.read-only`, and then keeps the former settings and key.
   */
  set(part: MediaPart, settings: SetMedia, by: Actor, signal: AbortSignal): Promise<MediaInfo>;
  /** Turns the part off, and removes its stored key. */
  remove(part: MediaPart, by: Actor): Promise<void>;
  /** Makes one small real call. Rejects only if the house itself fails. */
  test(part: MediaPart, charge: TestCharge, signal: AbortSignal): Promise<MediaTest>;
  /**
   * Makes the same call with settings that are not stored. The key is only sent to the provider.
   * Throws `config.invalid` for settings that `set` would refuse.
   */
  testNew(part: MediaPart, settings: SetMedia, charge: TestCharge, signal: AbortSignal): Promise<MediaTest>;
}
