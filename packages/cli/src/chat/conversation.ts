/** What goes on in a room while somebody sits at it: their messages with the replies to them, and everybody else's. */
import type { Client } from "@hearth/client";
import { type ActivationId, type AgentRecord, type EventId, type StoredMessage, isHearthError } from "@hearth/protocol";
import type { Context } from "../command.ts";
import type { Names } from "../names.ts";
import { safeLine, safeText } from "../safe-text.ts";
import { createReplyPrinter } from "./printer.ts";
import { type Question, type ReplyEnd, awaitReply, readLiveHead } from "./reply.ts";
import type { Screen } from "./screen.ts";
import { type Target, addressed, howToWake, wokenBy } from "./target.ts";

const RETRY_MS = 500;

export interface Conversation {
  /** Prints what others say from here on. Rejects when the house refuses to go on. */
  listen(after: number): Promise<void>;
  /** Says something and prints what it brings about. Never rejects. */
  send(text: string): { readonly interrupt: () => void; readonly done: Promise<void> };
  toText(message: StoredMessage): Promise<string>;
}

export const createConversation = (options: {
  readonly context: Context;
  readonly client: Client;
  readonly target: Target;
  readonly screen: Screen;
  readonly names: Names;
  readonly signal: AbortSignal;
}): Conversation => {
  const { context, client, target, screen, names, signal } = options;
  const { output, terminal } = context;
  const { dim, bold, red } = output.style;
  /** What is on the screen already. */
  const printed = new Set<EventId>();
  let sending: Promise<void> | undefined;
  let toldHowToWake = false;

  const note = (text: string): void => screen.say(dim(text));

  const toText = async ({ author, body }: StoredMessage): Promise<string> =>
    `${bold(safeLine(await names.of(author)))}\n${safeText(body.text).trimEnd()}`;

  /** Tries until the house answers: a message is not lost because the house starts again. */
  const insist = async <Value>(ask: () => Promise<Value>, over: AbortSignal): Promise<Value | undefined> => {
    let told = false;
    while (!over.aborted) {
      try {
        return await ask();
      } catch (error) {
        if (!isHearthError(error, "house.unreachable") && !isHearthError(error, "house.closing")) throw error;
        if (!told) note("Hearth does not answer; your message waits until it does. Ctrl-C takes it back.");
        told = true;
        await terminal.sleep(RETRY_MS, over);
      }
    }
    return undefined;
  };

  const post = async (text: string, over: AbortSignal): Promise<readonly Question[]> => {
    const idempotencyKey = terminal.freshKey();
    const liveHead = await insist(() => readLiveHead(client, target.room.id), over);
    if (liveHead === undefined) return [];
    const message = await insist(
      () => client.rooms.post(target.room.id, { text: addressed(target, text), idempotencyKey }),
      over,
    );
    if (message === undefined) return [];
    printed.add(message.id);
    const woken = wokenBy(target, message);
    // People talk among themselves: once is enough.
    if (woken.length === 0 && !toldHowToWake) {
      toldHowToWake = true;
      note(howToWake(target));
    }
    return woken.map((agent) => ({ message, agent, liveHead }));
  };

  const sayEnd = async (agent: AgentRecord, end: ReplyEnd | undefined): Promise<void> => {
    switch (end?.kind) {
      case undefined:
        return note("No longer waiting; the reply will be in the room.");
      case "replied":
        return void printed.add(end.message.id);
      case "stopped":
        return note("stopped");
      case "silent":
        return note(safeLine(`${agent.content.name} did not reply: ${end.reason}`));
      case "failed":
        screen.say(`${red("failed:")} ${safeLine(end.error.message)}`);
        if (end.error.hint !== undefined) note(`  ${safeLine(end.error.hint)}`);
    }
  };

  return {
    toText,

    async listen(after) {
      let lost = false;
      for await (const item of client.rooms.follow(target.room.id, { after, signal })) {
        if (item.kind === "failed") throw item.error;
        if (item.kind === "event") {
          // What is being answered right now says for itself what it has printed.
          while (sending !== undefined) await sending;
          if (!printed.delete(item.event.id) && !signal.aborted) screen.say(await toText(item.event));
        } else if (item.kind === "lost" && sending === undefined) {
          lost = true;
          note("Hearth does not answer; trying again ...");
        } else if (item.kind === "open" && lost) {
          lost = false;
          note("Hearth is back.");
        }
      }
    },

    send(text) {
      const over = new AbortController();
      const onLeave = (): void => over.abort();
      signal.addEventListener("abort", onLeave);
      const running = new Set<ActivationId>();
      let interrupted = false;

      const ask = async (question: Question, alone: boolean): Promise<void> => {
        const printer = createReplyPrinter({ write: screen.write, note });
        if (alone) screen.say(bold(safeLine(question.agent.content.name)));
        const end = await awaitReply(
          {
            client,
            sleep: terminal.sleep,
            signal: over.signal,
            on(part) {
              switch (part.kind) {
                case "woken":
                  running.add(part.activation);
                  if (interrupted) stop(part.activation);
                  return;
                case "lost":
                  printer.end();
                  return note("Hearth does not answer; trying again ...");
                case "back":
                  return note("Hearth is back.");
                case "restarted":
                  return alone ? printer.restart() : undefined;
                case "delta":
                  return alone ? printer.delta(part.event) : undefined;
              }
            },
          },
          question,
        );
        if (alone) printer.end(end?.kind === "replied" ? end.message.body.text : undefined);
        else if (end?.kind === "replied") screen.say(await toText(end.message));
        await sayEnd(question.agent, end);
      };

      const stop = (id: ActivationId): void => {
        client.activations.stop(id).catch(() => over.abort());
      };

      const work = async (): Promise<void> => {
        try {
          const questions = await post(text, over.signal);
          await Promise.all(questions.map((question) => ask(question, questions.length === 1)));
        } catch (error) {
          if (!isHearthError(error)) throw error;
          screen.say(`${red("failed:")} ${safeLine(error.message)}`);
          if (error.hint !== undefined) note(`  ${safeLine(error.hint)}`);
        } finally {
          signal.removeEventListener("abort", onLeave);
          over.abort();
          sending = undefined;
        }
      };
      const done = work();
      sending = done;
      return {
        interrupt() {
          if (interrupted || running.size === 0) over.abort();
          interrupted = true;
          for (const id of running) stop(id);
        },
        done,
      };
    },
  };
};
