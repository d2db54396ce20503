/** Attachments as the rows of uploads have them, and the search for one of a room. */
import { readJson, type Row, type Store } from "../../kernel/index.ts";
import { type Attachment, inboxPath, type RoomId, type UploadId } from "@hearth/protocol";

/** Undefined: the upload is not complete. */
export const toAttachment = (
  { id, name, hash, final_size: size, facts }: Row<"uploads">,
  caption?: string,
): Attachment | undefined =>
  hash === null || size === null || facts === null
    ? undefined
    : { id, hash, sizeBytes: size, name, ...readJson(facts), ...(caption === undefined ? {} : { caption }) };

/** Ids of one query. */
const MANY = 500;

/**
 * The newest attachment of a message of the room, or of a reply that is still being written, for
 * which `path` is the name or the path in an inbox. A deleted message has none.
 */
export const findAttachment = async (
  store: Pick<Store, "select">,
  room: RoomId,
  path: string,
): Promise<UploadId | undefined> => {
  const attachmentRows = await store.select({ table: "attachments", where: { room } });
  let newest: Row<"uploads"> | undefined;
  for (let from = 0; from < attachmentRows.length; from += MANY) {
    const ids = attachmentRows.slice(from, from + MANY).map(({ upload }) => upload);
    for (const row of await store.select({ table: "uploads", and: [{ column: "id", is: "in", value: ids }] })) {
      const attachment = toAttachment(row);
      if (attachment === undefined || !isCalled(attachment, path)) continue;
      if (newest === undefined || row.created_at >= newest.created_at) newest = row;
    }
  }
  return newest?.id;
};

const isCalled = (attachment: Attachment, path: string): boolean =>
  attachment.name === path || inboxPath(attachment) === path;
