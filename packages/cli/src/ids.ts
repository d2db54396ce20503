/** Ids as they are typed: one that is none is refused before anybody is asked, with the command that lists them. */
import type { IdOfPrefix } from "@hearth/protocol";
import { UsageError } from "./usage-error.ts";

const NAMES = {
  act: "an activation",
  apr: "a call that is asked about",
  chg: "a change",
  key: "a key",
  note: "a message between agents",
  out: "a delivery",
  prop: "a proposed change",
  rule: "a rule",
  ses: "a browser's session",
} as const satisfies Partial<Record<keyof IdOfPrefix, string>>;

type Prefix = keyof typeof NAMES;

/** The id that `text` is. Throws a `UsageError` that names `list`, the command that shows such ids. */
export const readId = <Kind extends Prefix>(prefix: Kind, text: string, list: string): IdOfPrefix[Kind] => {
  if (isId(prefix, text)) return text;
  throw new UsageError(`"${text}" is not the id of ${NAMES[prefix]}.`, `They begin with ${prefix}_: ${list}`);
};

const isId = <Kind extends Prefix>(prefix: Kind, text: string): text is IdOfPrefix[Kind] & string =>
  text.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length + 1));
