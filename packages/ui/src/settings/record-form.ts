/** A form over a record: holds only what a person touched, so that everything else follows the record when it changes elsewhere. */

export type Fields = Readonly<Record<string, string>>;
/** What was touched, as it was typed. */
export type Typed<Saved extends Fields> = { readonly [Field in keyof Saved]?: string };

/** What the fields show. */
export const valuesOf = <Saved extends Fields>(saved: Saved, typed: Typed<Saved>): Saved => ({ ...saved, ...typed });

/** What differs from the record, as a patch takes it: an empty text takes the field away. */
export const changesOf = <Saved extends Fields>(saved: Saved, typed: Typed<Saved>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries<string | undefined>(typed).flatMap(([field, text]) => {
      const trimmed = (text ?? "").trim();
      return trimmed === (saved[field] ?? "").trim() ? [] : [[field, trimmed === "" ? null : trimmed]];
    }),
  );

/** After `sent` was saved: what has been typed since stays touched. */
export const afterSave = <Saved extends Fields>(typed: Typed<Saved>, sent: Typed<Saved>): Typed<Saved> =>
  keep<Saved>(Object.entries<string | undefined>(typed).filter(([field, text]) => sent[field] !== text));

/** The reading of what `JSON.stringify` kept, as far as it is about these fields. */
export const readTyped = <Saved extends Fields>(saved: Saved, text: string | undefined): Typed<Saved> => {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? "");
  } catch {
    return {};
  }
  if (typeof kept !== "object" || kept === null) return {};
  return keep<Saved>(
    Object.entries(kept).filter(
      (entry): entry is [string, string] => Object.hasOwn(saved, entry[0]) && typeof entry[1] === "string",
    ),
  );
};

const keep = <Saved extends Fields>(entries: readonly (readonly [string, string | undefined])[]): Typed<Saved> =>
  Object.fromEntries(entries) as Typed<Saved>;
