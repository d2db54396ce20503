/** Where a command reads the audit log: at the daemon, or from the files of its home. */
import type { AuditReport, AuditRow, HouseId } from "@hearth/protocol";

export interface NamedHouse {
  readonly id: HouseId;
  readonly handle: string;
}

export interface AuditSource extends Disposable {
  /** The house of this name, or all where the asker decides. */
  houses(named: string | undefined): Promise<readonly NamedHouse[]>;
  /** The last rows, oldest first. */
  latest(house: NamedHouse, count: number): Promise<readonly AuditRow[]>;
  /** Handles of agents and rooms, by their ids. */
  handles(): Promise<ReadonlyMap<string, string>>;
  verify(house: NamedHouse): Promise<AuditReport>;
  /** Pieces of text. */
  export(house: NamedHouse, since: number | undefined): AsyncIterable<string>;
}

export const handlesOf = (
  records: readonly { readonly type: string; readonly id: string; readonly handle: string }[],
): ReadonlyMap<string, string> =>
  new Map(records.map(({ type, id, handle }) => [id, type === "agent" ? `@${handle}` : handle]));
