/**
 * The OpenAI wire, `POST /audio/speech`, also of compatible servers.
 * https://platform.openai.com/docs/api-reference/audio/createSpeech
 */
import { malformedError } from "../resilience/failure.ts";
import { OPENAI_URL } from "../catalog/known.ts";
import { callVendor } from "../wires/vendor-call.ts";
import { MAX_SPEECH_BYTES, type SpeakerFactory } from "./speaker.ts";

export const OPENAI_SPEAK_MODEL = "gpt-4o-mini-tts";
const DEFAULT_VOICE = "alloy";

const TYPES: ReadonlyMap<string, "audio/mpeg" | "audio/wav"> = new Map([
  ["audio/mpeg", "audio/mpeg"],
  ["audio/mp3", "audio/mpeg"],
  ["audio/wav", "audio/wav"],
  ["audio/x-wav", "audio/wav"],
]);

export const createOpenAISpeaker: SpeakerFactory = (options) => ({
  hasLanguages: false,
  speak: ({ text, voice = DEFAULT_VOICE }, signal) => {
    const { baseUrl = OPENAI_URL, apiKey, model = OPENAI_SPEAK_MODEL } = options;
    return callVendor(
      options,
      {
        url: `${baseUrl}/audio/speech`,
        headers: {
          "content-type": "application/json",
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model, voice, input: text, response_format: "mp3" }),
        maxBytes: MAX_SPEECH_BYTES,
      },
      signal,
      ({ bytes, type: sentType }) => {
        const type = TYPES.get(sentType);
        if (type === undefined || bytes.length === 0) throw malformedError("The answer is not audio.");
        return { bytes, type };
      },
    );
  },
});
