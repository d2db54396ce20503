/**
 * Makes and changes pictures with the configured provider, and attaches them to the turn's reply. A
 * copy of each picture is written into the workspace.
 */
import type { Picture, PictureOrder, PreparedPictures } from "../../../models/index.ts";
import { isUnpaid } from "../../../policy/index.ts";
import { HearthError, isHearthError, MAX_CAPTION, noUsage, type UploadId } from "@hearth/protocol";
import { PICTURES, type ToolInput } from "@hearth/protocol/tools";
import { attachToReply, type NewFile, openInWorkspace, concatPieces, rejectSecrets } from "./attach.ts";
import type { HostCall } from "../call.ts";
import { untrustedLabel } from "../web/http-fetch.ts";
import type { ReplyFileParts } from "../parts.ts";
import { failedOutcome, type HostOutcome, type RunHostTool } from "../tool.ts";

export const imageGenerate: RunHostTool<"image_generate", ReplyFileParts> = (input, call, parts) =>
  makeAndAttach(async () => toOrder(input, call), call, parts);

export const imageEdit: RunHostTool<"image_edit", ReplyFileParts> = (input, call, parts) =>
  makeAndAttach(
    async () => {
      const source = await readPicture(input.path, call, parts);
      if (input.mask === undefined) return { ...toOrder(input, call), source };
      return { ...toOrder(input, call), source, mask: await readPicture(input.mask, call, parts) };
    },
    call,
    parts,
  );

/** Builds the order. The prompt leaves the house, so secrets are removed from it. */
const toOrder = (
  { prompt, size, n = 1 }: Pick<ToolInput<"image_generate">, "prompt" | "size" | "n">,
  call: HostCall,
): PictureOrder => ({
  prompt: call.toInternal(prompt.toWellFormed()),
  count: n,
  ...(size === undefined ? {} : { size }),
});

/**
 * Requests the pictures from the provider and attaches them. The provider charges for them, so the
 * call never runs twice.
 */
const makeAndAttach = async (
  readOrder: () => Promise<PictureOrder>,
  call: HostCall,
  parts: ReplyFileParts,
): Promise<HostOutcome> => {
  let order: PictureOrder;
  let prepared: PreparedPictures | undefined;
  try {
    order = await readOrder();
    prepared = await parts.pictures.prepare(order);
  } catch (error) {
    return toFailure(error);
  }
  if (prepared === undefined) return failedOutcome(PICTURES_OFF);
  const { name, costOf } = prepared;
  const { agent, activation } = call;
  const files: { path: string; bytes: Uint8Array }[] = [];
  let cost = 0;
  let label: HostOutcome["label"];
  const produce = async (): Promise<readonly NewFile[]> => {
    const admission = await parts.admitAgentCost({
      agent,
      activation: activation.id,
      costAtMost: costOf(order.count),
      model: name,
    });
    if (admission.kind === "stop") throw pictureError(`${admission.text} ${admission.hint}`);
    cost = costOf(order.count);
    try {
      const pictures = await prepared.run(call.signal);
      cost = costOf(pictures.length);
      return pictures.map((picture) => {
        const file = toFile(picture, order.prompt, parts);
        files.push({ path: `${PICTURES}/${file.name}`, bytes: picture.bytes });
        return file;
      });
    } catch (error) {
      if (isHearthError(error) && isUnpaid(error.code)) cost = 0;
      // The text comes from the provider, so it has the provider's label.
      label = untrustedLabel("picture provider");
      throw isHearthError(error) ? pictureError(withHint(error)) : error;
    } finally {
      admission.settle(cost);
    }
  };
  const caption = `Made by ${name}: ${order.prompt}`.slice(0, MAX_CAPTION);
  const outcome = await attachToReply({ caption, count: order.count, produce }, call, parts);
  return {
    ...outcome,
    text: outcome.failed ? outcome.text : `${outcome.text} ${describeCopies(files)}`,
    runsOnce: true,
    ...(outcome.failed ? {} : { files }),
    ...(cost === 0 ? {} : { usage: { ...noUsage, cost } }),
    ...(label === undefined ? {} : { label }),
  };
};

const PICTURES_OFF =
  "This house makes no pictures. An administrator can add a provider in Settings → Models, then send the message again.";

const pictureError = (why: string): HearthError => new HearthError("tool.denied", `No picture was made. ${why}`);

const withHint = ({ message, hint }: HearthError): string => (hint === undefined ? message : `${message} ${hint}`);

/** Returns the outcome of a failure before the provider is called. */
const toFailure = (error: unknown): HostOutcome => {
  if (!isHearthError(error) || error.code.startsWith("store.")) throw error;
  return failedOutcome(`No picture was made. ${withHint(error)}`);
};

const describeCopies = (files: readonly { readonly path: string }[]): string =>
  `${files.length === 1 ? "A copy is" : "Copies are"} in your workspace: ${files.map(({ path }) => path).join(", ")}`;

/** Maximum length of the part of a file name that comes from the prompt. */
const MAX_STEM_LENGTH = 40;
const HASH_DIGITS = 8;

/**
 * Names a picture's file: "A blue shed!" gives "a-blue-shed-1f3a9c2e.png". The hash distinguishes
 * pictures of one prompt.
 */
const toFile = ({ bytes, type }: Picture, prompt: string, { world }: ReplyFileParts): NewFile => {
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const stem = [...words.join("-")].slice(0, MAX_STEM_LENGTH).join("").replace(/-$/, "") || "picture";
  const hasher = world.hasher();
  hasher.update(bytes);
  const extension = type === "image/jpeg" ? "jpg" : type.slice("image/".length);
  return {
    name: `${stem}-${hasher.digest().slice(0, HASH_DIGITS)}.${extension}`,
    sizeBytes: bytes.length,
    async *read(from, to) {
      yield bytes.subarray(from, to);
    },
  };
};

/** Maximum size of a file that is read as a picture. */
const MAX_SOURCE_BYTES = 10 * 1024 * 1024;

/** Reads a picture of the room by its name or inbox path, or a file of the workspace. */
const readPicture = async (path: string, call: HostCall, parts: ReplyFileParts): Promise<Picture> => {
  const { uploads, pictures, leakScan } = parts;
  const { room } = call.activation;
  const attachedId: UploadId | undefined = await uploads.find(room, nameIn(path));
  const file =
    attachedId === undefined ? await openInWorkspace(path, call, parts) : await openAttached(attachedId, call, parts);
  if (file.sizeBytes > MAX_SOURCE_BYTES)
    throw unusablePictureError(path, `It has more than ${MAX_SOURCE_BYTES >> 20} MiB.`, "Make it smaller first.");
  const bytes = await concatPieces(rejectSecrets({ ...file, name: path }, leakScan), file.sizeBytes);
  const result = await pictures.check(bytes);
  if ("picture" in result) return result.picture;
  throw unusablePictureError(path, result.why, "Name a PNG, JPEG or WebP file.");
};

const openAttached = async (id: UploadId, { activation }: HostCall, { uploads }: ReplyFileParts) => {
  const { attachment, read } = await uploads.open(activation.room, id);
  return { sizeBytes: attachment.sizeBytes, read };
};

/** A copy in the workspace has the name of its attachment. */
const nameIn = (path: string): string => (path.startsWith(`${PICTURES}/`) ? path.slice(PICTURES.length + 1) : path);

const unusablePictureError = (path: string, why: string, hint: string): HearthError =>
  new HearthError("tool.denied", `${JSON.stringify(path)} cannot be changed. ${why}`, { hint });
