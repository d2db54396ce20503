/** A transcriber without a model: audio whose bytes are UTF-8 text says that text. For tests and demonstrations. */
import { HearthError } from "@hearth/protocol";
import { NO_SPEECH } from "./answers.ts";
import type { TranscriberFactory } from "./transcriber.ts";

export const createMemoryTranscriber: TranscriberFactory = () => ({
  async transcribe({ bytes, language }, signal) {
    if (signal.aborted) throw new HearthError("provider.aborted", "The call was stopped.");
    const text = new TextDecoder().decode(bytes).trim();
    if (text === "") throw new HearthError("provider.refused", NO_SPEECH);
    return { text, segments: [], ...(language === undefined ? {} : { language }) };
  },
});
