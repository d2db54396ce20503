/** Delivers the file of a row: finds it in its message, and reads its bytes when it is sent. */
import { isHearthError, showSize, type Attachment, type ErrorBody } from "@hearth/protocol";
import type { OutboxRow } from "../../kernel/index.ts";
import type { Uploads } from "../../people/index.ts";
import type { Channel, OutboundFile, SendResult } from "../channel.ts";

export type FileSource = Pick<Uploads, "attachmentsOf" | "open">;

/** Returns the file, or undefined if the message no longer has it. */
export const findFile = async (
  uploads: FileSource,
  { event, file }: Pick<OutboxRow, "event" | "file">,
): Promise<Attachment | undefined> =>
  event === null ? undefined : (await uploads.attachmentsOf(event)).find(({ id }) => id === file);

/**
 * Returns the name and caption of a file, which its reader sees besides the content. A name is one
 * line.
 */
export const fileTextOf = ({ name, caption }: Attachment): string =>
  caption === undefined ? name : `${name}\n${caption}`;

/** Sends the file with `words` in place of its name and caption. Never throws. */
export const sendFile = async (
  uploads: FileSource,
  channel: Channel,
  {
    row,
    attachment,
    words,
    signal,
  }: {
    readonly row: OutboxRow;
    readonly attachment: Attachment;
    readonly words: string;
    readonly signal: AbortSignal;
  },
): Promise<SendResult> => {
  const { sizeBytes, type, durationMs } = attachment;
  const maxBytes = channel.traits.files?.maxBytes ?? 0;
  if (channel.sendFile === undefined || sizeBytes > maxBytes)
    return { kind: "refused", error: tooLargeError(sizeBytes) };
  let bytes: OutboundFile["bytes"];
  try {
    // A row of a file always has the room of its message.
    const file = await uploads.open(row.room as NonNullable<typeof row.room>, attachment.id);
    bytes = await file.slice(0, sizeBytes);
  } catch (error) {
    if (isHearthError(error, "attachment.not-found")) return { kind: "refused", error: deletedError };
    if (isHearthError(error, "store.damaged")) return { kind: "refused", error: damagedError };
    return { kind: "later", error: unreadableError };
  }
  const [name = "", ...caption] = words.split("\n");
  const { conversation, reply_to: replyTo, id: key } = row;
  return channel.sendFile(
    {
      conversation,
      name,
      type,
      bytes,
      key,
      ...(caption.length === 0 ? {} : { caption: caption.join("\n") }),
      ...(durationMs === undefined ? {} : { durationMs }),
      ...(replyTo === null ? {} : { replyTo }),
    },
    signal,
  );
};

export const deletedError: ErrorBody = {
  code: "channel.refused",
  message: "The file was not sent, because its message was deleted.",
};

const damagedError: ErrorBody = {
  code: "channel.refused",
  message: "The file was not sent, because its bytes are missing or damaged on the disk.",
  hint: "Check the files of the house: hearth doctor",
};

const unreadableError: ErrorBody = {
  code: "channel.failed",
  message: "The file could not be read from the disk.",
  hint: "Hearth retries automatically. If it continues, check the disk: hearth doctor",
};

const tooLargeError = (sizeBytes: number): ErrorBody => ({
  code: "channel.refused",
  message: `The file was not sent, because the channel does not take a file of ${showSize(sizeBytes)}.`,
  hint: "Its reader finds it in the room, in the house.",
});
