/** The pending approvals of the person, fetched again after room events and at an interval. */
import type { Approval } from "@hearth/protocol";
import { useCallback, useEffect, useRef } from "react";
import { type RequestState, useRequest } from "../house/request.ts";
import { useInterval } from "../house/interval.ts";
import { useHouse, useUi } from "../house/ui.tsx";

/** Room events do not cover expiry, or requests in rooms that the person cannot see. */
const POLL_INTERVAL_MS = 5000;
/** Maximum number that the API returns. */
const MAX_APPROVALS = 1000;

/** Returns the approvals, newest first. */
export const usePendingApprovals = (): RequestState<readonly Approval[]> => {
  const { client } = useUi();
  const { rooms } = useHouse();
  const load = useCallback(
    async () => (await client.approvals()).list({ state: "pending", limit: MAX_APPROVALS }),
    [client],
  );
  const request = useRequest(load);
  const { reload } = request;
  const seenRooms = useRef(rooms);
  useEffect(() => {
    if (seenRooms.current === rooms) return;
    seenRooms.current = rooms;
    reload();
  }, [rooms, reload]);
  useInterval(POLL_INTERVAL_MS, reload);
  return request;
};
