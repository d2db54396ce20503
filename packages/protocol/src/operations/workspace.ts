/** Operations on the files that an agent makes in its workspace. */
import { z } from "zod";
import { WorkspaceFileQuery, WorkspaceFolder, WorkspaceFolderQuery, WorkspaceText } from "../agents/workspace.ts";
import { IdOrHandle } from "./parameters.ts";
import { AGENT_READ } from "./needs.ts";
import { declareOperations } from "./operation.ts";

export const workspaceOperations = declareOperations("Files", {
  list: {
    id: "listWorkspace",
    method: "GET",
    path: "/api/agents/{agent}/files",
    needs: AGENT_READ,
    summary: "Lists a folder of an agent's workspace",
    description: "Without `path`, the workspace itself. No link is followed.",
    params: { agent: IdOrHandle },
    query: WorkspaceFolderQuery,
    answers: { status: 200, schema: WorkspaceFolder },
    errors: ["record.not-found", "brain.not-found", "brain.path"],
  },
  read: {
    id: "readWorkspaceFile",
    method: "GET",
    path: "/api/agents/{agent}/files/content",
    needs: AGENT_READ,
    summary: "Downloads a file of an agent's workspace",
    description:
      "Takes one `Range`. The response is a download with the detected type; headers keep a browser from running it. If the file changes meanwhile, the connection is closed before the end.",
    params: { agent: IdOrHandle },
    query: WorkspaceFileQuery,
    answers: { status: 200, schema: z.string(), type: "application/octet-stream", text: "The bytes." },
    otherwise: { status: 206, schema: z.string(), type: "application/octet-stream", text: "The requested range." },
    errors: ["record.not-found", "brain.not-found", "brain.path", "brain.changed", "attachment.range"],
  },
  text: {
    id: "readWorkspaceText",
    method: "GET",
    path: "/api/agents/{agent}/files/text",
    needs: AGENT_READ,
    summary: "Shows a document of an agent's workspace as Markdown",
    description:
      "For documents such as PDF, DOCX, XLSX or PPTX: at most the first 100,000 characters. The document is converted in a cell without network. `why` says why there is no text.",
    params: { agent: IdOrHandle },
    query: WorkspaceFileQuery,
    answers: { status: 200, schema: WorkspaceText },
    errors: ["record.not-found", "brain.not-found", "brain.path", "brain.changed"],
  },
  archive: {
    id: "archiveWorkspace",
    method: "GET",
    path: "/api/agents/{agent}/files/archive",
    needs: AGENT_READ,
    summary: "Downloads a folder of an agent's workspace as a zip file",
    description:
      "Without `path`, the whole workspace. The archive names in a text file what it leaves out, such as links. If a file changes meanwhile, the connection is closed before the end.",
    params: { agent: IdOrHandle },
    query: WorkspaceFolderQuery,
    answers: { status: 200, schema: z.string(), type: "application/zip", text: "The archive." },
    errors: ["record.not-found", "brain.not-found", "brain.path", "brain.too-large"],
  },
});
