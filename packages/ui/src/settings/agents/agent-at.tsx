/**
 * Loads the agent that the path names. After a rename, the path changes and the page stays open,
 * whether the API response or the event arrives first.
 */
import type { AgentRecord } from "@hearth/protocol";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { Spinner } from "../../design/spinner.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useRequest } from "../../house/request.ts";
import { pickNewest } from "../form/newest.ts";
import { type AgentTab, pathOfAgent } from "../place.ts";
import * as texts from "./text.ts";

export interface AgentLoaderProps {
  readonly handle: string;
  readonly page?: AgentTab | "inside";
  /**
   * Returns the path of the page for a handle, for a page outside the settings. Pass the same
   * function at each render.
   */
  readonly pathOf?: (handle: string) => string;
  /** Shown if the agent does not exist. */
  readonly notFoundView: ReactNode;
  /**
   * Renders the page. `onChange` reports an API response that the event log does not contain yet.
   */
  readonly children: (agent: AgentRecord, onChange: (agent: AgentRecord) => void) => ReactNode;
}

export const AgentLoader = ({ handle, page, pathOf, notFoundView, children }: AgentLoaderProps) => {
  const { client } = useUi();
  const { agents } = useHouse();
  const [, navigate] = useLocation();
  const [shownAgent, setShownAgent] = useState<ShownAgent>();
  const knownAgent = findAgent(agents, handle, shownAgent);
  const load = useCallback(() => client.agents.get(handle), [client, handle]);
  const request = useRequest(knownAgent === undefined ? load : undefined);
  const agent = knownAgent ?? request.value;
  useEffect(() => {
    if (agent === undefined) return;
    setShownAgent({ handle, agent });
    if (agent.handle !== handle) navigate(pathOf?.(agent.handle) ?? pathOfAgent(agent.handle, page), { replace: true });
  }, [agent, handle, page, pathOf, navigate]);

  if (agent === undefined) return request.isLoading ? <Spinner label={texts.loading} /> : notFoundView;
  return children(agent, (changedAgent) => setShownAgent({ handle, agent: changedAgent }));
};

/** The agent that is shown, and the handle in the path of the page. */
export interface ShownAgent {
  readonly handle: string;
  readonly agent: AgentRecord;
}

/** Returns the agent with this handle, or the agent that was shown under it before a rename. */
export const findAgent = (
  agents: ReadonlyMap<string, AgentRecord>,
  handle: string,
  shownAgent: ShownAgent | undefined,
): AgentRecord | undefined => {
  const agentByHandle = [...agents.values()].find((agent) => agent.handle === handle);
  if (shownAgent === undefined) return agentByHandle;
  if (agentByHandle !== undefined) return pickNewest(agentByHandle, shownAgent.agent);
  const isShown = shownAgent.handle === handle || shownAgent.agent.handle === handle;
  return isShown ? pickNewest(agents.get(shownAgent.agent.id) ?? shownAgent.agent, shownAgent.agent) : undefined;
};
