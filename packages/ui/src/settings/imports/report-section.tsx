/** The import that is running, or the report of the last one. */
import type { AgentRecord, ImportPart, ImportState } from "@hearth/protocol";
import { useId } from "react";
import { Link } from "wouter";
import { Notice } from "../../design/notice.tsx";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import { pathOfAgent } from "../place.ts";
import styles from "../settings.module.css";
import importStyles from "./imports.module.css";
import { PartLine } from "./preview-section.tsx";
import * as texts from "./text.ts";

export interface ReportSectionProps {
  readonly state: ImportState;
  /** The agent that received the parts. Undefined if it was removed. */
  readonly agent: AgentRecord | undefined;
}

export const ReportSection = ({ state, agent }: ReportSectionProps) => {
  const { source, done: doneCount = 0, total = 0, parts = [], problem } = state;
  if (state.state === "none" || source === undefined) return undefined;
  if (state.state === "running")
    return (
      <Section title={texts.running(source.kind)} text={toVisible(source.folder)}>
        <Progress doneCount={doneCount} total={total} />
      </Section>
    );
  const count = (...fates: readonly ImportPart["fate"][]): number =>
    parts.filter(({ fate }) => fates.includes(fate)).length;
  return (
    <Section title={texts.report} text={toVisible(source.folder)}>
      {problem === undefined ? (
        <Notice kind="success">{texts.done(count("new", "replaces"))}</Notice>
      ) : (
        <Notice kind="danger" title={texts.failed}>
          {toVisible(problem)} {texts.failedHint}
        </Notice>
      )}
      {count("failed") === 0 ? undefined : <Notice kind="danger">{texts.refused(count("failed"))}</Notice>}
      <ul className={styles.list}>
        {FATES.filter((fate) => count(fate) > 0).map((fate) => (
          <li key={fate} className={importStyles.group}>
            <details open={fate === "failed"}>
              <summary>{texts.fateTitle(fate, count(fate))}</summary>
              <ul className={importStyles.parts}>
                {parts
                  .filter((part) => part.fate === fate)
                  .map((part) => (
                    <li key={`${part.kind} ${part.from} ${part.to ?? ""}`}>
                      <PartLine part={part} />
                    </li>
                  ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
      {agent === undefined ? undefined : (
        <p>
          <Link href={pathOfAgent(agent.handle, "memory")}>{texts.viewAgent}</Link>
        </p>
      )}
    </Section>
  );
};

const FATES = ["failed", "new", "replaces", "same", "left"] as const;

const Progress = ({ doneCount, total }: { readonly doneCount: number; readonly total: number }) => {
  const id = useId();
  return (
    <div className={importStyles.progress}>
      <span id={id}>{texts.progress(doneCount, total)}</span>
      <progress aria-labelledby={id} value={doneCount} max={Math.max(total, 1)} />
    </div>
  );
};
