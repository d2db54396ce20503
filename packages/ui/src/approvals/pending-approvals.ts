/** What agents ask the person at the moment, asked for anew when something happens in a room, and now and then. */
import type { Approval } from "@hearth/protocol";
import { useCallback, useEffect, useRef } from "react";
import { type Answer, useAnswer } from "../house/answer.ts";
import { useEvery } from "../house/every.ts";
import { useHouse, useUi } from "../house/ui.tsx";

/** For what no room tells of: something ran out, or is asked in a room that one does not see. */
const EVERY_MS = 5000;
/** The most that the house tells at once. */
const LIMIT = 1000;

/** The newest comes first. */
export const usePendingApprovals = (): Answer<readonly Approval[]> => {
  const { client } = useUi();
  const { rooms } = useHouse();
  const ask = useCallback(async () => (await client.approvals()).list({ state: "pending", limit: LIMIT }), [client]);
  const answer = useAnswer(ask);
  const { again } = answer;
  const seen = useRef(rooms);
  useEffect(() => {
    if (seen.current === rooms) return;
    seen.current = rooms;
    again();
  }, [rooms, again]);
  useEvery(EVERY_MS, again);
  return answer;
};
