/** The rows of the audit log that match a filter, newest first, loaded in pages. */
import type { AuditFilter, AuditRow, HouseId } from "@hearth/protocol";
import type { Client } from "@hearth/client";
import { useCallback, useState } from "react";
import { type RequestState, useRequest } from "../../house/request.ts";
import { type Submission, useSubmission } from "../../house/use-submission.ts";
import { useUi } from "../../house/ui.tsx";

const PAGE_SIZE = 50;
/** Number of requests before the user decides whether to search further. */
const MAX_REQUESTS = 10;

export interface AuditRows {
  readonly rows: readonly AuditRow[];
  /** Continues the search. Absent: no older rows match. */
  readonly next?: number | undefined;
}

export interface LoadedAuditRows {
  readonly request: RequestState<AuditRows>;
  /** The loading of older rows. */
  readonly olderSubmission: Submission;
  readonly loadOlder: () => Promise<void>;
}

export const useAuditRows = (house: HouseId, filter: AuditFilter): LoadedAuditRows => {
  const { client } = useUi();
  const [loadedRows, setLoadedRows] = useState<{ readonly firstPage: AuditRows; readonly allRows: AuditRows }>();
  const olderSubmission = useSubmission();
  const request = useRequest(useCallback(() => load(client, house, filter), [client, house, filter]));
  const firstPage = request.value;
  const value = firstPage !== undefined && loadedRows?.firstPage === firstPage ? loadedRows.allRows : firstPage;
  const loadOlder = async (): Promise<void> => {
    if (firstPage === undefined || value === undefined) return;
    await olderSubmission.run(async () => {
      const { rows, next } = await load(client, house, filter, value.next);
      setLoadedRows({ firstPage, allRows: { rows: [...value.rows, ...rows], next } });
    });
  };
  return { request: { ...request, value }, olderSubmission, loadOlder };
};

/** Searches until there are rows. One request examines a limited number of rows and may return none. */
const load = async (client: Client, house: HouseId, filter: AuditFilter, startOffset?: number): Promise<AuditRows> => {
  const audit = await client.audit();
  let before = startOffset;
  for (let count = 1; ; count += 1) {
    const { rows, next } = await audit.read(house, { ...filter, before, limit: PAGE_SIZE });
    if (rows.length > 0 || next === undefined || count === MAX_REQUESTS) return { rows, next };
    before = next;
  }
};
