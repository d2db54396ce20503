/** The interface of all transcribers, which convert speech to text. */
import type { WireOptions } from "../wires/vendor-call.ts";

export interface Segment {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

export interface Transcript {
  /** Never empty. */
  readonly text: string;
  /**
   * The language as the transcriber names it, such as `en` or `english`. Absent if the
   * transcriber does not report it.
   */
  readonly language?: string;
  /** Duration of the audio. Absent if the transcriber does not report it. */
  readonly durationMs?: number;
  readonly segments: readonly Segment[];
}

export interface Recording {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The media type that was detected in the content. */
  readonly type: string;
  /** A file name with the extension of the type. Several servers read the format from it. */
  readonly name: string;
  /** The expected language, as ISO 639-1. Absent: the transcriber detects it. */
  readonly language?: string;
}

/**
 * Contract, checked by `transcriberConformance`:
 * - the text and the texts of the segments have no white space around them; the segments are in order
 * - audio without speech is `provider.refused`, never an empty transcript
 * - every failure throws a `provider.*` error with a message for a person, and the key is never part
 *   of it
 * - an answer that takes longer than 2 min is `provider.timeout`, and one of more than 4 MB is
 *   `provider.malformed`
 * - an aborted signal ends the call with `provider.aborted` and closes the connection
 * - a redirect is not followed: audio and key are meant for the configured host
 */
export interface Transcriber {
  transcribe(recording: Recording, signal: AbortSignal): Promise<Transcript>;
}

export type TranscriberFactory = (options: WireOptions) => Transcriber;
