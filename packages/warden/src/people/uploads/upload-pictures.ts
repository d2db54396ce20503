/**
 * Pictures that were scaled down, once for each content and size. Such a picture lives as long as the
 * upload that it was made from.
 */
import type { Blobs, Row, Store } from "../../kernel/index.ts";
import type { UploadId } from "@hearth/protocol";
import type { Uploads } from "./uploads.ts";

export interface UploadPicturesOptions {
  readonly store: Pick<Store, "select" | "commit">;
  readonly blobs: Pick<Blobs, "put" | "get">;
}

export const createUploadPictures = ({
  store,
  blobs,
}: UploadPicturesOptions): Pick<Uploads, "findPicture" | "keepPicture"> => {
  const uploadOf = async (id: UploadId) => {
    const [row] = await store.select({ table: "uploads", where: { id } });
    return row;
  };

  const storeRow = async (
    id: UploadId,
    picture: Omit<Row<"upload_pictures">, "upload" | "hash" | "house">,
  ): Promise<void> => {
    const upload = await uploadOf(id);
    if (upload === undefined || upload.hash === null) return;
    const { hash, house } = upload;
    await store.commit({
      // The upload may have been removed meanwhile.
      guards: [{ kind: "exists", table: "uploads", where: { id, hash } }],
      writes: [{ kind: "put", table: "upload_pictures", row: { ...picture, upload: id, hash, house } }],
    });
  };

  return {
    async findPicture(id, edge) {
      const upload = await uploadOf(id);
      if (upload === undefined || upload.hash === null) return undefined;
      const { hash, house } = upload;
      const [row] = await store.select({ table: "upload_pictures", where: { upload: id, edge } });
      const [pictureRow] =
        row === undefined
          ? await store.select({ table: "upload_pictures", where: { hash, edge, house }, limit: 1 })
          : [row];
      if (pictureRow === undefined) return undefined;
      const { blob, size, type, width, height } = pictureRow;
      // Another upload with the same content was scaled down, and may be removed first.
      if (row === undefined) await storeRow(id, { edge, blob, size, type, width, height });
      const bytes = await blobs.get(blob);
      return bytes === undefined ? undefined : { type, width, height, hash: blob, bytes };
    },
    async keepPicture(id, edge, { type, width, height, bytes }) {
      const blob = await blobs.put(bytes);
      await storeRow(id, { edge, blob, size: bytes.length, type, width, height });
      return blob;
    },
  };
};
