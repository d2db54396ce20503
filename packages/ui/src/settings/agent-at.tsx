/** The agent of a path. A new name is a new path, and the house's answer may come before its log or after it: neither loses the page. */
import type { AgentRecord } from "@hearth/protocol";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { Spinner } from "../design/spinner.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { useAnswer } from "../house/answer.ts";
import { newest } from "./newest.ts";
import { pathOfAgent } from "./place.ts";

export interface AgentAtProps {
  readonly handle: string;
  readonly page?: "activity" | "inside";
  /** Where the page is for an agent of another handle, if it is none of the settings. Keeps its identity. */
  readonly pathOf?: (handle: string) => string;
  /** Shown when there is no such agent. */
  readonly missing: ReactNode;
  /** The page, and how to tell it of an answer that the log has not told yet. */
  readonly children: (agent: AgentRecord, onChange: (agent: AgentRecord) => void) => ReactNode;
}

export const AgentAt = ({ handle, page, pathOf, missing, children }: AgentAtProps) => {
  const { client } = useUi();
  const { agents } = useHouse();
  const [, navigate] = useLocation();
  const [shown, setShown] = useState<Shown>();
  const known = findAgent(agents, handle, shown);
  const ask = useCallback(() => client.agents.get(handle), [client, handle]);
  const asked = useAnswer(known === undefined ? ask : undefined);
  const agent = known ?? asked.value;
  useEffect(() => {
    if (agent === undefined) return;
    setShown({ at: handle, agent });
    if (agent.handle !== handle) navigate(pathOf?.(agent.handle) ?? pathOfAgent(agent.handle, page), { replace: true });
  }, [agent, handle, page, pathOf, navigate]);

  if (agent === undefined) return asked.isAsking ? <Spinner label="Please wait" /> : missing;
  return children(agent, (changed) => setShown({ at: handle, agent: changed }));
};

/** What the page shows, and the handle in its path. */
export interface Shown {
  readonly at: string;
  readonly agent: AgentRecord;
}

/** The agent of this handle, or the one that was shown under it and has another by now. */
export const findAgent = (
  agents: ReadonlyMap<string, AgentRecord>,
  handle: string,
  shown: Shown | undefined,
): AgentRecord | undefined => {
  const named = [...agents.values()].find((agent) => agent.handle === handle);
  if (shown === undefined) return named;
  if (named !== undefined) return newest(named, shown.agent);
  const isShown = shown.at === handle || shown.agent.handle === handle;
  return isShown ? newest(agents.get(shown.agent.id) ?? shown.agent, shown.agent) : undefined;
};
