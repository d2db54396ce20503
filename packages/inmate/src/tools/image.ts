/** Shows a picture of the workspace to the model. The first bytes determine the type, and not the name. */
import { HearthError, type Image, MAX_IMAGE_SIZE } from "@hearth/protocol";
import { quotePath } from "./path.ts";
import type { RunTool } from "./tool.ts";

export const image: RunTool<"image"> = async ({ path }, { files }) => {
  const bytes = await files.read(path, MAX_IMAGE_SIZE);
  const type = typeOf(bytes);
  if (type === undefined)
    throw new HearthError("tool.invalid", `${quotePath(path)} is not a PNG, JPEG, GIF or WebP picture.`);
  return { text: `${path}: ${type}, ${bytes.length} bytes.`, failed: false, image: { type, data: bytes.toBase64() } };
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
    [...beginning].every((char, at) => char === "." || char.charCodeAt(0) === bytes[at]),
  )?.[0];
