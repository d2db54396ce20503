/** Finds the attachments that a browser shows as pictures. */
import type { Attachment, RoomId } from "@hearth/protocol";
import type { Picture } from "../../text/pictures.ts";

/** Types that a browser shows as a picture. The house detected them from the content. */
const PICTURES: ReadonlySet<string> = new Set([
  "image/avif",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/apng",
  "image/webp",
]);

/** Undefined if the attachment is not a picture. */
export const pictureOf = (room: RoomId, { id, type, name, width, height }: Attachment): Picture | undefined =>
  PICTURES.has(type) && width !== undefined && height !== undefined
    ? { url: attachmentUrl(room, id), name, width, height }
    : undefined;

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
