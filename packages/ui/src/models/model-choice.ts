/**
 * State of the model form: holds the typed key, tests a model, and configures its provider. The key
 * is stored nowhere else.
 */
import { useMemo, useRef, useState } from "react";
import { useUi } from "../house/ui.tsx";
import { useAnswer } from "../house/answer.ts";
import { createSetup } from "./connect.ts";
import {
  checkModel,
  chooseSource,
  chooseVendor,
  type ModelDraft,
  modelOf,
  type Plan,
  planOf,
  type Problem,
  sourceOf,
} from "./model-draft.ts";
import { type TestOutcome, tryModel } from "./model-test.ts";
import type { LoadedOffers } from "./offers.ts";
import type { Source } from "./sources.ts";
import { useWork, type Work } from "./use-work.ts";

export interface ModelChoiceOptions {
  readonly asked: LoadedOffers;
  readonly draft: ModelDraft;
  readonly onDraft: (draft: ModelDraft) => void;
}

export interface ModelChoice {
  readonly asked: LoadedOffers;
  readonly draft: ModelDraft;
  readonly source: Source | undefined;
  readonly key: string;
  readonly model: string;
  /** Known model names; undefined if they are not known. */
  readonly models: readonly string[] | undefined;
  readonly problem: Problem | undefined;
  readonly outcome: TestOutcome | undefined;
  readonly isTesting: boolean;
  readonly chooseSource: (id: string) => void;
  readonly chooseVendor: (name: string) => void;
  readonly setAddress: (address: string) => void;
  readonly setKey: (key: string) => void;
  readonly setModel: (model: string) => void;
  /** Returns whether the model answered. The outcome is shown. */
  readonly test: () => Promise<boolean>;
  /**
   * Configures the provider and returns its name; undefined if an input is missing, which is then
   * shown.
   */
  readonly connect: () => Promise<string | undefined>;
  /** Like `connect`, but returns `provider/model`. */
  readonly settle: () => Promise<string | undefined>;
}

export const useModelChoice = ({ asked, draft, onDraft }: ModelChoiceOptions): ModelChoice => {
  const { client } = useUi();
  const [setUp] = useState(() => createSetup(client.providers));
  const [key, setKey] = useState("");
  const [listed, setListed] = useState<{ readonly wish: string; readonly models: readonly string[] }>();
  const [problem, setProblem] = useState<Problem>();
  const [outcome, setOutcome] = useState<TestOutcome>();
  const [isTesting, setTesting] = useState(false);
  const run = useRef(0);

  const { offers } = asked;
  const source = sourceOf(draft, offers, asked.isAsking);
  const model = modelOf(draft, source, offers.known);
  const plan = planOf(draft, source, key, offers);
  const models = useModels(plan, listed, source, draft);

  /** A new input invalidates the last test result. */
  const change = (set: () => void): void => {
    run.current += 1;
    setProblem(undefined);
    setOutcome(undefined);
    setTesting(false);
    set();
  };
  /** A new source or vendor also clears the key. */
  const changeWhere = (set: () => void): void => {
    change(set);
    setKey("");
  };
  const provide = async (complete: Exclude<Plan, { kind: "incomplete" }>): Promise<string> =>
    complete.kind === "there" ? complete.name : (await setUp(complete.provider)).name;
  const complain = (found: Problem): undefined => {
    setProblem(found);
    return undefined;
  };

  const shown = { asked, draft, source, key, model, models, problem, outcome, isTesting };
  return {
    ...shown,
    chooseSource: (id) => changeWhere(() => onDraft(chooseSource(draft, id))),
    chooseVendor: (name) => changeWhere(() => onDraft(chooseVendor(draft, name))),
    setAddress: (address) => change(() => onDraft({ ...draft, address })),
    setKey: (typed) => change(() => setKey(typed)),
    setModel: (typed) => change(() => onDraft({ ...draft, model: typed })),
    async test() {
      const name = model.trim();
      const wrong = plan.kind === "incomplete" ? plan.problem : name === "" ? undefined : checkModel(name);
      if (wrong !== undefined || plan.kind === "incomplete") {
        setProblem(wrong);
        return false;
      }
      run.current += 1;
      const attempt = run.current;
      setProblem(undefined);
      setOutcome(undefined);
      setTesting(true);
      // A provider that is not configured is tested with the values of the form. A test does not store it.
      const came = await tryModel(client.providers, plan, name);
      if (run.current !== attempt) return false;
      if (came.kind === "listed") setListed({ wish: JSON.stringify(plan), models: came.models });
      setTesting(false);
      setOutcome(came);
      return came.kind === "called" && came.test.ok;
    },
    async connect() {
      return plan.kind === "incomplete" ? complain(plan.problem) : provide(plan);
    },
    async settle() {
      if (plan.kind === "incomplete") return complain(plan.problem);
      const wrong = checkModel(model.trim());
      if (wrong !== undefined) return complain(wrong);
      return `${await provide(plan)}/${model.trim()}`;
    },
  };
};

/** The state of a form that chooses a model: its draft, and the action that saves it. */
export const useModelForm = (
  asked: LoadedOffers,
  initial: () => ModelDraft,
): { readonly choice: ModelChoice; readonly work: Work } => {
  const work = useWork();
  const [draft, setDraft] = useState(initial);
  const choice = useModelChoice({
    asked,
    draft,
    onDraft(next) {
      work.clear();
      setDraft(next);
    },
  });
  return { choice, work };
};

/** Returns the models that a test or the discovery found, or else requests the provider's list. */
const useModels = (
  plan: Plan,
  listed: { readonly wish: string; readonly models: readonly string[] } | undefined,
  source: Source | undefined,
  draft: ModelDraft,
): readonly string[] | undefined => {
  const { client } = useUi();
  const origin = source?.origin;
  const isReady = origin?.kind !== "provider" || origin.provider.ready;
  // The form for a new key has no vendor at first.
  const isChosen = origin?.kind !== "key" || draft.vendor !== undefined;
  const isAsked = plan.kind === "there" && isReady && isChosen && origin?.kind !== "offline";
  const name = isAsked ? plan.name : undefined;
  // A failed list is not shown: the user can type a name, and a test shows the problem.
  const answer = useAnswer(
    useMemo(() => (name === undefined ? undefined : () => client.providers.models(name)), [client, name]),
  );
  const tested = listed?.wish === JSON.stringify(plan) ? listed.models : undefined;
  return tested ?? answer.value ?? (origin?.kind === "found" ? origin.server.models : undefined);
};
