/** The requests that the offline provider understands, and their phrasings. English only; pure. */

import type { Names } from "./offline-names.ts";

export type Request =
  | { readonly kind: "remember"; readonly text: string }
  /** An empty text recalls everything. */
  | { readonly kind: "recall"; readonly text: string }
  | { readonly kind: "list"; readonly path: string }
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | { readonly kind: "search"; readonly pattern: string; readonly path: string }
  | { readonly kind: "run"; readonly command: string }
  | { readonly kind: "time"; readonly zone: string }
  | Names
  | { readonly kind: "remind" }
  /** The prompt of a job that onboarding made. */
  | { readonly kind: "due"; readonly text: string }
  | { readonly kind: "help" }
  | { readonly kind: "greeting" }
  | { readonly kind: "unknown" };

export const readRequest = (text: string): Request => {
  const plainText = stripPoliteness(text);
  for (const [pattern, read] of patterns) {
    const match = pattern.exec(plainText);
    if (match !== null) return read(match.groups ?? {});
  }
  return { kind: plainText === "" ? "greeting" : "unknown" };
};

type Groups = Readonly<Record<string, string | undefined>>;

const group = (groups: Groups, name: string): string => unquote((groups[name] ?? "").trim());

/** The first match wins, so exact patterns come first. */
const patterns: readonly (readonly [RegExp, (groups: Groups) => Request])[] = [
  [/^(help|what can you do|what do you (do|understand)|commands)$/i, () => ({ kind: "help" })],
  [
    /^tell me this reminder, which is due now:\s+(?<text>[\s\S]+)$/i,
    (groups) => ({ kind: "due", text: group(groups, "text") }),
  ],
  [
    /^(remind\b|schedule\b|wake me\b|set (a|an) (alarm|timer|reminder)\b|every (day|hour|morning|evening|week|minute)\b)/i,
    () => ({ kind: "remind" }),
  ],
  [
    /^(call me|my name is|i am called)\s+(?<name>[^\n]{1,80})$/i,
    (groups) => ({ kind: "names", whose: "person", name: trimEnd(group(groups, "name")) }),
  ],
  [
    /^(your name is|you are called|i (will )?call you|be called)\s+(?<name>[^\n]{1,80})$/i,
    (groups) => ({ kind: "names", whose: "self", name: trimEnd(group(groups, "name")) }),
  ],
  [
    /^(what('s| is) the (current )?(time|date)|what time is it|what day is (it|today)|time|date)( (now|today))?( in (?<zone>\S+))?$/i,
    (groups) => ({ kind: "time", zone: group(groups, "zone") }),
  ],
  [
    /^(what do you (know|remember)|what have you (noted|remembered)|recall|what did i (tell|ask) you)( (about|of|on|to remember about))?(?<text>\s+[\s\S]+)?$/i,
    (groups) => ({
      kind: "recall",
      text: trimEnd(group(groups, "text")).replace(/^(everything|all|me|us|to remember)$/i, ""),
    }),
  ],
  [
    /^do you (know|remember)( (about|anything about))? (?<text>[\s\S]+)$/i,
    (groups) => ({ kind: "recall", text: trimEnd(group(groups, "text")) }),
  ],
  [
    /^(remember|note|keep in mind|don't forget|make a note)( down)?( that| of)?:?\s+(?<text>[\s\S]+)$/i,
    (groups) => ({ kind: "remember", text: group(groups, "text") }),
  ],
  [/^write\s+(?<path>`[^`\n]+`|"[^"\n]+"|\S+?):\s+(?<text>[\s\S]+)$/i, toWrite],
  [/^(write|save|put)\s+(?<text>[\s\S]+?)\s+(to|into|in)\s+(the )?(file )?(?<path>`[^`\n]+`|"[^"\n]+"|\S+)$/i, toWrite],
  [/^what('s| is) in (your|my|the) (workspace|folder)$/i, () => ({ kind: "list", path: "" })],
  [
    /^(read|show|open|cat|print|what's in|what is in)( me)?( the)?( file)?\s+(?<path>`[^`\n]+`|"[^"\n]+"|\S+)$/i,
    (groups) => ({ kind: "read", path: group(groups, "path") }),
  ],
  [/^(list|ls)( the)?( files| folder| directory)?( (in|of|under))?(?<path>\s+(`[^`\n]+`|"[^"\n]+"|\S+))?$/i, toList],
  [/^(show( me)?|what)( (is|are))?( all)?( my| your| the)? files( are there)?( (in|under)(?<path>\s+\S+))?$/i, toList],
  [
    /^(search|grep|find|look for)( for)?\s+(?<pattern>`[^`\n]+`|"[^"\n]+"|[\s\S]+?)(\s+in\s+(?<path>`[^`\n]+`|"[^"\n]+"|\S+))?$/i,
    (groups) => ({
      kind: "search",
      pattern: group(groups, "pattern"),
      path: group(groups, "path").replace(/^(files|everything|all)$/i, ""),
    }),
  ],
  [
    /^(run|execute|exec)( the)?( command)?:?\s+(?<command>[\s\S]+)$/i,
    (groups) => ({ kind: "run", command: group(groups, "command") }),
  ],
  [
    /^(hi|hello|hey|good (morning|day|evening|afternoon)|thanks|thank you|who are you|are you there)\b[\s\S]{0,30}$/i,
    () => ({ kind: "greeting" }),
  ],
];

function toWrite(groups: Groups): Request {
  return { kind: "write", path: group(groups, "path"), text: group(groups, "text") };
}

function toList(groups: Groups): Request {
  return { kind: "list", path: group(groups, "path").replace(/^(here|files)$/i, "") };
}

/**
 * Removes polite phrases: "@main, could you please list notes?" → "list notes". Keeps the
 * punctuation of commands and of text to store.
 */
const stripPoliteness = (text: string): string => {
  let plainText = text.trim().replace(/^(@[\p{L}\p{M}\p{N}-]+[,:]?\s*)+/u, "");
  for (;;) {
    const strippedText = plainText
      .replace(/^(please|kindly|hey|hi|hello|ok|okay|so|now)[,!]?\s+(?=\S)/i, "")
      .replace(/^(can|could|would|will) you( please)?\s+/i, "")
      .replace(/^i('d| would)? (want|like|need) you to\s+/i, "")
      .replace(/^(tell|show) me (?=what)/i, "");
    if (strippedText === plainText) break;
    plainText = strippedText;
  }
  const keepsPunctuation = /^(run|exec|execute|write|save|put|remember|note|search|grep|find)\b/i.test(plainText);
  return keepsPunctuation ? plainText.replace(/[\s,]+please[.!?]?$/i, "") : trimEnd(plainText);
};

const trimEnd = (text: string): string => text.replace(/([\s,]+please)?[\s?!.]*$/i, "");

const unquote = (text: string): string =>
  /^(`([^`]*)`|"([^"]*)")$/
    .exec(text)
    ?.slice(2)
    .find((inner) => inner !== undefined) ?? text;
