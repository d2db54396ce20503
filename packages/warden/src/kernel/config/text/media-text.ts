/**
 * The tables `[voice]`, `[pictures]` and `[descriptions]`: the providers that convert speech to text
 * and text to speech, that make pictures from texts, and that describe pictures. Without a table, the
 * house has no such provider.
 */
import { z } from "zod";
import type { SecretReference } from "../reference.ts";
import { Reference, createIssue, WebUrl } from "../values.ts";

export const transcribeKinds = ["openai", "whisper", "deepgram", "fake"] as const;
export type TranscribeKind = (typeof transcribeKinds)[number];
export const speakKinds = ["openai", "program", "fake"] as const;
export type SpeakKind = (typeof speakKinds)[number];

export interface TranscribeConfig {
  readonly kind: TranscribeKind;
  /**
   * The base URL without a slash at the end. Absent for the vendor's, or for whisper.cpp on this
   * machine.
   */
  readonly baseUrl?: string;
  readonly apiKey?: SecretReference;
  readonly model?: string;
  /** The language of the house's voice notes, as ISO 639-1. Absent if it is detected. */
  readonly language?: string;
  /** Price of a minute in dollars. Absent for the list price. */
  readonly pricePerMinute?: number;
}

export interface SpeakConfig {
  readonly kind: SpeakKind;
  readonly baseUrl?: string;
  readonly apiKey?: SecretReference;
  readonly model?: string;
  readonly voice?: string;
  /** Name or path of the program. Absent for espeak-ng. */
  readonly program?: string;
  /** Price of a million characters in dollars. Absent for the list price. */
  readonly pricePerMillion?: number;
}

export interface VoiceConfig {
  readonly transcribe?: TranscribeConfig;
  readonly speak?: SpeakConfig;
}

export const pictureKinds = ["openai", "gemini", "fake"] as const;
export type PictureKind = (typeof pictureKinds)[number];

export interface PicturesConfig {
  readonly kind: PictureKind;
  /** The base URL without a slash at the end. Absent for the vendor's. */
  readonly baseUrl?: string;
  readonly apiKey?: SecretReference;
  readonly model?: string;
  /** Price of a picture in dollars. Absent for the list price. */
  readonly pricePerPicture?: number;
}

export const describeKinds = ["model", "fake"] as const;
export type DescribeKind = (typeof describeKinds)[number];

export interface DescriptionsConfig {
  readonly kind: DescribeKind;
  /** The model that describes pictures, as `provider/model`. Present for the kind `model`. */
  readonly model?: string;
}

const DOLLARS_ERROR = "must be a number of dollars from 0 to 1000";
const dollars = z.number(DOLLARS_ERROR).min(0, DOLLARS_ERROR).max(1000, DOLLARS_ERROR).optional();
const ShortText = z.string().min(1).max(200);
/** A text that does not begin with a hyphen, as an option of a program does. */
const ArgumentText = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z0-9_/.][A-Za-z0-9_/.+@ -]*$/,
    "must begin with a letter, a digit or a slash, without special characters",
  );

const TranscribeText = z
  .strictObject({
    kind: z.enum(transcribeKinds),
    base_url: WebUrl.optional(),
    api_key: Reference.optional(),
    model: ShortText.optional(),
    language: z
      .string()
      .regex(/^[a-z]{2,3}$/, 'must be a language code, such as "en"')
      .optional(),
    price_per_minute: dollars,
  })
  .check(({ value, issues }) => {
    if (needsKey(value)) issues.push(missingKeyIssue(value, value.kind));
  });

const SpeakText = z
  .strictObject({
    kind: z.enum(speakKinds),
    base_url: WebUrl.optional(),
    api_key: Reference.optional(),
    model: ArgumentText.optional(),
    voice: ArgumentText.optional(),
    program: ArgumentText.optional(),
    price_per_million: dollars,
  })
  .check(({ value, issues }) => {
    if (needsKey(value)) issues.push(missingKeyIssue(value, value.kind));
  });

export const VoiceText = z.strictObject({ transcribe: TranscribeText.optional(), speak: SpeakText.optional() });

export const PicturesText = z
  .strictObject({
    kind: z.enum(pictureKinds),
    base_url: WebUrl.optional(),
    api_key: Reference.optional(),
    model: ArgumentText.optional(),
    price_per_picture: dollars,
  })
  .check(({ value, issues }) => {
    if (needsKey(value)) issues.push(missingKeyIssue(value, value.kind));
  });

export const DescriptionsText = z
  .strictObject({
    kind: z.enum(describeKinds).optional(),
    model: z
      .string()
      .max(200)
      .regex(/^[^\s/]+\/\S+$/, 'must be a model as "provider/model", such as "openai/gpt-5-mini"')
      .optional(),
  })
  .check(({ value, issues }) => {
    if (value.kind !== "fake" && value.model === undefined)
      issues.push(
        createIssue(value, "needs a model", 'Add model = "PROVIDER/MODEL" to it: a model that accepts pictures.', [
          "model",
        ]),
      );
  });

interface VendorFields {
  readonly kind: string;
  readonly base_url?: string | undefined;
  readonly api_key?: SecretReference | undefined;
}

const KINDS_WITH_KEY: ReadonlySet<string> = new Set(["openai", "deepgram", "gemini"]);

/** Whether the provider needs a key. A vendor's own address refuses requests without one. */
const needsKey = ({ kind, base_url, api_key }: VendorFields): boolean =>
  KINDS_WITH_KEY.has(kind) && base_url === undefined && api_key === undefined;

const missingKeyIssue = (value: unknown, kind: string): z.core.$ZodRawIssue =>
  createIssue(value, "needs a key", `Add api_key = "env:${kind.toUpperCase()}_API_KEY" to it.`, ["api_key"]);

const withoutSlash = (url: string): string => url.replace(/\/+$/, "");

export const toVoice = ({ transcribe, speak }: z.infer<typeof VoiceText>): VoiceConfig => ({
  ...(transcribe === undefined ? {} : { transcribe: toTranscribe(transcribe) }),
  ...(speak === undefined ? {} : { speak: toSpeak(speak) }),
});

const toTranscribe = (text: z.infer<typeof TranscribeText>): TranscribeConfig => ({
  kind: text.kind,
  ...(text.base_url === undefined ? {} : { baseUrl: withoutSlash(text.base_url) }),
  ...(text.api_key === undefined ? {} : { apiKey: text.api_key }),
  ...(text.model === undefined ? {} : { model: text.model }),
  ...(text.language === undefined ? {} : { language: text.language }),
  ...(text.price_per_minute === undefined ? {} : { pricePerMinute: text.price_per_minute }),
});

const toSpeak = (text: z.infer<typeof SpeakText>): SpeakConfig => ({
  kind: text.kind,
  ...(text.base_url === undefined ? {} : { baseUrl: withoutSlash(text.base_url) }),
  ...(text.api_key === undefined ? {} : { apiKey: text.api_key }),
  ...(text.model === undefined ? {} : { model: text.model }),
  ...(text.voice === undefined ? {} : { voice: text.voice }),
  ...(text.program === undefined ? {} : { program: text.program }),
  ...(text.price_per_million === undefined ? {} : { pricePerMillion: text.price_per_million }),
});

export const toDescriptions = ({ kind = "model", model }: z.infer<typeof DescriptionsText>): DescriptionsConfig => ({
  kind,
  ...(model === undefined ? {} : { model }),
});

export const toPictures = (text: z.infer<typeof PicturesText>): PicturesConfig => ({
  kind: text.kind,
  ...(text.base_url === undefined ? {} : { baseUrl: withoutSlash(text.base_url) }),
  ...(text.api_key === undefined ? {} : { apiKey: text.api_key }),
  ...(text.model === undefined ? {} : { model: text.model }),
  ...(text.price_per_picture === undefined ? {} : { pricePerPicture: text.price_per_picture }),
});
