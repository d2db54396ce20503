/** The welcome of a new house: three optional steps, then the agent's room. */
import { pickFirstAgent } from "@hearth/client";
import type { AgentRecord, HouseRecord } from "@hearth/protocol";
import { useEffect, useReducer, useRef, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../design/button.tsx";
import { Mark } from "../design/mark.tsx";
import { ErrorNotice, Notice } from "../design/notice.tsx";
import { Spinner } from "../design/spinner.tsx";
import { remember } from "../house/remember.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { useOffers } from "../models/offers.ts";
import { AgentStep } from "./agent-step.tsx";
import { type Finish, useFinish } from "./finish.ts";
import { ModelStep } from "./model-step.tsx";
import { advance, isLast, readProgress, steps } from "./progress.ts";
import * as texts from "./text.ts";
import styles from "./welcome.module.css";
import { YouStep } from "./you-step.tsx";

const STORAGE_KEY = "welcome";

export const WelcomePage = () => {
  const { me, house, agents } = useHouse();
  return (
    <main className={styles.page}>
      {me === undefined || house === undefined ? (
        <Spinner label={texts.loading} />
      ) : (
        <Welcome me={agents.get(me.agent.id) ?? me.agent} house={house} agent={pickFirstAgent(agents.values())} />
      )}
    </main>
  );
};

interface WelcomeProps {
  readonly me: AgentRecord;
  readonly house: HouseRecord;
  readonly agent: AgentRecord | undefined;
}

const Welcome = ({ me, house, agent }: WelcomeProps) => {
  const { storage } = useUi();
  const [, navigate] = useLocation();
  const [progress, move] = useReducer(advance, undefined, () => readProgress(storage.get(STORAGE_KEY)));
  // Starts loading the model sources now, so that the third step has them.
  const offers = useOffers();
  const [isArrival, setArrival] = useState(false);
  const hasEnded = useRef(false);

  useEffect(() => {
    if (!hasEnded.current) remember(storage, STORAGE_KEY, JSON.stringify(progress));
  }, [storage, progress]);

  const finish = useFinish({
    house,
    agent,
    onDone(path) {
      hasEnded.current = true;
      storage.remove(STORAGE_KEY);
      navigate(path);
    },
  });

  const { step } = progress;
  const moveTo = (type: "next" | "back"): void => {
    setArrival(true);
    if (type === "next" && isLast(step)) finish.run();
    else move({ type });
  };
  const frame = {
    step,
    isArrival,
    isLeaving: finish.isBusy,
    onBack: step === steps[0] ? undefined : () => moveTo("back"),
    onSkip: () => moveTo("next"),
    onDone: () => moveTo("next"),
  };

  return (
    <div className={styles.column}>
      <WelcomeHeader finish={finish} />
      {step === "you" ? (
        <YouStep
          {...frame}
          me={me}
          house={house}
          typedTexts={progress.you}
          onType={(field, text) => move({ type: "typed", step, field, text })}
        />
      ) : step === "agent" ? (
        <AgentStep
          {...frame}
          agent={agent}
          typedTexts={progress.agent}
          onType={(field, text) => move({ type: "typed", step, field, text })}
        />
      ) : (
        <ModelStep
          {...frame}
          agent={agent}
          offersQuery={offers}
          draft={progress.model}
          onDraft={(model) => move({ type: "chosen", model })}
        />
      )}
      <FinishProblem finish={finish} />
    </div>
  );
};

/** The name of the product, and the button that skips all steps. */
const WelcomeHeader = ({ finish }: { readonly finish: Finish }) => (
  <div className={styles.top}>
    <span className={styles.mark}>
      <Mark />
      {texts.hearth}
    </span>
    <Button kind="quiet" size="small" isBusy={finish.isBusy} onClick={finish.run}>
      {texts.skipAll}
    </Button>
  </div>
);

/**
 * Shows why the welcome did not end. Its button gets the focus, so that the browser scrolls the
 * notice into view.
 */
const FinishProblem = ({ finish }: { readonly finish: Finish }) => {
  if (finish.problem === undefined) return undefined;
  return finish.problem === "room" ? (
    <ErrorNotice
      error={finish.error}
      button={
        <Button size="small" autoFocus onClick={finish.run}>
          {texts.tryAgain}
        </Button>
      }
    />
  ) : (
    <Notice
      kind="info"
      title={texts.setupNotCompleted}
      button={
        <Button size="small" autoFocus onClick={finish.skipRecording}>
          {texts.nextStep}
        </Button>
      }
    >
      {texts.setupNotCompletedDetail}
    </Notice>
  );
};
