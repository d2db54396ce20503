/** Texts about requests and their outcomes. Pure. */
import type { AgentId, Approval, ApprovalScope } from "@hearth/protocol";
import { toolWords } from "@hearth/protocol/tool-words";
import { toVisible } from "../text/visible.tsx";

/** Button labels. The effect of each answer is shown below, in the warden's words. */
export const scopeWords: Readonly<Record<ApprovalScope, string>> = {
  once: "Allow once",
  session: "Allow in this chat",
  rule: "Always allow",
};

/** Titles of the texts that say what the wider answers allow. */
export const scopeTitles: Readonly<Record<Exclude<ApprovalScope, "once">, string>> = {
  session: "This chat",
  rule: "Always",
};

export const describeRequestedCall = ({ what }: Pick<Approval, "what">, name: string): string =>
  what.kind === "tool" && toolWords(what.name)?.command !== undefined
    ? `${name} wants to run a command`
    : what.kind === "tool"
      ? `${name} wants to use ${toVisible(what.name)}`
      : `${name} wants to call the model ${toVisible(what.name)}`;

const allowedWords: Readonly<Record<ApprovalScope, string>> = {
  once: "allowed this once",
  session: "allowed this until the next session",
  rule: "saved a rule that allows this",
};

/** For example "You allowed this once."; undefined while the request is pending. */
export const describeOutcome = (
  { state, scope = "once", by, reason }: Approval,
  me: AgentId | undefined,
  nameOf: (agent: AgentId) => string,
): string | undefined => {
  const who = by === undefined ? "An admin" : by === me ? "You" : nameOf(by);
  const why = reason === undefined || reason === "" ? "" : ` ${toVisible(reason)}`;
  switch (state) {
    case "pending":
      return undefined;
    case "allowed":
      return `${who} ${allowedWords[scope]}.${why}`;
    case "used":
      return `${who} ${allowedWords[scope]}. The call has started.${why}`;
    case "denied":
      return `${who} denied this.${why}`;
    case "expired":
      return why === "" ? "Expired without an answer, so the call was denied." : `Closed without running.${why}`;
  }
};
