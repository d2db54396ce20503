/**
 * Attaches a file of the workspace to the reply of the turn. The file is stored as an upload of the
 * agent before the step ends. The commit that ends the step makes it part of the reply, so a crash
 * leaves the file attached once or not at all.
 */
import { replyIdOf } from "../../kernel/index.ts";
import type { LeakScan } from "../../policy/index.ts";
import {
  type AgentRecord,
  HearthError,
  isHearthError,
  MAX_ATTACHMENTS,
  readableText,
  type UploadId,
} from "@hearth/protocol";
import type { WorkspaceFile } from "../brains/workspace-files.ts";
import type { HostCall } from "./call.ts";
import { failed, type HostOutcome, type HostParts, type RunHostTool } from "./tool.ts";

export const attach: RunHostTool<"attach"> = ({ path, name, caption }, call, parts) =>
  attachToReply({ caption, produce: () => openFile(path, call, parts, name) }, call, parts);

/** A file for the reply. Its bytes have not been searched for secrets. */
export interface NewFile {
  readonly name: string;
  readonly sizeBytes: number;
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/**
 * Attaches what `produce` returns. It is not called if the reply takes no file. An expected error of
 * it is the outcome.
 */
export const attachToReply = async (
  { caption, produce }: { readonly caption: string | undefined; readonly produce: () => Promise<NewFile> },
  call: HostCall,
  { world, uploads, chokePoint }: HostParts,
): Promise<HostOutcome> => {
  const { activation, agent, step } = call;
  if (activation.parent !== null)
    return failed(
      "Your answer goes to another agent, which cannot receive files. Name the file's path in your answer.",
    );
  const event = replyIdOf(world.ids, activation.id);
  const present = await uploads.attachmentsOf(event);
  if (present.length >= MAX_ATTACHMENTS)
    return failed(`Your answer has ${MAX_ATTACHMENTS} files, which is the most. Attach a zip file instead.`);
  try {
    const file = await produce();
    const id: UploadId = world.ids.derive("upl", activation.id, String(step));
    const owner = { agent: agent.id, house: agent.house };
    const { name, sizeBytes } = file;
    const stored = await uploads.storeFile(owner, {
      id,
      name,
      sizeBytes,
      read: () => withoutSecrets(file, chokePoint.leaks),
    });
    const same = present.find(({ hash }) => hash === stored.hash);
    if (same !== undefined) {
      await uploads.cancel(agent.id, id);
      return { text: `Your answer has this file already, as ${JSON.stringify(same.name)}.`, failed: false };
    }
    const said = caption === undefined ? {} : { caption: call.outgoing(caption.toWellFormed()) };
    const plan = await uploads.planMessage({ author: agent.id, room: activation.room, event, ...said }, [id]);
    const text = readableText({ body: { text: "" }, attachments: plan.attachments });
    return {
      text: `Your answer will have ${text}. It is sent when you answer.`,
      failed: false,
      along: { guards: plan.guards, writes: plan.writes, events: [] },
    };
  } catch (error) {
    if (!REFUSALS.some((code) => isHearthError(error, code))) throw error;
    const { message, hint } = error as HearthError;
    return failed(hint === undefined ? message : `${message} ${hint}`);
  }
};

/** Errors that the model can correct or tell its people about. */
const REFUSALS = [
  ...(["brain.path", "brain.not-found", "brain.changed", "brain.too-large", "tool.denied"] as const),
  ...(["upload.too-large", "upload.quota", "upload.limit"] as const),
] as const;

const openFile = async (path: string, call: HostCall, parts: HostParts, name = path): Promise<NewFile> => {
  const file = await openInWorkspace(path, call, parts);
  if (file.sizeBytes === 0)
    throw new HearthError("brain.path", `${JSON.stringify(path)} is empty.`, {
      hint: "Write something into it first.",
    });
  return { name, sizeBytes: file.sizeBytes, read: file.read };
};

/** Opens a file of the workspace. Throws `brain.path` for a path that leads out of it. */
export const openInWorkspace = async (
  path: string,
  { agent, workspaceRoot }: { readonly agent: AgentRecord } & Pick<HostCall, "workspaceRoot">,
  { brains }: Pick<HostParts, "brains">,
): Promise<WorkspaceFile> => {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (path.startsWith("/") || names.includes(".."))
    throw new HearthError("brain.path", `${JSON.stringify(path)} is not a path in your workspace.`, {
      hint: "Name the file as `list` shows it.",
    });
  const inside = [workspaceRoot, ...names].filter((name) => name !== "").join("/");
  const { workspace } = await brains.open(agent);
  return workspace.open(inside);
};

/**
 * The bytes of the file. Throws `tool.denied` at a secret of the house, before the piece with its
 * end is passed on.
 */
async function* withoutSecrets(file: NewFile, leaks: Pick<LeakScan, "scanFile">): AsyncGenerator<Uint8Array> {
  const scan = leaks.scanFile();
  let length = 0;
  for await (const piece of file.read(0, file.sizeBytes)) {
    length += piece.length;
    if (scan.hasSecret(piece, length === file.sizeBytes))
      throw new HearthError("tool.denied", "The file contains a secret of this house, so it was not attached.", {
        hint: "Remove the secret from the file, and tell your person about it.",
      });
    yield piece;
  }
}
