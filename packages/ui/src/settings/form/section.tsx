/** Sections and form buttons of the settings pages. */
import { type ReactNode, useId } from "react";
import { Button } from "../../design/button.tsx";
import { classes } from "../../design/classes.ts";
import { Icon } from "../../design/icon.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "./form.tsx";
import type { Fields } from "./record-form.ts";
import styles from "../settings.module.css";
import type { RecordForm } from "./use-record-form.ts";
import * as texts from "./text.ts";

export interface SectionProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children: ReactNode;
}

export const Section = ({ title, text, children }: SectionProps) => {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header>
        <h2 id={id}>{toVisible(title)}</h2>
        {text === undefined ? undefined : (
          <p className={styles.quiet}>{typeof text === "string" ? toVisible(text) : text}</p>
        )}
      </header>
      {children}
    </section>
  );
};

export interface RecordFieldsProps<Values extends Fields> {
  readonly form: RecordForm<Values>;
  /** The subject of the form, such as "budget". Its buttons name it, because a page may have several forms. */
  readonly subject?: string;
  readonly children: ReactNode;
}

/** The fields of a form, its error and its buttons. */
export const RecordFields = <Values extends Fields>({ form, subject, children }: RecordFieldsProps<Values>) => (
  <Form onSubmit={form.save}>
    {children}
    {form.error === undefined ? undefined : <ErrorNotice error={form.error} />}
    <div className={classes(styles.buttons, form.isChanged && styles.saveBar)}>
      <Button
        kind={form.isChanged ? "primary" : "plain"}
        type="submit"
        isBusy={form.isBusy}
        disabled={!form.isChanged && !form.isBusy}
      >
        {texts.saveForm(subject)}
      </Button>
      {form.isChanged ? (
        <Button kind="quiet" disabled={form.isBusy} aria-label={texts.discardForm(subject)} onClick={form.discard}>
          {texts.discardChanges}
        </Button>
      ) : undefined}
      {form.isSaved && !form.isChanged ? (
        <span className={styles.saved}>
          <Icon name="check" />
          {texts.savedState}
        </span>
      ) : undefined}
    </div>
  </Form>
);
