/** Names of agents and people, including former members. */
import { useCallback } from "react";
import { useHouse } from "../house/ui.tsx";
import { toVisible } from "../text/visible.tsx";
import * as texts from "./text.ts";

export const useNames = (): ((agent: string) => string) => {
  const { agents, me } = useHouse();
  return useCallback(
    (agent) => (agent === me?.agent.id ? texts.you : toVisible(agents.get(agent)?.content.name ?? texts.formerMember)),
    [agents, me],
  );
};
