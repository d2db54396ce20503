/**
 * Applies an agent's mode to a call, after the earlier stages: allows it, asks about it or refuses
 * it. Pure.
 */
import { type AgentContent, DEFAULT_AGENT_MODE, type ToolCall } from "@hearth/protocol";
import type { ToolDeclaration } from "@hearth/protocol/tools";

export type ModeVerdict =
  | { readonly kind: "allowed" }
  /** `text` is for the person who decides. */
  | { readonly kind: "ask"; readonly text: string }
  /** `text` is for the model. */
  | { readonly kind: "refused"; readonly text: string };

export type ModeSettings = Pick<AgentContent, "mode" | "trusted">;
type ToolFacts = Pick<ToolDeclaration, "effect" | "traits" | "runs">;

const ALLOWED: ModeVerdict = { kind: "allowed" };

/** Whether the tool changes nothing and sends nothing. */
const isRead = ({ effect, traits }: ToolFacts): boolean => effect === "pure" && !traits.acts && !traits.destroys;

export const judgeMode = (
  { mode = DEFAULT_AGENT_MODE, trusted = [] }: ModeSettings,
  call: Pick<ToolCall, "name" | "input">,
  tool: ToolFacts,
  isIsolated: boolean,
): ModeVerdict => {
  if (isRead(tool)) return ALLOWED;
  switch (mode) {
    case "default":
    case "unattended":
      return ALLOWED;
    case "plan":
      return {
        kind: "refused",
        text: `${call.name} does more than read, and this agent may only plan. The call was not made. Describe what you would do, so that a person can decide.`,
      };
    case "ask":
      return isIsolated && isTrusted(trusted, call.input, tool)
        ? ALLOWED
        : { kind: "ask", text: `${call.name} does more than read, and this agent asks before such calls.` };
  }
};

export const UNATTENDED =
  "This needs a person's approval, and this agent runs unattended. The call was not made. Continue without it, or say what is left for a person.";

/**
 * Whether the call writes only into trusted folders. A program, and a call without a `path`, may
 * write anywhere in the workspace, so it is trusted only if the whole workspace is trusted.
 */
const isTrusted = (trusted: readonly string[], input: ToolCall["input"], { runs, traits }: ToolFacts): boolean => {
  if (runs !== "cell" || traits.destroys || trusted.length === 0) return false;
  const folders = trusted.map(segmentsOf).filter((folder) => folder !== undefined);
  if (folders.some((folder) => folder.length === 0)) return true;
  const { path } = input as { readonly path?: unknown };
  const segments = traits.acts || typeof path !== "string" ? undefined : segmentsOf(path);
  if (segments === undefined) return false;
  return folders.some(
    (folder) => folder.length < segments.length && folder.every((name, index) => segments[index] === name),
  );
};

/** Returns the segments of a path, or undefined if it may lead out of the workspace. */
const segmentsOf = (path: string): readonly string[] | undefined => {
  if (/^[/\\]|^[A-Za-z]:|\\|\p{Cc}/u.test(path)) return undefined;
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return names.includes("..") ? undefined : names;
};
