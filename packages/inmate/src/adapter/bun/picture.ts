/**
 * Scales pictures down with the codecs of Bun, which run on a thread. It runs in a cell, because the
 * pictures are not trusted.
 */
import { MAX_PIXELS, type PictureLimits, type ScaledPicture } from "@hearth/protocol/picture-sizes";

/** Qualities of the result, from the best one. */
const QUALITIES = [85, 70, 50];
/** Factor by which the edge shrinks between two attempts. */
const SHRINK_FACTOR = 0.7;
const MAX_ATTEMPTS = 6;

/** Scales a picture down and applies its orientation. Never throws for a picture: a refusal states the reason. */
export const scalePicture = async (
  bytes: Uint8Array,
  limits: PictureLimits,
  maxPixels: number = MAX_PIXELS,
): Promise<ScaledPicture> => {
  try {
    const { format } = await new Bun.Image(bytes, { maxPixels }).metadata();
    // JPEG has no transparency, and WebP keeps it.
    const type = format === "jpeg" ? "image/jpeg" : "image/webp";
    let { edge } = limits;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const quality = QUALITIES[Math.min(attempt, QUALITIES.length - 1)] ?? 50;
      const picture = new Bun.Image(bytes, { maxPixels }).resize(edge, edge, {
        fit: "inside",
        withoutEnlargement: true,
      });
      const scaled = await (type === "image/jpeg" ? picture.jpeg({ quality }) : picture.webp({ quality })).bytes();
      if (scaled.length <= limits.sizeBytes)
        return { kind: "picture", type, width: picture.width, height: picture.height, bytes: scaled };
      if (attempt >= QUALITIES.length - 1) edge = Math.max(16, Math.round(edge * SHRINK_FACTOR));
    }
    return { kind: "refused", why: "It cannot be made small enough." };
  } catch (error) {
    return { kind: "refused", why: REASONS[codeOf(error)] ?? "Its content is damaged." };
  }
};

const REASONS: Readonly<Record<string, string>> = {
  ERR_IMAGE_TOO_MANY_PIXELS: `It has more than ${Math.round(MAX_PIXELS / 1e6)} million pixels.`,
  ERR_IMAGE_FORMAT_UNSUPPORTED: "Hearth cannot decode pictures of this format.",
  ERR_IMAGE_UNKNOWN_FORMAT: "Hearth cannot decode pictures of this format.",
  ERR_OUT_OF_MEMORY: "It needs more memory than a cell has.",
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
