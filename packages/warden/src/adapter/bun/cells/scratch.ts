/** Empty folders for cells that belong to no agent. */
import { mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AgentId } from "@hearth/protocol";
import type { Scratch } from "../../../cells/document-cell.ts";

/** Creates the folders in `folder`, which belongs to the house. */
export const createScratch = (folder: string) => async (): Promise<Scratch> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const brain = join(await realpath(folder), crypto.randomUUID());
  const workspace = join(brain, "workspace");
  await mkdir(workspace, { recursive: true, mode: 0o700 });
  return {
    agent: "agent_documents" as AgentId,
    brain,
    workspace,
    [Symbol.asyncDispose]: () => rm(brain, { recursive: true, force: true }),
  };
};
