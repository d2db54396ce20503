/** The tables of `hearth.db`: their rows as the warden sees them, and the keys that every store upholds. */

/** JSON columns hold text; whoever writes a column also parses it. Instants are UTC milliseconds. */
export interface Tables {
  /** Houses, rooms and agents, as they are at present. */
  records: {
    readonly id: string;
    readonly type: string;
    readonly house: string;
    readonly handle: string;
    readonly version: number;
    readonly created_at: number;
    readonly updated_at: number;
    readonly content: string;
  };
  /** Durable streams' events. Written by `append` alone. JSON in `body`, or, if it is long, in the blob of this hash. */
  events: {
    readonly stream: string;
    readonly offset: number;
    readonly id: string;
    readonly type: string;
    readonly at: number;
    readonly body: string | null;
    readonly blob: string | null;
  };
  /** The offset of each stream's last event. Written by `append` alone. */
  heads: { readonly stream: string; readonly head: number };
  /** How far each named reader of a stream has come. */
  readers: { readonly reader: string; readonly stream: string; readonly offset: number };
  activations: {
    readonly id: string;
    readonly agent: string;
    readonly room: string;
    readonly trigger: string;
    readonly cause: string;
    /** The offset of `cause` in the room. */
    readonly cause_offset: number;
    readonly person: string;
    readonly state: string;
    readonly reason: string | null;
    readonly error: string | null;
    readonly model: string | null;
    readonly usage: string;
    /** What it was given at its start, JSON or the hash of a blob. */
    readonly frozen: string | null;
    readonly frozen_blob: string | null;
    readonly created_at: number;
    readonly started_at: number | null;
    readonly ended_at: number | null;
  };
  /** The journal: one row per call across a boundary. */
  steps: {
    readonly activation: string;
    readonly step: number;
    readonly kind: string;
    readonly name: string;
    readonly input_hash: string;
    readonly effect: string;
    readonly state: string;
    readonly output: string | null;
    readonly output_blob: string | null;
    readonly started_at: number;
    readonly ended_at: number | null;
  };
  keys: {
    readonly id: string;
    readonly name: string;
    readonly agent: string;
    /** SHA-256 of the key. */
    readonly hash: string;
    readonly created_at: number;
    readonly revoked_at: number | null;
  };
  /** Browser sessions, by the SHA-256 of their cookie. */
  logins: { readonly hash: string; readonly agent: string; readonly created_at: number; readonly expires_at: number };
}

export type TableName = keyof Tables;
/** Tables whose rows are written as such. The others follow from `append`. */
export type WritableTable = Exclude<TableName, "events" | "heads">;
export type Row<Table extends TableName> = Tables[Table];
export type Value = string | number | null;

interface TableShape<Table extends TableName> {
  /** Columns of the primary key. */
  readonly key: readonly (keyof Tables[Table] & string)[];
  /** Further sets of columns that are unique together. */
  readonly unique: readonly (readonly (keyof Tables[Table] & string)[])[];
}

export const tableShapes: { readonly [Table in TableName]: TableShape<Table> } = {
  records: { key: ["id"], unique: [["house", "type", "handle"]] },
  events: { key: ["stream", "offset"], unique: [["stream", "id"]] },
  heads: { key: ["stream"], unique: [] },
  readers: { key: ["reader", "stream"], unique: [] },
  activations: { key: ["id"], unique: [] },
  steps: { key: ["activation", "step"], unique: [] },
  keys: { key: ["id"], unique: [["hash"]] },
  logins: { key: ["hash"], unique: [] },
};
