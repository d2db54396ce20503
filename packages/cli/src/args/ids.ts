/** Validates typed ids before any request. An error names the command that lists such ids. */
import type { IdOfPrefix } from "@hearth/protocol";
import { UsageError } from "./usage-error.ts";

const NAMES = {
  act: "an activation",
  apr: "an approval",
  chg: "a change",
  inv: "an invite",
  key: "a key",
  note: "a message between agents",
  out: "a delivery",
  prop: "a proposed change",
  rule: "a rule",
  ses: "a browser's session",
} as const satisfies Partial<Record<keyof IdOfPrefix, string>>;

type Prefix = keyof typeof NAMES;

/**
 * Returns `text` as an id. Throws a `UsageError` that names `list`, the command that lists such
 * ids.
 */
export const readId = <Kind extends Prefix>(prefix: Kind, text: string, list: string): IdOfPrefix[Kind] => {
  if (isId(prefix, text)) return text;
  throw new UsageError(
    `"${text}" is not the id of ${NAMES[prefix]}.`,
    `Such ids begin with ${prefix}_. To list them: ${list}`,
  );
};

const isId = <Kind extends Prefix>(prefix: Kind, text: string): text is IdOfPrefix[Kind] & string =>
  text.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length + 1));
