/** The import that is running, or the report of the last one. */
import type { AgentRecord, ImportPart, ImportState } from "@hearth/protocol";
import { useId } from "react";
import { Link } from "wouter";
import { Notice } from "../../design/notice.tsx";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import { pathOfAgent } from "../place.ts";
import styles from "../settings.module.css";
import own from "./imports.module.css";
import { PartLine } from "./preview-section.tsx";
import * as texts from "./text.ts";

export interface ReportSectionProps {
  readonly state: ImportState;
  /** The agent that received the parts. Undefined if it was removed. */
  readonly agent: AgentRecord | undefined;
}

export const ReportSection = ({ state, agent }: ReportSectionProps) => {
  const { source, done = 0, total = 0, parts = [], problem } = state;
  if (state.state === "none" || source === undefined) return undefined;
  if (state.state === "running")
    return (
      <Section title={texts.running(source.kind)} text={toVisible(source.folder)}>
        <Progress done={done} total={total} />
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
          <li key={fate} className={own.group}>
            <details open={fate === "failed"}>
              <summary>{texts.fateTitle(fate, count(fate))}</summary>
              <ul className={own.parts}>
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

const Progress = ({ done, total }: { readonly done: number; readonly total: number }) => {
  const id = useId();
  return (
    <div className={own.progress}>
      <span id={id}>{texts.progress(done, total)}</span>
      <progress aria-labelledby={id} value={done} max={Math.max(total, 1)} />
    </div>
  );
};
