/** Reads the duration of a WAV file from its header, which is untrusted. */

/** Formats whose samples have a fixed size: PCM, floating point, and the extensible form of both. */
const PLAIN_FORMATS: ReadonlySet<number> = new Set([1, 3, 0xfffe]);
const CHUNK_HEADER_BYTES = 8;
const MIN_FORMAT_BYTES = 16;
/** The lowest rate of a codec for speech, and the highest of uncompressed sound, in bytes per second. */
const MIN_RATE = 300;
const MAX_RATE = 64 * 768_000 * 8;
const MAX_CHANNELS = 64;
/** Maximum duration. A longer one is more likely a wrong header. */
const MAX_DURATION_MS = 7 * 24 * 3600 * 1000;

/**
 * Returns the duration in milliseconds, or undefined if the header is damaged or contradicts itself.
 * `sizeBytes` is the size of the whole file, of which `beginning` contains the first bytes. A header
 * that claims more sound than the file has, as that of a recording that was cut off, counts up to
 * the end of the file.
 */
export const waveDuration = (beginning: Uint8Array, sizeBytes: number): number | undefined => {
  const view = new DataView(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  let rate: number | undefined;
  let offset = 12;
  while (offset + CHUNK_HEADER_BYTES <= view.byteLength) {
    const name = String.fromCharCode(...beginning.subarray(offset, offset + 4));
    const size = view.getUint32(offset + 4, true);
    const start = offset + CHUNK_HEADER_BYTES;
    if (name === "fmt ") {
      if (size < MIN_FORMAT_BYTES || start + MIN_FORMAT_BYTES > view.byteLength) return undefined;
      rate = readRate(view, start);
      if (rate === undefined) return undefined;
    }
    if (name === "data") return rate === undefined ? undefined : toDuration(Math.min(size, sizeBytes - start), rate);
    // Chunks begin at even offsets.
    offset = start + size + (size % 2);
  }
  return undefined;
};

/** Returns the bytes of one second. */
const readRate = (view: DataView, offset: number): number | undefined => {
  const format = view.getUint16(offset, true);
  const channels = view.getUint16(offset + 2, true);
  const samplesPerSecond = view.getUint32(offset + 4, true);
  const bytesPerSecond = view.getUint32(offset + 8, true);
  const blockBytes = view.getUint16(offset + 12, true);
  const bits = view.getUint16(offset + 14, true);
  if (channels < 1 || channels > MAX_CHANNELS || bytesPerSecond < MIN_RATE || bytesPerSecond > MAX_RATE)
    return undefined;
  if (!PLAIN_FORMATS.has(format)) return bytesPerSecond;
  const isConsistent =
    blockBytes === channels * Math.ceil(bits / 8) && bytesPerSecond === samplesPerSecond * blockBytes;
  return isConsistent ? bytesPerSecond : undefined;
};

const toDuration = (soundBytes: number, bytesPerSecond: number): number | undefined => {
  const durationMs = Math.round((soundBytes / bytesPerSecond) * 1000);
  return durationMs < 0 || durationMs > MAX_DURATION_MS ? undefined : durationMs;
};
