/**
 * A program of this machine that reads text on stdin and writes WAV: espeak-ng or piper. The text
 * never becomes an argument, so it cannot be an option of the program.
 */
import { fromErrorBody, HearthError, isHearthError, toErrorBody } from "@hearth/protocol";
import { createDeadline } from "../resilience/deadline.ts";
import { VENDOR_CALL_TIMEOUT_MS } from "../wires/vendor-call.ts";
import { MAX_SPEECH_BYTES, type SpeakerFactory, type Utterance } from "./speaker.ts";

/** The options of each program, by the last segment of its path. */
const PROGRAMS: Readonly<
  Record<string, (utterance: Omit<Utterance, "text">, model: string | undefined) => readonly string[]>
> = {
  "espeak-ng": (utterance) => {
    const voice = espeakVoiceOf(utterance);
    return ["--stdin", "--stdout", ...(voice === undefined ? [] : ["-v", voice])];
  },
  // A model of piper has one language.
  piper: ({ voice }, model) => [
    ...(model === undefined ? [] : ["--model", model]),
    ...(voice === undefined ? [] : ["--speaker", voice]),
    "--output_file",
    "-",
  ],
};

export const ESPEAK = "espeak-ng";

/** Languages whose voice in espeak-ng has another name. */
const ESPEAK_NAMES: Readonly<Record<string, string>> = { zh: "cmn" };

/**
 * Returns the configured voice if it has the language of the text, and else the voice of that
 * language with the same variant: `en+f3` becomes `de+f3`. A voice without a language in its name
 * stays.
 */
const espeakVoiceOf = ({ voice, language }: Omit<Utterance, "text">): string | undefined => {
  if (language === undefined) return voice;
  const espeakName = Object.hasOwn(ESPEAK_NAMES, language) ? ESPEAK_NAMES[language] : language;
  if (voice === undefined) return espeakName;
  const [, voiceLanguage, variant = ""] = /^(?:mb-)?([a-z]{2,3})(?:[-\d][^+]*)?(\+.*)?$/.exec(voice) ?? [];
  return voiceLanguage === undefined || voiceLanguage === espeakName ? voice : `${espeakName}${variant}`;
};

/** Returns the last segment of a path. */
const nameOf = (program: string): string => program.slice(program.lastIndexOf("/") + 1);

export const createProgramSpeaker: SpeakerFactory = ({ clock, run, program = ESPEAK, model }) => ({
  hasLanguages: nameOf(program) === ESPEAK,
  async speak({ text, ...utterance }, signal) {
    const name = nameOf(program);
    const toArguments = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
    if (run === undefined || toArguments === undefined)
      throw new HearthError("provider.unknown", `The house cannot speak with the program ${program}.`, {
        hint: `Set one of these programs in Settings → Models: ${Object.keys(PROGRAMS).join(", ")}.`,
      });
    using deadline = createDeadline({ clock, ms: VENDOR_CALL_TIMEOUT_MS, signal });
    try {
      deadline.signal.throwIfAborted();
      const limits = { maxBytes: MAX_SPEECH_BYTES, signal: deadline.signal };
      const { code, output, errors } = await run([program, ...toArguments(utterance, model)], text, limits);
      deadline.signal.throwIfAborted();
      if (code === 0 && isWave(output)) return { bytes: withWavSizes(output), type: "audio/wav" };
      throw new HearthError("provider.failed", `${name} wrote no audio${toReason(code, errors)}`, {
        hint: `Try it in a terminal: echo hello | ${name} ${toArguments(utterance, model).join(" ")} > hello.wav`,
      });
    } catch (error) {
      if (signal.aborted) throw new HearthError("provider.aborted", `${name}: The call was stopped.`);
      if (deadline.hasExpired())
        throw new HearthError("provider.timeout", `${name} did not end within ${VENDOR_CALL_TIMEOUT_MS / 1000} s.`);
      if (isHearthError(error)) throw fromErrorBody(toErrorBody(error));
      throw new HearthError("provider.failed", `${name} could not be run.`, { cause: error });
    }
  },
});

const toReason = (code: number | undefined, errors: string): string => {
  const lastError = errors.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  const end = code === undefined ? "it was ended" : `it ended with code ${code}`;
  return `: ${end}${lastError === "" ? "" : `, and said: ${lastError}`}.`;
};

const HEADER_BYTES = 44;

const isWave = (bytes: Uint8Array): boolean =>
  bytes.length > HEADER_BYTES && textAt(bytes, 0) === "RIFF" && textAt(bytes, 8) === "WAVE";

const textAt = (bytes: Uint8Array, offset: number): string =>
  String.fromCharCode(...bytes.subarray(offset, offset + 4));

/** Fills in the sizes in the WAV header, which a program that writes to a pipe cannot know. */
const withWavSizes = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  const fixedBytes = bytes.slice();
  const view = new DataView(fixedBytes.buffer);
  view.setUint32(4, fixedBytes.length - 8, true);
  const readChunkSize = (offset: number): number => view.getUint32(offset + 4, true);
  const chunkEnd = (offset: number): number => offset + 8 + readChunkSize(offset) + (readChunkSize(offset) % 2);
  for (let offset = 12; offset + 8 <= fixedBytes.length; offset = chunkEnd(offset))
    if (textAt(fixedBytes, offset) === "data") {
      view.setUint32(offset + 4, fixedBytes.length - offset - 8, true);
      break;
    }
  return fixedBytes;
};
