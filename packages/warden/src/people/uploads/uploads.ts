/** Uploads of files, and the attachments of messages that they become. */
import type { Config, Guard, Write } from "../../kernel/index.ts";
import type { AgentId, Attachment, EventId, HouseId, RoomId, Upload, UploadId } from "@hearth/protocol";

export type UploadLimits = Config["attachments"];

export interface Uploader {
  readonly agent: AgentId;
  readonly house: HouseId;
}

/** A file that the house itself reads. */
export interface WholeFile {
  /** Derived from what stores it. */
  readonly id: UploadId;
  readonly name: string;
  readonly sizeBytes: number;
  /** The bytes from `from` up to, not including, `to`. Throws if the file changes meanwhile. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** Bytes that belong at an offset of an upload. */
export interface UploadPart {
  readonly offset: number;
  /** At most `UPLOAD_PART_BYTES`. */
  readonly bytes: Uint8Array;
  /** The SHA-256 that they must have. Absent: the sender does not know it. */
  readonly hash?: string;
}

/** An attachment whose reader was found to be entitled to it. */
export interface OpenAttachment {
  readonly attachment: Attachment;
  /** Who uploaded it. */
  readonly owner: AgentId;
  /** The house of the owner. */
  readonly house: HouseId;
  /** The bytes from `from` up to, not including, `to`. Throws `store.damaged`. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** The part of a message's commit that is about its attachments. */
export interface AttachmentPlan {
  readonly guards: readonly Guard[];
  readonly writes: readonly Write[];
}

/**
 * Contract, checked in house-uploads.test.ts:
 * - the bytes before `offset` of a returned upload are durable and never change
 * - an upload has no `attachment`, and no message can name it, until all its bytes are durable
 * - an attachment can be read, byte for byte, as long as a message names it
 * - only the owner of an upload sees or changes it; for others it does not exist
 * - the sizes of an agent's uploads never exceed its quota, and those of a house never the house's
 */
export interface Uploads {
  limits(): Promise<UploadLimits>;
  /** Throws `upload.too-large`, `upload.quota`, `upload.limit`. */
  begin(
    by: Uploader,
    file: { readonly id?: UploadId; readonly name: string; readonly sizeBytes: number },
  ): Promise<Upload>;
  /**
   * Stores a file, which is not empty, as a complete upload. The same id again is the same upload.
   * An error leaves nothing. Throws like `begin` and like `read`.
   */
  storeFile(by: Uploader, file: WholeFile): Promise<Attachment>;
  /** Throws `upload.not-found`. */
  show(owner: AgentId, id: string): Promise<Upload>;
  /**
   * Adds a part. Durable when it resolves. Throws `upload.not-found`, `upload.offset`,
   * `upload.checksum`, `request.too-large`.
   */
  append(owner: AgentId, id: string, part: UploadPart): Promise<Upload>;
  /** Removes an upload that no message names. Throws `upload.not-found`. */
  cancel(owner: AgentId, id: string): Promise<void>;
  /**
   * Returns the attachments of a new message, and what its commit has to contain. Throws
   * `upload.not-found`, `upload.incomplete`.
   */
  planMessage(
    message: { readonly author: AgentId; readonly room: RoomId; readonly event: EventId; readonly caption?: string },
    ids: readonly string[],
  ): Promise<AttachmentPlan & { readonly attachments: readonly Attachment[] }>;
  /** The files that a message names, or a reply that is still being written, in their order. */
  attachmentsOf(event: EventId): Promise<readonly Attachment[]>;
  /** Returns what the commit that deletes a message has to contain. */
  planRemoval(event: EventId): Promise<AttachmentPlan>;
  /** The attachment of a message of this room. Throws `attachment.not-found`. */
  open(room: RoomId, id: string): Promise<OpenAttachment>;
  /**
   * The newest attachment of this room with this name, or with this path in an inbox. A reply that
   * is still being written counts.
   */
  find(room: RoomId, path: string): Promise<UploadId | undefined>;
  /**
   * The text of a document, as its conversion wrote it. Undefined: no upload of the house with this
   * content was converted. Throws `store.damaged`.
   */
  findText(id: UploadId): Promise<string | undefined>;
  /** Keeps the text of a document as long as the upload. */
  keepText(id: UploadId, text: string): Promise<void>;
  /**
   * Removes uploads that no message names and that have not grown for the time in the limits.
   * Returns the blobs that they named.
   */
  sweep(signal?: AbortSignal): Promise<readonly string[]>;
}
