/** The files that an agent made in its workspace: lists, downloads and archives. */
import { detectMedia, MAX_DETECTION_BYTES } from "../../people/lazy.ts";
import type { WorkspaceFile } from "../../agents/index.ts";
import { MAX_WORKSPACE_TEXT } from "@hearth/protocol/api";
import { workspaceOperations } from "@hearth/protocol/operations";
import { downloadAnswer } from "../uploads/download-answer.ts";
import { zipAnswer } from "../uploads/zip-answer.ts";
import { botOf, brainOf } from "./brain-of.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const workspaceRoutes = (app: App, options: RouteOptions): void => {
  bind(app, options, workspaceOperations, {
    list: async ({ principal, params, query }) =>
      (await brainOf(options, principal, params.agent)).workspace.list(query.path ?? ""),

    read: async ({ principal, request, params, query }) => {
      const file = await (await brainOf(options, principal, params.agent)).workspace.open(query.path);
      const { type } = await detectMedia(await beginningOf(file));
      const { sizeBytes, read } = file;
      const version = options.areas.kernel.world.hash(file.stamp);
      return downloadAnswer(request, { version, sizeBytes, type, name: nameOf(file.path), isImmutable: false, read });
    },

    text: async ({ principal, params, query }) => {
      const file = await (await brainOf(options, principal, params.agent)).workspace.open(query.path);
      const { sizeBytes, read } = file;
      const { result } = await options.areas.cells.documents.convert(read(0, sizeBytes), sizeBytes);
      if (result.kind === "refused") return { isCut: false, why: result.why };
      const { text, cut } = result;
      return { text: beginningOfText(text), isCut: cut || text.length > MAX_WORKSPACE_TEXT };
    },

    archive: async ({ principal, request, params, query }) => {
      const { path = "" } = query;
      const agent = await botOf(options, principal, params.agent);
      const brain = await options.areas.agents.brains.open(agent);
      const name = path === "" ? `${agent.handle}-workspace` : nameOf(path);
      const collectedFiles = await brain.workspace.collect(path);
      const basePath = path === "" ? "" : `${path}/`;
      return zipAnswer(request, { ...collectedFiles, name, basePath, madeAt: options.areas.kernel.world.clock.now() });
    },
  });
};

/** Returns the beginning of the text, without half a character at its end. */
const beginningOfText = (text: string): string =>
  text.length <= MAX_WORKSPACE_TEXT ? text : text.slice(0, MAX_WORKSPACE_TEXT).replace(/[\uD800-\uDBFF]$/u, "");

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Returns the beginning of the file, which decides its type. */
const beginningOf = async (file: WorkspaceFile): Promise<Uint8Array> => {
  const beginning = new Uint8Array(Math.min(file.sizeBytes, MAX_DETECTION_BYTES));
  let offset = 0;
  for await (const piece of file.read(0, beginning.length)) {
    beginning.set(piece, offset);
    offset += piece.length;
  }
  return beginning;
};
