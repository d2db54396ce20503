/** Tests a provider of speech or pictures with one small real call, and describes the outcome. */
import {
  type Clock,
  type ErrorBody,
  HearthError,
  isHearthError,
  type MediaPart,
  type MediaTest,
  toErrorBody,
} from "@hearth/protocol";
import { toSentence } from "../catalog/words.ts";
import type { Descriptions } from "../descriptions/descriptions.ts";
import type { Pictures } from "../pictures/pictures.ts";
import { NO_SPEECH } from "../voice/answers.ts";
import { toWave } from "../voice/memory-speaker.ts";
import type { Voice } from "../voice/voice.ts";
import type { TestCharge, TestCost } from "./media.ts";

export interface MediaParts {
  readonly clock: Clock;
  readonly voice: Pick<Voice, "transcription" | "speech">;
  readonly pictures: Pick<Pictures, "prepare">;
  readonly descriptions: Pick<Descriptions, "prepare">;
}

/** The outcome of a call, for a person. */
interface Outcome {
  readonly detail: string;
  readonly result?: { readonly type: string; readonly bytes: Uint8Array };
}

/** A call that was prepared but not made. */
interface PreparedCall {
  readonly cost: TestCost;
  run(signal: AbortSignal, charge: TestCharge): Promise<Outcome>;
}

export const tryMedia = async (
  part: MediaPart,
  parts: MediaParts,
  charge: TestCharge,
  signal: AbortSignal,
): Promise<MediaTest> => {
  const { clock } = parts;
  const startedAt = clock.monotonic();
  const elapsedMs = (): number => clock.monotonic() - startedAt;
  try {
    const preparedCall = await prepare[part](parts);
    if (preparedCall === undefined) return { ok: false, detail: OFF_TEXTS[part], durationMs: elapsedMs() };
    const { detail, result } = await runCharged(preparedCall, charge, signal);
    if (result === undefined) return { ok: true, detail, durationMs: elapsedMs() };
    const { type, bytes } = result;
    if (bytes.length > MAX_SHOWN_BYTES) return { ok: true, detail, durationMs: elapsedMs() };
    return { ok: true, detail, durationMs: elapsedMs(), result: { type, data: bytes.toBase64() } };
  } catch (error) {
    if (!isHearthError(error) || error.code.startsWith("store.")) throw error;
    const body = toErrorBody(error);
    return { ok: false, detail: describeError(body), durationMs: elapsedMs(), error: body };
  }
};

/** Maximum size of a sound or picture in the outcome. */
const MAX_SHOWN_BYTES = 4 * 1024 * 1024;
const MAX_SHOWN_LENGTH = 80;

const SENTENCE = "This is Hearth. I can speak.";
const PROMPT = "A small campfire at night, as a simple drawing";

const OFF_TEXTS: Readonly<Record<MediaPart, string>> = {
  transcribe: "Transcription is off. Set a provider first.",
  speak: "Speech is off. Set a provider first.",
  pictures: "Pictures are off. Set a provider first.",
  describe: "Descriptions of pictures are off. Set a model first.",
};

/** Prepares a test call for each part. Returns undefined if the part is off. */
const prepare: Readonly<Record<MediaPart, (parts: MediaParts) => Promise<PreparedCall | undefined>>> = {
  async transcribe({ voice }) {
    const preparedCall = await voice.transcription({ bytes: createTone(), type: "audio/wav", name: "audio.wav" });
    if (preparedCall === undefined) return undefined;
    return {
      cost: { costAtMost: preparedCall.maxCost, model: preparedCall.name, kind: "voice" },
      async run(signal) {
        try {
          const { text } = await preparedCall.run(signal);
          return { detail: `${preparedCall.name} transcribed a tone of one second: ${shorten(text)}` };
        } catch (error) {
          // A tone has no speech, so this is the expected answer of a transcriber.
          if (!isHearthError(error, "provider.refused") || !error.message.includes(NO_SPEECH)) throw error;
          return {
            detail: `${preparedCall.name} answered. It found no speech in a tone of one second, which is correct.`,
          };
        }
      },
    };
  },

  async speak({ voice }) {
    const preparedCall = await voice.speech(SENTENCE);
    if (preparedCall === undefined) return undefined;
    return {
      cost: { costAtMost: preparedCall.maxCost, model: preparedCall.name, kind: "voice" },
      async run(signal) {
        const { bytes, type } = await preparedCall.run(signal);
        return { detail: `${preparedCall.name} spoke one sentence.`, result: { bytes, type } };
      },
    };
  },

  async pictures({ pictures }) {
    const preparedCall = await pictures.prepare({ prompt: PROMPT, count: 1, size: "square" });
    if (preparedCall === undefined) return undefined;
    return {
      cost: { costAtMost: preparedCall.costOf(1), model: preparedCall.name, kind: "picture" },
      async run(signal) {
        const [picture] = await preparedCall.run(signal);
        if (picture === undefined) throw new HearthError("provider.malformed", "The provider returned no picture.");
        const { bytes, type, width, height } = picture;
        return {
          detail: `${preparedCall.name} made a picture of ${width} × ${height} pixels.`,
          result: { bytes, type },
        };
      },
    };
  },

  async describe({ descriptions }) {
    const preparedCall = await descriptions.prepare();
    if (preparedCall === undefined) return undefined;
    const { drawPng } = await import("../pictures/memory-pictures.ts");
    const { name, inputTokens, maxOutputTokens } = preparedCall;
    return {
      // The gate of the model charges the call.
      cost: { costAtMost: 0, model: name, kind: "picture" },
      async run(signal, charge) {
        const gate = charge.openGate({ inputTokens, maxOutputTokens, kind: "picture" });
        const bytes = drawPng(TEST_SIZE, TEST_SIZE, RED);
        const picture = { bytes, type: "image/png", width: TEST_SIZE, height: TEST_SIZE, hash: "0".repeat(64) };
        const { text } = await preparedCall.run(picture, gate, signal);
        return { detail: `${name} described a red square: ${shorten(text)}` };
      },
    };
  },
};

/** A red square. */
const TEST_SIZE = 64;
const RED = [220, 30, 30] as const;

const runCharged = async (call: PreparedCall, charge: TestCharge, signal: AbortSignal): Promise<Outcome> => {
  const admission = await charge.admit(call.cost);
  if (admission.kind === "stop")
    throw new HearthError("budget.spent", admission.text, admission.hint === undefined ? {} : { hint: admission.hint });
  let cost = call.cost.costAtMost;
  try {
    return await call.run(signal, charge);
  } catch (error) {
    if (isHearthError(error) && charge.isUnpaid(error.code)) cost = 0;
    throw error;
  } finally {
    admission.settle(cost);
  }
};

const SAMPLE_RATE = 8_000;
const PITCH_HZ = 440;

/** Creates a quiet tone of one second. */
const createTone = (): Uint8Array<ArrayBuffer> =>
  toWave(
    Uint8Array.from(
      { length: SAMPLE_RATE },
      (_, at) => 128 + Math.round(40 * Math.sin((2 * Math.PI * PITCH_HZ * at) / SAMPLE_RATE)),
    ),
  );

const shorten = (text: string): string => {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > MAX_SHOWN_LENGTH ? `${line.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : line;
};

const describeError = ({ message, hint }: ErrorBody): string =>
  hint === undefined ? message : `${toSentence(message)} ${hint}`;
