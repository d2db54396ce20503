/** Pending proposals of every agent whose proposals the person may decide, fetched at an interval. */
import type { PendingProposal } from "@hearth/protocol";
import { useCallback } from "react";
import { type Answer, useAnswer } from "../house/answer.ts";
import { useEvery } from "../house/every.ts";
import { useUi } from "../house/ui.tsx";

const EVERY_MS = 5000;

/** Newest first. */
export const usePendingProposals = (): Answer<readonly PendingProposal[]> => {
  const { client } = useUi();
  const answer = useAnswer(useCallback(async () => (await client.brains()).pending(), [client]));
  useEvery(EVERY_MS, answer.again);
  return answer;
};
