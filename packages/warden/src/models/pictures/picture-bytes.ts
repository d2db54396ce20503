/** Checks the bytes of a picture and removes its metadata, as uploads do. */
import { detectMedia, MAX_DETECTION_BYTES, strippers } from "../../people/lazy.ts";
import { type Clock, HearthError } from "@hearth/protocol";
import {
  MAX_PICTURE_BYTES,
  MAX_PICTURE_PIXELS,
  type Picture,
  type PictureType,
  pictureTypes,
} from "./picture-provider.ts";

/** The picture, or the reason why the bytes are not a usable picture. */
export type CheckedPicture = { readonly picture: Picture } | { readonly why: string };

export const checkPicture = async (bytes: Uint8Array, clock: Pick<Clock, "turn">): Promise<CheckedPicture> => {
  if (bytes.length > MAX_PICTURE_BYTES) return { why: `It has more than ${MAX_PICTURE_BYTES >> 20} MiB.` };
  const { type, width, height } = await detectMedia(bytes.subarray(0, MAX_DETECTION_BYTES));
  if (!isPictureType(type)) return { why: `It is ${type}, not PNG, JPEG or WebP.` };
  if (width === undefined || height === undefined) return { why: "It has no dimensions." };
  if (width > MAX_PICTURE_PIXELS || height > MAX_PICTURE_PIXELS)
    return { why: `It has ${width} × ${height} pixels; an edge may have ${MAX_PICTURE_PIXELS}.` };
  const pieces = await strippers[type]?.(bytes, clock.turn);
  if (pieces === undefined) return { why: "It is damaged or incomplete." };
  return { picture: { bytes: join(pieces), type, width, height } };
};

/** Returns at most `count` pictures of an answer. Throws `provider.malformed`. */
export const checkPictures = async (
  images: readonly Uint8Array[],
  count: number,
  clock: Pick<Clock, "turn">,
): Promise<readonly Picture[]> => {
  const pictures: Picture[] = [];
  for (const bytes of images.slice(0, count)) {
    const checked = await checkPicture(bytes, clock);
    if ("why" in checked)
      throw new HearthError("provider.malformed", `The provider sent a file that cannot be used. ${checked.why}`, {
        hint: "Correct the model or the address in Settings → Models. Or run hearth pictures set again.",
      });
    pictures.push(checked.picture);
  }
  return pictures;
};

const isPictureType = (type: string): type is PictureType => pictureTypes.some((pictureType) => pictureType === type);

const join = (pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const joinedBytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    joinedBytes.set(piece, offset);
    offset += piece.length;
  }
  return joinedBytes;
};
