/** The layout of all three steps: heading, fields, and the buttons to continue, go back or skip. */
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { isLast, type Step, steps } from "./progress.ts";
import * as texts from "./text.ts";
import styles from "./welcome.module.css";

export interface StepProps {
  readonly step: Step;
  /** Undefined on the first step. */
  readonly onBack: (() => void) | undefined;
  readonly onSkip: () => void;
  /** Called after a successful save. */
  readonly onDone: () => void;
  /** Whether the user came from another step. The heading then gets the focus. */
  readonly isArrival: boolean;
  /** Whether all steps are done and the room is being opened. */
  readonly isLeaving: boolean;
}

export interface StepFrameProps extends StepProps {
  readonly title: string;
  readonly text: ReactNode;
  readonly children: ReactNode;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Label of the continue button. Each step has a default. */
  readonly submit?: string;
  readonly onSubmit: () => void;
}

export const StepFrame = (props: StepFrameProps) => {
  const { step, title, text, children, isBusy, error, onSubmit, onBack, onSkip, isArrival, isLeaving, submit } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isArrival) heading.current?.focus();
  }, [isArrival]);
  const number = steps.indexOf(step) + 1;
  return (
    <form
      className={styles.step}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <header className={styles.question}>
        <p className={styles.progress}>{texts.progress(number, steps.length)}</p>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p className={styles.text}>{text}</p>
      </header>
      {children}
      {error === undefined ? undefined : <ErrorNotice error={error} />}
      <footer className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={isBusy || isLeaving}>
          {submit ?? (isLast(step) ? texts.finish : texts.nextStep)}
        </Button>
        <Button kind="quiet" onClick={onSkip}>
          {texts.skip}
        </Button>
        {onBack === undefined ? undefined : (
          <Button kind="quiet" icon="back" className={styles.back} onClick={onBack}>
            {texts.back}
          </Button>
        )}
      </footer>
    </form>
  );
};
