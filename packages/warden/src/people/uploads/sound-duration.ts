/**
 * Reads the duration of Ogg, MP3 and MP4 files from their headers, which are untrusted. Reads a few
 * parts of a file of any size.
 */

export interface SoundFile {
  readonly type: string;
  readonly sizeBytes: number;
  /** Returns the bytes from `from` up to, not including, `to`. */
  read(from: number, to: number): Promise<Uint8Array>;
}

/** Returns the duration in milliseconds, or undefined if the file does not say it or contradicts itself. */
export const soundDuration = async (file: SoundFile): Promise<number | undefined> => {
  try {
    const seconds = await READERS[file.type]?.(file);
    const durationMs = Math.round((seconds ?? 0) * 1000);
    return durationMs > 0 && durationMs <= MAX_DURATION_MS ? durationMs : undefined;
  } catch (error) {
    // The header reaches beyond the file.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** Maximum duration. A longer one is more likely a wrong header. */
const MAX_DURATION_MS = 7 * 24 * 3600 * 1000;
/** An Ogg page has at most 65,307 bytes. */
const MAX_PAGE_BYTES = 65_307;
const MAX_BOXES = 16;
const MAX_FRAME_SEARCH = 16_384;

type ReadSeconds = (file: SoundFile) => Promise<number | undefined>;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const nameAt = (bytes: Uint8Array, offset: number, length = 4): string =>
  String.fromCharCode(...bytes.subarray(offset, offset + length));
const readUpTo = ({ read, sizeBytes }: SoundFile, from: number, length: number): Promise<Uint8Array> =>
  read(Math.min(from, sizeBytes), Math.min(from + length, sizeBytes));

const OPUS_RATE = 48_000;

/** Returns the sample rate, and the number of samples to skip, from the first packet of a stream. */
const readOggHead = (page: Uint8Array): { readonly rate: number; readonly skip: number } | undefined => {
  const start = 27 + (page[26] ?? 0);
  const view = viewOf(page);
  if (nameAt(page, start, 8) === "OpusHead") return { rate: OPUS_RATE, skip: view.getUint16(start + 10, true) };
  if (nameAt(page, start, 7) === "\x01vorbis") return { rate: view.getUint32(start + 12, true), skip: 0 };
  if (nameAt(page, start, 5) === "\x7fFLAC") return { rate: view.getUint32(start + 27) >>> 12, skip: 0 };
  return nameAt(page, start, 8) === "Speex   " ? { rate: view.getUint32(start + 36, true), skip: 0 } : undefined;
};

/** Computes the duration from the number of samples, which the last page of the stream contains. */
const readOgg: ReadSeconds = async (file) => {
  const firstPage = await readUpTo(file, 0, MAX_PAGE_BYTES);
  const head = nameAt(firstPage, 0) === "OggS" ? readOggHead(firstPage) : undefined;
  if (head === undefined || head.rate === 0) return undefined;
  const serial = viewOf(firstPage).getUint32(14, true);
  const lastBytes = await readUpTo(file, Math.max(0, file.sizeBytes - MAX_PAGE_BYTES), MAX_PAGE_BYTES);
  const view = viewOf(lastBytes);
  for (let offset = lastBytes.length - 27; offset >= 0; offset -= 1) {
    if (nameAt(lastBytes, offset) !== "OggS" || view.getUint32(offset + 14, true) !== serial) continue;
    const samples = view.getBigInt64(offset + 6, true);
    // The value is negative on a page on which no packet ends.
    if (samples < 0n) continue;
    return (Number(samples) - head.skip) / head.rate;
  }
  return undefined;
};

/** Kilobits per second of layer III by index, for MPEG 1, and for 2 and 2.5. */
const MP3_RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const MP3_SAMPLE_RATES = [44_100, 48_000, 32_000] as const;

interface Mp3Frame {
  readonly sampleRate: number;
  readonly samples: number;
  readonly bytesPerSecond: number;
  readonly bytes: number;
  /** Offset in the frame at which a header with the number of frames may begin. */
  readonly xingAt: number;
}

const readMp3Frame = (bytes: Uint8Array, offset: number): Mp3Frame | undefined => {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(offset, offset + 4);
  if (first !== 0xff || (second & 0xe0) !== 0xe0 || ((second >> 1) & 3) !== 1) return undefined;
  // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5.
  const version = (second >> 3) & 3;
  const isMpeg1 = version === 3;
  const kilobits = MP3_RATES[isMpeg1 ? 0 : 1][third >> 4];
  const rate = MP3_SAMPLE_RATES[(third >> 2) & 3];
  if (version === 1 || kilobits === undefined || kilobits === 0 || rate === undefined) return undefined;
  const sampleRate = rate / (isMpeg1 ? 1 : version === 2 ? 2 : 4);
  const samples = isMpeg1 ? 1152 : 576;
  const bytesPerSecond = kilobits * 125;
  const isMono = fourth >> 6 === 3;
  return {
    sampleRate,
    samples,
    bytesPerSecond,
    bytes: Math.floor((samples * bytesPerSecond) / sampleRate) + ((third >> 1) & 1),
    xingAt: 4 + (isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17),
  };
};

/** Returns the size of the tags before the first frame. */
const id3Bytes = (beginning: Uint8Array): number => {
  if (nameAt(beginning, 0, 3) !== "ID3") return 0;
  const [one = 0, two = 0, three = 0, four = 0] = beginning.subarray(6, 10);
  return 10 + (((one & 127) << 21) | ((two & 127) << 14) | ((three & 127) << 7) | (four & 127));
};

/** Computes the duration from the number of frames in the first frame, or from its bit rate without that number. */
const readMp3: ReadSeconds = async (file) => {
  const start = id3Bytes(await readUpTo(file, 0, 10));
  const bytes = await readUpTo(file, start, MAX_FRAME_SEARCH);
  const view = viewOf(bytes);
  for (let offset = 0; offset + 4 <= bytes.length; offset += 1) {
    const frame = readMp3Frame(bytes, offset);
    if (frame === undefined) continue;
    const nextFrameStart = offset + frame.bytes;
    // Four bytes that look like a frame are one only if another frame follows.
    if (nextFrameStart + 4 <= bytes.length && readMp3Frame(bytes, nextFrameStart) === undefined) continue;
    const mark = nameAt(bytes, offset + frame.xingAt);
    if ((mark === "Xing" || mark === "Info") && (view.getUint32(offset + frame.xingAt + 4) & 1) === 1)
      return (view.getUint32(offset + frame.xingAt + 8) * frame.samples) / frame.sampleRate;
    if (nameAt(bytes, offset + 36) === "VBRI") return (view.getUint32(offset + 50) * frame.samples) / frame.sampleRate;
    return (file.sizeBytes - start - offset) / frame.bytesPerSecond;
  }
  return undefined;
};

/** Reads the duration from the movie header, which may follow the data. */
const readMp4: ReadSeconds = async (file) => {
  let offset = 0;
  for (let count = 0; count < MAX_BOXES && offset + 8 <= file.sizeBytes; count += 1) {
    const header = await readUpTo(file, offset, 16);
    const view = viewOf(header);
    const shortSize = view.getUint32(0);
    const size = shortSize === 1 ? Number(view.getBigUint64(8)) : shortSize === 0 ? file.sizeBytes - offset : shortSize;
    const body = offset + (shortSize === 1 ? 16 : 8);
    if (offset + size < body) return undefined;
    if (nameAt(header, 4) === "moov") return readMovieHeader(await readUpTo(file, body, 128));
    offset += size;
  }
  return undefined;
};

/** Reads the duration from `mvhd`, which is the first box of `moov`. */
const readMovieHeader = (bytes: Uint8Array): number | undefined => {
  if (nameAt(bytes, 4) !== "mvhd") return undefined;
  const view = viewOf(bytes);
  const isLong = bytes[8] === 1;
  const scale = view.getUint32(isLong ? 28 : 20);
  const duration = isLong ? Number(view.getBigUint64(32)) : view.getUint32(24);
  return scale === 0 ? undefined : duration / scale;
};

const READERS: Readonly<Record<string, ReadSeconds>> = {
  "audio/ogg": readOgg,
  "audio/ogg; codecs=opus": readOgg,
  "audio/opus": readOgg,
  "audio/mpeg": readMp3,
  "audio/mp4": readMp4,
  "audio/x-m4a": readMp4,
  "video/mp4": readMp4,
  "video/quicktime": readMp4,
};
