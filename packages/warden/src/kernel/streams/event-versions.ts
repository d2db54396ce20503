/** Events as they are kept, by type: an event that an older Hearth wrote is brought to the present shape when it is read. */
import type { AnyEvent } from "@hearth/protocol";
import { createVersions, type Versions } from "../store/versions.ts";

type Table = { readonly [Type in AnyEvent["type"]]?: Versions };

/**
 * Types whose shape has changed since it was released, with an upcast for each change. A type that is not named is as it was first.
 * Whoever changes a type stamps it with `stamp` where it is appended, and adds its upcast here.
 */
export const eventVersions: Table = {};

const FIRST = createVersions("An event", []);

/** Throws `store.foreign` for an event of a newer Hearth. */
export const readEvent = (type: string, text: string, table: Table = eventVersions): AnyEvent => {
  const versions = Object.hasOwn(table, type) ? (table[type as AnyEvent["type"]] ?? FIRST) : FIRST;
  return versions.read(JSON.parse(text), undefined) as AnyEvent;
};
