/** What is pressed. A busy button keeps its focus and does nothing. */
import type { ComponentProps, MouseEvent } from "react";
import { classes } from "./classes.ts";
import styles from "./button.module.css";
import { Icon, type IconName } from "./icon.tsx";
import { Spinner } from "./spinner.tsx";

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
    {...(isBusy ? { "aria-disabled": true, onClick: swallow } : {})}
    className={classes(styles.button, styles[kind], size === "small" && styles.small, className)}
  >
    {isBusy ? <Spinner label="Please wait" /> : icon === undefined ? undefined : <Icon name={icon} />}
    {children}
  </button>
);

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  readonly icon: IconName;
  /** Its accessible name, also shown when the pointer rests on it. */
  readonly label: string;
}

export const IconButton = ({ icon, label, className, ...props }: IconButtonProps) => (
  <button type="button" title={label} {...props} aria-label={label} className={classes(styles.round, className)}>
    <Icon name={icon} />
  </button>
);

/** Also keeps a busy submit button from sending its form. */
const swallow = (event: MouseEvent): void => event.preventDefault();
