/** What people and bots are called, also those who left. */
import { useCallback } from "react";
import { useHouse } from "../house/ui.tsx";
import { visible } from "../text/visible.tsx";

export const useNames = (): ((agent: string) => string) => {
  const { agents, me } = useHouse();
  return useCallback(
    (agent) => (agent === me?.agent.id ? "You" : visible(agents.get(agent)?.content.name ?? "Somebody who left")),
    [agents, me],
  );
};
