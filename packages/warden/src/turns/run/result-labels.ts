/** Where what a tool gives came from, and what the files that it wrote are worth after it. The warden knows what it let run; nothing of it is asked of a cell. */
import { isWithin, type FileLabels } from "../../policy/index.ts";
import type { Write } from "../../kernel/index.ts";
import { MADE } from "../../agents/lazy.ts";
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
import { findTool, type ToolName, tools, type ToolTable } from "@hearth/protocol/tools";
import { rootOf } from "./workspace-root.ts";

/** How a tool of the cell touches the workspace. A tool that is not named touches none of it. */
const TOUCHES: Readonly<Partial<Record<ToolName, "reads" | "lists" | "writes" | "changes" | "anything">>> = {
  read: "reads",
  image: "reads",
  list: "lists",
  glob: "lists",
  grep: "lists",
  write: "writes",
  edit: "changes",
  apply_patch: "anything",
  shell: "anything",
  processes: "anything",
  git: "anything",
};

/** Of a tool that says nothing of it itself. */
export const labelOfTool = (name: string, table: ToolTable = tools): Label =>
  findTool(table, name)?.traits.readsUntrusted === false ? MADE : stranger(`the tool ${name}`);

export interface ResultLabelsOptions {
  /** Absent: the tools that ship. */
  readonly table?: ToolTable;
  readonly activation: ActivationId;
  readonly audience: Audience;
  readonly files: FileLabels;
  /** Hosts that commands of this activation have reached. */
  readonly reached: readonly string[];
  /** Commands of the agent that earlier turns left running. */
  readonly left: {
    /** This call left another one. */
    began(): void;
    /** Folders that one may write to. */
    folders(): readonly string[];
  };
  /** Called where a call may have left something in the workspace. */
  readonly touched?: (activation: ActivationId) => void;
}

export interface ResultLabels {
  of(call: Pick<ToolCall, "name" | "input">): Label;
  /** What commands that still run may leave there of what a host answers. A call that runs at the moment is judged when it is done. */
  reaching(host: string): readonly Write[];
  /** What the call leaves in the workspace, once its result is in hand. */
  written(call: Pick<ToolCall, "name" | "input">, taint: Label): readonly Write[];
}

export const createResultLabels = ({
  table,
  activation,
  audience,
  files,
  reached,
  left,
  touched,
}: ResultLabelsOptions): ResultLabels => ({
  of({ name, input }) {
    const touches = TOUCHES[name as ToolName];
    if (touches === undefined) return labelOfTool(name, table);
    const path = touches === "anything" ? rootOf(audience) : pathOf(input, audience);
    const label = joinLabels(MADE, touches === "writes" ? OWN : files.of(path));
    const hosts = touches === "anything" ? reached : [];
    return hosts.length === 0 ? label : joinLabels(label, fromNetwork(hosts));
  },
  reaching: (host) => left.folders().flatMap((folder) => files.add(folder, fromNetwork([host]), activation)),
  written({ name, input }, taint) {
    const touches = TOUCHES[name as ToolName];
    if (touches === undefined || touches === "reads" || touches === "lists") return [];
    touched?.(activation);
    const path = touches === "anything" ? rootOf(audience) : pathOf(input, audience);
    if (leavesRunning({ name, input })) left.began();
    if (isTainted(taint)) return files.add(widest(path, left.folders()), taint, activation);
    return touches === "writes" ? files.clear(path) : [];
  },
});

/** What still runs may copy it to any name at any time, so all that it can write to is worth no more. */
const widest = (path: string, folders: readonly string[]): string =>
  folders.filter((folder) => isWithin(path, folder)).toSorted((one, other) => one.length - other.length)[0] ?? path;

const leavesRunning = ({ name, input }: Pick<ToolCall, "name" | "input">): boolean =>
  name === "shell" && input["background"] === true;

/** Relative to the workspace of the private audience, which holds those of rooms. What is not plainly one path is everything. */
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
