/** The outside content that a run read. Each source has links to the steps that returned it. */
import { useEffect, useRef } from "react";
import { sourceId } from "../house/paths.ts";
import { toVisible } from "../text/visible.tsx";
import styles from "./run.module.css";
import { stepId, titleOfStep } from "./run-timeline.tsx";
import { sourcesOf, type Step } from "./timeline.ts";
import * as texts from "./text.ts";

export const RunSources = ({ steps }: { readonly steps: readonly Step[] }) => {
  const sources = sourcesOf(steps);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // The steps are loaded after the page, so the browser has not found the source of the address.
    const items = [...(list.current?.children ?? [])];
    const chosenItem = items.find(({ id }) => id !== "" && `#${id}` === list.current?.ownerDocument.location.hash);
    if (chosenItem instanceof HTMLElement) chosenItem.focus();
  }, []);
  return (
    <section className={styles.section} aria-labelledby="run-sources">
      <h2 id="run-sources">{texts.sources}</h2>
      <p className={styles.quiet}>{sources.length === 0 ? texts.noSources : texts.sourcesDetail}</p>
      {sources.length === 0 ? undefined : (
        <ul ref={list} className={styles.sources}>
          {sources.map(({ name = texts.sourceUnknown, steps: sourceSteps }) => (
            <li key={name} id={sourceId(name)} tabIndex={-1}>
              {/* Plain text: the address of untrusted content is no link. */}
              <span dir="auto">{toVisible(name)}</span>
              {sourceSteps.map((step) => (
                <a key={step.step} href={`#${stepId(step)}`}>
                  {titleOfStep(step)}
                </a>
              ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
