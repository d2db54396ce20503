/** A request as a model server received it, taken apart: the fields that cost tokens, and the brain's own text within them. */

export interface SentText {
  /** `system`, `tools` and `messages`, those that are there, as the JSON that was sent. */
  readonly fields: readonly { readonly name: string; readonly text: string }[];
  /** The files that stand in the fields, in the very form they have there. Others were not sent. */
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
