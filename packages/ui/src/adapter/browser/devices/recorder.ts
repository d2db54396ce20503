/**
 * Records the microphone with the browser's own encoder, and keeps each second in the browser's
 * database. At the end, the browser decodes the recording at 16 kHz, and this module encodes it as
 * WAV.
 */
import type { FileStore } from "@hearth/client";
import { HearthError } from "@hearth/protocol";
import type { Recording, Recordings } from "../../../house/recordings.ts";
import { toWave } from "./wave.ts";
import * as texts from "./text.ts";

/** In Hz. Transcribers expect this rate. */
const SAMPLE_RATE = 16_000;
/** Time between two writes to the database. */
const PIECE_MS = 1000;

export const createRecordings = (store: FileStore): Recordings => ({
  async start(key) {
    const stream = await openMicrophone();
    try {
      return await record(stream, (content) => store.put(key, { name: key, content }));
    } catch (error) {
      endTracks(stream);
      throw error;
    }
  },
  async recover(key) {
    const storedFile = await store.get(key);
    return storedFile === undefined || storedFile.content.size === 0 ? undefined : toWaveFile(storedFile.content);
  },
  forget: (key) => store.remove(key),
});

const openMicrophone = async (): Promise<MediaStream> => {
  try {
    const audio = { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true };
    return await window.navigator.mediaDevices.getUserMedia({ audio });
  } catch (cause) {
    const isDenied = cause instanceof DOMException && cause.name === "NotAllowedError";
    throw isDenied
      ? new HearthError("request.invalid", texts.microphoneDenied, {
          hint: texts.microphoneDeniedHint,
          cause,
        })
      : new HearthError("request.invalid", texts.noMicrophone, {
          hint: texts.noMicrophoneHint,
          cause,
        });
  }
};

const endTracks = (stream: MediaStream): void => {
  for (const track of stream.getTracks()) track.stop();
};

/** Starts a recording. `store` replaces the stored recording with the given one. */
const record = async (stream: MediaStream, store: (content: Blob) => Promise<void>): Promise<Recording> => {
  const recorder = new MediaRecorder(stream);
  const pieces: Blob[] = [];
  let storeQueue: Promise<unknown> = Promise.resolve();
  const joinPieces = (): Blob => new Blob(pieces, { type: recorder.mimeType });
  const hasStopped = new Promise<void>((resolve) => recorder.addEventListener("stop", () => resolve(), { once: true }));
  recorder.addEventListener("dataavailable", ({ data }) => {
    if (data.size === 0) return;
    pieces.push(data);
    // If the database has no space, the recording continues, but a reload loses it.
    storeQueue = storeQueue.then(() => store(joinPieces())).catch(() => undefined);
  });
  const endRecording = (): void => {
    if (recorder.state !== "inactive") recorder.stop();
    endTracks(stream);
  };
  recorder.start(PIECE_MS);
  return {
    ended: hasStopped,
    async finish() {
      endRecording();
      await hasStopped;
      await storeQueue;
      return toWaveFile(joinPieces());
    },
    async cancel() {
      endRecording();
      await hasStopped;
      await storeQueue;
    },
    stopAndKeep: endRecording,
  };
};

const toWaveFile = async (content: Blob): Promise<Blob> => {
  const audioBuffer = await decode(await content.arrayBuffer());
  return new Blob([toWave(toMono(audioBuffer), SAMPLE_RATE)], { type: "audio/wav" });
};

/** Decodes audio. The browser resamples it to the rate of the context. */
const decode = async (bytes: ArrayBuffer): Promise<AudioBuffer> => {
  try {
    return await new OfflineAudioContext(1, 1, SAMPLE_RATE).decodeAudioData(bytes);
  } catch (cause) {
    throw new HearthError("request.invalid", texts.recordingDamaged, {
      hint: texts.recordingDamagedHint,
      cause,
    });
  }
};

const toMono = (buffer: AudioBuffer): Float32Array => {
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, index) => buffer.getChannelData(index));
  const [mono = new Float32Array()] = channels;
  if (channels.length <= 1) return mono;
  return mono.map((_, index) => channels.reduce((sum, channel) => sum + (channel[index] ?? 0), 0) / channels.length);
};
