/** The speech of a house: the configured transcriber and speaker. */
import type { MediaState } from "../media/media-state.ts";
import type { Recording, Transcript } from "./transcriber.ts";
import type { Speech } from "./speaker.ts";

export interface Prepared {
  /** Kind and model, with which answers are recorded. */
  readonly name: string;
  /** The maximum cost of the call, in micro-dollars. */
  readonly maxCost: number;
}

export interface PreparedTranscription extends Prepared {
  /** Returns the cost of audio of this duration, in micro-dollars. */
  costOf(durationMs: number): number;
  run(signal: AbortSignal): Promise<Transcript>;
}

export interface PreparedSpeech extends Prepared {
  run(signal: AbortSignal): Promise<Speech>;
}

/** The state of the transcriber or the speaker, for people. */
export interface VoicePart extends MediaState {
  readonly part: "transcribe" | "speak";
}

export interface Voice {
  /**
   * Prepares a call without making it. Returns undefined if transcription is off. Throws
   * `provider.auth` if the key cannot be read.
   */
  transcription(recording: Recording): Promise<PreparedTranscription | undefined>;
  speech(text: string): Promise<PreparedSpeech | undefined>;
  /** Returns the state of both parts. Sends nothing to a vendor; a local program is run once. */
  describe(signal: AbortSignal): Promise<readonly [transcribe: VoicePart, speak: VoicePart]>;
}
