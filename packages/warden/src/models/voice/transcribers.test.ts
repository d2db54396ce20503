import { expect } from "bun:test";
import { createDescribedTranscriber, deepgram } from "./described-transcriber.ts";
import { KEY } from "./failures.conformance.ts";
import { createMemoryTranscriber } from "./memory-transcriber.ts";
import { createOpenAITranscriber } from "./openai-transcriber.ts";
import { transcriberConformance } from "./transcriber.conformance.ts";
import type { Recording, Transcript } from "./transcriber.ts";
import { createWhisperTranscriber } from "./whisper-transcriber.ts";

const text = "Where is the shed?";
const segments = [{ startMs: 0, endMs: 1250, text }];

/** The form of a request, with the audio and a name that no person gave. */
const checkForm = async (request: Request, { bytes }: Recording, fields: Readonly<Record<string, string>>) => {
  const form = await request.formData();
  const file = form.get("file");
  if (!(file instanceof File)) throw new Error("the form has no file");
  expect(file.name).toBe("audio.wav");
  expect(await file.bytes()).toEqual(bytes);
  form.delete("file");
  expect(Object.fromEntries(form.entries())).toEqual(fields);
};

/** The shape of `verbose_json`. */
const verbose = (said: string): object => ({
  task: "transcribe",
  language: "english",
  duration: 1.25,
  text: ` ${said}\n`,
  segments: [
    { id: 0, seek: 0, start: 0, end: 1.25, text: ` ${said}`, tokens: [50364], temperature: 0, avg_logprob: -0.2 },
  ],
});

const read: Transcript = { text, language: "english", durationMs: 1250, segments };

transcriberConformance("openai, a model of the older kind", {
  factory: (options) => createOpenAITranscriber({ ...options, model: "whisper-1" }),
  answer: verbose,
  expected: read,
  async check(request, recording) {
    expect(request.url).toBe("http://voice.test/v1/audio/transcriptions");
    expect(request.headers.get("authorization")).toBe(`Bearer ${KEY}`);
    await checkForm(request, recording, { model: "whisper-1", response_format: "verbose_json", language: "en" });
  },
});

transcriberConformance("openai, a model of the newer kind", {
  factory: createOpenAITranscriber,
  answer: (said) => ({ text: said, usage: { type: "tokens", input_tokens: 14, output_tokens: 8, total_tokens: 22 } }),
  expected: { text, segments: [] },
  check: (request, recording) =>
    checkForm(request, recording, { model: "gpt-4o-mini-transcribe", response_format: "json", language: "en" }),
});

transcriberConformance("whisper.cpp", {
  factory: createWhisperTranscriber,
  answer: verbose,
  expected: read,
  async check(request, recording) {
    expect(request.url).toBe("http://voice.test/v1/inference");
    await checkForm(request, recording, { response_format: "verbose_json", language: "en" });
  },
});

transcriberConformance("deepgram, by data", {
  factory: createDescribedTranscriber(deepgram),
  answer: (said) => ({
    metadata: { request_id: "0000", duration: 1.25, channels: 1 },
    results: {
      channels: [{ alternatives: [{ transcript: said, confidence: 0.99, words: [] }], detected_language: "en" }],
      utterances: [{ start: 0, end: 1.25, confidence: 0.99, channel: 0, transcript: said, id: "u" }],
    },
  }),
  expected: { text, language: "en", durationMs: 1250, segments },
  async check(request, { bytes }) {
    const { pathname, searchParams } = new URL(request.url);
    expect(pathname).toBe("/v1/listen");
    expect(Object.fromEntries(searchParams)).toEqual({
      model: "nova-3",
      smart_format: "true",
      utterances: "true",
      language: "en",
    });
    expect(request.headers.get("authorization")).toBe(`Token ${KEY}`);
    expect(request.headers.get("content-type")).toBe("audio/wav");
    expect(await request.bytes()).toEqual(bytes);
  },
});

transcriberConformance("in memory", {
  factory: createMemoryTranscriber,
  expected: { text, language: "en", segments: [] },
});
