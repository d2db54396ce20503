/** Parses list values of flags: `a,b` sets the list, `+a,-b` changes it. */
import { UsageError } from "../args/usage-error.ts";

export type ListChange =
  | { readonly kind: "set"; readonly names: readonly string[] }
  | { readonly kind: "change"; readonly add: readonly string[]; readonly remove: readonly string[] };

export const readListChange = (flag: string, text: string): ListChange => {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const add = words.filter((word) => word.startsWith("+")).map((word) => word.slice(1));
  const remove = words.filter((word) => word.startsWith("-")).map((word) => word.slice(1));
  const changeCount = add.length + remove.length;
  if (changeCount === 0) return { kind: "set", names: [...new Set(words)] };
  if (changeCount === words.length) return { kind: "change", add, remove };
  throw new UsageError(`${flag} mixes a whole list with changes: ${text}`, `Use either ${flag} a,b or ${flag} +a,-b`);
};

/**
 * Returns the list after the change. Added names are last. Removing a name that is not on the list
 * is not an error.
 */
export const applyListChange = (change: ListChange, currentNames: readonly string[]): string[] =>
  change.kind === "set"
    ? [...change.names]
    : [...new Set([...currentNames.filter((name) => !change.remove.includes(name)), ...change.add])];

export const namesOf = (change: ListChange): readonly string[] =>
  change.kind === "set" ? change.names : [...change.add, ...change.remove];
