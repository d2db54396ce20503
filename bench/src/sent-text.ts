/**
 * Splits a model request into the fields that cost tokens and the brain's text within them, and
 * compares requests in the order in which vendors cache them.
 */

export interface SentText {
  /** The present fields among `system`, `tools` and `messages`, as sent JSON. */
  readonly fields: readonly { readonly name: string; readonly text: string }[];
  /** The brain files that were sent, in the form they have in the fields. */
  readonly brain: readonly string[];
}

const FIELDS = ["system", "tools", "messages"] as const;

export const splitText = (body: string, files: readonly string[]): SentText => {
  const request = JSON.parse(body) as Readonly<Record<string, unknown>>;
  const fields = FIELDS.flatMap((name) => {
    const value = request[name];
    return value === undefined ? [] : [{ name, text: JSON.stringify(value) }];
  });
  const brain = files
    .map((text) => JSON.stringify(text.trim()).slice(1, -1))
    .filter((text) => text !== "" && fields.some((field) => field.text.includes(text)));
  return { fields, brain };
};

/** The request's tools, system and messages in the order of the vendors' caches, without marks for the cache. */
export const inCacheOrder = (body: string): string => {
  const request = JSON.parse(body, (key, value: unknown) => (key === "cache_control" ? undefined : value));
  const { tools = [], system = [], messages } = request as Readonly<Record<string, readonly unknown[]>>;
  return [...tools, ...system, ...(messages ?? [])].map((part) => JSON.stringify(part)).join("\n");
};

/** Returns the common beginning of two texts. */
export const sharedStart = (a: string, b: string): string => {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length);
};
