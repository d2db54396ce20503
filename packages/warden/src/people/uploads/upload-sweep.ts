/** Removes uploads without a message. */
import type { Row, Store, Write } from "../../kernel/index.ts";
import type { Clock, UploadId } from "@hearth/protocol";
import { findUpload } from "./finish-upload.ts";
import type { Quotas } from "./quotas.ts";

export interface UploadSweep {
  /** Removes the upload unless it has changed since it was read, or a message refers to it. */
  remove(row: Row<"uploads">, by?: string): Promise<boolean>;
  /** Removes the upload unless a message refers to it. Returns the blobs of its parts. */
  erase(id: UploadId): Promise<readonly string[]>;
  /** Removes all due uploads. Returns the blobs of their parts. */
  run(signal?: AbortSignal): Promise<readonly string[]>;
}

/** Uploads per query. */
const PAGE_SIZE = 50;

export const createUploadSweep = (options: {
  readonly clock: Pick<Clock, "now" | "turn">;
  readonly store: Pick<Store, "select" | "commit">;
  readonly quotas: Quotas;
  readonly unnamedMs: () => number;
}): UploadSweep => {
  const { clock, store, quotas, unnamedMs } = options;

  const remove: UploadSweep["remove"] = async (row, by) => {
    const { id, house, state, changed_at: changedAt } = row;
    const quota = await quotas.plan(row, { bytes: -row.size, open: state === "open" ? -1 : 0 });
    const { kind } = await store.commit({
      guards: [
        { kind: "exists", table: "uploads", where: { id, state, changed_at: changedAt } },
        { kind: "absent", table: "attachments", where: { upload: id } },
        ...quota.guards,
      ],
      writes: [
        { kind: "delete", table: "uploads", where: { id, house } },
        { kind: "delete", table: "upload_parts", where: { upload: id } },
        { kind: "delete", table: "upload_texts", where: { upload: id } },
        { kind: "delete", table: "upload_pictures", where: { upload: id } },
        ...quota.writes,
      ],
      ...(by === undefined ? {} : { by }),
    });
    return kind === "committed";
  };

  /** Marks an upload as named if another message names it, although one that named it was deleted. */
  const markAsNamed = async ({ id, house, changed_at: changedAt }: Row<"uploads">): Promise<boolean> => {
    const write: Write = { kind: "update", table: "uploads", where: { id, house }, set: { state: "named" } };
    const { kind } = await store.commit({
      guards: [
        { kind: "exists", table: "uploads", where: { id, state: "complete", changed_at: changedAt } },
        { kind: "exists", table: "attachments", where: { upload: id } },
      ],
      writes: [write],
    });
    return kind === "committed";
  };

  const blobsOf = async (upload: UploadId): Promise<readonly string[]> => {
    const parts = await store.select({ table: "upload_parts", where: { upload } });
    const texts = await store.select({ table: "upload_texts", where: { upload } });
    const pictures = await store.select({ table: "upload_pictures", where: { upload } });
    return [...parts, ...texts, ...pictures].map(({ blob }) => blob);
  };

  return {
    remove,
    async erase(id) {
      const row = await findUpload(store, id);
      if (row === undefined) return [];
      const blobs = await blobsOf(id);
      return (await remove(row)) ? blobs : [];
    },
    async run(signal) {
      const blobs: string[] = [];
      const until = clock.now() - unnamedMs();
      while (signal?.aborted !== true) {
        const dueRows = await store.select({
          table: "uploads",
          and: [
            { column: "state", is: "in", value: ["open", "complete"] },
            { column: "changed_at", is: "<=", value: until },
          ],
          order: [{ column: "changed_at" }],
          limit: PAGE_SIZE,
        });
        let settledCount = 0;
        for (const row of dueRows) {
          const blobNames = await blobsOf(row.id);
          if (await remove(row)) blobs.push(...blobNames);
          else if (!(await markAsNamed(row))) continue;
          settledCount += 1;
        }
        // What changed meanwhile is left to the next sweep.
        if (dueRows.length < PAGE_SIZE || settledCount === 0) break;
        await clock.turn();
      }
      return blobs;
    },
  };
};
