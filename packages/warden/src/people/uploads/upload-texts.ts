/**
 * The texts of documents, converted once for each content. A text lives as long as the upload that
 * it was made from.
 */
import type { Blobs, Store } from "../../kernel/index.ts";
import type { UploadId } from "@hearth/protocol";
import type { Uploads } from "./uploads.ts";

export interface UploadTextsOptions {
  readonly store: Pick<Store, "select" | "commit">;
  readonly blobs: Pick<Blobs, "put" | "get">;
}

export const createUploadTexts = ({ store, blobs }: UploadTextsOptions): Pick<Uploads, "findText" | "keepText"> => {
  const uploadOf = async (id: UploadId) => {
    const [row] = await store.select({ table: "uploads", where: { id } });
    return row;
  };

  const storeRow = async (id: UploadId, blob: string): Promise<void> => {
    const upload = await uploadOf(id);
    if (upload === undefined || upload.hash === null) return;
    const { hash, house } = upload;
    await store.commit({
      // The upload may have been removed meanwhile.
      guards: [{ kind: "exists", table: "uploads", where: { id, hash } }],
      writes: [{ kind: "put", table: "upload_texts", row: { upload: id, hash, blob, house } }],
    });
  };

  return {
    async findText(id) {
      const upload = await uploadOf(id);
      if (upload === undefined || upload.hash === null) return undefined;
      const { hash, house } = upload;
      const rows = await store.select({ table: "upload_texts", where: { hash, house }, limit: 1 });
      const [row] = await store.select({ table: "upload_texts", where: { upload: id } });
      const blob = (row ?? rows[0])?.blob;
      if (blob === undefined) return undefined;
      // Another upload with the same content was converted, and may be removed first.
      if (row === undefined) await storeRow(id, blob);
      const bytes = await blobs.get(blob);
      return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
    },
    keepText: async (id, text) => storeRow(id, await blobs.put(new TextEncoder().encode(text))),
  };
};
