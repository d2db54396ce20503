/**
 * Labels tool results and the files that tools wrote. The warden derives the labels from the calls
 * that it allowed, never from what a cell reports.
 */
import { isWithin, type FileLabels } from "../../policy/index.ts";
import type { Write } from "../../kernel/index.ts";
import { TRUSTED_LABEL } from "../../agents/lazy.ts";
import {
  type ActivationId,
  type Audience,
  isTainted,
  joinLabels,
  type Label,
  MAX_SOURCE_LENGTH,
  OWNER_LABEL,
  type ToolCall,
} from "@hearth/protocol";
import { findTool, tools, type ToolTable, type WorkspaceUse } from "@hearth/protocol/tools";
import { workspaceRootOf } from "./workspace-root.ts";

/** The label of a result whose tool gave it no label. */
export const labelOfTool = (name: string, table: ToolTable = tools): Label =>
  findTool(table, name)?.traits.readsUntrusted === false ? TRUSTED_LABEL : untrustedLabel(`the tool ${name}`);

export interface ResultLabelsOptions {
  /** Default: the tools that ship with Hearth. */
  readonly table?: ToolTable;
  readonly activation: ActivationId;
  readonly audience: Audience;
  readonly files: FileLabels;
  /** Hosts that commands of this activation have reached. */
  readonly reachedHosts: readonly string[];
  /** Commands of the agent that still run after the turns that started them. */
  readonly leftoverCommands: {
    /** Records that this call left a command running. */
    record(): void;
    /** Folders that these commands can write to. */
    folders(): readonly string[];
  };
  /** By path: the number of running turns whose messages put this file into the workspace. */
  readonly turnsByReceivedPath?: Map<string, number>;
  /** Called when a call may have changed the workspace. */
  readonly onWorkspaceTouched?: (activation: ActivationId) => void;
}

export interface ResultLabels {
  /** The label of a call's result. */
  of(call: Pick<ToolCall, "name" | "input">): Label;
  /** Labels for the folders into which background commands may write a response of this host. */
  labelNetwork(host: string): readonly Write[];
  /** Labels for files of messages that the warden put into the workspace at these paths. */
  labelReceived(paths: readonly string[], taint: Label): readonly Write[];
  /** Removes the labels of these files, after the last turn that had them. */
  unlabelReceived(): readonly Write[];
  /** Labels for files that a host tool put into the workspace. The files stay after the turn. */
  labelPermanent(paths: readonly string[], taint: Label): readonly Write[];
  /** Labels for the files that a finished call may have written. */
  labelWritten(call: Pick<ToolCall, "name" | "input">, taint: Label): readonly Write[];
}

export const createResultLabels = ({
  table = tools,
  activation,
  audience,
  files,
  reachedHosts,
  leftoverCommands,
  turnsByReceivedPath = new Map(),
  onWorkspaceTouched,
}: ResultLabelsOptions): ResultLabels => ({
  ...createReceivedFileLabels(activation, audience, files, turnsByReceivedPath),
  of({ name, input }) {
    const use = workspaceUse(table, name);
    if (use === "none") return labelOfTool(name, table);
    const path = use === "anything" ? workspaceRootOf(audience) : pathOf(input, audience);
    const label = joinLabels(TRUSTED_LABEL, use === "writes" ? OWNER_LABEL : files.labelOf(path));
    const hosts = use === "anything" ? reachedHosts : [];
    return hosts.length === 0 ? label : joinLabels(label, fromNetwork(hosts));
  },
  labelNetwork: (host) =>
    leftoverCommands.folders().flatMap((folder) => files.add(folder, fromNetwork([host]), activation)),
  labelPermanent(paths, taint) {
    onWorkspaceTouched?.(activation);
    return paths.flatMap((path) => {
      const workspacePath = pathOf({ path }, audience);
      return isTainted(taint) ? files.add(workspacePath, taint, activation) : files.clear(workspacePath);
    });
  },
  labelWritten({ name, input }, taint) {
    const use = workspaceUse(table, name);
    if (use === "none" || use === "reads" || use === "lists") return [];
    onWorkspaceTouched?.(activation);
    const path = use === "anything" ? workspaceRootOf(audience) : pathOf(input, audience);
    if (leavesRunning(table, { name, input })) leftoverCommands.record();
    if (isTainted(taint)) return files.add(widestFolder(path, leftoverCommands.folders()), taint, activation);
    return use === "writes" ? files.clear(path) : [];
  },
});

const createReceivedFileLabels = (
  activation: ActivationId,
  audience: Audience,
  files: FileLabels,
  turnsByPath: Map<string, number>,
): Pick<ResultLabels, "labelReceived" | "unlabelReceived"> => {
  const labelledPaths = new Set<string>();
  return {
    labelReceived: (paths, taint) =>
      paths.flatMap((path) => {
        if (!isTainted(taint)) return [];
        const workspacePath = pathOf({ path }, audience);
        if (!labelledPaths.has(workspacePath))
          turnsByPath.set(workspacePath, (turnsByPath.get(workspacePath) ?? 0) + 1);
        labelledPaths.add(workspacePath);
        return files.add(workspacePath, taint, activation);
      }),
    unlabelReceived: () =>
      [...labelledPaths].flatMap((path) => {
        labelledPaths.delete(path);
        const otherTurns = (turnsByPath.get(path) ?? 1) - 1;
        if (otherTurns > 0) turnsByPath.set(path, otherTurns);
        else turnsByPath.delete(path);
        return otherTurns > 0 ? [] : files.clear(path);
      }),
  };
};

/**
 * The largest folder to label for a file at this path. A background command may copy the file, so
 * every folder that such a command can write to gets the label.
 */
const widestFolder = (path: string, folders: readonly string[]): string =>
  folders.filter((folder) => isWithin(path, folder)).toSorted((a, b) => a.length - b.length)[0] ?? path;

const workspaceUse = (table: ToolTable, name: string): WorkspaceUse => findTool(table, name)?.workspace ?? "none";

const leavesRunning = (table: ToolTable, { name, input }: Pick<ToolCall, "name" | "input">): boolean => {
  const field = findTool(table, name)?.leavesRunning;
  return field !== undefined && input[field] === true;
};

/**
 * The `path` argument, relative to the workspace of the private audience, which contains those of
 * rooms. An argument that may point elsewhere counts as the whole workspace of the audience.
 */
const pathOf = (input: ToolCall["input"], audience: Audience): string => {
  const path = typeof input["path"] === "string" ? input["path"] : "";
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const root = workspaceRootOf(audience);
  if (path.startsWith("/") || parts.includes("..")) return root;
  return [root, ...parts].filter((part) => part !== "").join("/");
};

const fromNetwork = (hosts: readonly string[]): Label => untrustedLabel(`the network: ${hosts.join(", ")}`);

const untrustedLabel = (source: string): Label => ({
  integrity: "untrusted",
  readers: "anyone",
  sources: [source.slice(0, MAX_SOURCE_LENGTH).toWellFormed()],
});
