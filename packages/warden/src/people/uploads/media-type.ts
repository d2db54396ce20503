/**
 * Detects the media type of a file, the dimensions of a picture and the duration of a WAV file, from
 * its first bytes. The file's name is not used.
 */
import { lazy, type MediaFacts } from "@hearth/protocol";

/** Maximum number of bytes that are read for this. */
export const MAX_DETECTION_BYTES = 1024 * 1024;

const UNKNOWN_TYPE = "application/octet-stream";
const TEXT_TYPE = "text/plain";

// The libraries are loaded at the first complete upload, because together they take 30 ms.
const libraries = lazy(async () => {
  const [{ fileTypeFromBuffer }, { imageSize }, { waveDuration }] = await Promise.all([
    import("file-type"),
    import("image-size"),
    import("./wave-duration.ts"),
  ]);
  return { fileTypeFromBuffer, imageSize, waveDuration };
});

/** Detects the type of a file and its dimensions or its duration. `sizeBytes` is the size of the whole file. */
export const detectMedia = async (beginning: Uint8Array, sizeBytes: number = beginning.length): Promise<MediaFacts> => {
  const { fileTypeFromBuffer, imageSize, waveDuration } = await libraries();
  // Both throw for content that begins like a type and is not of it.
  const detectedType = await fileTypeFromBuffer(beginning).catch(() => undefined);
  if (detectedType === undefined) return { type: isText(beginning) ? TEXT_TYPE : UNKNOWN_TYPE };
  const type = detectedType.mime;
  if (WAVE_TYPES.has(type)) {
    const durationMs = waveDuration(beginning, sizeBytes);
    return durationMs === undefined ? { type } : { type, durationMs };
  }
  if (!type.startsWith("image/")) return { type };
  try {
    const { width, height, orientation = 1 } = imageSize(beginning);
    if (!isPixels(width) || !isPixels(height)) return { type };
    // From 5 on, the picture is shown turned by a quarter.
    return orientation >= 5 ? { type, width: height, height: width } : { type, width, height };
  } catch {
    return { type };
  }
};

const WAVE_TYPES: ReadonlySet<string> = new Set(["audio/wav", "audio/vnd.wave"]);

const isPixels = (value: number): boolean => Number.isInteger(value) && value > 0;

/** Whether a code point is a control character. White space and escape sequences of terminals are text. */
const isControl = (code: number): boolean =>
  code === 0x7f || (code < 0x20 && code !== 0x1b && !(code >= 0x09 && code <= 0x0d));

/** Whether the bytes are UTF-8 without control characters other than white space. */
const isText = (beginning: Uint8Array): boolean => {
  try {
    // A character may be cut at the end.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(beginning, { stream: true });
    return !Array.from(text, (char) => char.codePointAt(0) ?? 0).some(isControl);
  } catch {
    return false;
  }
};
