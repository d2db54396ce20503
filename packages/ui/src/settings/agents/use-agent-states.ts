/**
 * The current state of each agent in a house, refreshed while the page is open. Empty without read
 * access to the house.
 */
import type { AgentState, HouseId } from "@hearth/protocol";
import { useCallback, useMemo } from "react";
import { mayIn } from "../../house/may.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useRequest } from "../../house/request.ts";
import { useInterval } from "../../house/interval.ts";

const POLL_INTERVAL_MS = 2000;

export const useAgentStates = (
  house: HouseId | undefined,
  pollMs = POLL_INTERVAL_MS,
): ReadonlyMap<string, AgentState> => {
  const { client } = useUi();
  const { me } = useHouse();
  const isOpen = mayIn(me, "r", house);
  const load = useCallback(
    () => (house === undefined ? Promise.resolve([]) : client.houses.agentStates(house)),
    [client, house],
  );
  const { value, reload } = useRequest(isOpen ? load : undefined);
  useInterval(pollMs, reload);
  return useMemo(() => new Map((value ?? []).map((state) => [state.agent, state])), [value]);
};
