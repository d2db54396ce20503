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
  OWN,
  type ToolCall,
} from "@hearth/protocol";
import { findTool, tools, type ToolTable, type WorkspaceUse } from "@hearth/protocol/tools";
import { rootOf } from "./workspace-root.ts";

/** The label of a tool that returns none itself. */
export const labelOfTool = (name: string, table: ToolTable = tools): Label =>
  findTool(table, name)?.traits.readsUntrusted === false ? TRUSTED_LABEL : stranger(`the tool ${name}`);

export interface ResultLabelsOptions {
  /** When absent, the tools that ship with Hearth. */
  readonly table?: ToolTable;
  readonly activation: ActivationId;
  readonly audience: Audience;
  readonly files: FileLabels;
  /** Hosts that commands of this activation have reached. */
  readonly reached: readonly string[];
  /** Commands of the agent that earlier turns left running. */
  readonly left: {
    /** Records that this call left a command running. */
    began(): void;
    /** Folders that such a command can write to. */
    folders(): readonly string[];
  };
  /** How many turns of the agent have a file of a message in the workspace, by path. */
  readonly received?: Map<string, number>;
  /** Called when a call may have changed the workspace. */
  readonly touched?: (activation: ActivationId) => void;
}

export interface ResultLabels {
  of(call: Pick<ToolCall, "name" | "input">): Label;
  /**
   * Labels for what background commands may write of a host's response. A call that still runs is
   * labelled when it ends.
   */
  reaching(host: string): readonly Write[];
  /** Labels for files of messages that were put into the workspace, at these paths of the audience. */
  received(paths: readonly string[], taint: Label): readonly Write[];
  /** Removes those labels once the files are gone: after the last turn that had them has ended. */
  released(): readonly Write[];
  /** Labels for files that a call on the host put into the workspace, where they stay. */
  kept(paths: readonly string[], taint: Label): readonly Write[];
  /** Labels for what the call left in the workspace, once its result has arrived. */
  written(call: Pick<ToolCall, "name" | "input">, taint: Label): readonly Write[];
}

export const createResultLabels = ({
  table = tools,
  activation,
  audience,
  files,
  reached,
  left,
  received = new Map(),
  touched,
}: ResultLabelsOptions): ResultLabels => ({
  ...createReceived(activation, audience, files, received),
  of({ name, input }) {
    const use = workspaceUse(table, name);
    if (use === "none") return labelOfTool(name, table);
    const path = use === "anything" ? rootOf(audience) : pathOf(input, audience);
    const label = joinLabels(TRUSTED_LABEL, use === "writes" ? OWN : files.of(path));
    const hosts = use === "anything" ? reached : [];
    return hosts.length === 0 ? label : joinLabels(label, fromNetwork(hosts));
  },
  reaching: (host) => left.folders().flatMap((folder) => files.add(folder, fromNetwork([host]), activation)),
  kept(paths, taint) {
    touched?.(activation);
    return paths.flatMap((path) => {
      const whole = pathOf({ path }, audience);
      return isTainted(taint) ? files.add(whole, taint, activation) : files.clear(whole);
    });
  },
  written({ name, input }, taint) {
    const use = workspaceUse(table, name);
    if (use === "none" || use === "reads" || use === "lists") return [];
    touched?.(activation);
    const path = use === "anything" ? rootOf(audience) : pathOf(input, audience);
    if (leavesRunning(table, { name, input })) left.began();
    if (isTainted(taint)) return files.add(widest(path, left.folders()), taint, activation);
    return use === "writes" ? files.clear(path) : [];
  },
});

const createReceived = (
  activation: ActivationId,
  audience: Audience,
  files: FileLabels,
  received: Map<string, number>,
): Pick<ResultLabels, "received" | "released"> => {
  const own = new Set<string>();
  return {
    received: (paths, taint) =>
      paths.flatMap((path) => {
        if (!isTainted(taint)) return [];
        const whole = pathOf({ path }, audience);
        if (!own.has(whole)) received.set(whole, (received.get(whole) ?? 0) + 1);
        own.add(whole);
        return files.add(whole, taint, activation);
      }),
    released: () =>
      [...own].flatMap((path) => {
        own.delete(path);
        const others = (received.get(path) ?? 1) - 1;
        if (others > 0) received.set(path, others);
        else received.delete(path);
        return others > 0 ? [] : files.clear(path);
      }),
  };
};

/**
 * A background command may copy the file to any name at any time, so every folder that it can write
 * to gets the label.
 */
const widest = (path: string, folders: readonly string[]): string =>
  folders.filter((folder) => isWithin(path, folder)).toSorted((one, other) => one.length - other.length)[0] ?? path;

const workspaceUse = (table: ToolTable, name: string): WorkspaceUse => findTool(table, name)?.workspace ?? "none";

const leavesRunning = (table: ToolTable, { name, input }: Pick<ToolCall, "name" | "input">): boolean => {
  const field = findTool(table, name)?.leavesRunning;
  return field !== undefined && input[field] === true;
};

/**
 * Relative to the workspace of the private audience, which contains those of rooms. Anything but
 * one plain path counts as the whole workspace.
 */
const pathOf = (input: ToolCall["input"], audience: Audience): string => {
  const path = typeof input["path"] === "string" ? input["path"] : "";
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const root = rootOf(audience);
  if (path.startsWith("/") || parts.includes("..")) return root;
  return [root, ...parts].filter((part) => part !== "").join("/");
};

const fromNetwork = (hosts: readonly string[]): Label => stranger(`the network: ${hosts.join(", ")}`);

const stranger = (source: string): Label => ({
  integrity: "untrusted",
  readers: "anyone",
  sources: [source.slice(0, MAX_SOURCE_LENGTH).toWellFormed()],
});
