/** Calls about the files of agents' workspaces. Loaded on demand. */
import { workspaceOperations } from "@hearth/protocol/operations";
import { createCalls, pathOf } from "./calls.ts";
import { type Connection, request } from "./request.ts";

export const createWorkspaceCalls = (connection: Connection) => {
  const { list, text } = createCalls(connection, workspaceOperations);
  const download = (
    { method, path }: (typeof workspaceOperations)["read" | "archive"],
    agent: string,
    query: { readonly path: string | undefined },
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> => request(connection, method, pathOf(path, { agent }), { accept: "*/*", query, headers });
  return {
    /** Lists a folder. Without a path, lists the workspace. */
    list: (agent: string, path?: string) => list(agent, { path }),
    /** Returns a document as Markdown. */
    text: (agent: string, path: string) => text(agent, { path }),
    /** Downloads a file. */
    read: (agent: string, path: string): Promise<Response> => download(workspaceOperations.read, agent, { path }),
    /** Downloads the first bytes of a file. Throws `attachment.range` for an empty file. */
    readBeginning: (agent: string, path: string, maxBytes: number): Promise<Response> =>
      download(workspaceOperations.read, agent, { path }, { range: `bytes=0-${maxBytes - 1}` }),
    /** Downloads a folder, or the workspace, as a zip file. */
    archive: (agent: string, path?: string): Promise<Response> =>
      download(workspaceOperations.archive, agent, { path }),
  };
};
