/** The changes that a run made in the brain of its agent, and the revert of all of them. */
import type { UndoBrain } from "@hearth/protocol";
import { useState } from "react";
import { Link } from "wouter";
import { describeChange } from "../brain/history/change-words.ts";
import { UndoDialog } from "../brain/history/undo-dialog.tsx";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { brainPath } from "../house/paths.ts";
import { useHouse } from "../house/ui.tsx";
import styles from "./run.module.css";
import type { RunRecord } from "./timeline.ts";
import * as texts from "./text.ts";

export const RunChanges = ({ record: { detail, changes } }: { readonly record: RunRecord }) => {
  const agent = useHouse().agents.get(detail.agent);
  const announce = useAnnounce();
  const [undoTarget, setUndoTarget] = useState<UndoBrain>();
  if (agent === undefined || changes.length === 0) return undefined;
  return (
    <section className={styles.section} aria-labelledby="run-changes">
      <h2 id="run-changes">{texts.changes}</h2>
      <ul className={styles.changes}>
        {changes.map((change) => (
          <li key={change.id}>{describeChange(change)}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button onClick={() => setUndoTarget({ activation: detail.id })}>{texts.revertTheWholeRun}</Button>
        <Link href={brainPath(agent.handle, "history")}>{texts.showHistory}</Link>
      </div>
      <UndoDialog
        agent={agent}
        target={undoTarget}
        onClose={() => setUndoTarget(undefined)}
        onDone={(message) => {
          setUndoTarget(undefined);
          announce(message);
        }}
      />
    </section>
  );
};
