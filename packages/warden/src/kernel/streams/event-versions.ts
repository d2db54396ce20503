/** Versions of stored events by type. An event of an older Hearth is upgraded when it is read. */
import type { AnyEvent } from "@hearth/protocol";
import { createVersions, type Versions } from "../store/versions.ts";

type VersionTable = { readonly [Type in AnyEvent["type"]]?: Versions };

/**
 * The types whose shape has changed since their release, with an upcast per change. Other types
 * have their first shape. To change a type, stamp it with `stamp` where it is appended, and add its
 * upcast here.
 */
export const eventVersions: VersionTable = {};

const WITHOUT_UPCASTS = createVersions("An event", []);

/** Reads an event. Throws `store.foreign` for an event of a newer Hearth. */
export const readEvent = (type: string, text: string, table: VersionTable = eventVersions): AnyEvent => {
  const versions = Object.hasOwn(table, type) ? (table[type as AnyEvent["type"]] ?? WITHOUT_UPCASTS) : WITHOUT_UPCASTS;
  return versions.read(JSON.parse(text), undefined) as AnyEvent;
};
