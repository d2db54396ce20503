/** Prints one reply of a chat while the agent writes it, and then how it ended. */
import type { Client } from "@hearth/client";
import { type ActivationId, type AgentRecord, describeSources } from "@hearth/protocol";
import type { Terminal } from "../terminal.ts";
import { toRoomLines } from "../show/room-lines.ts";
import { safeLine } from "../show/safe-text.ts";
import type { ApprovalPrompt } from "./approval-prompt.ts";
import type { Board } from "./board.ts";
import { createReplyPrinter } from "./printer.ts";
import { awaitReply, describePostponed, type Question, type ReplyEnd, type ReplyProgress } from "./reply.ts";
import { describeHeld } from "./target.ts";

export interface PrintOptions {
  readonly client: Client;
  readonly sleep: Terminal["sleep"];
  readonly board: Board;
  readonly approvals: Pick<ApprovalPrompt, "show">;
  /** Resolves when the replies to the earlier message are printed. Undefined if they already are. */
  readonly earlierReplies: Promise<void> | undefined;
  /**
   * Whether the message has only this reply, which is then streamed. Several replies are printed
   * when they are complete.
   */
  readonly isOnly: boolean;
  /** Aborts the printing. The activation continues. */
  readonly signal: AbortSignal;
  readonly onWoken: (activation: ActivationId) => void;
}

export const printReply = async (options: PrintOptions, question: Question): Promise<void> => {
  const { client, sleep, board, earlierReplies, isOnly, signal } = options;
  const { screen, style } = board;
  const { agent, message } = question;
  const printer = createReplyPrinter({ write: screen.write, note: (text) => screen.printLine(style.dim(text)) });
  let isTitlePrinted = !isOnly;
  const printTitle = (): void => {
    if (!isTitlePrinted) screen.printLine(style.bold(safeLine(agent.content.name)));
    isTitlePrinted = true;
  };
  let isAnswered = false;
  const awaitTurn = async (): Promise<boolean> => {
    await earlierReplies;
    isAnswered = board.answeredMessages.has(message.id);
    if (isOnly && !isAnswered) board.currentPrinter = printer;
    return !isAnswered;
  };
  // Shows the title at once, unless an earlier reply is in progress, which may also answer this message.
  if (earlierReplies === undefined) printTitle();
  const onProgress = (progress: ReplyProgress): void => {
    if (progress.kind === "restarted" && isOnly) return printer.restart();
    if (progress.kind !== "delta") return showProgress(options, agent, progress);
    if (!isOnly) return;
    printTitle();
    printer.delta(progress.event);
  };
  const end = await awaitReply({ client, sleep, signal, awaitTurn, onProgress }, question).finally(() => {
    if (board.currentPrinter === printer) board.currentPrinter = undefined;
  });
  if (isAnswered) return;
  await earlierReplies;
  if (end?.kind === "replied" || end?.kind === "failed") printTitle();
  if (isOnly) printer.end(end?.kind === "replied" ? end.message.body.text : undefined);
  else if (end?.kind === "replied") {
    for (const line of toRoomLines([end.message])) screen.printLine(await board.toText(line));
  }
  printEnd(board, agent, end);
};

const showProgress = (
  { board, approvals, isOnly, onWoken }: PrintOptions,
  agent: AgentRecord,
  progress: ReplyProgress,
): void => {
  switch (progress.kind) {
    case "woken":
      if (isOnly) board.streamedActivations.add(progress.activation);
      return onWoken(progress.activation);
    case "asked":
      return approvals.show(progress.approval, agent);
    case "held":
      return board.note(describeHeld(agent, progress.until));
    case "postponed":
      return board.note(describePostponed(progress));
    case "lost":
      return board.note("Hearth does not answer. Retrying ...");
    case "back":
      return board.note("Hearth is back.");
    case "restarted":
    case "delta":
      return undefined;
  }
};

const printEnd = (board: Board, agent: AgentRecord, end: ReplyEnd | undefined): void => {
  switch (end?.kind) {
    case undefined:
      return board.note("No longer waiting. The reply will appear in the room.");
    case "replied": {
      const sources = describeSources(end.message.label);
      if (sources !== undefined) board.note(safeLine(sources));
      board.printedMessages.add(end.message.id);
      for (const cause of end.message.causes) board.answeredMessages.add(cause);
      return;
    }
    case "stopped":
      return board.note("stopped");
    case "silent":
      return board.note(safeLine(`${agent.content.name} did not reply: ${end.reason}`));
    case "failed":
      return board.fail(end.error);
  }
};
