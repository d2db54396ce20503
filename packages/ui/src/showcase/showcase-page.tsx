/** The page of the design: every component in every state, for people who change the UI. */
import { PageHeader } from "../design/page-header.tsx";
import { buttonExamples } from "./button-examples.tsx";
import type { Examples } from "./examples.ts";
import { fieldExamples } from "./field-examples.tsx";
import styles from "./showcase.module.css";
import { signExamples } from "./sign-examples.tsx";
import * as texts from "./text.ts";

export const groups: readonly Examples[] = [buttonExamples, fieldExamples, signExamples];

export const ShowcasePage = () => (
  <div className={styles.page}>
    <div className={styles.column}>
      <PageHeader title={texts.design} />
      <p className={styles.quiet}>{texts.introduction}</p>
      {groups.flatMap((group) =>
        Object.entries(group).map(([name, { Example, otherNames = [] }]) => (
          <section key={name} aria-labelledby={`design-${name}`} className={styles.example}>
            <h2 id={`design-${name}`}>{[name, ...otherNames].join(", ")}</h2>
            <div className={styles.states}>
              <Example />
            </div>
          </section>
        )),
      )}
    </div>
  </div>
);
