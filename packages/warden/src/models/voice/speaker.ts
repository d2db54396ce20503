/** The interface of all speakers, which convert text to speech. */
import type { WireOptions } from "../wires/vendor-call.ts";

export interface Speech {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: "audio/mpeg" | "audio/wav";
}

export interface Utterance {
  /** At most `MAX_SPOKEN` characters, not empty. */
  readonly text: string;
  /** Absent: the speaker's default. */
  readonly voice?: string;
  /**
   * The language of the text, as a two-letter code. A speaker whose voices have one language each
   * reads the text with a voice of this language. Absent if the language is unknown.
   */
  readonly language?: string;
}

/** Maximum length of the text of one call, in UTF-16 code units. The OpenAI wire accepts 4096. */
export const MAX_SPOKEN = 4_000;
/** Maximum size of the audio of one call. */
export const MAX_SPEECH_BYTES = 32 * 1024 * 1024;

/**
 * Contract, checked by `speakerConformance`:
 * - the bytes are complete audio of the type: an answer that broke off is an error
 * - every failure throws a `provider.*` error with a message for a person, and the key is never part
 *   of it
 * - an answer that takes longer than 2 min is `provider.timeout`, and audio of more than
 *   `MAX_SPEECH_BYTES` is `provider.malformed`
 * - an aborted signal ends the call with `provider.aborted`, and the connection or the program
 */
export interface Speaker {
  /** Whether it has a voice for each language, and so needs the language of a text. */
  readonly hasLanguages: boolean;
  speak(utterance: Utterance, signal: AbortSignal): Promise<Speech>;
}

/** The output of a program, and how the program ended. */
export interface ProgramResult {
  /** The exit code. Undefined if a signal ended the program. */
  readonly code: number | undefined;
  readonly output: Uint8Array<ArrayBuffer>;
  /** The beginning of the program's stderr. */
  readonly errors: string;
}

/**
 * Runs a program without a shell, with the input on its stdin. The program ends when the signal
 * aborts. Throws `provider.unknown` if it is not installed, and `provider.malformed` if it writes
 * more than `maxBytes`.
 */
export type RunSpeech = (
  command: readonly [string, ...string[]],
  input: string,
  limits: { readonly maxBytes: number; readonly signal: AbortSignal },
) => Promise<ProgramResult>;

export interface SpeakerOptions extends WireOptions {
  /** Absent: this machine starts no programs. */
  readonly run?: RunSpeech | undefined;
  /** The name or path of the program. */
  readonly program?: string;
}

export type SpeakerFactory = (options: SpeakerOptions) => Speaker;
