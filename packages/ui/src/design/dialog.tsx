/** A native modal dialog: the browser traps and restores the focus and closes it on Escape. */
import { type MouseEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from "react";
import { Button, IconButton } from "./button.tsx";
import styles from "./dialog.module.css";
import * as texts from "./text.ts";

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly buttons?: ReactNode;
}

/** Elements that can get the initial focus. The close button in the header is left out. */
const FOCUS_SELECTOR = "input, select, textarea, footer button";

export const Dialog = ({ title, isOpen, onClose, children, buttons }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const isPressedOutside = useRef(false);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element === null || element.open === isOpen) return;
    if (!isOpen) return element.close();
    element.showModal();
    element.querySelector<HTMLElement>(FOCUS_SELECTOR)?.focus();
  }, [isOpen]);
  // The browser restores the focus only if the dialog is closed before it is removed.
  useLayoutEffect(() => {
    const element = dialog.current;
    return () => element?.close();
  }, []);
  /**
   * Whether a press started outside the dialog's content. A text selection that started inside does
   * not close the dialog.
   */
  const isOutside = (event: MouseEvent): boolean => event.target === dialog.current;
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onClose={() => {
        if (isOpen) onClose();
      }}
      onMouseDown={(event) => {
        isPressedOutside.current = isOutside(event);
      }}
      onClick={(event) => {
        if (isPressedOutside.current && isOutside(event)) dialog.current?.close();
      }}
    >
      {isOpen ? (
        <div className={styles.body}>
          <header className={styles.header}>
            <h2 id={titleId}>{title}</h2>
            <IconButton icon="close" label={texts.close} onClick={() => dialog.current?.close()} />
          </header>
          {children}
          {buttons === undefined ? undefined : <footer className={styles.buttons}>{buttons}</footer>}
        </div>
      ) : undefined}
    </dialog>
  );
};

export interface ConfirmDialogProps {
  readonly title: string;
  readonly text: ReactNode;
  /** Label of the confirming button, which names the action. */
  readonly confirm: string;
  readonly isDanger?: boolean;
  readonly isOpen: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation. The cancel button has the initial focus. */
export const ConfirmDialog = ({ title, text, confirm, isDanger, isOpen, onConfirm, onClose }: ConfirmDialogProps) => (
  <Dialog
    title={title}
    isOpen={isOpen}
    onClose={onClose}
    buttons={
      <>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button kind={isDanger === true ? "danger" : "primary"} onClick={onConfirm}>
          {confirm}
        </Button>
      </>
    }
  >
    <p>{text}</p>
  </Dialog>
);
