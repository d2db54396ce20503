/** Attachments as the rows of uploads have them, and the search for one of a room. */
import { readJson, type Row, type Store } from "../../kernel/index.ts";
import { type Attachment, inboxPath, type RoomId, type UploadId } from "@hearth/protocol";

/** Returns the attachment, or undefined if the upload is not complete. */
export const toAttachment = (
  { id, name, hash, final_size: size, facts }: Row<"uploads">,
  caption?: string,
): Attachment | undefined =>
  hash === null || size === null || facts === null
    ? undefined
    : { id, hash, sizeBytes: size, name, ...readJson(facts), ...(caption === undefined ? {} : { caption }) };

/** Maximum number of ids in one query. */
const IDS_PER_QUERY = 500;

/**
 * Returns the id of the newest attachment whose name, or path in an inbox, is `path`. Searches the
 * room's messages and replies that are still being written. A deleted message has no attachments.
 */
export const findAttachment = async (
  store: Pick<Store, "select">,
  room: RoomId,
  path: string,
): Promise<UploadId | undefined> => {
  const attachmentRows = await store.select({ table: "attachments", where: { room } });
  let newest: Row<"uploads"> | undefined;
  for (let from = 0; from < attachmentRows.length; from += IDS_PER_QUERY) {
    const ids = attachmentRows.slice(from, from + IDS_PER_QUERY).map(({ upload }) => upload);
    for (const row of await store.select({ table: "uploads", and: [{ column: "id", is: "in", value: ids }] })) {
      const attachment = toAttachment(row);
      if (attachment === undefined || !hasName(attachment, path)) continue;
      if (newest === undefined || row.created_at >= newest.created_at) newest = row;
    }
  }
  return newest?.id;
};

const hasName = (attachment: Attachment, path: string): boolean =>
  attachment.name === path || inboxPath(attachment) === path;
