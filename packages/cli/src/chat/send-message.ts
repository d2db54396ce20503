/** Sends one message of a chat and prints its replies. An interrupt cancels the message or stops its replies. */
import type { Client } from "@hearth/client";
import { type ActivationId, isHearthError } from "@hearth/protocol";
import { safeLine } from "../show/safe-text.ts";
import type { Terminal } from "../terminal.ts";
import type { ApprovalPrompt } from "./approval-prompt.ts";
import type { Board } from "./board.ts";
import type { Post } from "./posting.ts";
import { printReply } from "./print-reply.ts";

export interface SentMessage {
  /**
   * Cancels the message. If it was already posted, stops the agents that it woke. The second call
   * stops waiting for the replies.
   */
  interrupt(): void;
  /** Resolves when all replies are printed. */
  readonly completion: Promise<void>;
}

export interface SendOptions {
  readonly client: Client;
  readonly sleep: Terminal["sleep"];
  readonly board: Board;
  readonly approvals: Pick<ApprovalPrompt, "show">;
  /** Resolves when the replies to the earlier message are printed. Undefined if they already are. */
  readonly earlierReplies: Promise<void> | undefined;
  readonly post: Post;
  /** Aborts when the chat ends. */
  readonly signal: AbortSignal;
}

export const sendMessage = (options: SendOptions, text: string): SentMessage => {
  const { client, sleep, board, approvals, earlierReplies, post, signal } = options;
  /** Ends the waiting for replies. */
  const watcher = new AbortController();
  /** Ends the waiting for an unreachable house. A message that was already posted stays. */
  const canceller = new AbortController();
  const stopWaiting = (): void => {
    canceller.abort();
    watcher.abort();
  };
  signal.addEventListener("abort", stopWaiting);
  const wokenActivations = new Set<ActivationId>();
  let isInterrupted = false;
  let isPosted = false;

  const stop = (id: ActivationId): void => {
    client.activations.stop(id).catch(() => watcher.abort());
  };
  const onWoken = (id: ActivationId): void => {
    wokenActivations.add(id);
    if (isInterrupted) stop(id);
  };

  const printReplies = async (): Promise<void> => {
    try {
      const questions = await post(text, canceller.signal);
      isPosted = true;
      const isOnly = questions.length === 1;
      const printOptions = { client, sleep, board, approvals, earlierReplies, isOnly, signal: watcher.signal, onWoken };
      await Promise.all(questions.map((question) => printReply(printOptions, question)));
    } catch (error) {
      await earlierReplies;
      if (!isHearthError(error)) throw error;
      board.fail(error);
    } finally {
      signal.removeEventListener("abort", stopWaiting);
      watcher.abort();
    }
  };

  if (earlierReplies !== undefined) board.note(`› ${safeLine(text)}`);
  return {
    interrupt() {
      if (isInterrupted) stopWaiting();
      else if (!isPosted) canceller.abort();
      isInterrupted = true;
      for (const id of wokenActivations) stop(id);
    },
    completion: printReplies().then(() => earlierReplies),
  };
};
