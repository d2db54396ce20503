/**
 * Houses, rooms and agents as records. One method changes them, and every change is in the house's
 * log.
 */
import type { Change, NewEvent } from "../../kernel/index.ts";
import type { AgentId, HearthRecord, HouseId, Level, RecordId, RecordOf, RecordType } from "@hearth/protocol";

/** The content in input form, in which defaults may be missing. It is validated here. */
export type Mutation =
  | {
      readonly kind: "create";
      readonly type: RecordType;
      readonly house?: HouseId;
      readonly content: unknown;
      /**
       * The level of an agent on its house (default `w`), or of a room's creator on the room
       * (default `x`).
       */
      readonly level?: Level | "none";
      /** Further changes of the same commit. */
      readonly sameCommit?: (record: HearthRecord) => RecordChange;
    }
  /**
   * Sets fields. `null` removes an optional one. With `version`, the change is refused if the
   * record has changed since.
   */
  | {
      readonly kind: "update";
      readonly id: RecordId;
      readonly content: Readonly<Record<string, unknown>>;
      readonly version?: number;
    }
  | { readonly kind: "remove"; readonly id: RecordId };

/** Guards, writes and events that are committed together with a change of a record. */
export interface RecordChange extends Change {
  readonly events?: readonly NewEvent[];
}

export interface Records {
  list<Type extends RecordType>(type: Type, house?: HouseId): Promise<readonly RecordOf<Type>[]>;
  /** Finds a record by id or by handle. */
  find<Type extends RecordType>(type: Type, idOrHandle: string, house?: HouseId): Promise<RecordOf<Type> | undefined>;
  /** Like `find`, but throws `record.not-found`, listing the known ones. */
  get<Type extends RecordType>(type: Type, idOrHandle: string, house?: HouseId): Promise<RecordOf<Type>>;
  /**
   * Changes a record. No other method does. Throws `record.invalid` with the field,
   * `record.handle-taken`, `record.version`, `record.not-found`, or `record.pinned` with the
   * config's file and line.
   */
  mutate(mutation: Mutation, by: AgentId): Promise<HearthRecord>;
}
