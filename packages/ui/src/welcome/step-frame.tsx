/** What all three steps look like: a question, its fields, and the ways on, back and past. */
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { isLast, type Step, steps } from "./progress.ts";
import styles from "./welcome.module.css";

export interface StepProps {
  readonly step: Step;
  /** Absent on the first step. */
  readonly onBack: (() => void) | undefined;
  readonly onSkip: () => void;
  /** Saved: on to what comes after. */
  readonly onDone: () => void;
  /** Whether the person came here from another step: then reading goes on at the question. */
  readonly isArrival: boolean;
  /** Everything is answered, and the way to the room is being found. */
  readonly isLeaving: boolean;
}

export interface StepFrameProps extends StepProps {
  readonly title: string;
  readonly text: ReactNode;
  readonly children: ReactNode;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** What the button says that goes on; by default, what it does. */
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
        <p className={styles.progress}>
          {number} of {steps.length}
        </p>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p className={styles.text}>{text}</p>
      </header>
      {children}
      {error === undefined ? undefined : <ErrorNotice error={error} />}
      <footer className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={isBusy || isLeaving}>
          {submit ?? (isLast(step) ? "Finish" : "Continue")}
        </Button>
        <Button kind="quiet" onClick={onSkip}>
          Skip
        </Button>
        {onBack === undefined ? undefined : (
          <Button kind="quiet" icon="back" className={styles.back} onClick={onBack}>
            Back
          </Button>
        )}
      </footer>
    </form>
  );
};
