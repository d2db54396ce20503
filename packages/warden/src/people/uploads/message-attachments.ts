/** The attachments of messages: what a message adds when it is posted, and what its removal changes. */
import type { Row, Store, Write } from "../../kernel/index.ts";
import { type AgentId, type Attachment, type Clock, HearthError } from "@hearth/protocol";
import { toAttachment } from "./attachments.ts";
import type { AttachmentPlan, Uploads } from "./uploads.ts";

type UploadRow = Row<"uploads">;

export interface MessageAttachmentsOptions {
  readonly clock: Pick<Clock, "now">;
  readonly store: Pick<Store, "select">;
  /** Returns an upload of this owner. If all its bytes have arrived, it is finished first. */
  readonly ownFinished: (owner: AgentId, id: string) => Promise<UploadRow>;
}

export const createMessageAttachments = ({
  clock,
  store,
  ownFinished,
}: MessageAttachmentsOptions): Pick<Uploads, "planMessage" | "attachmentsOf" | "planRemoval"> => ({
  async planMessage({ author, room, event, caption }, uploadIds) {
    const attachments: Attachment[] = [];
    const plan: { guards: AttachmentPlan["guards"][number][]; writes: Write[] } = { guards: [], writes: [] };
    for (const id of uploadIds) {
      const row = await ownFinished(author, id);
      const attachment = toAttachment(row, caption);
      if (attachment === undefined) throw incompleteUploadError(row);
      attachments.push(attachment);
      plan.guards.push({ kind: "exists", table: "uploads", where: { id, owner: author, hash: row.hash } });
      plan.writes.push(
        { kind: "update", table: "uploads", where: { id, house: row.house }, set: { state: "named" } },
        { kind: "insert", table: "attachments", row: { room, upload: row.id, event, caption: caption ?? null } },
      );
    }
    return { ...plan, attachments };
  },

  async attachmentsOf(event) {
    const attachmentRows = await store.select({ table: "attachments", where: { event } });
    if (attachmentRows.length === 0) return [];
    const and = [{ column: "id", is: "in", value: attachmentRows.map(({ upload }) => upload) }] as const;
    const captions = new Map(attachmentRows.map(({ upload, caption }) => [upload, caption ?? undefined]));
    return (await store.select({ table: "uploads", and: [...and] }))
      .toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
      .flatMap((row) => toAttachment(row, captions.get(row.id)) ?? []);
  },

  async planRemoval(event) {
    const rows = await store.select({ table: "attachments", where: { event } });
    const writes = rows.flatMap(({ room, upload: id }): readonly Write[] => [
      { kind: "delete", table: "attachments", where: { room, upload: id, event } },
      // Another message that names it gets a new one.
      { kind: "delete", table: "transcripts", where: { upload: id } },
      { kind: "delete", table: "picture_descriptions", where: { upload: id } },
      // The sweep finds out whether another message still names it.
      { kind: "update", table: "uploads", where: { id }, set: { state: "complete", changed_at: clock.now() } },
    ]);
    const speech: Write = { kind: "delete", table: "speeches", where: { event } };
    return { guards: [], writes: [...writes, speech] };
  },
});

const incompleteUploadError = ({ name, offset, size }: UploadRow): HearthError =>
  new HearthError("upload.incomplete", `The upload of ${JSON.stringify(name)} has ${offset} of ${size} bytes.`, {
    hint: "Send the rest of the file, then the message.",
  });
