/** A speaker without a model: a WAV of silence whose length is that of the text. For tests and demonstrations. */
import { HearthError } from "@hearth/protocol";
import type { SpeakerFactory } from "./speaker.ts";

const RATE = 8_000;
/** Samples for each character: a twentieth of a second. */
const SAMPLES_PER_CHARACTER = RATE / 20;

export const createMemorySpeaker: SpeakerFactory = () => ({
  hasLanguages: false,
  async speak({ text }, signal) {
    if (signal.aborted) throw new HearthError("provider.aborted", "The call was stopped.");
    return { bytes: toWave(new Uint8Array(text.length * SAMPLES_PER_CHARACTER).fill(128)), type: "audio/wav" };
  },
});

/** Returns a WAV of 8-bit samples. */
export const toWave = (samples: Uint8Array): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(44 + samples.length);
  const view = new DataView(bytes.buffer);
  const words: readonly (readonly [number, string])[] = [
    [0, "RIFF"],
    [8, "WAVE"],
    [12, "fmt "],
    [36, "data"],
  ];
  for (const [offset, word] of words) bytes.set(new TextEncoder().encode(word), offset);
  view.setUint32(4, bytes.length - 8, true);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  view.setUint32(40, samples.length, true);
  bytes.set(samples, 44);
  return bytes;
};
