/**
 * Shows a picture of the workspace to the model. The first bytes determine the type, and not the name.
 * A picture that is too large is scaled down.
 */
import { HearthError, type Image, MAX_IMAGE_SIZE } from "@hearth/protocol";
import { MAX_PICTURE_BYTES, type PictureLimits } from "@hearth/protocol/picture-sizes";
import { quotePath } from "./path.ts";
import { failure, type RunTool } from "./tool.ts";

/** The edge that vendors scale a picture to, unless they document a larger one. */
const LIMITS: PictureLimits = { edge: 1568, sizeBytes: MAX_IMAGE_SIZE };

export const image: RunTool<"image"> = async ({ path }, { files, pictures, signal }) => {
  const bytes = await files.read(path, pictures === undefined ? MAX_IMAGE_SIZE : MAX_PICTURE_BYTES);
  const type = typeOf(bytes);
  if (type === undefined)
    throw new HearthError("tool.invalid", `${quotePath(path)} is not a PNG, JPEG, GIF or WebP picture.`);
  const description = `${path}: ${type}, ${bytes.length} bytes`;
  if (bytes.length <= MAX_IMAGE_SIZE || pictures === undefined)
    return { text: `${description}.`, failed: false, image: { type, data: bytes.toBase64() } };
  const scaled = await pictures(path, LIMITS, signal);
  if (scaled.kind === "refused") return failure(`Cannot show ${quotePath(path)}. ${scaled.why}`);
  const { width, height, bytes: smallBytes } = scaled;
  return {
    text: `${description}, scaled down to ${width} × ${height} pixels.`,
    failed: false,
    image: { type: scaled.type, data: smallBytes.toBase64() },
  };
};

/** Patterns of the first bytes of each file type. `.` matches any byte. */
const SIGNATURES: readonly (readonly [Image["type"], string])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF8"],
  ["image/webp", "RIFF....WEBP"],
];

const typeOf = (bytes: Uint8Array): Image["type"] | undefined =>
  SIGNATURES.find(([, beginning]) =>
    [...beginning].every((char, index) => char === "." || char.charCodeAt(0) === bytes[index]),
  )?.[0];
