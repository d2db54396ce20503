/** Makes WAV files for tests. */

/** Silence: 8,000 samples of 8 bits are one second. */
export const toWave = (samples: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(44 + samples).fill(128, 44);
  const view = new DataView(bytes.buffer);
  const words: readonly (readonly [number, string])[] = [
    [0, "RIFF"],
    [8, "WAVE"],
    [12, "fmt "],
    [36, "data"],
  ];
  for (const [at, word] of words) bytes.set(new TextEncoder().encode(word), at);
  const longs: readonly (readonly [number, number])[] = [
    [4, 36 + samples],
    [16, 16],
    [24, 8000],
    [28, 8000],
    [40, samples],
  ];
  for (const [at, value] of longs) view.setUint32(at, value, true);
  const shorts: readonly (readonly [number, number])[] = [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ];
  for (const [at, value] of shorts) view.setUint16(at, value, true);
  return bytes;
};
