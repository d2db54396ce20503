/** What the house knows and does not show, as it stands: whoever shows something asks it, and is given what is true at that moment. */
import { createRedactor, type RedactingStream, type Redactor } from "./redactor.ts";

export interface Redaction {
  /** The text without any value. */
  text(text: string): string;
  /** Whether nothing is known, so that nothing is ever left out. */
  isEmpty(): boolean;
  /** For a stream that begins now: it knows what is known now. */
  stream(): RedactingStream;
  /** A value that is shown no more from now on. Its predecessor of that name is not shown either, as long as the house runs. */
  learn(house: string, name: string, value: string): void;
}

export const createRedaction = (): Redaction => {
  /** By house and name: the value, and the one before it, which may still be on its way somewhere. */
  const known = new Map<string, { readonly name: string; readonly values: readonly string[] }>();
  let made: Redactor | undefined;

  const redactor = (): Redactor => {
    made ??= createRedactor(
      [...known.values()].flatMap(({ name, values }) => values.map((value) => ({ name, value }))),
    );
    return made;
  };

  return {
    text: (text) => (known.size === 0 ? text : redactor().text(text)),
    isEmpty: () => known.size === 0,
    stream: () => redactor().stream(),
    learn(house, name, value) {
      const key = `${house}/${name}`;
      const [before] = known.get(key)?.values ?? [];
      if (before === value) return;
      known.set(key, { name, values: before === undefined ? [value] : [value, before] });
      made = undefined;
    },
  };
};
