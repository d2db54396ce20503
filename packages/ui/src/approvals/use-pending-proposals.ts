/** Pending proposals of every agent whose proposals the person may decide, fetched at an interval. */
import type { PendingProposal } from "@hearth/protocol";
import { useCallback } from "react";
import { type RequestState, useRequest } from "../house/request.ts";
import { useInterval } from "../house/interval.ts";
import { useUi } from "../house/ui.tsx";

const POLL_INTERVAL_MS = 5000;

/** Returns the proposals, newest first. */
export const usePendingProposals = (): RequestState<readonly PendingProposal[]> => {
  const { client } = useUi();
  const request = useRequest(useCallback(async () => (await client.brains()).pending(), [client]));
  useInterval(POLL_INTERVAL_MS, request.reload);
  return request;
};
