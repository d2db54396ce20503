/** Buttons. A busy button keeps the focus and ignores presses. */
import type { ComponentProps, MouseEvent } from "react";
import { Link } from "wouter";
import { classes } from "./classes.ts";
import styles from "./button.module.css";
import { Icon, type IconName } from "./icon.tsx";
import { Spinner } from "./spinner.tsx";
import * as texts from "./text.ts";

export interface ButtonProps extends ComponentProps<"button"> {
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  readonly size?: "small";
  readonly icon?: IconName;
  readonly isBusy?: boolean;
}

export const Button = ({ kind = "plain", size, icon, isBusy = false, className, children, ...props }: ButtonProps) => (
  <button
    type="button"
    {...props}
    {...(isBusy ? { "aria-disabled": true, onClick: preventPress } : {})}
    className={classes(styles.button, styles[kind], size === "small" && styles.small, className)}
  >
    {isBusy ? <Spinner label={texts.loading} /> : icon === undefined ? undefined : <Icon name={icon} />}
    {children}
  </button>
);

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  readonly icon: IconName;
  /** The accessible name, also shown as a tooltip. */
  readonly label: string;
}

export const IconButton = ({ icon, label, className, ...props }: IconButtonProps) => (
  <button type="button" title={label} {...props} aria-label={label} className={classes(styles.round, className)}>
    <Icon name={icon} />
  </button>
);

export interface IconLinkProps {
  readonly icon: IconName;
  /** The accessible name, also shown as a tooltip. */
  readonly label: string;
  readonly to: string;
}

export const IconLink = ({ icon, label, to }: IconLinkProps) => (
  <Link href={to} title={label} aria-label={label} className={styles.round}>
    <Icon name={icon} />
  </Link>
);

/** Ignores a press. It also prevents a busy submit button from submitting. */
const preventPress = (event: MouseEvent): void => event.preventDefault();
