/**
 * Uploads in the store: one row per upload and one blob per part. One commit makes the upload
 * complete.
 */
import { type Blobs, type Config, type Row, type Store, type Write } from "../../kernel/index.ts";
import {
  type AgentId,
  HearthError,
  isHearthError,
  MAX_FILE_NAME,
  showSize,
  type Upload,
  UPLOAD_PART_BYTES,
  type World,
} from "@hearth/protocol";
import { withoutHidden } from "../records/plain-name.ts";
import { findAttachment, toAttachment } from "./attachments.ts";
import { createFinish, findUpload, uploadNotFoundError } from "./finish-upload.ts";
import { createMessageAttachments } from "./message-attachments.ts";
import { createPartHashes } from "./part-hashes.ts";
import { createPartReader } from "./part-reader.ts";
import { createPartTurns } from "./part-turns.ts";
import { createQuotas } from "./quotas.ts";
import { createUploadPictures } from "./upload-pictures.ts";
import { createUploadSweep } from "./upload-sweep.ts";
import { createUploadTexts } from "./upload-texts.ts";
import { createListRoom } from "./room-files.ts";
import type { UploadLimits, Uploads } from "./uploads.ts";

type UploadRow = Row<"uploads">;

export interface UploadsOptions {
  readonly world: Pick<World, "clock" | "ids" | "hasher">;
  readonly store: Pick<Store, "select" | "commit">;
  readonly blobs: Pick<Blobs, "put" | "get">;
  readonly config: { readonly current: () => Pick<Config, "attachments"> };
}

export const createUploads = ({ world, store, blobs, config }: UploadsOptions): Uploads => {
  const { clock, ids } = world;
  const limits = (): UploadLimits => config.current().attachments;
  const quotas = createQuotas({ store, limits });
  const parts = createPartReader({ store, blobs });
  const hashes = createPartHashes({ world, parts });
  const turns = createPartTurns(clock);
  const finish = createFinish({ world, store, blobs, limits, quotas, parts, hashes });
  const sweep = createUploadSweep({ clock, store, quotas, unnamedMs: () => limits().unnamedMs });

  const texts = createUploadTexts({ store, blobs });
  const pictures = createUploadPictures({ store, blobs });

  const requireOwnUpload = async (owner: AgentId, id: string): Promise<UploadRow> => {
    const row = await findUpload(store, id);
    if (row?.owner !== owner) throw uploadNotFoundError(id);
    return row;
  };

  const toUpload = (row: UploadRow): Upload => {
    const attachment = toAttachment(row);
    return {
      id: row.id,
      name: row.name,
      sizeBytes: row.size,
      offset: row.offset,
      ...(row.state === "named" ? {} : { expiresAt: row.changed_at + limits().unnamedMs }),
      ...(attachment === undefined ? {} : { attachment }),
    };
  };

  /** Returns the upload. If all its bytes have arrived, it is finished first. */
  const ownFinished = async (owner: AgentId, id: string): Promise<UploadRow> => {
    const row = await requireOwnUpload(owner, id);
    return row.state === "open" && row.offset === row.size ? finish(row.id) : row;
  };

  const messages = createMessageAttachments({ clock, store, ownFinished });

  const uploads: Uploads = {
    limits: () => Promise.resolve(limits()),

    async begin({ agent: owner, house }, { id = ids.fresh("upl"), name, sizeBytes: size }) {
      const { fileBytes } = limits();
      if (size > fileBytes) throw tooLargeError(size, fileBytes);
      const at = clock.now();
      const row: UploadRow = {
        id,
        house,
        owner,
        name: cleanFileName(name),
        size,
        offset: 0,
        state: "open",
        hash: null,
        final_size: null,
        facts: null,
        created_at: at,
        changed_at: at,
      };
      for (;;) {
        const quota = await quotas.plan(row, { bytes: size, open: 1 });
        const writes: Write[] = [{ kind: "insert", table: "uploads", row }, ...quota.writes];
        const { kind } = await store.commit({ guards: quota.guards, writes, by: owner });
        if (kind === "committed") return toUpload(row);
      }
    },

    show: async (owner, id) => toUpload(await ownFinished(owner, id)),

    async append(owner, id, { offset, bytes, hash, wait }) {
      using turn = wait && turns.begin(id, offset, wait);
      const row = await requireOwnUpload(owner, id);
      if (row.offset > offset || (row.offset < offset && turn === undefined))
        throw wrongOffsetError(row.offset, offset);
      const end = offset + bytes.length;
      if (bytes.length > UPLOAD_PART_BYTES || end > row.size) throw partTooLargeError(row);
      /** Continues the hash of the upload as soon as the parts before this one are stored. */
      const addToHash = async () => {
        if (row.offset < offset) {
          await turn?.reached;
          const currentRow = await requireOwnUpload(owner, id);
          if (currentRow.offset !== offset) throw wrongOffsetError(currentRow.offset, offset);
        }
        return hashes.add(id, offset, bytes);
      };
      if (bytes.length > 0) {
        // The hash is computed while the disk works.
        const [blob, hasher] = await awaitBoth(blobs.put(bytes), addToHash());
        if (hash !== undefined && hash !== blob) throw wrongChecksumError();
        const part = { upload: row.id, start: offset, size: bytes.length, blob, house: row.house };
        const { kind } = await store.commit({
          guards: [{ kind: "exists", table: "uploads", where: { id, offset, state: "open" } }],
          writes: [
            { kind: "insert", table: "upload_parts", row: part },
            { kind: "update", table: "uploads", where: { id }, set: { offset: end, changed_at: clock.now() } },
          ],
        });
        // Another request has added a part or removed the upload meanwhile.
        if (kind !== "committed") throw wrongOffsetError((await requireOwnUpload(owner, id)).offset, offset);
        hashes.keep(id, end, hasher);
        turns.advance(id, end);
      }
      if (end < row.size) return toUpload(await requireOwnUpload(owner, id));
      try {
        return toUpload(await finish(row.id));
      } catch (error) {
        // A refused picture does not stay.
        if (isHearthError(error, "upload.metadata")) await uploads.cancel(owner, id);
        throw error;
      }
    },

    async cancel(owner, id) {
      for (;;) {
        const row = await requireOwnUpload(owner, id);
        if (row.state === "named") throw uploadNotFoundError(id);
        hashes.drop(id);
        if (!(await sweep.remove(row, owner))) continue;
        turns.advance(id, row.size);
        return;
      }
    },

    planMessage: messages.planMessage,
    attachmentsOf: messages.attachmentsOf,
    planRemoval: messages.planRemoval,
    erase: sweep.erase,

    async open(room, id) {
      const [[attachmentRow], row] = await Promise.all([
        store.select({ table: "attachments", where: { room, upload: id }, limit: 1 }),
        findUpload(store, id),
      ]);
      const attachment = row === undefined ? undefined : toAttachment(row);
      if (attachmentRow === undefined || row === undefined || attachment === undefined) throw attachmentNotFoundError();
      return {
        attachment,
        owner: row.owner,
        house: row.house,
        read: (from, to) => parts.read(id, from, to),
        slice: (from, to) => parts.slice(id, from, to),
      };
    },

    listRoom: createListRoom({ store }),

    find: (room, path) => findAttachment(store, room, path),

    findText: texts.findText,
    keepText: texts.keepText,
    findPicture: pictures.findPicture,
    keepPicture: pictures.keepPicture,
    sweep: (signal) => sweep.run(signal),

    async storeFile(by, file) {
      const { storeFile } = await import("./store-file.ts");
      return storeFile(uploads, by, file);
    },
  };
  return uploads;
};

/** Returns both results. Throws the first failure only when both have ended. */
const awaitBoth = async <First, Second>(first: Promise<First>, second: Promise<Second>) => {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
};

/** Returns the last segment of a path, without characters that are invisible or reorder the text. */
export const cleanFileName = (rawName: string): string => {
  const lastSegment = withoutHidden(rawName.toWellFormed()).split(/[/\\]/).at(-1)?.trim() ?? "";
  const name = lastSegment.length <= MAX_FILE_NAME ? lastSegment : shortenName(lastSegment);
  return name === "" || /^\.+$/.test(name) ? "file" : name;
};

/** Shortens a name and keeps its extension. */
const shortenName = (name: string): string => {
  const extension = /\.[^.]{1,20}$/.exec(name)?.[0] ?? "";
  return `${name.slice(0, MAX_FILE_NAME - extension.length)}${extension}`.toWellFormed();
};

const wrongOffsetError = (expected: number, received: number): HearthError =>
  new HearthError("upload.offset", `The upload continues at byte ${expected}, not at ${received}.`, {
    hint: "Ask for its offset with HEAD, and send the bytes from there.",
  });

const wrongChecksumError = (): HearthError =>
  new HearthError("upload.checksum", "The bytes do not match their checksum, and none of them was stored.", {
    hint: "Send the part again.",
  });

const tooLargeError = (size: number, maxBytes: number): HearthError =>
  new HearthError(
    "upload.too-large",
    `The file has ${showSize(size)}; a file may have at most ${showSize(maxBytes)}.`,
    {
      hint: "Send a smaller file. Or an administrator raises the limit in Settings → Limits.",
    },
  );

const partTooLargeError = ({ size, offset }: UploadRow): HearthError =>
  new HearthError(
    "request.too-large",
    `The part is larger than ${showSize(UPLOAD_PART_BYTES)}, or reaches beyond the ${size} bytes of the upload.`,
    { hint: `Send at most ${UPLOAD_PART_BYTES} bytes, from byte ${offset} of the file.` },
  );

const attachmentNotFoundError = (): HearthError =>
  new HearthError("attachment.not-found", "No message of this room has this attachment, or it was deleted.", {
    hint: "List the files of the room: hearth room files ROOM",
  });
