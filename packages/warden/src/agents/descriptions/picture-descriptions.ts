/**
 * Makes descriptions of attached pictures for models that do not see. Each content is described once
 * per house, and the description is stored before a turn uses it. The cost counts against the limits
 * of all agents together.
 */
import { type Kernel, readJson, type Row, writeJson } from "../../kernel/index.ts";
import type { Descriptions, PreparedDescription } from "../../models/index.ts";
import type { OpenAttachment, Uploads } from "../../people/index.ts";
import type { Policy } from "../../policy/index.ts";
import {
  type AttachedDescription,
  type ErrorBody,
  HearthError,
  isHearthError,
  kindOfType,
  type RoomId,
  showSize,
  toErrorBody,
} from "@hearth/protocol";
import type { SizedPictures } from "../pictures/sized-pictures.ts";
import { createSingleFlight } from "../single-flight.ts";

/**
 * Contract, checked in picture-descriptions.test.ts:
 * - a content is sent to the model once per house, also for concurrent callers; `retry` sends it again
 *   after a failure
 * - a description exists only as long as a message of a room names the picture
 * - a failure is stored, so later turns do not repeat it
 */
export interface PictureDescriptions {
  /** Returns the stored description, or undefined. Throws `attachment.not-found`. */
  find(room: RoomId, upload: string): Promise<AttachedDescription | undefined>;
  /**
   * Returns the stored description or makes one. Returns undefined if descriptions are off. Throws
   * `attachment.not-found`, and `attachment.no-picture` for another file.
   */
  make(room: RoomId, upload: string, again?: "retry"): Promise<AttachedDescription | undefined>;
}

export interface PictureDescriptionsOptions {
  readonly kernel: Pick<Kernel, "store" | "world" | "signal">;
  readonly uploads: Pick<Uploads, "open">;
  readonly pictures: Pick<SizedPictures, "show">;
  readonly descriptions: Pick<Descriptions, "prepare">;
  readonly openHomeGate: Policy["openHomeGate"];
}

type DescriptionRow = Row<"picture_descriptions">;

export const createPictureDescriptions = (options: PictureDescriptionsOptions): PictureDescriptions => {
  const { kernel, uploads, pictures, descriptions, openHomeGate } = options;
  const { store, world, signal } = kernel;
  const flight = createSingleFlight<AttachedDescription>();

  const readStored = async (upload: string): Promise<AttachedDescription | undefined> => {
    const [row] = await store.select({ table: "picture_descriptions", where: { upload } });
    return row === undefined ? undefined : toDescription(row);
  };

  /** Returns the description of another upload of the house with the same content. */
  const readEqual = async ({ attachment, house }: OpenAttachment): Promise<DescriptionRow | undefined> => {
    const { hash } = attachment;
    const rows = await store.select({ table: "picture_descriptions", where: { hash, house } });
    return rows.find(({ text }) => text !== null);
  };

  /** Stores the description unless the message was deleted meanwhile. */
  const storeDescription = async (room: RoomId, row: DescriptionRow): Promise<AttachedDescription> => {
    await store.commit({
      guards: [{ kind: "exists", table: "attachments", where: { room, upload: row.upload } }],
      writes: [{ kind: "put", table: "picture_descriptions", row }],
    });
    return toDescription(row);
  };

  /** Returns the picture, scaled down if it is larger than the model takes. */
  const shrink = async (room: RoomId, file: OpenAttachment, { limits }: PreparedDescription) => {
    const { id, type, width, height, hash, sizeBytes } = file.attachment;
    const fits = sizeBytes <= limits.sizeBytes;
    if (!fits || Math.max(width ?? 0, height ?? 0) > limits.edge) {
      const smallPicture = await pictures.show(room, id, limits);
      if (smallPicture.kind === "picture") return smallPicture;
      // The vendor scales it down.
      if (!fits)
        throw new HearthError(
          "request.too-large",
          `The picture has ${showSize(sizeBytes)}, the model takes at most ${showSize(limits.sizeBytes)}, and the picture cannot be scaled down: ${smallPicture.why}`,
          { hint: "Send a smaller picture." },
        );
    }
    return { bytes: await file.slice(0, sizeBytes), type, width, height, hash };
  };

  const describe = async (room: RoomId, file: OpenAttachment): Promise<AttachedDescription | undefined> => {
    const { attachment, house } = file;
    const { id: upload, hash } = attachment;
    const at = world.clock.now();
    const row: DescriptionRow = { upload, house, hash, text: null, source: "", cost: 0, error: null, at };
    const equalRow = await readEqual(file);
    if (equalRow !== undefined) return storeDescription(room, { ...row, text: equalRow.text, source: equalRow.source });
    let newRow: DescriptionRow;
    let source = "";
    try {
      const prepared = await descriptions.prepare();
      if (prepared === undefined) return undefined;
      source = prepared.name;
      const { inputTokens, maxOutputTokens } = prepared;
      const gate = openHomeGate({ inputTokens, maxOutputTokens, kind: "picture" });
      const { text, usage } = await prepared.run(await shrink(room, file, prepared), gate, signal);
      newRow = { ...row, text, source, cost: usage.cost ?? 0 };
    } catch (error) {
      // The next turn after the restart describes it.
      if (!isHearthError(error) || isTransient(error) || signal.aborted) throw error;
      newRow = { ...row, source, error: writeJson<ErrorBody>(toErrorBody(error)) };
    }
    return storeDescription(room, newRow);
  };

  return {
    async find(room, upload) {
      await uploads.open(room, upload);
      return readStored(upload);
    },

    async make(room, upload, again) {
      const file = await uploads.open(room, upload);
      const { type, hash } = file.attachment;
      if (kindOfType(type) !== "image")
        throw new HearthError("attachment.no-picture", `Hearth cannot describe files of the type ${type}.`, {
          hint: "Send a PNG, JPEG, GIF or WebP file.",
        });
      // Two uploads with the same content are described once.
      return flight(`${file.house} ${hash}`, {
        find: () => readStored(upload),
        make: () => describe(room, file),
        isFailure: ({ text }) => text === undefined,
        retries: again === "retry",
      });
    },
  };
};

/** Whether the cause is neither the picture nor its model, so that a later turn tries again. */
const isTransient = ({ code }: HearthError): boolean => code.startsWith("store.") || code === "attachment.not-found";

const toDescription = ({ text, source, error, at }: DescriptionRow): AttachedDescription => ({
  ...(text === null ? {} : { text }),
  source,
  ...(error === null ? {} : { error: readJson(error) }),
  at,
});
