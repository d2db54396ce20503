/**
 * The room side of an interactive chat: sends the user's messages and prints replies and other
 * messages.
 */
import type { Client } from "@hearth/client";
import type { ActivationId, StoredEvent } from "@hearth/protocol";
import type { Context } from "../command.ts";
import type { Names } from "../show/names.ts";
import { type RoomLine, toRoomLines } from "../show/room-lines.ts";
import { createApprovalPrompt } from "./approval-prompt.ts";
import { createBoard } from "./board.ts";
import { createPosting } from "./posting.ts";
import type { Screen } from "./screen.ts";
import { type SentMessage, sendMessage } from "./send-message.ts";
import type { Target } from "./target.ts";

export interface Conversation {
  /**
   * Prints other messages after this offset. Rejects when the house ends the stream with an error.
   */
  listen(after: number): Promise<void>;
  /**
   * Posts a message at once, and prints its replies after those of earlier messages. A reply that
   * answers several messages is printed once.
   */
  send(text: string): SentMessage;
  /** Decides the pending approval if the line is an answer. Returns whether it was one. */
  answer(line: string): Promise<boolean>;
  toText(line: RoomLine): Promise<string>;
}

export const createConversation = (options: {
  readonly context: Context;
  readonly client: Client;
  readonly target: Target;
  readonly screen: Screen;
  readonly names: Names;
  readonly signal: AbortSignal;
}): Conversation => {
  const { client, target, screen, names, signal } = options;
  const { output, terminal } = options.context;
  const board = createBoard({ screen, style: output.style, names });
  const approvals = createApprovalPrompt(client, board);
  const post = createPosting({ client, terminal, target, board });
  /** Resolves when the replies to all messages so far are printed. Undefined after that. */
  let pendingReplies: Promise<void> | undefined;

  /** Whether the event is a stopped reply whose text was already streamed to the screen. */
  const isPartialShown = (event: StoredEvent): boolean =>
    event.type === "message" &&
    event.stopped === true &&
    board.streamedActivations.has(event.activation as ActivationId);

  return {
    toText: board.toText,
    answer: approvals.answer,

    async listen(after) {
      let isLost = false;
      for await (const item of client.rooms.follow(target.room.id, { after, signal })) {
        if (item.kind === "failed") throw item.error;
        if (item.kind === "event") {
          // Waits for a reply in progress, because its end adds to `printedMessages` and `streamedActivations`.
          while (pendingReplies !== undefined) await pendingReplies;
          if (board.printedMessages.delete(item.event.id) || isPartialShown(item.event)) continue;
          for (const line of toRoomLines([item.event])) if (!signal.aborted) screen.printLine(await board.toText(line));
        } else if (item.kind === "lost" && pendingReplies === undefined) {
          isLost = true;
          board.note("Hearth does not answer. Retrying ...");
        } else if (item.kind === "open" && isLost) {
          isLost = false;
          board.note("Hearth is back.");
        }
      }
    },

    send(text) {
      const { sleep } = terminal;
      const sentMessage = sendMessage(
        { client, sleep, board, approvals, post, earlierReplies: pendingReplies, signal },
        text,
      );
      const completion = sentMessage.completion.finally(() => {
        if (pendingReplies === completion) pendingReplies = undefined;
      });
      pendingReplies = completion;
      return { interrupt: sentMessage.interrupt, completion };
    },
  };
};
