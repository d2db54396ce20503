/** The request and the result of the process that scales pictures down, with their limits. */
import { z } from "zod";

/** Maximum size of a picture that is scaled down, in bytes. */
export const MAX_PICTURE_BYTES = 64 * 1024 * 1024;
/** Maximum number of pixels of a picture. Decoding takes 4 bytes of memory per pixel. */
export const MAX_PIXELS = 110_000_000;
/** Maximum size of a result in bytes. */
export const MAX_SCALED_BYTES = 8 * 1024 * 1024;
/** Maximum time for one picture. */
export const PICTURE_SECONDS = 20;

/** `edge`: the maximum of width and height in pixels. `sizeBytes`: the maximum size of the file. */
export const PictureLimits = z.object({
  edge: z.int().min(16).max(8192),
  sizeBytes: z.int().min(4096).max(MAX_SCALED_BYTES),
});
export type PictureLimits = z.infer<typeof PictureLimits>;

/** The line of JSON before the bytes of a scaled picture. `why` is one sentence. */
export const PictureHeader = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("picture"),
    type: z.enum(["image/jpeg", "image/webp"]),
    width: z.int().positive(),
    height: z.int().positive(),
  }),
  z.object({ kind: z.literal("refused"), why: z.string().max(2000) }),
]);
export type PictureHeader = z.infer<typeof PictureHeader>;

export type ScaledPicture =
  | (Extract<PictureHeader, { kind: "picture" }> & { readonly bytes: Uint8Array })
  | Extract<PictureHeader, { kind: "refused" }>;

const NEW_LINE = 10;

/** Joins a line of JSON and bytes. */
export const writeHeader = (header: unknown, bytes: Uint8Array): Uint8Array => {
  const line = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  const encodedPicture = new Uint8Array(line.length + bytes.length);
  encodedPicture.set(line);
  encodedPicture.set(bytes, line.length);
  return encodedPicture;
};

/** Splits what `writeHeader` joined. Throws if there is no line of JSON. */
export const readHeader = (encodedPicture: Uint8Array): { readonly header: unknown; readonly bytes: Uint8Array } => {
  const end = encodedPicture.indexOf(NEW_LINE);
  return {
    header: JSON.parse(new TextDecoder().decode(encodedPicture.subarray(0, end))),
    bytes: encodedPicture.subarray(end + 1),
  };
};

/** Throws if the bytes are not a scaled picture. */
export const readScaledPicture = (encodedPicture: Uint8Array): ScaledPicture => {
  const { header, bytes } = readHeader(encodedPicture);
  const picture = PictureHeader.parse(header);
  if (picture.kind === "refused") return picture;
  if (bytes.length === 0 || bytes.length > MAX_SCALED_BYTES) throw new Error("the picture has an invalid size");
  return { ...picture, bytes };
};

export const writeScaledPicture = (picture: ScaledPicture): Uint8Array => {
  if (picture.kind === "refused") return writeHeader(picture, new Uint8Array());
  const { bytes, ...header } = picture;
  return writeHeader(header, bytes);
};

/** The largest edge of the small version that a page shows. */
export const SMALL_PICTURE: PictureLimits = { edge: 640, sizeBytes: 512 * 1024 };

/** The picture types that the process decodes. */
const SCALED_TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/apng",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/bmp",
]);

export const isScalable = (type: string): boolean => SCALED_TYPES.has(type);
