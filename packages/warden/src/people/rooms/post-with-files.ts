/** Posts a message with attachments. */
import type { DurableStreams } from "../../kernel/index.ts";
import type { EventId, MessageEvent, StoredMessage } from "@hearth/protocol";
import type { Uploads } from "../uploads/uploads.ts";

export interface PostOptions {
  readonly streams: Pick<DurableStreams, "find" | "commit">;
  readonly uploads: Pick<Uploads, "planMessage">;
}

/** Appends a message together with the rows that make its attachments readable in the room. */
export const postWithFiles = async (
  { streams, uploads }: PostOptions,
  id: EventId,
  event: MessageEvent,
  uploadIds: readonly string[],
): Promise<StoredMessage> => {
  const { room, author } = event;
  const stream = `room:${room}` as const;
  for (;;) {
    const existingMessage = await streams.find(stream, id);
    if (existingMessage !== undefined) return existingMessage as StoredMessage;
    const { attachments, guards, writes } = await uploads.planMessage({ author, room, event: id }, uploadIds);
    const messageWithFiles = { ...event, attachments: [...attachments] };
    const result = await streams.commit({
      guards: [{ kind: "absent", table: "events", where: { stream, id } }, ...guards],
      writes,
      events: [{ stream, id, event: messageWithFiles }],
    });
    const [appended] = result.kind === "committed" ? result.appended : [];
    // Otherwise the same message was posted, or an upload was removed, meanwhile.
    if (appended !== undefined) return { ...messageWithFiles, id, offset: appended.offset };
  }
};
