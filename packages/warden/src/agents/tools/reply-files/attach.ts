/**
 * Attaches a file of the workspace to the turn's reply. The file is stored as an upload of the
 * agent before the step ends. The commit that ends the step makes the file part of the reply. So
 * after a crash, the file is attached once or not at all.
 */
import { replyIdOf } from "../../../kernel/index.ts";
import type { LeakScan } from "../../../policy/index.ts";
import {
  type Attachment,
  HearthError,
  INBOX,
  isHearthError,
  MAX_ATTACHMENTS,
  readableText,
  type UploadId,
} from "@hearth/protocol";
import type { WorkspaceFile } from "../../brains/workspace-files.ts";
import type { HostCall } from "../call.ts";
import type { ReplyFileParts } from "../parts.ts";
import { failedOutcome, type HostOutcome, type RunHostTool } from "../tool.ts";

export const attach: RunHostTool<"attach", ReplyFileParts> = ({ path, name, caption }, call, parts) =>
  attachToReply({ caption, produce: () => openFile(path, call, parts, name) }, call, parts);

/** A file for the reply. Its bytes have not been searched for secrets. */
export interface NewFile {
  readonly name: string;
  readonly sizeBytes: number;
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

export interface NewFiles {
  readonly caption: string | undefined;
  /** Maximum number of files that `produce` returns. The default is one. */
  readonly count?: number;
  readonly produce: () => Promise<NewFile | readonly NewFile[]>;
}

/**
 * Attaches the files that `produce` returns. Does not call `produce` if the reply takes no more
 * files. If `produce` throws an expected error, the error is the outcome.
 */
export const attachToReply = async (
  { caption, count = 1, produce }: NewFiles,
  call: HostCall,
  parts: ReplyFileParts,
): Promise<HostOutcome> => {
  const { world, uploads } = parts;
  const { activation, agent } = call;
  if (activation.parent !== null)
    return failedOutcome(
      "Your answer goes to another agent, which cannot receive files. Name the file's path in your answer.",
    );
  const event = replyIdOf(world.ids, activation.id);
  const existing = await uploads.attachmentsOf(event);
  if (existing.length >= MAX_ATTACHMENTS)
    return failedOutcome(`Your answer has ${MAX_ATTACHMENTS} files, which is the most. Attach a zip file instead.`);
  if (existing.length + count > MAX_ATTACHMENTS)
    return failedOutcome(`Your answer has ${existing.length} files and may have ${MAX_ATTACHMENTS}. Ask for fewer.`);
  try {
    const produced = await produce();
    const ids: UploadId[] = [];
    const attachments = [...existing];
    let duplicateName: string | undefined;
    for (const [index, file] of toList(produced).entries()) {
      const attachment = await storeFile(file, index, call, parts);
      const duplicate = attachments.find(({ hash }) => hash === attachment.hash);
      attachments.push(attachment);
      if (duplicate === undefined) ids.push(attachment.id);
      else await uploads.cancel(agent.id, attachment.id);
      duplicateName = duplicate?.name ?? duplicateName;
    }
    if (ids.length === 0)
      return { text: `Your answer has this file already, as ${JSON.stringify(duplicateName)}.`, failed: false };
    const captionField = caption === undefined ? {} : { caption: call.toOutgoing(caption.toWellFormed()) };
    const plan = await uploads.planMessage({ author: agent.id, room: activation.room, event, ...captionField }, ids);
    const text = readableText({ body: { text: "" }, attachments: plan.attachments });
    return {
      text: `Your answer will have ${text}. It is sent when you answer.`,
      failed: false,
      sameCommit: { guards: plan.guards, writes: plan.writes, events: [] },
    };
  } catch (error) {
    if (!REFUSALS.some((code) => isHearthError(error, code))) throw error;
    const { message, hint } = error as HearthError;
    return failedOutcome(hint === undefined ? message : `${message} ${hint}`);
  }
};

const toList = (produced: NewFile | readonly NewFile[]): readonly NewFile[] =>
  "read" in produced ? [produced] : produced;

/**
 * Stores the file as an upload. The upload's id derives from the step and the file's index, so a
 * repeated call does not store it twice.
 */
const storeFile = (
  file: NewFile,
  index: number,
  { activation, agent, step }: HostCall,
  { world, uploads, leakScan }: ReplyFileParts,
): Promise<Attachment> => {
  const { name, sizeBytes } = file;
  const id: UploadId = world.ids.derive("upl", activation.id, index === 0 ? String(step) : `${step}.${index}`);
  const read = () => rejectSecrets(file, leakScan);
  return uploads.storeFile({ agent: agent.id, house: agent.house }, { id, name, sizeBytes, read });
};

/** The codes of errors that the model can correct or report. */
const REFUSALS = [
  ...(["brain.path", "brain.not-found", "brain.changed", "brain.too-large", "tool.denied"] as const),
  ...(["upload.too-large", "upload.metadata", "upload.quota", "upload.limit"] as const),
] as const;

const openFile = async (path: string, call: HostCall, parts: ReplyFileParts, name?: string): Promise<NewFile> => {
  const file = await openInWorkspace(path, call, parts);
  if (file.sizeBytes === 0)
    throw new HearthError("brain.path", `${JSON.stringify(path)} is empty.`, {
      hint: "Write something into it first.",
    });
  return { name: name ?? file.name ?? path, sizeBytes: file.sizeBytes, read: file.read };
};

interface OpenedFile extends Pick<WorkspaceFile, "sizeBytes" | "read"> {
  /** The name that the sender gave to a file of a message. */
  readonly name?: string;
}

/**
 * Opens a file of the workspace. A file of the room's messages is opened where the house stores it,
 * because the cell may not have its copy in the inbox yet. Throws `brain.path`
 * for a path outside the workspace.
 */
export const openInWorkspace = async (
  path: string,
  { agent, activation, workspaceRoot }: Pick<HostCall, "agent" | "activation" | "workspaceRoot">,
  { brains, uploads }: ReplyFileParts,
): Promise<OpenedFile> => {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (path.startsWith("/") || names.includes(".."))
    throw new HearthError("brain.path", `${JSON.stringify(path)} is not a path in your workspace.`, {
      hint: "Name the file as `list` shows it.",
    });
  const uploadId = names[0] === INBOX ? await uploads.find(activation.room, names.join("/")) : undefined;
  if (uploadId !== undefined) {
    const { attachment, read } = await uploads.open(activation.room, uploadId);
    return { name: attachment.name, sizeBytes: attachment.sizeBytes, read };
  }
  const workspacePath = [workspaceRoot, ...names].filter((name) => name !== "").join("/");
  const { workspace } = await brains.open(agent);
  return workspace.open(workspacePath);
};

/** Returns the pieces as one array. */
export const concatPieces = async (pieces: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(sizeBytes);
  let offset = 0;
  for await (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
};

/**
 * Returns the bytes of the file. Throws `tool.denied` at a secret of the house, before it passes on
 * the piece that contains the secret's end.
 */
export async function* rejectSecrets(file: NewFile, leakScan: Pick<LeakScan, "scanFile">): AsyncGenerator<Uint8Array> {
  const scan = leakScan.scanFile();
  let length = 0;
  for await (const piece of file.read(0, file.sizeBytes)) {
    length += piece.length;
    if (scan.hasSecret(piece, length === file.sizeBytes))
      throw new HearthError("tool.denied", "The file contains a secret of this house, so it was not attached.", {
        hint: "Remove the secret from the file, and inform the person.",
      });
    yield piece;
  }
}
