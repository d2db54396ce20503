/** What is asked and what came of it, in a person's words. Pure. */
import type { AgentId, Approval, ApprovalScope } from "@hearth/protocol";
import { visible } from "../text/visible.tsx";

/** What the buttons say. What each lets pass stands beside it, in the house's words. */
export const scopeWords: Readonly<Record<ApprovalScope, string>> = {
  once: "Allow once",
  session: "Allow for this session",
  rule: "Allow as a rule",
};

export const tellWish = ({ what }: Pick<Approval, "what">, name: string): string =>
  what.kind === "tool" ? `${name} wants to use ${visible(what.name)}` : `${name} wants to ask ${visible(what.name)}`;

const allowedWords: Readonly<Record<ApprovalScope, string>> = {
  once: "this, once",
  session: "this until a new session begins",
  rule: "this from now on, by a rule",
};

/** "You allowed this, once.", or nothing while it is open. */
export const tellOutcome = (
  { state, scope = "once", by, reason }: Approval,
  me: AgentId | undefined,
  nameOf: (agent: AgentId) => string,
): string | undefined => {
  const who = by === undefined ? "Somebody" : by === me ? "You" : nameOf(by);
  const why = reason === undefined || reason === "" ? "" : ` ${visible(reason)}`;
  switch (state) {
    case "pending":
      return undefined;
    case "allowed":
      return `${who} allowed ${allowedWords[scope]}.${why}`;
    case "used":
      return `${who} allowed ${allowedWords[scope]}. It has begun.${why}`;
    case "denied":
      return `${who} denied this.${why}`;
    case "expired":
      return why === "" ? "Nobody answered in time, and so it is denied." : `This is over, and was not done.${why}`;
  }
};
