/** Notices, which say what happened and what to do. */
import { isHearthError } from "@hearth/protocol";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { classes } from "./classes.ts";
import { describeError } from "./error-words.ts";
import { Icon } from "./icon.tsx";
import styles from "./notice.module.css";
import * as texts from "./text.ts";

export interface NoticeProps {
  readonly kind: "info" | "danger" | "success";
  readonly title?: string;
  readonly children?: ReactNode;
  readonly button?: ReactNode;
  /** `line`: the title and the buttons on one line; the text opens on request. */
  readonly shape?: "line" | undefined;
}

const roles = { info: undefined, danger: "alert", success: "status" } as const;
const icons = { info: undefined, danger: "warning", success: "check" } as const;

export const Notice = ({ kind, title, children, button, shape }: NoticeProps) => {
  const icon = icons[kind];
  return (
    <div
      role={roles[kind]}
      className={classes(styles.notice, styles[kind], shape === "line" && styles.line)}
      dir="auto"
    >
      {icon === undefined ? undefined : <Icon name={icon} />}
      <div className={styles.text}>
        {title === undefined ? undefined : <p className={styles.title}>{title}</p>}
        {children === undefined ? undefined : shape === "line" ? (
          <details className={styles.detail}>
            <summary>{texts.details}</summary>
            {children}
          </details>
        ) : (
          <div className={styles.detail}>{children}</div>
        )}
      </div>
      {button}
    </div>
  );
};

export interface ErrorNoticeProps {
  readonly error: unknown;
  readonly button?: ReactNode;
  /** Settings path of the failed agent. */
  readonly agent?: string | undefined;
  /** `here`: the page is already the one that can fix the error. */
  readonly place?: "here";
  readonly shape?: NoticeProps["shape"];
}

/** Shows an error with a link to its fix. Errors that are not from the house are bugs. */
export const ErrorNotice = ({ error, button, agent, place, shape }: ErrorNoticeProps) => {
  if (!isHearthError(error))
    return (
      <Notice kind="danger" title={texts.pageFailed} button={button} shape={shape}>
        {texts.pageFailedDetail}
      </Notice>
    );
  const { title, text, fix } = describeError(error, agent);
  return (
    <Notice
      kind="danger"
      title={title}
      shape={shape}
      button={
        fix === undefined || place === "here" ? (
          button
        ) : (
          <span className={styles.buttons}>
            {button}
            <Link href={fix.path}>{fix.label}</Link>
          </span>
        )
      }
    >
      {text}
    </Notice>
  );
};
