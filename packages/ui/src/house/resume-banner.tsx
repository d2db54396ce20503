/** A banner about stopped agents, with a resume button. */
import { observe } from "@hearth/client";
import { type ReactNode, useState } from "react";
import { Button } from "../design/button.tsx";
import { classes } from "../design/classes.ts";
import { ErrorNotice } from "../design/notice.tsx";
import styles from "./resume-banner.module.css";

export interface ResumeBannerProps {
  readonly children: ReactNode;
  readonly label: string;
  /**
   * Resumes the agents. Undefined if another page does that. The banner disappears when the house
   * reports the change.
   */
  readonly resume?: (() => Promise<unknown>) | undefined;
  /** Spans the whole page instead of the content width. */
  readonly isWide?: boolean;
}

export const ResumeBanner = ({ children, label, resume, isWide = false }: ResumeBannerProps) => {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    await resume?.().catch(setFailure);
    setBusy(false);
  };
  return (
    <div className={classes(styles.line, isWide && styles.wide)} role="status">
      <p>{children}</p>
      {resume === undefined ? undefined : (
        <Button size="small" isBusy={isBusy} onClick={() => observe(run())}>
          {label}
        </Button>
      )}
      {failure === undefined ? undefined : <ErrorNotice error={failure} />}
    </div>
  );
};
