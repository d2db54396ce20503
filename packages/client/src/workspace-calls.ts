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
    signal?: AbortSignal,
  ): Promise<Response> => request(connection, method, pathOf(path, { agent }), { accept: "*/*", query, signal });
  return {
    /** Lists a folder; without a path, the workspace. */
    list: (agent: string, path?: string) => list(agent, { path }),
    /** A document as Markdown. */
    text: (agent: string, path: string) => text(agent, { path }),
    /** Downloads a file. */
    read: (agent: string, path: string, signal?: AbortSignal): Promise<Response> =>
      download(workspaceOperations.read, agent, { path }, signal),
    /** Downloads a folder, or the workspace, as a zip file. */
    archive: (agent: string, path?: string): Promise<Response> =>
      download(workspaceOperations.archive, agent, { path }),
  };
};
