/** The jobs of one agent, refreshed while the page is open, and the errors in its jobs file. */
import type { AgentRecord, JobList } from "@hearth/protocol";
import { useCallback, useId, useState } from "react";
import { Link } from "wouter";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { Hidden } from "../design/hidden.tsx";
import { Notice } from "../design/notice.tsx";
import { pathOfFile } from "../brain/place.ts";
import { useAnswer } from "../house/answer.ts";
import { AnswerView } from "../house/answer-view.tsx";
import { useEvery } from "../house/every.ts";
import { useUi } from "../house/ui.tsx";
import { visible } from "../text/visible.tsx";
import { JobEditor } from "./job-editor.tsx";
import { JobRow } from "./job-row.tsx";
import styles from "./jobs.module.css";
import * as texts from "./text.ts";

const EVERY_MS = 5000;
const FILE = "cron/jobs.toml";

export const AgentJobs = ({ agent }: { readonly agent: AgentRecord }) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const title = useId();
  const { id } = agent;
  const [isAdding, setAdding] = useState(false);
  const answer = useAnswer(useCallback(async () => (await client.jobs()).list(id), [client, id]));
  useEvery(EVERY_MS, answer.again);
  return (
    <section className={styles.section} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>{visible(agent.content.name)}</h2>
        <Button size="small" icon="plus" onClick={() => setAdding(true)}>
          {texts.newJobButton}
          <Hidden> {texts.forAgent(visible(agent.content.name))}</Hidden>
        </Button>
      </header>
      <AnswerView answer={answer}>{(listed) => <Jobs agent={agent} listed={listed} again={answer.again} />}</AnswerView>
      <JobEditor
        agent={agent}
        job={undefined}
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onSaved={({ name, understood }) => {
          setAdding(false);
          announce(texts.added(name, visible(understood)));
          answer.again();
        }}
      />
    </section>
  );
};

export interface JobsProps {
  readonly agent: AgentRecord;
  readonly listed: JobList;
  readonly again: () => void;
}

export const Jobs = ({ agent, listed: { jobs, mistakes }, again }: JobsProps) => (
  <>
    <FileErrors agent={agent} mistakes={mistakes} />
    {jobs.length === 0 ? <p className={styles.quiet}>{texts.noJobs}</p> : undefined}
    <ul className={styles.list}>
      {jobs.map((job) => (
        <li key={job.name}>
          <JobRow agent={agent} job={job} onChange={again} />
        </li>
      ))}
    </ul>
  </>
);

interface FileErrorsProps {
  readonly agent: AgentRecord;
  readonly mistakes: JobList["mistakes"];
}

/** The errors in the jobs file of an agent. */
export const FileErrors = ({ agent, mistakes }: FileErrorsProps) =>
  mistakes.length === 0 ? undefined : (
    <Notice kind="danger" title={texts.fileHasErrors(FILE)}>
      <ul>
        {mistakes.map(({ line, name, message }) => (
          <li key={`${line} ${message}`}>{visible(texts.errorInLine(line, name, message))}</li>
        ))}
      </ul>
      <Link href={pathOfFile(agent.handle, FILE)}>{texts.editFile}</Link>
    </Notice>
  );
