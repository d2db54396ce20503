/** A short word about a thing: its state, or that it is the default. */
import type { ReactNode } from "react";
import styles from "./badge.module.css";
import { classes } from "./classes.ts";

export interface BadgeProps {
  readonly kind?: "plain" | "success" | "danger" | "accent";
  readonly children: ReactNode;
}

export const Badge = ({ kind = "plain", children }: BadgeProps) => (
  <span className={classes(styles.badge, styles[kind])}>{children}</span>
);
