/** Scales attached pictures down, once for each content and size. */
import type { Pictures } from "../../cells/index.ts";
import type { OpenAttachment, Uploads } from "../../people/index.ts";
import { HearthError, type RoomId, type UploadId } from "@hearth/protocol";
import { isScalable, type PictureLimits, SMALL_PICTURE } from "@hearth/protocol/picture-sizes";

export type SizedPicture =
  | {
      readonly kind: "picture";
      readonly type: string;
      readonly width: number;
      readonly height: number;
      /** SHA-256 of the bytes. */
      readonly hash: string;
      readonly bytes: Uint8Array;
    }
  /** `why` is one sentence. */
  | { readonly kind: "refused"; readonly why: string };

export interface SizedPictures {
  /**
   * Returns a picture within these limits, made from an attachment of a message of the room. Throws
   * `attachment.not-found`, `store.damaged`.
   */
  show(room: RoomId, upload: string, limits: PictureLimits): Promise<SizedPicture>;
  /** Returns the small version that a page shows. Throws `attachment.no-picture` if the file cannot be scaled. */
  showSmall(room: RoomId, upload: string): Promise<Extract<SizedPicture, { kind: "picture" }>>;
}

export interface SizedPicturesOptions {
  readonly uploads: Pick<Uploads, "open" | "findPicture" | "keepPicture">;
  readonly pictures: Pictures;
}

/** Maximum number of cached refusals. The cache prevents that damaged pictures are decoded again. */
const MAX_REFUSALS = 1000;

export const createSizedPictures = ({ uploads, pictures }: SizedPicturesOptions): SizedPictures => {
  const scalings = new Map<string, Promise<SizedPicture>>();
  const refusals = new Map<string, SizedPicture>();

  const cacheRefusal = (key: string, refusal: SizedPicture): void => {
    refusals.set(key, refusal);
    for (const oldest of refusals.keys()) {
      if (refusals.size <= MAX_REFUSALS) return;
      refusals.delete(oldest);
    }
  };

  const scale = async (room: RoomId, file: OpenAttachment, limits: PictureLimits): Promise<SizedPicture> => {
    const { id, sizeBytes, hash } = file.attachment;
    const key = `${hash} ${limits.edge}`;
    const refused = refusals.get(key);
    if (refused !== undefined) return refused;
    const source = { scope: room, sizeBytes, read: () => file.read(0, sizeBytes) };
    const { result, isFinal } = await pictures.scale(source, limits);
    if (result.kind === "refused") {
      if (isFinal) cacheRefusal(key, result);
      return result;
    }
    return { ...result, hash: await uploads.keepPicture(id, limits.edge, result) };
  };

  const scaleOnce = (room: RoomId, file: OpenAttachment, limits: PictureLimits): Promise<SizedPicture> => {
    const key = `${file.attachment.id} ${limits.edge} ${limits.sizeBytes}`;
    const currentScaling = scalings.get(key);
    if (currentScaling !== undefined) return currentScaling;
    const scaling = scale(room, file, limits).finally(() => scalings.delete(key));
    scalings.set(key, scaling);
    return scaling;
  };

  const findStored = async (id: UploadId, limits: PictureLimits): Promise<SizedPicture | undefined> => {
    const storedPicture = await uploads.findPicture(id, limits.edge);
    return storedPicture === undefined || storedPicture.bytes.length > limits.sizeBytes
      ? undefined
      : { kind: "picture", ...storedPicture };
  };

  const show: SizedPictures["show"] = async (room, upload, limits) => {
    // `open` checks that a message of the room has this attachment.
    const file = await uploads.open(room, upload);
    const { id, type } = file.attachment;
    if (!isScalable(type)) return { kind: "refused", why: `Hearth cannot decode files of the type ${type}.` };
    const storedPicture = await findStored(id, limits);
    return storedPicture ?? scaleOnce(room, file, limits);
  };

  return {
    show,
    async showSmall(room, upload) {
      const picture = await show(room, upload, SMALL_PICTURE);
      if (picture.kind === "refused") throw noPictureError(picture.why);
      return picture;
    },
  };
};

const noPictureError = (why: string): HearthError =>
  new HearthError("attachment.no-picture", `The house has no small version of this file. ${why}`, {
    hint: "Download the file itself.",
  });
