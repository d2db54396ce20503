/** Providers of speech and pictures: their settings and tests. */
import { z } from "zod";
import { ErrorBody } from "../base/error-schema.ts";
import { KeyText } from "../policy/secret.ts";

/**
 * The task of a provider of speech or pictures: speech to text, text to speech, text to pictures, and
 * pictures to text.
 */
export const MediaPart = z.enum(["transcribe", "speak", "pictures", "describe"]);
export type MediaPart = z.infer<typeof MediaPart>;

const MediaText = z.string().min(1).max(200);
const mediaFields = {
  kind: z.string().min(1).max(64),
  baseUrl: z.url().optional().describe("absent: the vendor's address, or that of a program's default"),
  apiKey: z.string().max(500).optional().describe("a reference: secret:NAME, env:NAME or file:PATH"),
  model: MediaText.optional(),
  language: MediaText.optional().describe("the language of recordings, such as `en`; absent: it is detected"),
  voice: MediaText.optional(),
  program: MediaText.optional().describe("the name or path of a program on the house's machine that speaks"),
  price: z
    .number()
    .min(0)
    .max(1000)
    .optional()
    .describe("dollars for a minute of audio, a million characters, or a picture; absent: the list price"),
};
export const MediaSettings = z.object(mediaFields);
export type MediaSettings = z.infer<typeof MediaSettings>;
export const SetMedia = z
  .strictObject({
    ...mediaFields,
    key: KeyText.optional().describe(
      "instead of apiKey: the key itself; the house stores it in a separate file and never shows it again",
    ),
  })
  .refine(({ apiKey, key }) => apiKey === undefined || key === undefined, "has both apiKey and key: give one");
export type SetMedia = z.infer<typeof SetMedia>;

export const MediaField = z.enum(["baseUrl", "apiKey", "model", "language", "voice", "program"]);
export type MediaField = z.infer<typeof MediaField>;
/** A kind of provider that can be chosen. */
export const MediaKind = z.object({
  kind: z.string(),
  /** The settings that this kind reads. */
  takes: z.array(MediaField),
  /** The address and the model that apply if none is set. */
  baseUrl: z.string().optional(),
  model: z.string().optional(),
  /** Whether its own address needs a key. */
  needsKey: z.boolean(),
});
export type MediaKind = z.infer<typeof MediaKind>;
export const MediaInfo = z.object({
  part: MediaPart,
  state: z.enum(["off", "ready", "missing"]),
  detail: z.string(),
  /** For `missing`: what to do. */
  fix: z.string().optional(),
  /** The settings in the config file. Absent: it is off. */
  settings: MediaSettings.optional(),
  kinds: z.array(MediaKind),
});
export type MediaInfo = z.infer<typeof MediaInfo>;
export const MediaList = z.array(MediaInfo);
export const MediaTest = z.object({
  ok: z.boolean(),
  detail: z.string(),
  durationMs: z.number(),
  /** Why the provider returned no result. */
  error: ErrorBody.exactOptional(),
  /** The sound or the picture that came back, as base64. Absent: a text, or too large to show. */
  result: z.object({ type: z.string(), data: z.string() }).exactOptional(),
});
export type MediaTest = z.infer<typeof MediaTest>;
