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
  /** An id that is derived from what stores the file. */
  readonly id: UploadId;
  readonly name: string;
  readonly sizeBytes: number;
  /** Returns the bytes from `from` up to, not including, `to`. Throws if the file changes meanwhile. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** Bytes that belong at an offset of an upload. */
export interface UploadPart {
  readonly offset: number;
  /** At most `UPLOAD_PART_BYTES`. */
  readonly bytes: Uint8Array;
  /** The expected SHA-256 of the bytes. Absent if the sender does not know it. */
  readonly hash?: string;
  /** Set if the part may arrive before the parts in front of it. It then waits for them. */
  readonly wait?: PartWait | undefined;
}

export interface PartWait {
  readonly ms: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/** An attachment whose reader may read it. */
export interface OpenAttachment {
  readonly attachment: Attachment;
  /** The agent that uploaded it. */
  readonly owner: AgentId;
  /** The house of the owner. */
  readonly house: HouseId;
  /** Returns the bytes from `from` up to, not including, `to`. Throws `store.damaged`. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
  /** Returns the bytes of `read` as one array. */
  slice(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** A picture that was scaled down. */
export interface KeptPicture {
  readonly type: string;
  readonly width: number;
  readonly height: number;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** The part of a message's commit that concerns its attachments. */
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
  /** Begins an upload. Throws `upload.too-large`, `upload.quota`, `upload.limit`. */
  begin(
    by: Uploader,
    file: { readonly id?: UploadId; readonly name: string; readonly sizeBytes: number },
  ): Promise<Upload>;
  /**
   * Stores a file, which is not empty, as a complete upload. An equal id means the same upload.
   * After an error, no part of it stays. Throws like `begin` and like `read`.
   */
  storeFile(by: Uploader, file: WholeFile): Promise<Attachment>;
  /** Returns an upload. Throws `upload.not-found`. */
  show(owner: AgentId, id: string): Promise<Upload>;
  /**
   * Adds a part. Durable when it resolves. The bytes are not used after it has ended. Throws
   * `upload.not-found`, `upload.offset`, `upload.checksum`, `request.too-large`.
   */
  append(owner: AgentId, id: string, part: UploadPart): Promise<Upload>;
  /** Removes an upload without a message. Throws `upload.not-found`. */
  cancel(owner: AgentId, id: string): Promise<void>;
  /**
   * Returns the attachments of a new message, and the guards and writes for its commit. Throws
   * `upload.not-found`, `upload.incomplete`.
   */
  planMessage(
    message: { readonly author: AgentId; readonly room: RoomId; readonly event: EventId; readonly caption?: string },
    ids: readonly string[],
  ): Promise<AttachmentPlan & { readonly attachments: readonly Attachment[] }>;
  /** Returns the files of a message, or of a reply that is still being written, in their order. */
  attachmentsOf(event: EventId): Promise<readonly Attachment[]>;
  /** Returns the guards and writes for the commit that deletes a message. */
  planRemoval(event: EventId): Promise<AttachmentPlan>;
  /**
   * Removes an upload at once, unless a message still names it. Returns the blobs to which it
   * referred.
   */
  erase(id: UploadId): Promise<readonly string[]>;
  /**
   * Returns the newest files of a room, newest first, at most `limit`, with the messages that name them.
   * Includes the attachments of a reply that is still being written.
   */
  listRoom(
    room: RoomId,
    options: { readonly by?: AgentId | undefined; readonly limit: number },
  ): Promise<readonly { readonly attachment: Attachment; readonly event: EventId }[]>;
  /** Opens the attachment of a message of this room. Throws `attachment.not-found`. */
  open(room: RoomId, id: string): Promise<OpenAttachment>;
  /**
   * Returns the newest attachment of this room with this name, or with this path in an inbox.
   * Includes the attachments of a reply that is still being written.
   */
  find(room: RoomId, path: string): Promise<UploadId | undefined>;
  /**
   * Returns the text of a document from its conversion, or undefined if no upload of the house
   * with this content was converted. Throws `store.damaged`.
   */
  findText(id: UploadId): Promise<string | undefined>;
  /** Keeps the text of a document as long as the upload. */
  keepText(id: UploadId, text: string): Promise<void>;
  /**
   * Returns the picture that was scaled down to this edge, or undefined if no upload of the house with
   * this content was. Throws `store.damaged`.
   */
  findPicture(id: UploadId, edge: number): Promise<KeptPicture | undefined>;
  /** Keeps a scaled picture as long as the upload. Returns its hash. */
  keepPicture(id: UploadId, edge: number, picture: Omit<KeptPicture, "hash">): Promise<string>;
  /**
   * Removes uploads without a message that have not grown for the time in the limits. Returns the
   * blobs to which they referred.
   */
  sweep(signal?: AbortSignal): Promise<readonly string[]>;
}
