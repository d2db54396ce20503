/** Houses, rooms and agents: one record type, one way to change any of them, every change in the house's log. */
import type { Change } from "../../kernel/index.ts";
import type { AgentId, HearthRecord, HouseId, Level, RecordId, RecordOf, RecordType } from "@hearth/protocol";

/** The input form of a record's content: defaults may be missing. Checked here. */
export type Mutation =
  | {
      readonly kind: "create";
      readonly type: RecordType;
      readonly house?: HouseId;
      readonly content: unknown;
      /** What an agent may do in its house from the beginning (default `w`), or its maker in a room (default `x`). */
      readonly level?: Level | "none";
      /** What becomes durable together with it. */
      readonly along?: (record: HearthRecord) => Change;
    }
  /** Fields to set; `null` takes an optional one away. With `version`, refused when somebody changed it since. */
  | {
      readonly kind: "update";
      readonly id: RecordId;
      readonly content: Readonly<Record<string, unknown>>;
      readonly version?: number;
    }
  | { readonly kind: "remove"; readonly id: RecordId };

export interface Records {
  list<Type extends RecordType>(type: Type, house?: HouseId): Promise<readonly RecordOf<Type>[]>;
  /** By id or by handle. */
  find<Type extends RecordType>(type: Type, idOrHandle: string, house?: HouseId): Promise<RecordOf<Type> | undefined>;
  /** As `find`, but throws `record.not-found`, naming what there is. */
  get<Type extends RecordType>(type: Type, idOrHandle: string, house?: HouseId): Promise<RecordOf<Type>>;
  /**
   * The only way to change a record. Throws `record.invalid` with the field, `record.handle-taken`, `record.version`,
   * `record.not-found`, or `record.pinned` with the config's file and line.
   */
  mutate(mutation: Mutation, by: AgentId): Promise<HearthRecord>;
}
