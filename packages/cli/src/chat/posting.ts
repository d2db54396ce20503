/** Posts the messages of a chat, one after another. */
import type { Client } from "@hearth/client";
import { isForHouse, isHearthError } from "@hearth/protocol";
import type { Terminal } from "../terminal.ts";
import type { Board } from "./board.ts";
import { type Question, readLiveHead } from "./reply.ts";
import { type Target, withMention, describeCommandEffect, describeHowToWake, botsWokenBy } from "./target.ts";

const RETRY_INTERVAL_MS = 500;

/**
 * Posts a message and returns the replies to wait for. A command of the house has none, and neither
 * has a message that `cancel` stopped.
 */
export type Post = (text: string, cancel: AbortSignal) => Promise<readonly Question[]>;

export interface PostingOptions {
  readonly client: Client;
  readonly terminal: Pick<Terminal, "createKey" | "sleep">;
  readonly target: Target;
  readonly board: Board;
}

export const createPosting = (options: PostingOptions): Post => {
  const { client, terminal, target, board } = options;
  let hasShownHowToWake = false;
  let lastPost: Promise<unknown> = Promise.resolve();

  const post: Post = async (text, cancel) => {
    const idempotencyKey = terminal.createKey();
    const liveHead = await retryUntilUp(options, cancel, () => readLiveHead(client, target.room.id));
    if (liveHead === undefined) return [];
    const message = await retryUntilUp(options, cancel, () =>
      client.rooms.post(target.room.id, { text: withMention(target, text), idempotencyKey }),
    );
    if (message === undefined) return [];
    board.printedMessages.add(message.id);
    if (isForHouse(message.body.text)) {
      // If a reply is being printed, its end reports the stop, so no note is needed.
      if (board.currentPrinter === undefined) board.note(describeCommandEffect(message.body.text));
      return [];
    }
    const wokenBots = botsWokenBy(target, message);
    // The hint is shown once per chat, because people may write messages to each other.
    if (wokenBots.length === 0 && !hasShownHowToWake) {
      hasShownHowToWake = true;
      board.note(describeHowToWake(target));
    }
    return wokenBots.map((agent) => ({ message, agent, liveHead }));
  };

  return (text, cancel) => {
    const currentPost = lastPost.then(() => post(text, cancel));
    lastPost = currentPost.catch(() => {
      // The sender of this message receives the error.
    });
    return currentPost;
  };
};

/** Retries until the house answers, so that a restart does not lose a message. */
const retryUntilUp = async <Value>(
  { terminal, board }: PostingOptions,
  cancel: AbortSignal,
  request: () => Promise<Value>,
): Promise<Value | undefined> => {
  let isReported = false;
  while (!cancel.aborted) {
    try {
      return await request();
    } catch (error) {
      if (!isHearthError(error, "house.unreachable") && !isHearthError(error, "house.closing")) throw error;
      if (!isReported) board.note("Hearth does not answer. Your message is sent when it does. Ctrl-C cancels it.");
      isReported = true;
      await terminal.sleep(RETRY_INTERVAL_MS, cancel);
    }
  }
  return undefined;
};
