/**
 * Delegates work to a child activation, which gets some of the caller's tools, a share of its
 * calls, and an empty session.
 */
import { tools } from "@hearth/protocol/tools";
import { nameWithHandle, findAddressee } from "./addressee.ts";
import type { HostCall } from "../call.ts";
import type { Children } from "./children.ts";
import { runChild, unansweredOutcome, noAnswerReason } from "./run-child.ts";
import type { OtherAgentParts } from "../parts.ts";
import type { RunHostTool } from "../tool.ts";

/** Maximum nesting of delegations. */
const MAX_NESTING = 2;

export const delegate: RunHostTool<"delegate", OtherAgentParts> = async (input, call, parts) => {
  const { children } = parts;
  const { timeoutMs } = tools.delegate;
  const missingTools = (input.tools ?? []).filter((name) => !call.granted.includes(name));
  if (missingTools.length > 0)
    return unansweredOutcome(
      `You can give away no more than you have, so not ${missingTools.join(", ")}. Yours: ${call.granted.join(", ")}.`,
    );
  if ((await nestingOf(call.activation, children)) >= MAX_NESTING)
    return unansweredOutcome("This work was delegated twice already: do it yourself.");
  const addressee =
    input.agent === undefined ? { to: call.agent } : await findAddressee(input.agent, call.agent, parts);
  if ("wrong" in addressee) return unansweredOutcome(addressee.wrong);
  const { to } = addressee;
  const limits = {
    tools: [...(input.tools ?? call.granted)],
    maxToolCalls: Math.min(input.maxToolCalls ?? call.remaining, call.remaining),
  };
  const result = await runChild({ to, type: "delegation", text: input.task, limits, timeoutMs }, call, parts);
  if (result.kind === "refused") return unansweredOutcome(result.text);
  const { child } = result;
  // The caller has stopped waiting, so it would not read the result of further work.
  if (result.kind === "late" && !call.signal.aborted)
    await children.stop(child, "The delegating turn no longer waits for it.");
  const toolCalls = await children.toolCalls(child);
  switch (result.kind) {
    case "answer":
      return { text: result.text, failed: false, label: result.label, sameCommit: result.sameCommit, toolCalls };
    case "none":
      return {
        ...unansweredOutcome(`${nameWithHandle(to)} did not finish it: ${noAnswerReason(result.row)}`),
        toolCalls,
      };
    case "late":
      return { ...unansweredOutcome(`It was not done within ${timeoutMs / 1000} s and has been stopped.`), toolCalls };
  }
};

/** Returns the number of ancestors of this activation. */
const nestingOf = async ({ parent }: HostCall["activation"], children: Children): Promise<number> => {
  let nesting = 0;
  for (let ancestor = parent; ancestor !== null && nesting < MAX_NESTING; nesting += 1)
    ancestor = (await children.find(ancestor))?.parent ?? null;
  return nesting;
};
