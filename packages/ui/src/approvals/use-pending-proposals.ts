/** Pending proposals of every agent whose proposals the person may decide, fetched at an interval. */
import type { PendingProposal } from "@hearth/protocol";
import { useCallback } from "react";
import { type Answer, useAnswer } from "../house/answer.ts";
import { useInterval } from "../house/interval.ts";
import { useUi } from "../house/ui.tsx";

const POLL_INTERVAL_MS = 5000;

/** Newest first. */
export const usePendingProposals = (): Answer<readonly PendingProposal[]> => {
  const { client } = useUi();
  const answer = useAnswer(useCallback(async () => (await client.brains()).pending(), [client]));
  useInterval(POLL_INTERVAL_MS, answer.again);
  return answer;
};
