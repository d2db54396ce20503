/** The kinds of providers that can be set for each part, and the settings that each kind reads. */
import type { MediaField, MediaKind, MediaPart } from "@hearth/protocol";
import { OPENAI_URL } from "../catalog/known.ts";
import { GEMINI_PICTURE_MODEL, GEMINI_URL } from "../pictures/gemini-pictures.ts";
import { OPENAI_PICTURE_MODEL } from "../pictures/openai-pictures.ts";
import { deepgram } from "../voice/described-transcriber.ts";
import { OPENAI_SPEAK_MODEL } from "../voice/openai-speaker.ts";
import { OPENAI_TRANSCRIBE_MODEL } from "../voice/openai-transcriber.ts";
import { WHISPER_URL } from "../voice/whisper-transcriber.ts";

/** The list omits the fakes. They can be set, but only tests use them. */
export const mediaKinds: Readonly<Record<MediaPart, readonly MediaKind[]>> = {
  transcribe: [
    {
      kind: "openai",
      takes: ["baseUrl", "apiKey", "model", "language"],
      baseUrl: OPENAI_URL,
      model: OPENAI_TRANSCRIBE_MODEL,
      needsKey: true,
    },
    { kind: "whisper", takes: ["baseUrl", "apiKey", "language"], baseUrl: WHISPER_URL, needsKey: false },
    {
      kind: "deepgram",
      takes: ["baseUrl", "apiKey", "model", "language"],
      baseUrl: deepgram.baseUrl,
      model: deepgram.model,
      needsKey: true,
    },
  ],
  speak: [
    {
      kind: "openai",
      takes: ["baseUrl", "apiKey", "model", "voice"],
      baseUrl: OPENAI_URL,
      model: OPENAI_SPEAK_MODEL,
      needsKey: true,
    },
    { kind: "program", takes: ["program", "model", "voice"], needsKey: false },
  ],
  pictures: [
    {
      kind: "openai",
      takes: ["baseUrl", "apiKey", "model"],
      baseUrl: OPENAI_URL,
      model: OPENAI_PICTURE_MODEL,
      needsKey: true,
    },
    {
      kind: "gemini",
      takes: ["baseUrl", "apiKey", "model"],
      baseUrl: GEMINI_URL,
      model: GEMINI_PICTURE_MODEL,
      needsKey: true,
    },
  ],
  describe: [{ kind: "model", takes: ["model"], needsKey: false }],
};

/** The keys that the table of each part may have in the config file. */
export const fieldsOf: Readonly<Record<MediaPart, readonly MediaField[]>> = {
  transcribe: ["baseUrl", "apiKey", "model", "language"],
  speak: ["baseUrl", "apiKey", "model", "voice", "program"],
  pictures: ["baseUrl", "apiKey", "model"],
  describe: ["model"],
};
