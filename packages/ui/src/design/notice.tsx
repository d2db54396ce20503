/** Tells what happened, and what to do about it. */
import { isHearthError } from "@hearth/protocol";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";
import styles from "./notice.module.css";
import { visible } from "./visible.ts";

export interface NoticeProps {
  readonly kind: "info" | "danger" | "success";
  readonly title?: string;
  readonly children?: ReactNode;
  readonly button?: ReactNode;
}

const roles = { info: undefined, danger: "alert", success: "status" } as const;
const icons = { info: undefined, danger: "warning", success: "check" } as const;

export const Notice = ({ kind, title, children, button }: NoticeProps) => {
  const icon = icons[kind];
  return (
    <div role={roles[kind]} className={classes(styles.notice, styles[kind])} dir="auto">
      {icon === undefined ? undefined : <Icon name={icon} />}
      <div className={styles.text}>
        {title === undefined ? undefined : <p className={styles.title}>{title}</p>}
        {children === undefined ? undefined : <div className={styles.detail}>{children}</div>}
      </div>
      {button}
    </div>
  );
};

/** What the house refused with, in its own words; of anything else no more than that it broke. */
export const ErrorNotice = ({ error, button }: { readonly error: unknown; readonly button?: ReactNode }) =>
  isHearthError(error) ? (
    <Notice kind="danger" title={visible(error.message)} button={button}>
      {error.hint === undefined ? undefined : visible(error.hint)}
    </Notice>
  ) : (
    <Notice kind="danger" title="Something went wrong on this page." button={button}>
      Try again. If it happens again, reload the page.
    </Notice>
  );
