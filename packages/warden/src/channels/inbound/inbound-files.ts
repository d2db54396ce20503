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
   * Stores the files, which are durable when the promise resolves. Throws a `HearthError` if the
   * platform may return the files later. The same update is then tried again.
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
  const firstFailures = new Map<string, number>();

  const fetch = async (channel: Channel, file: InboundFile, signal: AbortSignal): Promise<FetchedFile> => {
    const { fileBytes } = await uploads.limits();
    const maxBytes = Math.min(fileBytes, channel.traits.maxFetchedBytes);
    if ((file.sizeBytes ?? 0) > maxBytes)
      return { kind: "refused", why: `a file may have at most ${showSize(maxBytes)}` };
    const result = await channel.fetchFile(file, maxBytes, signal);
    return result.kind === "fetched" && result.bytes.length === 0 ? { kind: "refused", why: "it is empty" } : result;
  };

  /** Returns the id of the upload, or the reason why the house does not accept the file. */
  const upload = async (sender: AgentRecord, name: string, bytes: Uint8Array): Promise<{ id: string } | string> => {
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
  const hasWaitedEnough = (update: string): boolean => {
    const firstFailureAt = firstFailures.get(update) ?? clock.monotonic();
    firstFailures.set(update, firstFailureAt);
    return clock.monotonic() - firstFailureAt >= MAX_FILE_WAIT_MS;
  };

  return {
    async store(name, inbound, sender, signal) {
      const { files = [] } = inbound;
      if (files.length === 0) return NO_FILES;
      const channel = await channels.open(name);
      if (channel === undefined) throw new HearthError("channel.failed", `The channel "${name}" is off.`);
      const update = `${name} ${inbound.externalId}`;
      const uploadIds: string[] = [];
      const refused: RefusedFile[] = [];
      try {
        for (const file of files) {
          const result = await fetch(channel, file, signal);
          if (result.kind === "later" && !hasWaitedEnough(update)) throw toThrown(result.error);
          const idOrReason =
            result.kind === "fetched"
              ? await upload(sender, file.name, result.bytes)
              : result.kind === "refused"
                ? result.why
                : toReason(result.error.message);
          if (typeof idOrReason === "string") refused.push({ file, why: idOrReason });
          else uploadIds.push(idOrReason.id);
        }
      } catch (error) {
        await discard({ uploads: uploadIds, refused }, sender);
        throw error;
      }
      firstFailures.delete(update);
      return { uploads: uploadIds, refused };
    },
    discard,
  };
};

const REFUSALS = ["upload.too-large", "upload.metadata", "upload.quota", "upload.limit"] as const;

const toThrown = ({ code, message, hint }: Extract<FetchedFile, { kind: "later" }>["error"]): HearthError =>
  new HearthError(code, message, hint === undefined ? {} : { hint });

/** Converts a sentence into the end of another sentence. */
const toReason = (sentence: string): string =>
  sentence.slice(0, 1).toLowerCase() + sentence.slice(1).replace(/\.$/, "");

/** Returns the text of a message, with one line for each file that it lacks. */
export const withRefused = (text: string, refused: readonly RefusedFile[]): string =>
  [...(text === "" ? [] : [text]), ...refused.map(({ file, why }) => `[${file.summary}; not received: ${why}]`)].join(
    "\n",
  );

/** Returns the writes of a notice to the sender that names the files that did not arrive. */
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
