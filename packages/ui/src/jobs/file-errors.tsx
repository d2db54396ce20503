/** The errors in the jobs file of an agent, with a link to the file. */
import type { AgentRecord, JobList } from "@hearth/protocol";
import { Link } from "wouter";
import { pathOfFile } from "../brain/place.ts";
import { Notice } from "../design/notice.tsx";
import { toVisible } from "../text/visible.tsx";
import * as texts from "./text.ts";

const JOBS_FILE = "cron/jobs.toml";

interface FileErrorsProps {
  readonly agent: AgentRecord;
  readonly mistakes: JobList["mistakes"];
}

export const FileErrors = ({ agent, mistakes }: FileErrorsProps) =>
  mistakes.length === 0 ? undefined : (
    <Notice kind="danger" title={texts.fileHasErrors(JOBS_FILE)}>
      <ul>
        {mistakes.map(({ line, name, message }) => (
          <li key={`${line} ${message}`}>{toVisible(texts.errorInLine(line, name, message))}</li>
        ))}
      </ul>
      <Link href={pathOfFile(agent.handle, JOBS_FILE)}>{texts.editFile}</Link>
    </Notice>
  );
