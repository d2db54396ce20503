/** Texts about requests and their outcomes. Pure. */
import type { AgentId, Approval, ApprovalScope } from "@hearth/protocol";
import { toolWords } from "../language/text.ts";
import { toVisible } from "../text/visible.tsx";
import { titleOfTool } from "./tool-texts.ts";
import * as texts from "./text.ts";

/** Button labels. The effect of each answer is shown below, in the warden's words. */
export const scopeWords: Readonly<Record<ApprovalScope, string>> = texts.scopeButtons;

/** Titles of the texts that say what the wider answers allow. */
export const scopeTitles: Readonly<Record<Exclude<ApprovalScope, "once">, string>> = texts.scopeTitles;

export const describeRequestedCall = ({ what }: Pick<Approval, "what">, name: string): string =>
  what.kind === "tool" && toolWords(what.name)?.command !== undefined
    ? texts.wantsToRunCommand(name)
    : what.kind === "tool"
      ? texts.asksFor(name, titleOfTool(what.name) ?? toVisible(what.name))
      : texts.wantsToCallModel(name, toVisible(what.name));

/** Returns a sentence such as "You allowed this once."; undefined while the request is pending. */
export const describeOutcome = (
  { state, scope = "once", by, reason }: Approval,
  me: AgentId | undefined,
  nameOf: (agent: AgentId) => string,
): string | undefined => {
  const actorName = by === undefined ? texts.decidedByAdmin : by === me ? texts.decidedByYou : nameOf(by);
  const reasonText = reason === undefined || reason === "" ? "" : ` ${toVisible(reason)}`;
  switch (state) {
    case "pending":
      return undefined;
    case "allowed":
      return `${texts.allowedWords[scope](actorName)}${reasonText}`;
    case "used":
      return `${texts.allowedWords[scope](actorName)} ${texts.callHasStarted}${reasonText}`;
    case "denied":
      return `${texts.deniedWords(actorName)}${reasonText}`;
    case "expired":
      return reasonText === "" ? texts.expiredWithoutAnswer : `${texts.closedWithoutRunning}${reasonText}`;
  }
};
