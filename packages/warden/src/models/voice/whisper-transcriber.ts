/**
 * The server of whisper.cpp, `POST /inference`. It reads WAV, and other formats if it was started
 * with `--convert`. https://github.com/ggml-org/whisper.cpp/tree/master/examples/server
 */
import { MAX_ANSWER_BYTES, readTranscript } from "./answers.ts";
import { callVendor } from "../wires/vendor-call.ts";
import { toForm, VERBOSE } from "./openai-transcriber.ts";
import type { TranscriberFactory } from "./transcriber.ts";

export const WHISPER_URL = "http://127.0.0.1:8080";

export const createWhisperTranscriber: TranscriberFactory = (options) => ({
  transcribe: (recording, signal) => {
    const { baseUrl = WHISPER_URL, apiKey } = options;
    const form = toForm(recording);
    form.set("response_format", "verbose_json");
    // Without it, the server assumes English.
    form.set("language", recording.language ?? "auto");
    return callVendor(
      options,
      {
        url: `${baseUrl}/inference`,
        headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
        body: form,
        maxBytes: MAX_ANSWER_BYTES,
      },
      signal,
      (answer) => readTranscript(answer, VERBOSE),
    );
  },
});
