/**
 * The simulated messages and the model that answers them. A message states which tools to call, so
 * the model needs no memory: `m7 do=pure,plain` calls two tools, `ask-plain` needs an approval, and
 * `ping` mentions other agents in the reply.
 */
import { dataOf, type ModelMessage, type ModelRequest, type ToolCall } from "@hearth/protocol";
import type { EffectClass, ToolName } from "@hearth/protocol/tools";
import { PADDING } from "./family-operations.ts";

export const EFFECTS = ["pure", "keyed", "reconcilable", "plain"] as const satisfies readonly EffectClass[];

/**
 * One tool of the cell per effect class. The keyed tools of Hearth run on the host, so
 * `declareKeyed` declares one in the cell.
 */
export const toolOf = { pure: "read", keyed: "glob", reconcilable: "write", plain: "edit" } as const satisfies Record<
  EffectClass,
  ToolName
>;

const inputOf = (effect: EffectClass, what: string): ToolCall["input"] => {
  switch (effect) {
    case "pure":
      return { path: what };
    case "keyed":
      return { pattern: what };
    case "reconcilable":
      return { path: what, content: "x" };
    case "plain":
      return { path: what, old: "x", new: "y" };
  }
};

/** The subject of a call: its path or its pattern. */
export const subjectOf = (input: unknown): string => {
  const { path, pattern } = input as { readonly path?: unknown; readonly pattern?: unknown };
  return String(path ?? pattern);
};

/** Whether a call with this input needs an approval. */
export const isAsking = (input: unknown): boolean => /^m\d+\.\d+\.ask$/.test(subjectOf(input));

/** The host of the pages that agents fetch. */
export const PAGE_HOST = "pages.example";

/** A file in every workspace, which agents attach to their replies. */
export const KEPT = { name: "kept.txt", text: "what the agent made" } as const;

const WANTED = /\b(m\d+)((?: [a-z]+=[a-z,-]+| ping)*)/;

/** The calls that a text asks for, in order. */
const callsOf = (text: string): readonly ToolCall[] => {
  const [, token = "", rest = ""] = WANTED.exec(text) ?? [];
  const wanted = /do=([a-z,-]+)/.exec(rest)?.[1]?.split(",") ?? [];
  return wanted.map((kind, index) => {
    const subject = `${token}.${index}${kind.startsWith("ask-") ? ".ask" : ""}`;
    if (kind === "recall") return { id: subject, name: "recall", input: { query: "secret fact zebra" } };
    if (kind === "attach") return { id: subject, name: "attach", input: { path: KEPT.name, caption: subject } };
    if (kind === "fetch") return { id: subject, name: "http_fetch", input: { url: `http://${PAGE_HOST}/${subject}` } };
    const effect = kind.replace("ask-", "") as EffectClass;
    return { id: subject, name: toolOf[effect], input: inputOf(effect, subject) };
  });
};

/** The call with an input over 16 KiB if its tool takes text. */
const enlarged = (call: ToolCall): ToolCall => {
  const input = call.input as Readonly<Record<string, unknown>>;
  if (call.name === "write") return { ...call, input: { ...input, content: PADDING } };
  return call.name === "edit" ? { ...call, input: { ...input, new: PADDING } } : call;
};

export interface Answer {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
}

/**
 * The model's next message: the calls that were asked for since its last reply, one by one or all
 * at once, then one reply. `times`: how often the same request was answered before, for a model
 * whose answers differ. From 1 it begins with the last call, or skips the only one left.
 */
export const answerTo = (messages: readonly ModelMessage[], times = 0): Answer => {
  const lastReply = messages.findLastIndex((message) => message.role === "assistant" && message.toolCalls.length === 0);
  const open = messages.slice(lastReply + 1);
  const asked = open.flatMap((message) => (message.role === "user" ? [message.text] : []));
  const made = new Set(
    open.flatMap((message) => (message.role === "assistant" ? message.toolCalls : [])).map(({ id }) => id),
  );
  // A call that two messages ask for is made once.
  const wanted = new Map(asked.flatMap(callsOf).map((call) => [call.id, call]));
  const left = [...wanted.values()].filter(({ id }) => !made.has(id));
  const first = times > 0 ? left.at(-1) : left[0];
  const isLarge = asked.some((text) => / large\b/.test(text));
  if (first !== undefined && !(times > 0 && left.length === 1)) {
    const together = asked.some((text) => text.includes("at=once"));
    return { text: "", toolCalls: (together ? left : [first]).map((call) => (isLarge ? enlarged(call) : call)) };
  }
  const tokens = asked.map((text) => WANTED.exec(text)?.[1] ?? "?");
  const ping = asked.some((text) => / ping\b/.test(text)) ? " @main @aide ping" : "";
  return { text: `re ${tokens.join(" ")}${ping}${isLarge ? ` ${PADDING}` : ""}`, toolCalls: [] };
};

/**
 * Whether the last message concerns the listening agent. The answer "maybe" is invalid on purpose.
 */
export const judge = (messages: readonly ModelMessage[]): string => {
  const last =
    messages.flatMap(({ text }) => [...text.matchAll(/\bm(\d+)/g)].map(([, number]) => Number(number))).at(-1) ?? 0;
  return ["YES", "NO", "maybe"][last % 3] ?? "";
};

/**
 * The model's answers for a compaction: a note, then a summary. Neither contains any message text.
 */
export const keep = ({ tools, messages }: Pick<ModelRequest, "tools" | "messages">): Answer =>
  tools.length === 0
    ? { text: `In short: ${messages.length} things.`, toolCalls: [] }
    : {
        text: "",
        toolCalls: [{ id: "keep", name: "remember", input: { text: `They said ${messages.length} things.` } }],
      };

/** The reason why a vendor would refuse this conversation, or `undefined`. */
export const refusalOf = (messages: readonly ModelMessage[]): string | undefined => {
  const [first] = messages;
  if (first?.role !== "user") return `it begins with ${first?.role ?? "nothing"}`;
  let pending: readonly string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      if (pending[0] !== message.call)
        return `message ${index} answers ${message.call}, but the next open call is ${pending[0] ?? "none"}`;
      pending = pending.slice(1);
      continue;
    }
    if (pending.length > 0) return `message ${index} follows the call ${pending[0]}, which has no result`;
    if (message.role === "assistant") pending = message.toolCalls.map(({ id }) => id);
    if (new Set(pending).size < pending.length) return `message ${index} repeats the id of a call`;
  }
  if (pending.length > 0) return `the call ${pending[0]} has no result`;
  const last = messages.at(-1);
  return last?.role === "assistant" ? "it ends with a message of the model" : undefined;
};

/** The picture that a pure call returns with its text, as base64. A GIF may have bytes after its end. */
export const pictureOf = (subject: string): string => btoa(`GIF89a\x01\0\x01\0\0\0\0${subject}`);

/** The first tool result whose picture is not the one of its call. A vendor gets the bytes of each. */
export const wrongPictureIn = (messages: readonly ModelMessage[], hasPictures: boolean): string | undefined => {
  for (const message of messages) {
    if (message.role !== "tool") continue;
    const subject = /^(m\d+\.\d+(?:\.ask)?) is read/.exec(message.text)?.[1];
    const shown = (message.parts ?? []).map((part) => (part.kind === "text" ? part.text : dataOf(part)));
    const expected = subject === undefined || !hasPictures ? [] : [pictureOf(subject)];
    if (shown.join() !== expected.join()) return `the result of ${message.call} has the pictures ${shown.join()}`;
  }
  return undefined;
};

/**
 * Describes the first result that belongs to another call, or `undefined`. Results name their
 * subject.
 */
export const mixedUpIn = (messages: readonly ModelMessage[]): string | undefined => {
  for (const message of messages) {
    if (message.role !== "tool") continue;
    const subject = /^(m\d+\.\d+(?:\.ask)?) (?:is (?:read|written|done)|was found done)/.exec(message.text)?.[1];
    if (subject !== undefined && subject !== message.call)
      return `the call ${message.call} has the result of ${subject}`;
  }
  return undefined;
};
