/** Changes the tools and hosts of an agent. Changes are saved at once, one after the other. */
import { type AgentRecord, DEFAULT_TOOLS, type EgressGrant, type PatchRecord } from "@hearth/protocol";
import { useEffect, useRef, useState } from "react";
import { useAnnounce } from "../../../design/announcer.tsx";
import { useUi } from "../../../house/ui.tsx";
import { pickNewest } from "../../form/newest.ts";

export interface AccessChange {
  /** The list after the change. Absent: it stays. */
  readonly tools?: readonly string[];
  readonly egress?: readonly EgressGrant[];
}

export interface AccessChanges {
  readonly error: unknown;
  /** Saves a change of the newest known record, and then announces `announcement`. */
  readonly change: (plan: (agent: AgentRecord) => AccessChange, announcement: string) => Promise<void>;
}

export const useAccess = (agent: AgentRecord, onChange: (agent: AgentRecord) => void): AccessChanges => {
  const { client } = useUi();
  const announce = useAnnounce();
  const latestAgent = useRef(agent);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    latestAgent.current = pickNewest(agent, latestAgent.current);
  }, [agent]);

  const save = async (plan: (agent: AgentRecord) => AccessChange, announcement: string): Promise<void> => {
    const { id, version } = latestAgent.current;
    try {
      const content = toPatch(plan(latestAgent.current));
      const savedAgent = await client.agents.update(id, { version, content });
      latestAgent.current = savedAgent;
      onChange(savedAgent);
      setError(undefined);
      announce(announcement);
    } catch (failure) {
      setError(failure);
    }
  };
  return {
    error,
    change(plan, announcement) {
      queue.current = queue.current.then(() => save(plan, announcement));
      return queue.current;
    },
  };
};

/** Returns the patch. Removes empty lists and the default list from the record. */
const toPatch = ({ tools, egress }: AccessChange): PatchRecord["content"] => {
  const isDefault = tools?.length === 1 && tools[0] === DEFAULT_TOOLS;
  return {
    ...(tools === undefined ? {} : { tools: isDefault ? null : [...tools] }),
    ...(egress === undefined ? {} : { egress: egress.length === 0 ? null : [...egress] }),
  } as PatchRecord["content"];
};
