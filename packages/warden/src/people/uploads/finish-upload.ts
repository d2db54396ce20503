/** Completes uploads: detects their type, removes metadata of pictures, and computes the hash. */
import { type Blobs, type Row, type Store, type Write, writeJson } from "../../kernel/index.ts";
import { HearthError, type MediaFacts, showSize, UPLOAD_PART_BYTES, type UploadId, type World } from "@hearth/protocol";
import { detectMedia, MAX_DETECTION_BYTES } from "./media-type.ts";
import type { PartHashes } from "./part-hashes.ts";
import type { PartReader } from "./part-reader.ts";
import { strippers } from "./picture-metadata.ts";
import type { Quotas } from "./quotas.ts";
import type { UploadLimits } from "./uploads.ts";

type UploadRow = Row<"uploads">;

/** Completes an upload whose bytes are all durable. After a crash during a call, the next call completes it. */
export type Finish = (id: UploadId) => Promise<UploadRow>;

interface StrippedPicture {
  readonly hash: string;
  readonly size: number;
  /** Replace the parts of the upload. */
  readonly writes: readonly Write[];
}

export interface FinishOptions {
  readonly world: Pick<World, "clock" | "hasher">;
  readonly store: Pick<Store, "select" | "commit">;
  readonly blobs: Pick<Blobs, "put">;
  readonly limits: () => UploadLimits;
  readonly quotas: Pick<Quotas, "plan">;
  readonly parts: Pick<PartReader, "join" | "slice">;
  readonly hashes: Pick<PartHashes, "digestOf">;
}

/**
 * Maximum size of a picture whose metadata is removed. Larger ones are refused, because the house
 * removes metadata in memory.
 */
const MAX_STRIPPED_BYTES = 64 * 1024 * 1024;

export const createFinish = ({ world, store, blobs, limits, quotas, parts, hashes }: FinishOptions): Finish => {
  /**
   * Stores a picture without its metadata as new parts. Returns undefined for other uploads, and for
   * pictures without metadata.
   */
  const stripMetadata = async (
    { id, house, name, size }: UploadRow,
    type: string,
  ): Promise<StrippedPicture | undefined> => {
    if (!type.startsWith("image/") || limits().keepMetadata) return undefined;
    let strip = strippers[type];
    if (strip === undefined) {
      const { containerStrippers, isUnstrippable } = await import("./picture-boxes.ts");
      strip = containerStrippers[type];
      if (strip === undefined && isUnstrippable(type))
        throw metadataError(name, `Hearth cannot remove metadata from files of the type ${type}`);
      if (strip === undefined) return undefined;
    }
    if (size > MAX_STRIPPED_BYTES)
      throw metadataError(name, `Hearth removes metadata only from pictures of up to ${showSize(MAX_STRIPPED_BYTES)}`);
    const pieces = await strip(await parts.join(id, size), world.clock.turn);
    if (pieces === undefined)
      throw metadataError(name, "Hearth cannot remove the metadata, because the file is damaged");
    if (pieces.length === 1 && pieces[0]?.length === size) return undefined;
    const writes: Write[] = [{ kind: "delete", table: "upload_parts", where: { upload: id } }];
    const hasher = world.hasher();
    let start = 0;
    for (const bytes of joinToParts(pieces, UPLOAD_PART_BYTES)) {
      hasher.update(bytes);
      const row = { upload: id, start, size: bytes.length, blob: await blobs.put(bytes), house };
      writes.push({ kind: "insert", table: "upload_parts", row });
      start += bytes.length;
    }
    return { hash: hasher.digest(), size: start, writes };
  };

  /** Adds the duration of a sound or video whose headers are not at the beginning of the file. */
  const withDuration = async ({ id, size }: UploadRow, facts: MediaFacts): Promise<MediaFacts> => {
    const { type, durationMs: detectedMs } = facts;
    if (detectedMs !== undefined || !/^(?:audio|video)\//.test(type)) return facts;
    const { soundDuration } = await import("./sound-duration.ts");
    const durationMs = await soundDuration({ type, sizeBytes: size, read: (from, to) => parts.slice(id, from, to) });
    return durationMs === undefined ? facts : { ...facts, durationMs };
  };

  const finish: Finish = async (id) => {
    for (;;) {
      const row = await findUpload(store, id);
      if (row === undefined) throw uploadNotFoundError(id);
      if (row.state !== "open" || row.offset < row.size) return row;
      const beginning = await parts.join(id, Math.min(row.size, MAX_DETECTION_BYTES));
      const facts = await withDuration(row, await detectMedia(beginning, row.size));
      const { hash, size, writes } = (await stripMetadata(row, facts.type)) ?? {
        hash: await hashes.digestOf(row),
        size: row.size,
        writes: [],
      };
      const set = {
        state: "complete",
        hash,
        final_size: size,
        facts: writeJson(facts),
        changed_at: world.clock.now(),
      } as const;
      const quota = await quotas.plan(row, { bytes: 0, open: -1 });
      const { kind } = await store.commit({
        guards: [{ kind: "exists", table: "uploads", where: { id, state: "open" } }, ...quota.guards],
        writes: [
          { kind: "update", table: "uploads", where: { id, house: row.house }, set },
          ...writes,
          ...quota.writes,
        ],
        by: row.owner,
      });
      if (kind === "committed") return { ...row, ...set };
    }
  };

  return finish;
};

export const findUpload = async (store: Pick<Store, "select">, id: string): Promise<UploadRow | undefined> => {
  const [row] = await store.select({ table: "uploads", where: { id } });
  return row;
};

/** Copies pieces into parts of this size; the last one may be smaller. */
function* joinToParts(pieces: readonly Uint8Array[], partBytes: number): Generator<Uint8Array, void, undefined> {
  let part = new Uint8Array(partBytes);
  let length = 0;
  for (const piece of pieces)
    for (let position = 0; position < piece.length;) {
      const takenLength = Math.min(piece.length - position, partBytes - length);
      part.set(piece.subarray(position, position + takenLength), length);
      length += takenLength;
      position += takenLength;
      if (length < partBytes) continue;
      yield part;
      part = new Uint8Array(partBytes);
      length = 0;
    }
  if (length > 0) yield part.subarray(0, length);
}

const metadataError = (name: string, reason: string): HearthError =>
  new HearthError(
    "upload.metadata",
    `The picture ${JSON.stringify(name)} may contain the place where it was taken. ${reason}.`,
    {
      hint: "Save it as JPEG, PNG or WebP, and send that file. Or ask an administrator to set keep_metadata in hearth.toml.",
    },
  );

export const uploadNotFoundError = (id: string): HearthError =>
  new HearthError("upload.not-found", `You have no upload ${id}.`, {
    hint: "The upload was removed, or it expired because no message used it. Upload the file again.",
  });
