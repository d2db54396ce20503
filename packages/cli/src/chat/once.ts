/** Sends one message, with its file, and prints its replies. */
import {
  type ActivationId,
  type AgentRecord,
  type ApprovalId,
  isForHouse,
  type StoredMessage,
  describeSources,
  withoutAddresses,
} from "@hearth/protocol";
import type { Client } from "@hearth/client";
import type { Context } from "../command.ts";
import { type ExitCode, exitCodes, toExitCode } from "../exit-codes.ts";
import { safeLine, safeText } from "../show/safe-text.ts";
import { describeApproval, describeCommands } from "./pending-approvals.ts";
import { createReplyPrinter } from "./printer.ts";
import {
  type Question,
  type ReplyEnd,
  type ReplyProgress,
  awaitReply,
  readLiveHead,
  describePostponed,
} from "./reply.ts";
import { sendFile } from "./send-file.ts";
import {
  type Target,
  withMention,
  describeCommandEffect,
  describeHowToWake,
  describeHeld,
  botsWokenBy,
} from "./target.ts";

/** Sends the message and prints its replies. Returns `done` only when every woken agent has replied. */
export const chatOnce = async (
  context: Context,
  client: Client,
  target: Target,
  { text, file }: { readonly text: string; readonly file: string | undefined },
): Promise<ExitCode> => {
  const { terminal, output, json } = context;
  const attachments = file === undefined ? {} : { attachments: [await sendFile(context, client, file)] };
  const liveHead = await readLiveHead(client, target.room.id);
  const message = await client.rooms.post(target.room.id, {
    text: withMention(target, text),
    ...attachments,
    idempotencyKey: terminal.createKey(),
  });
  if (isForHouse(message.body.text)) {
    output.note(describeCommandEffect(message.body.text));
    if (json) output.json({ room: target.room.id, message: message.id, replies: [] });
    return exitCodes.done;
  }
  const wokenAgents = botsWokenBy(target, message);
  if (wokenAgents.length === 0) {
    output.failure({
      message: `The message is in the room "${target.room.content.name}" but woke no agent.`,
      hint: describeHowToWake(target),
    });
    if (json) output.json({ room: target.room.id, message: message.id, replies: [] });
    return exitCodes.failed;
  }
  const questions = wokenAgents.map((agent) => ({ message, agent, liveHead }));
  const ends = await askAll(context, client, questions);
  if (json) output.json(toJson(target, message, ends));
  const failures = ends.map(([agent, end]) => describeFailure(agent, end)).filter((failure) => failure !== undefined);
  for (const failure of failures) output.failure(failure);
  return failures[0]?.exit ?? exitCodes.done;
};

type ReplyEnds = readonly (readonly [AgentRecord, ReplyEnd | undefined])[];

/** Waits for all replies. Ctrl-C stops the replies; a second Ctrl-C ends the command. */
const askAll = async (context: Context, client: Client, questions: readonly Question[]): Promise<ReplyEnds> => {
  const { terminal, output, json } = context;
  const controller = new AbortController();
  const runningIds = new Set<ActivationId>();
  let isInterrupted = false;
  const stop = (id: ActivationId): void => {
    client.activations.stop(id).catch(() => controller.abort());
  };
  const removeInterrupt = terminal.onInterrupt(() => {
    if (isInterrupted || runningIds.size === 0) controller.abort();
    isInterrupted = true;
    for (const id of runningIds) stop(id);
  });
  const isOnlyReply = questions.length === 1;
  /** Approvals already shown; each is shown once even with several questions. */
  const shownApprovals = new Set<ApprovalId>();
  try {
    return await Promise.all(
      questions.map(async (question) => {
        const { agent } = question;
        const printer = createReplyPrinter({ write: terminal.out, note: output.note });
        const shouldStream = isOnlyReply && !json;
        const onProgress = (part: ReplyProgress): void => {
          if (part.kind === "woken") {
            runningIds.add(part.activation);
            if (isInterrupted) stop(part.activation);
          } else if (part.kind === "lost") output.note("Hearth does not answer. Retrying ...");
          else if (part.kind === "back") output.note("Hearth is back.");
          else if (part.kind === "postponed") output.note(describePostponed(part));
          else if (part.kind === "held") output.note(describeHeld(agent, part.until));
          else if (part.kind === "asked") {
            if (shownApprovals.has(part.approval.id)) return;
            shownApprovals.add(part.approval.id);
            const lines = [...describeApproval(part.approval, agent.content.name), "To answer:"];
            for (const line of [...lines, ...describeCommands(part.approval)]) output.note(line);
          } else if (shouldStream && part.kind === "delta") printer.delta(part.event);
          else if (shouldStream) printer.restart();
        };
        const end = await awaitReply(
          { client, sleep: terminal.sleep, signal: controller.signal, onProgress },
          question,
        );
        if (shouldStream) printer.end(end?.kind === "replied" ? end.message.body.text : undefined);
        else if (!json && end?.kind === "replied") {
          output.line(
            `${output.style.bold(safeLine(agent.content.name))}:\n${safeText(withoutAddresses(end.message.body.text)).trimEnd()}\n`,
          );
        }
        const sources = end?.kind === "replied" ? describeSources(end.message.label) : undefined;
        if (sources !== undefined && !json) output.note(safeLine(sources));
        return [agent, end] as const;
      }),
    );
  } finally {
    removeInterrupt();
    controller.abort();
  }
};

interface Failure {
  readonly exit: ExitCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

const describeFailure = ({ content }: AgentRecord, end: ReplyEnd | undefined): Failure | undefined => {
  switch (end?.kind) {
    case "replied":
      return undefined;
    case undefined:
      return {
        exit: exitCodes.failed,
        message: `Stopped waiting for the reply of ${content.name}.`,
        hint: "The reply will appear in the room. To see it: hearth room events ROOM",
      };
    case "stopped":
      return { exit: exitCodes.failed, message: `${content.name} was stopped.` };
    case "silent":
      return { exit: exitCodes.failed, message: `${content.name} did not reply: ${end.reason}` };
    case "failed":
      return { exit: toExitCode(end.error.code), message: end.error.message, hint: end.error.hint };
  }
};

/**
 * Returns the JSON output. The fields of the first reply are at the top level. When several agents
 * were woken, `replies` has all of them.
 */
const toJson = ({ room }: Target, message: StoredMessage, ends: ReplyEnds): unknown => {
  const replies = ends.map(([agent, end]) => ({
    agent: agent.handle,
    reply: end?.kind === "replied" ? end.message.body.text : null,
    activation: end?.activation?.id ?? null,
    state: end?.activation?.state ?? "queued",
    usage: end?.activation?.usage,
    ...(end?.kind === "failed"
      ? { error: { code: end.error.code, message: end.error.message, hint: end.error.hint } }
      : {}),
  }));
  return { room: room.id, message: message.id, ...replies[0], ...(replies.length === 1 ? {} : { replies }) };
};
