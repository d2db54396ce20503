/** The reply of a run, sentence by sentence. A sentence opens the results that probably contain its facts. */
import type { ActivationDetail, Excerpt } from "@hearth/protocol";
import { useId, useMemo, useState } from "react";
import { classes } from "../design/classes.ts";
import { Icon } from "../design/icon.tsx";
import { ExcerptText } from "../search/excerpt-text.tsx";
import { findSource } from "../text/sources.ts";
import { toVisible } from "../text/visible.tsx";
import { createSourceFinder } from "./likely-sources.ts";
import { type ReplySentence, sentencesOf } from "./reply-sentences.ts";
import styles from "./run.module.css";
import { stepId, titleOfStep } from "./run-timeline.tsx";
import { type ReadFrom, readTextsOf, replyOf, sourcesOf } from "./timeline.ts";
import * as texts from "./text.ts";

/** A likely source. Without an excerpt, the sentence links to it. */
interface FoundSource {
  readonly step: ReadFrom;
  readonly excerpt: Excerpt | undefined;
}

interface TracedSentence extends ReplySentence {
  readonly sources: readonly FoundSource[];
}

/** Shows nothing if no sentence has a likely source. */
export const RunReply = ({ detail }: { readonly detail: ActivationDetail }) => {
  const { blocks, isCut } = useMemo(() => traceReply(detail), [detail]);
  if (blocks.flat().every(({ sources }) => sources.length === 0)) return undefined;
  return (
    <section className={styles.section} aria-labelledby="run-reply">
      <h2 id="run-reply">{texts.reply}</h2>
      <p className={styles.quiet}>
        {texts.replyDetail} {isCut ? texts.replyCut : undefined}
      </p>
      <ul className={styles.reply}>
        {blocks.map((sentences, block) => (
          <li key={block}>
            {sentences.map((sentence, index) => (
              <Sentence key={index} sentence={sentence} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
};

interface TracedReply {
  readonly blocks: readonly (readonly TracedSentence[])[];
  /** Whether the results were too long to be compared completely. */
  readonly isCut: boolean;
}

/** Returns the sentences of the reply, each with its likely sources. */
export const traceReply = (detail: ActivationDetail): TracedReply => {
  const reply = replyOf(detail);
  const readTexts = readTextsOf(detail);
  if (reply === undefined || readTexts.length === 0) return { blocks: [], isCut: false };
  const { find, isCut } = createSourceFinder(readTexts);
  const sources = sourcesOf(detail.steps);
  const trace = (sentence: ReplySentence): TracedSentence => {
    const linkedSteps = sentence.links
      .flatMap((link) => sources.filter(({ name }) => name !== undefined && findSource([name], link) === 0))
      .flatMap(({ steps }) => steps);
    const similarSources = find(sentence.text).map(({ key, excerpt }): FoundSource => ({ step: key, excerpt }));
    const otherSteps = [...new Set(linkedSteps)].filter((linkedStep) =>
      similarSources.every(({ step }) => step !== linkedStep),
    );
    return { ...sentence, sources: [...otherSteps.map((step) => ({ step, excerpt: undefined })), ...similarSources] };
  };
  return { blocks: sentencesOf(reply).map((sentences) => sentences.map(trace)), isCut };
};

const Sentence = ({ sentence: { text, sources } }: { readonly sentence: TracedSentence }) => {
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const visibleText = toVisible(text);
  if (sources.length === 0)
    return (
      <p dir="auto" className={styles.sentence}>
        {visibleText}
      </p>
    );
  return (
    <>
      <button
        type="button"
        className={styles.sentence}
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={classes(styles.chevron, isOpen && styles.open)}>
          <Icon name="chevron" />
        </span>
        <span dir="auto">{visibleText}</span>
      </button>
      {isOpen ? (
        <ul id={listId} className={styles.found} aria-label={texts.likelySourcesOf(visibleText)}>
          {sources.map((source) => (
            <li key={source.step === undefined ? "message" : stepId(source.step)}>
              <SourceItem source={source} />
            </li>
          ))}
        </ul>
      ) : undefined}
    </>
  );
};

const SourceItem = ({ source: { step, excerpt } }: { readonly source: FoundSource }) => (
  <>
    {step === undefined ? <span>{texts.wakingMessage}</span> : <a href={`#${stepId(step)}`}>{titleOfStep(step)}</a>}
    {step === undefined || step.label === undefined || step.label.sources.length === 0 ? undefined : (
      <span className={styles.quiet} dir="auto">
        {toVisible(step.label.sources.join(" · "))}
      </span>
    )}
    {excerpt === undefined ? (
      <span className={styles.quiet}>{texts.linkedSource}</span>
    ) : (
      <span className={styles.excerpt}>
        <ExcerptText text={excerpt.text} marks={excerpt.marks} />
      </span>
    )}
  </>
);
