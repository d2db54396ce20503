/**
 * Fetches the files of an update from its platform and stores them as uploads of the sender. The
 * message, and a notice to the sender, name each file that could not be fetched.
 */
import type { Notices, Write } from "../../kernel/index.ts";
import type { Uploads } from "../../people/index.ts";
import {
  type AgentRecord,
  type Clock,
  HearthError,
  isHearthError,
  showSize,
  UPLOAD_PART_BYTES,
} from "@hearth/protocol";
import type { Channel, FetchedFile, InboundUpdate, InboundFile } from "../channel.ts";
import type { Channels } from "../house-channels.ts";

export interface StoredFiles {
  /** The uploads of the sender, which no message refers to yet. */
  readonly uploads: readonly string[];
  readonly refused: readonly RefusedFile[];
}

export interface RefusedFile {
  readonly file: InboundFile;
  /** The reason as the end of a sentence. */
  readonly why: string;
}

export interface InboundFiles {
  /**
   * Stores the files. Durable when the promise resolves. Throws a `HearthError` if the platform
   * may return the files later. The same update is then tried again.
   */
  store(channel: string, inbound: InboundUpdate, sender: AgentRecord, signal: AbortSignal): Promise<StoredFiles>;
  /** Removes uploads whose message was not committed. */
  discard(stored: StoredFiles, sender: AgentRecord): Promise<void>;
}

/**
 * Maximum time that an update waits for its files, because later updates wait too. Afterwards it is
 * accepted without them.
 */
export const MAX_FILE_WAIT_MS = 5 * 60_000;

const NO_FILES: StoredFiles = { uploads: [], refused: [] };

export const createInboundFiles = (options: {
  readonly clock: Pick<Clock, "monotonic">;
  readonly channels: Pick<Channels, "open">;
  readonly uploads: Pick<Uploads, "limits" | "begin" | "append" | "cancel">;
}): InboundFiles => {
  const { clock, channels, uploads } = options;
  /** The time when an update first failed to get its files. */
  const failing = new Map<string, number>();

  const fetch = async (channel: Channel, file: InboundFile, signal: AbortSignal): Promise<FetchedFile> => {
    const { fileBytes } = await uploads.limits();
    const most = Math.min(fileBytes, channel.traits.maxFetchedBytes);
    if ((file.sizeBytes ?? 0) > most) return { kind: "refused", why: `a file may have at most ${showSize(most)}` };
    const fetched = await channel.fetchFile(file, most, signal);
    return fetched.kind === "fetched" && fetched.bytes.length === 0 ? { kind: "refused", why: "it is empty" } : fetched;
  };

  /** Returns the id of the upload, or the reason why the house does not accept the file. */
  const keep = async (sender: AgentRecord, name: string, bytes: Uint8Array): Promise<{ id: string } | string> => {
    try {
      const by = { agent: sender.id, house: sender.house };
      const { id } = await uploads.begin(by, { name, sizeBytes: bytes.length });
      for (let offset = 0; offset < bytes.length; offset += UPLOAD_PART_BYTES)
        await uploads.append(sender.id, id, { offset, bytes: bytes.subarray(offset, offset + UPLOAD_PART_BYTES) });
      return { id };
    } catch (error) {
      if (REFUSALS.some((code) => isHearthError(error, code))) return toReason((error as HearthError).message);
      throw error;
    }
  };

  const discard: InboundFiles["discard"] = async (stored, sender) => {
    for (const id of stored.uploads)
      await uploads.cancel(sender.id, id).catch((error: unknown) => {
        if (!isHearthError(error, "upload.not-found")) throw error;
      });
  };

  /** Whether the update has waited long enough for the platform. */
  const isOver = (update: string): boolean => {
    const since = failing.get(update) ?? clock.monotonic();
    failing.set(update, since);
    return clock.monotonic() - since >= MAX_FILE_WAIT_MS;
  };

  return {
    async store(name, inbound, sender, signal) {
      const { files = [] } = inbound;
      if (files.length === 0) return NO_FILES;
      const channel = await channels.open(name);
      if (channel === undefined) throw new HearthError("channel.failed", `The channel "${name}" is off.`);
      const update = `${name} ${inbound.externalId}`;
      const stored: string[] = [];
      const refused: RefusedFile[] = [];
      try {
        for (const file of files) {
          const fetched = await fetch(channel, file, signal);
          if (fetched.kind === "later" && !isOver(update)) throw toThrown(fetched.error);
          const storedFile =
            fetched.kind === "fetched"
              ? await keep(sender, file.name, fetched.bytes)
              : fetched.kind === "refused"
                ? fetched.why
                : toReason(fetched.error.message);
          if (typeof storedFile === "string") refused.push({ file, why: storedFile });
          else stored.push(storedFile.id);
        }
      } catch (error) {
        await discard({ uploads: stored, refused }, sender);
        throw error;
      }
      failing.delete(update);
      return { uploads: stored, refused };
    },
    discard,
  };
};

const REFUSALS = ["upload.too-large", "upload.metadata", "upload.quota", "upload.limit"] as const;

const toThrown = ({ code, message, hint }: Extract<FetchedFile, { kind: "later" }>["error"]): HearthError =>
  new HearthError(code, message, hint === undefined ? {} : { hint });

/** A sentence as the end of another one. */
const toReason = (sentence: string): string =>
  sentence.slice(0, 1).toLowerCase() + sentence.slice(1).replace(/\.$/, "");

/** The text of a message, with one line for each file that it lacks. */
export const withRefused = (text: string, refused: readonly RefusedFile[]): string =>
  [...(text === "" ? [] : [text]), ...refused.map(({ file, why }) => `[${file.summary}; not received: ${why}]`)].join(
    "\n",
  );

/** Tells the sender which files did not arrive. */
export const planRefusedNotice = async (
  outbox: Pick<Notices, "planNotice">,
  channel: string,
  { conversation, messageId, externalId }: InboundUpdate,
  refused: readonly RefusedFile[],
): Promise<readonly Write[]> =>
  refused.length === 0
    ? []
    : outbox.planNotice({
        channel,
        conversation: conversation.id,
        text: refused.map(({ file, why }) => `I did not get ${file.name}: ${why}.`).join("\n"),
        replyTo: messageId,
        idParts: ["files", externalId],
      });
