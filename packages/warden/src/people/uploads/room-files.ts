/** Lists the files of a room. */
import type { Store } from "../../kernel/index.ts";
import { toAttachment } from "./attachments.ts";
import type { Uploads } from "./uploads.ts";

/** Maximum number of uploads in one query. */
const UPLOADS_PER_QUERY = 500;
/** Maximum number of files of a room that are considered. The latest upload ids come first. */
const MAX_FILES = 20_000;

export const createListRoom =
  ({ store }: { readonly store: Pick<Store, "select"> }): Uploads["listRoom"] =>
  async (room, { by, limit }) => {
    const attachmentRows = await store.select({
      table: "attachments",
      where: { room },
      order: [{ column: "upload", descending: true }],
      limit: MAX_FILES,
    });
    const entries: { readonly row: { created_at: number; id: string }; readonly file: RoomAttachment }[] = [];
    for (let from = 0; from < attachmentRows.length; from += UPLOADS_PER_QUERY) {
      const page = attachmentRows.slice(from, from + UPLOADS_PER_QUERY);
      const rows = await store.select({
        table: "uploads",
        ...(by === undefined ? {} : { where: { owner: by } }),
        and: [{ column: "id", is: "in", value: page.map(({ upload }) => upload) }],
      });
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const { upload, event, caption } of page) {
        const row = byId.get(upload);
        const attachment = row === undefined ? undefined : toAttachment(row, caption ?? undefined);
        if (row !== undefined && attachment !== undefined) entries.push({ row, file: { attachment, event } });
      }
    }
    return entries
      .toSorted((a, b) => b.row.created_at - a.row.created_at || (a.row.id < b.row.id ? 1 : -1))
      .slice(0, limit)
      .map(({ file }) => file);
  };

type RoomAttachment = Awaited<ReturnType<Uploads["listRoom"]>>[number];
