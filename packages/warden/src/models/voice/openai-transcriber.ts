/**
 * The OpenAI wire, `POST /audio/transcriptions`, also of compatible servers such as faster-whisper.
 * https://platform.openai.com/docs/api-reference/audio/createTranscription
 */
import { OPENAI_URL } from "../catalog/known.ts";
import { type AnswerShape, MAX_ANSWER_BYTES, readTranscript } from "./answers.ts";
import { callVendor } from "../wires/vendor-call.ts";
import type { Recording, TranscriberFactory } from "./transcriber.ts";

export const OPENAI_TRANSCRIBE_MODEL = "gpt-4o-mini-transcribe";

/** The shape of `verbose_json`; plain `json` has only the text. */
export const VERBOSE: AnswerShape = {
  text: "text",
  language: "language",
  duration: "duration",
  segments: { list: "segments", text: "text" },
};

export const createOpenAITranscriber: TranscriberFactory = (options) => ({
  transcribe: (recording, signal) => {
    const { baseUrl = OPENAI_URL, apiKey, model = OPENAI_TRANSCRIBE_MODEL } = options;
    const form = toForm(recording);
    form.set("model", model);
    // The newer models refuse the verbose form.
    form.set("response_format", model.startsWith("gpt-") ? "json" : "verbose_json");
    if (recording.language !== undefined) form.set("language", recording.language);
    return callVendor(
      options,
      {
        url: `${baseUrl}/audio/transcriptions`,
        headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
        body: form,
        maxBytes: MAX_ANSWER_BYTES,
      },
      signal,
      (answer) => readTranscript(answer, VERBOSE),
    );
  },
});

/** Creates a form with the file, which has no name that a person gave it. */
export const toForm = ({ bytes, type, name }: Recording): FormData => {
  const form = new FormData();
  form.set("file", new Blob([bytes], { type }), name);
  return form;
};
