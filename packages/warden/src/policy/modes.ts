/** What an agent's mode makes of a call, beyond what the stages before have said: nothing, a question, or a no. Pure. */
import { type AgentContent, DEFAULT_AGENT_MODE, type ToolCall } from "@hearth/protocol";
import type { ToolDeclaration } from "@hearth/protocol/tools";

export type ModeVerdict =
  | { readonly kind: "on" }
  /** For a person. */
  | { readonly kind: "ask"; readonly text: string }
  /** For the model. */
  | { readonly kind: "refused"; readonly text: string };

export type Moded = Pick<AgentContent, "mode" | "trusted">;
type Declared = Pick<ToolDeclaration, "effect" | "traits" | "runs">;

const ON: ModeVerdict = { kind: "on" };

/** It changes nothing anywhere and tells nobody. */
const isRead = ({ effect, traits }: Declared): boolean => effect === "pure" && !traits.acts && !traits.destroys;

export const judgeMode = (
  { mode = DEFAULT_AGENT_MODE, trusted = [] }: Moded,
  call: Pick<ToolCall, "name" | "input">,
  tool: Declared,
  hasWalls: boolean,
): ModeVerdict => {
  if (isRead(tool)) return ON;
  switch (mode) {
    case "default":
    case "unattended":
      return ON;
    case "plan":
      return {
        kind: "refused",
        text: `${call.name} does more than read, and you are to plan only: nothing was done. Say what you would do, and the person decides.`,
      };
    case "ask":
      return hasWalls && isTrusted(trusted, call.input, tool)
        ? ON
        : { kind: "ask", text: `${call.name} does more than read, and this agent asks before it does.` };
  }
};

export const UNATTENDED =
  "It takes a person's word, and this agent works where nobody is there to give it: nothing was done. Go on without it, or say what is left for a person.";

/**
 * Whether all that it writes is in trusted folders. A program may write anywhere in the workspace, and so may a call that says where in
 * some other way than by `path`: it is trusted where all of the workspace is.
 */
const isTrusted = (trusted: readonly string[], input: ToolCall["input"], { runs, traits }: Declared): boolean => {
  if (runs !== "cell" || traits.destroys || trusted.length === 0) return false;
  const folders = trusted.map(segmentsOf).filter((folder) => folder !== undefined);
  if (folders.some((folder) => folder.length === 0)) return true;
  const { path } = input as { readonly path?: unknown };
  const place = traits.acts || typeof path !== "string" ? undefined : segmentsOf(path);
  if (place === undefined) return false;
  return folders.some((folder) => folder.length < place.length && folder.every((name, index) => place[index] === name));
};

/** Nothing for a path that might lead out of the workspace. */
const segmentsOf = (path: string): readonly string[] | undefined => {
  if (/^[/\\]|^[A-Za-z]:|\\|\p{Cc}/u.test(path)) return undefined;
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return names.includes("..") ? undefined : names;
};
