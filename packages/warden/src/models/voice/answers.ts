/** Parses the responses of transcription services, which are not trusted. */
import { HearthError } from "@hearth/protocol";
import { malformedError } from "../resilience/failure.ts";
import { asArray, asObject, asText, parseJson } from "../wires/json.ts";
import type { VendorAnswer } from "../wires/vendor-call.ts";
import type { Segment, Transcript } from "./transcriber.ts";

/** Maximum size of an answer: a transcript of many hours. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Maximum length of a stored transcript, in UTF-16 code units. */
export const MAX_TRANSCRIPT = 200_000;
/** The message for audio without speech. */
export const NO_SPEECH = "No speech was found in the audio.";
const MAX_SEGMENTS = 10_000;
const MAX_LANGUAGE_LENGTH = 40;

/** The paths of a transcript's parts in a vendor's JSON: keys and indexes, separated by dots. */
export interface AnswerShape {
  readonly text: string;
  readonly language: string;
  /** Length of the audio in seconds. */
  readonly duration: string;
  /** The path of the list, and the key of the text in each item. An item has `start` and `end` in seconds. */
  readonly segments: { readonly list: string; readonly text: string };
}

export const readTranscript = ({ bytes }: VendorAnswer, shape: AnswerShape): Transcript => {
  const answer = parseJson(new TextDecoder().decode(bytes));
  const transcript = asText(valueAt(answer, shape.text));
  if (transcript === undefined) throw malformedError("The answer contains no transcript.");
  const text = withoutControls(transcript).slice(0, MAX_TRANSCRIPT).toWellFormed();
  if (text === "") throw new HearthError("provider.refused", NO_SPEECH);
  const language = asText(valueAt(answer, shape.language))?.trim().slice(0, MAX_LANGUAGE_LENGTH);
  const durationMs = toMs(valueAt(answer, shape.duration));
  return {
    text,
    ...(language === undefined || !/^[\p{L}\p{N} _-]+$/u.test(language) ? {} : { language }),
    ...(durationMs === undefined ? {} : { durationMs }),
    segments: asArray(valueAt(answer, shape.segments.list))
      .slice(0, MAX_SEGMENTS)
      .flatMap((item) => toSegment(item, shape.segments.text)),
  };
};

const toSegment = (item: unknown, key: string): readonly Segment[] => {
  const { start, end, [key]: segmentText } = asObject(item) ?? {};
  const text = withoutControls(asText(segmentText) ?? "")
    .slice(0, MAX_TRANSCRIPT)
    .toWellFormed();
  const startMs = toMs(start);
  const endMs = toMs(end);
  return text === "" || startMs === undefined || endMs === undefined ? [] : [{ startMs, endMs, text }];
};

const toMs = (seconds: unknown): number | undefined =>
  typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0 && seconds < 1e7
    ? Math.round(seconds * 1000)
    : undefined;

/** Replaces control characters by spaces, except line breaks and tabs, and trims the text. */
const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, " ").trim();

const valueAt = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (current, key) => (Array.isArray(current) ? current[Number(key)] : asObject(current)?.[key]),
      value,
    );
