/** A panel behind a button, above everything else. A press outside of it or Escape closes it. */
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import buttonStyles from "./button.module.css";
import { classes } from "./classes.ts";
import { placeBelow } from "./placement.ts";
import styles from "./popover.module.css";

export interface PopoverProps {
  /** The accessible name of the panel and, unless there is a `buttonLabel`, of its button. */
  readonly label: string;
  readonly buttonLabel?: string;
  /** The content of the button. */
  readonly button: ReactNode;
  readonly className?: string | undefined;
  /** The content of the panel. It exists while the panel is open. */
  readonly children: ReactNode;
}

export const Popover = ({ label, buttonLabel = label, button, className, children }: PopoverProps) => {
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const [panelElement, openerElement] = [panel.current, opener.current];
    if (!isOpen || panelElement === null || openerElement === null) return;
    placeBelow(panelElement, openerElement);
    panelElement.querySelector<HTMLElement>("input, select, textarea, button, a[href]")?.focus();
  }, [isOpen]);
  return (
    <>
      <button
        ref={opener}
        type="button"
        aria-label={buttonLabel}
        aria-expanded={isOpen}
        popoverTarget={id}
        className={classes(buttonStyles.button, buttonStyles.plain, buttonStyles.small, className)}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={styles.panel}
        onToggle={({ target, currentTarget, newState }) => {
          // React passes on the events of popovers inside this one, such as tooltips.
          if (target === currentTarget) setOpen(newState === "open");
        }}
      >
        {isOpen ? children : undefined}
      </div>
    </>
  );
};
