/** Encodes audio samples as a WAV file: 16 bits, mono. */

const HEADER_BYTES = 44;
const MAX_SAMPLE = 0x7fff;

/** Encodes samples from -1 to 1. Values outside this range are clipped. */
export const toWave = (samples: Float32Array, rate: number): Uint8Array<ArrayBuffer> => {
  const sizeBytes = samples.length * 2;
  const bytes = new Uint8Array(HEADER_BYTES + sizeBytes);
  const view = new DataView(bytes.buffer);
  const writeText = (offset: number, text: string): void => bytes.set(new TextEncoder().encode(text), offset);
  writeText(0, "RIFF");
  view.setUint32(4, HEADER_BYTES - 8 + sizeBytes, true);
  writeText(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  // PCM, one channel.
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  writeText(36, "data");
  view.setUint32(40, sizeBytes, true);
  for (const [index, sample] of samples.entries())
    view.setInt16(HEADER_BYTES + index * 2, Math.round(Math.max(-1, Math.min(1, sample)) * MAX_SAMPLE), true);
  return bytes;
};
