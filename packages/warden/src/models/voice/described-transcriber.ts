/** Transcribers that take the audio as the body and answer JSON, each described by data. */
import { type AnswerShape, MAX_ANSWER_BYTES, readTranscript } from "./answers.ts";
import { callVendor } from "../wires/vendor-call.ts";
import type { TranscriberFactory } from "./transcriber.ts";

export interface HttpTranscriber {
  readonly baseUrl: string;
  readonly path: string;
  /** The word before the key in the header `authorization`. */
  readonly scheme: string;
  readonly model: string;
  /** Parameters of every request. */
  readonly query: Readonly<Record<string, string>>;
  /** The parameter that names the language, and the parameters of a request that does not. */
  readonly language: { readonly name: string; readonly otherwise: Readonly<Record<string, string>> };
  readonly answer: AnswerShape;
}

/** https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded */
export const deepgram: HttpTranscriber = {
  baseUrl: "https://api.deepgram.com/v1",
  path: "/listen",
  scheme: "Token",
  model: "nova-3",
  query: { smart_format: "true", utterances: "true" },
  language: { name: "language", otherwise: { detect_language: "true" } },
  answer: {
    text: "results.channels.0.alternatives.0.transcript",
    language: "results.channels.0.detected_language",
    duration: "metadata.duration",
    segments: { list: "results.utterances", text: "transcript" },
  },
};

export const createDescribedTranscriber =
  (description: HttpTranscriber): TranscriberFactory =>
  (options) => ({
    transcribe: ({ bytes, type, language }, signal) => {
      const { baseUrl = description.baseUrl, apiKey, model = description.model } = options;
      const query = new URLSearchParams({ model });
      for (const [name, value] of Object.entries(description.query)) query.set(name, value);
      if (language !== undefined) query.set(description.language.name, language);
      else for (const [name, value] of Object.entries(description.language.otherwise)) query.set(name, value);
      const authorization = apiKey === undefined ? undefined : `${description.scheme} ${apiKey}`;
      return callVendor(
        options,
        {
          url: `${baseUrl}${description.path}?${query.toString()}`,
          headers: { "content-type": type, ...(authorization === undefined ? {} : { authorization }) },
          body: bytes,
          maxBytes: MAX_ANSWER_BYTES,
        },
        signal,
        (answer) => readTranscript(answer, description.answer),
      );
    },
  });
