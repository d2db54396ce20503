/**
 * The interface through which commands read the audit log, from the daemon or from the home's
 * files.
 */
import type { AuditReport, AuditRow, HouseId } from "@hearth/protocol";

export interface NamedHouse {
  readonly id: HouseId;
  readonly handle: string;
}

export interface AuditSource extends Disposable {
  /** Returns the house with this name, or every house where the caller has x. */
  houses(named: string | undefined): Promise<readonly NamedHouse[]>;
  /** Returns the last rows, oldest first. */
  latest(house: NamedHouse, count: number): Promise<readonly AuditRow[]>;
  /** Returns the handles of agents and rooms by their ids. */
  handles(): Promise<ReadonlyMap<string, string>>;
  verify(house: NamedHouse): Promise<AuditReport>;
  /** Streams the exported log as pieces of text. */
  export(house: NamedHouse, since: number | undefined): AsyncIterable<string>;
}

export const handlesOf = (
  records: readonly { readonly type: string; readonly id: string; readonly handle: string }[],
): ReadonlyMap<string, string> =>
  new Map(records.map(({ type, id, handle }) => [id, type === "agent" ? `@${handle}` : handle]));
