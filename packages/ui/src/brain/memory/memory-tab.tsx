/** The memory of an agent: search, adding facts, and the state of the index. */
import type { AgentRecord } from "@hearth/protocol";
import { useState } from "react";
import { AddFact } from "./keep-fact.tsx";
import styles from "../brain.module.css";
import { MemoryIndex } from "./memory-index.tsx";
import { MemorySearch } from "./memory-search.tsx";
import * as texts from "../text.ts";

export const MemoryTab = ({ agent }: { readonly agent: AgentRecord }) => {
  /** Counts changes made here, so that the index state is fetched again. */
  const [changes, setChanges] = useState(0);
  const change = (): void => setChanges((count) => count + 1);
  return (
    <section className={styles.section} aria-label={texts.memory}>
      <MemorySearch agent={agent} onChange={change} />
      <AddFact agent={agent} onChange={change} />
      <MemoryIndex key={changes} agent={agent} />
    </section>
  );
};
