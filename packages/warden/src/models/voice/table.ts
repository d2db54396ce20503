/** The tables of transcribers and speakers. Their keys are the kinds in `[voice]`. Each is loaded on first use. */
import type { SpeakKind, TranscribeKind } from "../../kernel/index.ts";
import type { SpeakerFactory } from "./speaker.ts";
import type { TranscriberFactory } from "./transcriber.ts";

export const transcribers: Readonly<Record<TranscribeKind, () => Promise<TranscriberFactory>>> = {
  openai: async () => (await import("./openai-transcriber.ts")).createOpenAITranscriber,
  whisper: async () => (await import("./whisper-transcriber.ts")).createWhisperTranscriber,
  deepgram: async () => {
    const { createDescribedTranscriber, deepgram } = await import("./described-transcriber.ts");
    return createDescribedTranscriber(deepgram);
  },
  fake: async () => (await import("./memory-transcriber.ts")).createMemoryTranscriber,
};

export const speakers: Readonly<Record<SpeakKind, () => Promise<SpeakerFactory>>> = {
  openai: async () => (await import("./openai-speaker.ts")).createOpenAISpeaker,
  program: async () => (await import("./program-speaker.ts")).createProgramSpeaker,
  fake: async () => (await import("./memory-speaker.ts")).createMemorySpeaker,
};
