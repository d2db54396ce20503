/**
 * What speech costs, in micro-dollars. List prices of 2026-11, from
 * https://developers.openai.com/api/docs/pricing and https://deepgram.com/pricing.
 */
import type { SpeakConfig, TranscribeConfig } from "../../kernel/index.ts";

/** Dollars for a minute of audio, by kind and beginning of the model's name. */
const PER_MINUTE: Readonly<Record<string, readonly (readonly [model: string, dollars: number])[]>> = {
  openai: [
    ["gpt-4o-mini-transcribe", 0.003],
    ["gpt-4o-transcribe", 0.006],
    ["whisper-1", 0.006],
  ],
  deepgram: [
    ["nova-3", 0.0052],
    ["nova-2", 0.0058],
  ],
};

/** Dollars for a million characters. A minute of speech has about 900. */
const PER_MILLION: Readonly<Record<string, readonly (readonly [model: string, dollars: number])[]>> = {
  openai: [
    ["gpt-4o-mini-tts", 17],
    ["tts-1-hd", 30],
    ["tts-1", 15],
  ],
};

/** Default prices, as high as those of the most expensive common models, like `unknown_price` of language models. */
const UNKNOWN_PER_MINUTE = 0.05;
const UNKNOWN_PER_MILLION = 100;

export interface VoicePrice {
  readonly dollars: number;
  readonly isKnown: boolean;
}

/** Returns the price of a minute. A server without a vendor's list price costs nothing if this machine runs it. */
export const pricePerMinute = (
  { kind, baseUrl, pricePerMinute: configuredPrice }: TranscribeConfig,
  model: string | undefined,
): VoicePrice => {
  if (configuredPrice !== undefined) return { dollars: configuredPrice, isKnown: true };
  if (kind === "fake" || isLocal(baseUrl) || (kind === "whisper" && baseUrl === undefined)) return FREE;
  const dollars = baseUrl === undefined ? findListPrice(PER_MINUTE[kind], model) : undefined;
  return dollars === undefined ? { dollars: UNKNOWN_PER_MINUTE, isKnown: false } : { dollars, isKnown: true };
};

/** Returns the price of a million characters. */
export const pricePerMillion = (
  { kind, baseUrl, pricePerMillion: configuredPrice }: SpeakConfig,
  model: string | undefined,
): VoicePrice => {
  if (configuredPrice !== undefined) return { dollars: configuredPrice, isKnown: true };
  if (kind === "fake" || kind === "program" || isLocal(baseUrl)) return FREE;
  const dollars = baseUrl === undefined ? findListPrice(PER_MILLION[kind], model) : undefined;
  return dollars === undefined ? { dollars: UNKNOWN_PER_MILLION, isKnown: false } : { dollars, isKnown: true };
};

const FREE: VoicePrice = { dollars: 0, isKnown: true };

const findListPrice = (rows: (typeof PER_MINUTE)[string] = [], model = ""): number | undefined =>
  rows.find(([beginning]) => model.startsWith(beginning))?.[1];

const isLocal = (baseUrl: string | undefined): boolean =>
  baseUrl !== undefined && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(baseUrl)?.hostname ?? "");

/** The smallest bit rate of speech: 16 kbit/s. Longer audio has more bytes. */
const MIN_BYTES_PER_SECOND = 2_000;

/** Returns the maximum number of minutes that audio of this size has. */
export const minutesAtMost = (sizeBytes: number): number => sizeBytes / MIN_BYTES_PER_SECOND / 60;
