/**
 * The room side of an interactive chat: sends the user's messages and prints replies and other
 * messages.
 */
import type { Client } from "@hearth/client";
import {
  type ActivationId,
  type AgentRecord,
  type Approval,
  type ApprovalId,
  type EventId,
  isForHouse,
  isHearthError,
  type StoredEvent,
  type StoredMessage,
  describeSources,
} from "@hearth/protocol";
import type { Context } from "../command.ts";
import type { Names } from "../show/names.ts";
import { type RoomLine, titleOf, toRoomLines } from "../show/room-lines.ts";
import { safeLine, safeText } from "../show/safe-text.ts";
import { readAnswer, describeApproval, describeKeys } from "./pending-approvals.ts";
import { type ReplyPrinter, createReplyPrinter } from "./printer.ts";
import { type Question, type ReplyEnd, type ReplyPart, awaitReply, readLiveHead, describePostponed } from "./reply.ts";
import type { Screen } from "./screen.ts";
import { type Target, addressed, describeCommandEffect, howToWake, describeHeld, wokenBy } from "./target.ts";

const RETRY_MS = 500;

export interface Conversation {
  /**
   * Prints other messages after this offset. Rejects when the house ends the stream with an error.
   */
  listen(after: number): Promise<void>;
  /**
   * Posts a message at once, and prints its replies after those of earlier messages. A reply that
   * answers several messages is printed once. `done` resolves when all its replies are printed.
   */
  send(text: string): { readonly interrupt: () => void; readonly done: Promise<void> };
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
  const { context, client, target, screen, names, signal } = options;
  const { output, terminal } = context;
  const { dim, bold, red } = output.style;
  /** Messages that are already on the screen. */
  const printed = new Set<EventId>();
  /** Messages whose reply is on the screen. */
  const answered = new Set<EventId>();
  /** The printer of the reply that is being streamed. */
  let printing: ReplyPrinter | undefined;
  let posting: Promise<unknown> = Promise.resolve();
  let sending: Promise<void> | undefined;
  let hasShownHowToWake = false;
  /** The approval that y, n or s answers: the last one shown, until it is decided. */
  let pendingApproval: Approval | undefined;
  const shown = new Set<ApprovalId>();
  /** Activations whose text is streamed to the screen. */
  const streamed = new Set<ActivationId>();

  const note = (text: string): void => (printing === undefined ? screen.say(dim(text)) : printing.aside(text));

  const toText = async (line: RoomLine): Promise<string> => {
    const title = titleOf(line, safeLine(await names.of(line.by)));
    return line.text === undefined ? dim(title) : `${bold(title)}\n${safeText(line.text).trimEnd()}`;
  };

  /** Retries until the house answers, so that a restart does not lose a message. */
  const retryUntilUp = async <Value>(
    request: () => Promise<Value>,
    cancel: AbortSignal,
  ): Promise<Value | undefined> => {
    let isReported = false;
    while (!cancel.aborted) {
      try {
        return await request();
      } catch (error) {
        if (!isHearthError(error, "house.unreachable") && !isHearthError(error, "house.closing")) throw error;
        if (!isReported) note("Hearth does not answer. Your message is sent when it does. Ctrl-C cancels it.");
        isReported = true;
        await terminal.sleep(RETRY_MS, cancel);
      }
    }
    return undefined;
  };

  const post = async (text: string, cancel: AbortSignal): Promise<readonly Question[]> => {
    const idempotencyKey = terminal.freshKey();
    const liveHead = await retryUntilUp(() => readLiveHead(client, target.room.id), cancel);
    if (liveHead === undefined) return [];
    const message = await retryUntilUp(
      () => client.rooms.post(target.room.id, { text: addressed(target, text), idempotencyKey }),
      cancel,
    );
    if (message === undefined) return [];
    printed.add(message.id);
    if (isForHouse(message.body.text)) {
      // While a reply is printed, its end reports the stop.
      if (printing === undefined) note(describeCommandEffect(message.body.text));
      return [];
    }
    const woken = wokenBy(target, message);
    // Shown once per chat: people may talk among themselves.
    if (woken.length === 0 && !hasShownHowToWake) {
      hasShownHowToWake = true;
      note(howToWake(target));
    }
    return woken.map((agent) => ({ message, agent, liveHead }));
  };

  const printEnd = async (agent: AgentRecord, end: ReplyEnd | undefined): Promise<void> => {
    switch (end?.kind) {
      case undefined:
        return note("No longer waiting. The reply will appear in the room.");
      case "replied":
        printSources(end.message);
        printed.add(end.message.id);
        for (const cause of end.message.causes) answered.add(cause);
        return;
      case "stopped":
        return note("stopped");
      case "silent":
        return note(safeLine(`${agent.content.name} did not reply: ${end.reason}`));
      case "failed":
        screen.say(`${red("failed:")} ${safeLine(end.error.message)}`);
        if (end.error.hint !== undefined) note(`  ${safeLine(end.error.hint)}`);
    }
  };

  const printSources = ({ label }: StoredMessage): void => {
    const sources = describeSources(label);
    if (sources !== undefined) note(safeLine(sources));
  };

  const showApproval = (approval: Approval, agent: AgentRecord): void => {
    if (shown.has(approval.id)) return;
    shown.add(approval.id);
    pendingApproval = approval;
    for (const line of [...describeApproval(approval, agent.content.name), describeKeys(approval)]) note(line);
  };

  /** Whether this is a stopped reply whose text was already streamed to the screen. */
  const isPartialShown = (event: StoredEvent): boolean =>
    event.type === "message" && event.stopped === true && streamed.has(event.activation as ActivationId);

  return {
    toText,

    async answer(line) {
      const approval = pendingApproval;
      const decision = approval === undefined ? undefined : readAnswer(line, approval);
      if (approval === undefined || decision === undefined) return false;
      pendingApproval = undefined;
      try {
        await (await client.approvals()).decide(approval.id, decision);
        note(decision.decision === "allow" ? "Allowed." : "Denied.");
      } catch (error) {
        if (!isHearthError(error)) throw error;
        note(safeLine(error.message));
      }
      return true;
    },

    async listen(after) {
      let lost = false;
      for await (const item of client.rooms.follow(target.room.id, { after, signal })) {
        if (item.kind === "failed") throw item.error;
        if (item.kind === "event") {
          // A reply in progress adds to `printed` and `streamed`, so wait until it has ended.
          while (sending !== undefined) await sending;
          if (printed.delete(item.event.id) || isPartialShown(item.event)) continue;
          for (const line of toRoomLines([item.event])) if (!signal.aborted) screen.say(await toText(line));
        } else if (item.kind === "lost" && sending === undefined) {
          lost = true;
          note("Hearth does not answer. Retrying ...");
        } else if (item.kind === "open" && lost) {
          lost = false;
          note("Hearth is back.");
        }
      }
    },

    send(text) {
      /** Stops watching the replies. */
      const watcher = new AbortController();
      /** Stops waiting for an unreachable house. A message that was already posted stays. */
      const canceller = new AbortController();
      const onLeave = (): void => {
        canceller.abort();
        watcher.abort();
      };
      signal.addEventListener("abort", onLeave);
      const running = new Set<ActivationId>();
      /** The message that was sent before this one, if its replies are not printed yet. */
      const earlier = sending;
      let interrupted = false;
      /** Until the message is posted, an interrupt cancels it; afterwards it stops the woken agents. */
      let isPosted = false;

      const ask = async (question: Question, isOnly: boolean): Promise<void> => {
        const { agent, message } = question;
        const printer = createReplyPrinter({ write: screen.write, note: (aside) => screen.say(dim(aside)) });
        let isTitled = !isOnly;
        const title = (): void => {
          if (!isTitled) screen.say(bold(safeLine(agent.content.name)));
          isTitled = true;
        };
        let isAnswered = false;
        const turn = async (): Promise<boolean> => {
          await earlier;
          isAnswered = answered.has(message.id);
          if (isOnly && !isAnswered) printing = printer;
          return !isAnswered;
        };
        // Show the title at once unless an earlier reply is in progress, which may answer this
        // message too.
        if (earlier === undefined) title();
        const on = (part: ReplyPart): void => {
          switch (part.kind) {
            case "woken":
              running.add(part.activation);
              if (isOnly) streamed.add(part.activation);
              if (interrupted) stop(part.activation);
              return;
            case "asked":
              return showApproval(part.approval, agent);
            case "held":
              return note(describeHeld(agent, part.until));
            case "postponed":
              return note(describePostponed(part));
            case "lost":
              return note("Hearth does not answer. Retrying ...");
            case "back":
              return note("Hearth is back.");
            case "restarted":
              return isOnly ? printer.restart() : undefined;
            case "delta":
              if (!isOnly) return;
              title();
              return printer.delta(part.event);
          }
        };
        const replyOptions = { client, sleep: terminal.sleep, signal: watcher.signal, turn, on };
        const end = await awaitReply(replyOptions, question).finally(() => {
          if (printing === printer) printing = undefined;
        });
        if (isAnswered) return;
        await earlier;
        if (end?.kind === "replied" || end?.kind === "failed") title();
        if (isOnly) printer.end(end?.kind === "replied" ? end.message.body.text : undefined);
        else if (end?.kind === "replied") {
          for (const line of toRoomLines([end.message])) screen.say(await toText(line));
        }
        await printEnd(agent, end);
      };

      const stop = (id: ActivationId): void => {
        client.activations.stop(id).catch(() => watcher.abort());
      };

      const work = async (): Promise<void> => {
        try {
          const posted = posting.then(() => post(text, canceller.signal));
          posting = posted.catch(() => {});
          const questions = await posted;
          isPosted = true;
          await Promise.all(questions.map((question) => ask(question, questions.length === 1)));
        } catch (error) {
          await earlier;
          if (!isHearthError(error)) throw error;
          screen.say(`${red("failed:")} ${safeLine(error.message)}`);
          if (error.hint !== undefined) note(`  ${safeLine(error.hint)}`);
        } finally {
          signal.removeEventListener("abort", onLeave);
          watcher.abort();
        }
      };
      if (earlier !== undefined) note(`› ${safeLine(text)}`);
      const done = work()
        .then(() => earlier)
        .finally(() => {
          if (sending === done) sending = undefined;
        });
      sending = done;
      return {
        interrupt() {
          if (interrupted) onLeave();
          else if (!isPosted) canceller.abort();
          interrupted = true;
          for (const id of running) stop(id);
        },
        done,
      };
    },
  };
};
