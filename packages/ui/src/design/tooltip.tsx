/** A description of an element that appears while the pointer or the focus is on it. Escape hides it. */
import { type ReactNode, useEffect, useId, useRef } from "react";
import { placeBelow } from "./placement.ts";
import styles from "./tooltip.module.css";

export interface TooltipProps {
  readonly text: string;
  /** Renders the described element: `(describedBy) => <button aria-describedby={describedBy} … />`. */
  readonly children: (describedBy: string) => ReactNode;
}

export const Tooltip = ({ text, children }: TooltipProps) => {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const [element, tooltip] = [anchor.current, tip.current];
    if (element === null || tooltip === null) return undefined;
    const show = (): void => {
      tooltip.showPopover();
      placeBelow(tooltip, element);
    };
    const hide = (): void => tooltip.hidePopover();
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") hide();
    };
    element.addEventListener("mouseenter", show);
    element.addEventListener("mouseleave", hide);
    element.addEventListener("focusin", show);
    element.addEventListener("focusout", hide);
    element.addEventListener("keydown", onKey);
    return () => {
      element.removeEventListener("mouseenter", show);
      element.removeEventListener("mouseleave", hide);
      element.removeEventListener("focusin", show);
      element.removeEventListener("focusout", hide);
      element.removeEventListener("keydown", onKey);
    };
  }, []);
  return (
    <span ref={anchor} className={styles.anchor}>
      {children(id)}
      <span ref={tip} id={id} role="tooltip" popover="manual" className={styles.tip}>
        {text}
      </span>
    </span>
  );
};
