/** What an agent remembers: looked through as it looks through it itself, with a place to keep a fact and how its index stands. */
import type { AgentRecord } from "@hearth/protocol";
import { useState } from "react";
import { KeepFact } from "./keep-fact.tsx";
import styles from "./brain.module.css";
import { MemoryIndex } from "./memory-index.tsx";
import { MemorySearch } from "./memory-search.tsx";

export const MemoryTab = ({ agent }: { readonly agent: AgentRecord }) => {
  /** Counts what was kept or forgotten here: the index is looked at again. */
  const [changes, setChanges] = useState(0);
  const change = (): void => setChanges((count) => count + 1);
  return (
    <section className={styles.section} aria-label="Memory">
      <MemorySearch agent={agent} onChange={change} />
      <KeepFact agent={agent} onChange={change} />
      <MemoryIndex key={changes} agent={agent} />
    </section>
  );
};
