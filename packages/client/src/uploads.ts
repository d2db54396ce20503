/**
 * Sends files to the house in parts. After a lost connection, an upload continues where it stopped.
 * Loaded on demand.
 */
import {
  type Attachment,
  type Clock,
  HearthError,
  isHearthError,
  PARTS_AT_ONCE,
  TUS_PART_TYPE,
  TUS_VERSION,
  Upload,
  UPLOAD_PART_BYTES,
  type UploadId,
} from "@hearth/protocol";
import { attachmentOperations, uploadOperations } from "@hearth/protocol/operations";
import { type Calls, createCalls, pathOf } from "./calls.ts";
import { type Connection, request, requestJson } from "./request.ts";
import { isTransient } from "./transient.ts";

/** A file to send. It must not change while it is sent. */
export interface UploadSource {
  readonly name: string;
  readonly sizeBytes: number;
  /** Reads the bytes from `from` up to, but not including, `to`. */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

export interface SendOptions {
  /** The id of an earlier upload of the same file. It continues if the house still has it. */
  readonly uploadId?: string | undefined;
  /** Called with the id before the first part is sent. */
  readonly onBegun?: (id: UploadId) => void;
  /** Called with the number of bytes that the house has. */
  readonly onProgress?: (bytes: number) => void;
  /** Ends the upload. The house keeps the received bytes for a day. */
  readonly signal?: AbortSignal;
}

export interface Uploads {
  /**
   * Sends the whole file. Resolves with the attachment that a message may name. After a lost
   * connection, requests the offset from the house, and tries again until `signal` aborts. Throws
   * permanent failures.
   */
  send(source: UploadSource, options?: SendOptions): Promise<Attachment>;
  /** Returns one of the caller's uploads. */
  show(id: string): Promise<Upload>;
  /** Removes an upload that no message names. */
  cancel(id: string): Promise<void>;
  /** Downloads an attachment of a room, from its byte `from` on. */
  read(room: string, id: string, from?: number): Promise<Response>;
  /** Shows a part of an attached document as Markdown. */
  readonly text: Calls<typeof attachmentOperations>["text"];
  /** Lists the descriptions of pictures. */
  readonly descriptions: Calls<typeof attachmentOperations>["descriptions"];
  /** Describes a picture. */
  readonly describe: Calls<typeof attachmentOperations>["describe"];
  /** Lists the newest files of a room. */
  readonly list: Calls<typeof attachmentOperations>["list"];
}

interface SendFromOptions {
  readonly parallelParts: number;
  readonly onProgress: (bytes: number) => void;
  readonly signal: AbortSignal | undefined;
}

interface Part {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The header with the checksum of the part. Empty if the platform cannot compute it. */
  readonly checksum: Readonly<Record<string, string>>;
}

/** How long the house waits for the previous part, if a part arrives before it. */
const WAIT_SECONDS = 30;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

export type Sha256 = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;

export interface UploadParts {
  readonly sleep: Clock["sleep"];
  /** Undefined on a platform without SHA-256. Parts then have no checksum except that of the transport. */
  readonly sha256?: Sha256 | undefined;
}

export const createUploads = (connection: Connection, { sleep, sha256 }: UploadParts): Uploads => {
  const { show, cancel } = createCalls(connection, uploadOperations);
  const files = createCalls(connection, attachmentOperations);

  const begin = ({ name, sizeBytes }: UploadSource, signal?: AbortSignal): Promise<Upload> => {
    const { method, path } = uploadOperations.begin;
    return requestJson(connection, Upload, method, path, {
      signal,
      headers: {
        "tus-resumable": TUS_VERSION,
        "upload-length": String(sizeBytes),
        "upload-metadata": `filename ${toBase64(new TextEncoder().encode(name))}`,
      },
    });
  };

  const findUpload = (id: string): Promise<Upload | undefined> =>
    show(id).catch((error: unknown) => {
      if (!isHearthError(error, "upload.not-found")) throw error;
      return undefined;
    });

  /** Reads the part at this offset, and computes its checksum. Returns undefined at the end of the file. */
  const preparePart = async (source: UploadSource, offset: number): Promise<Part | undefined> => {
    if (offset >= source.sizeBytes) return undefined;
    const bytes = await source.read(offset, Math.min(offset + UPLOAD_PART_BYTES, source.sizeBytes));
    const checksum = sha256 === undefined ? {} : { "upload-checksum": `sha256 ${toBase64(await sha256(bytes))}` };
    return { bytes, checksum };
  };

  /** Sends a part. Returns the offset after it. */
  const sendPart = async (
    id: UploadId,
    offset: number,
    { bytes, checksum }: Part,
    signal?: AbortSignal,
  ): Promise<number> => {
    const { method, path } = uploadOperations.append;
    const response = await request(connection, method, pathOf(path, { upload: id }), {
      signal,
      bytes,
      headers: {
        "tus-resumable": TUS_VERSION,
        "content-type": TUS_PART_TYPE,
        "upload-offset": String(offset),
        prefer: `wait=${WAIT_SECONDS}`,
        ...checksum,
      },
    });
    await response.body?.cancel();
    return Number(response.headers.get("upload-offset"));
  };

  /**
   * Sends the file from this offset on, at most `parallelParts` parts at the same time. Prepares each
   * part while earlier ones are being sent.
   */
  const sendFrom = async (
    startOffset: number,
    id: UploadId,
    source: UploadSource,
    options: SendFromOptions,
  ): Promise<void> => {
    const { parallelParts, onProgress, signal } = options;
    const controller = new AbortController();
    let reportedOffset = startOffset;
    const combinedSignal = signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]);
    const pendingParts: { readonly end: number; readonly sendPromise: Promise<number> }[] = [];
    try {
      for (let offset = startOffset, nextPart = preparePart(source, offset); ;) {
        const part = await nextPart;
        if (part !== undefined) {
          // Reported at once, because the next part may be read slowly.
          const sendPromise = sendPart(id, offset, part, combinedSignal).then((newOffset) => {
            if (newOffset > reportedOffset) onProgress((reportedOffset = newOffset));
            return newOffset;
          });
          // A failure is thrown when this part is the oldest one.
          sendPromise.catch(() => {});
          offset += part.bytes.length;
          pendingParts.push({ end: offset, sendPromise });
          nextPart = preparePart(source, offset);
          nextPart.catch(() => {});
        }
        if (part !== undefined && pendingParts.length < parallelParts) continue;
        const oldestPart = pendingParts.shift();
        if (oldestPart === undefined) return;
        // The house has another offset than expected, so the caller requests its offset again.
        if ((await oldestPart.sendPromise) !== oldestPart.end) return;
      }
    } finally {
      controller.abort();
      await Promise.allSettled(pendingParts.map(({ sendPromise }) => sendPromise));
    }
  };

  return {
    async send(source, { uploadId, onBegun, onProgress, signal } = {}) {
      const isAborted = (): boolean => signal?.aborted === true;
      let id = uploadId as UploadId | undefined;
      let parallelParts = PARTS_AT_ONCE;
      for (let pauseMs = FIRST_PAUSE_MS; ;) {
        try {
          let upload = id === undefined ? undefined : await findUpload(id);
          if (upload === undefined) {
            upload = await begin(source, signal);
            id = upload.id;
            onBegun?.(id);
          }
          if (upload.attachment !== undefined) return upload.attachment;
          requireSameSize(upload, source);
          onProgress?.(upload.offset);
          const onSent = (bytes: number): void => {
            pauseMs = FIRST_PAUSE_MS;
            onProgress?.(bytes);
          };
          await sendFrom(upload.offset, upload.id, source, { parallelParts, onProgress: onSent, signal });
          const { attachment } = await show(upload.id);
          if (attachment !== undefined) return attachment;
        } catch (error) {
          if (isAborted() || !isHearthError(error) || !isRetryable(error)) throw error;
          // The house may be busy, or an earlier version that accepts no early parts.
          const isFirstFailure = parallelParts > 1;
          parallelParts = 1;
          if (isFirstFailure && (error.code === "upload.busy" || error.code === "upload.offset")) continue;
          await sleep(Math.max(pauseMs, error.retryAfterMs ?? 0), signal);
          pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
          if (isAborted()) throw error;
        }
      }
    },

    show,
    text: files.text,
    descriptions: files.descriptions,
    describe: files.describe,
    list: files.list,

    async cancel(id) {
      await cancel(id);
    },

    read: (room, id, from = 0) => {
      const { method, path } = attachmentOperations.read;
      return request(connection, method, pathOf(path, { room, attachment: id }), {
        accept: "*/*",
        ...(from === 0 ? {} : { headers: { range: `bytes=${from}-` } }),
      });
    },
  };
};

/** Whether to retry after this failure: the house may have some of the bytes, or may accept them later. */
const isRetryable = (error: HearthError): boolean =>
  isTransient(error) ||
  error.code === "upload.busy" ||
  error.code === "upload.offset" ||
  error.code === "upload.checksum" ||
  error.code === "upload.not-found";

const requireSameSize = (upload: Upload, source: UploadSource): void => {
  if (upload.sizeBytes === source.sizeBytes) return;
  throw new HearthError("upload.offset", `The upload ${upload.id} was started for a file of another size.`, {
    hint: "Remove the file from the message and add it again.",
  });
};

/** Encodes as base64. Some browsers have no `Uint8Array.toBase64` yet. */
const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
