/**
 * The interface through which commands read the audit log, from the daemon or from the home's
 * files.
 */
import type { AgentId, AuditFilter, AuditReport, AuditRow, HouseId } from "@hearth/protocol";

export interface NamedHouse {
  readonly id: HouseId;
  readonly handle: string;
}

/** One step of a search. `next` continues it as `before`. */
export interface FoundRows {
  /** Newest first. */
  readonly rows: readonly AuditRow[];
  readonly next?: number | undefined;
}

export interface AuditSource extends Disposable {
  /** Returns the house with this name, or every house where the caller has x. */
  houses(name: string | undefined): Promise<readonly NamedHouse[]>;
  /** Searches a limited number of rows, from `before` backward. */
  search(
    house: NamedHouse,
    search: AuditFilter & { readonly before?: number | undefined; readonly limit: number },
  ): Promise<FoundRows>;
  /** Returns the id of a person or an agent. Throws `record.not-found`. */
  idOf(name: string): Promise<AgentId>;
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
