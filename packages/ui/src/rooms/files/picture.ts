/** Finds the attachments that a browser shows as pictures. */
import type { Attachment, RoomId } from "@hearth/protocol";
import type { Picture } from "../../text/pictures.ts";

/** Types that a browser shows as a picture. The house detected them from the content. */
const PICTURE_TYPES: ReadonlySet<string> = new Set([
  "image/avif",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/apng",
  "image/webp",
]);

/** Returns the picture of an attachment, or undefined if the attachment is not a picture. */
export const pictureOf = (room: RoomId, { id, type, name, width, height }: Attachment): Picture | undefined =>
  PICTURE_TYPES.has(type) && width !== undefined && height !== undefined
    ? { url: attachmentUrl(room, id), name, width, height }
    : undefined;

/** The types of which the house makes small versions. */
const SCALED_TYPES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/apng", "image/webp"]);
/** The house scales a picture to this many pixels, and a page shows it smaller. */
const SMALL_EDGE_PIXELS = 640;
/** Smaller files load as fast as a small version. */
const SMALL_BYTES = 64 * 1024;

/**
 * The address of the version that a room shows: a small one of a large picture. An animation stays
 * as it is, because a small version has only its first frame.
 */
export const chooseShownUrl = (room: RoomId, { id, type, sizeBytes, width = 0, height = 0 }: Attachment): string => {
  const isSmall = Math.max(width, height) <= SMALL_EDGE_PIXELS && sizeBytes <= SMALL_BYTES * 8;
  const shouldUseOriginal = isSmall || sizeBytes <= SMALL_BYTES || !SCALED_TYPES.has(type);
  return shouldUseOriginal ? attachmentUrl(room, id) : `${attachmentUrl(room, id)}/picture`;
};

export const attachmentUrl = (room: RoomId, id: Attachment["id"]): string => `/api/rooms/${room}/attachments/${id}`;

/**
 * Finds the picture that the image of a text names by its file name or its path in the workspace.
 * An address with a scheme or a host names no attachment.
 */
export const findPicture = (room: RoomId, attachments: readonly Attachment[], address: string): Picture | undefined => {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(address)) return undefined;
  const names = [address, decode(address)].map((path) => path.slice(path.lastIndexOf("/") + 1));
  const attachment = attachments.find(({ name }) => names.includes(name));
  return attachment === undefined ? undefined : pictureOf(room, attachment);
};

const decode = (address: string): string => {
  try {
    return decodeURIComponent(address);
  } catch {
    // Not an encoded address.
    return address;
  }
};
