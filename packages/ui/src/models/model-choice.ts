/**
 * State of the model form: holds the typed key, tests a model, and configures its provider. The key
 * is stored nowhere else.
 */
import { useMemo, useRef, useState } from "react";
import { useHouse, useUi } from "../house/ui.tsx";
import { useRequest } from "../house/request.ts";
import { createProviderSetup } from "./connect.ts";
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
import type { OffersQuery } from "./offers.ts";
import type { Source } from "./sources.ts";
import { useSubmission, type Submission } from "../house/use-submission.ts";

export interface ModelChoiceOptions {
  readonly offersQuery: OffersQuery;
  readonly draft: ModelDraft;
  readonly onDraft: (draft: ModelDraft) => void;
}

export interface ModelChoice {
  readonly offersQuery: OffersQuery;
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
  readonly connectProvider: () => Promise<string | undefined>;
  /** Like `connectProvider`, but returns `provider/model`. */
  readonly connectModel: () => Promise<string | undefined>;
}

export const useModelChoice = ({ offersQuery, draft, onDraft }: ModelChoiceOptions): ModelChoice => {
  const { client } = useUi();
  const { agents } = useHouse();
  const [createProvider] = useState(() => createProviderSetup(client.providers));
  const [key, setKey] = useState("");
  const [listedModels, setListedModels] = useState<{ readonly planKey: string; readonly models: readonly string[] }>();
  const [problem, setProblem] = useState<Problem>();
  const [outcome, setOutcome] = useState<TestOutcome>();
  const [isTesting, setTesting] = useState(false);
  const latestAttempt = useRef(0);

  const { offers } = offersQuery;
  const source = sourceOf(draft, offers, offersQuery.isLoading);
  const model = modelOf(draft, source, { knownProviders: offers.knownProviders, agents: agents.values() });
  const plan = planOf(draft, source, key, offers);
  const models = useModels(plan, listedModels, source, draft);

  /** A new input invalidates the last test result. */
  const change = (update: () => void): void => {
    latestAttempt.current += 1;
    setProblem(undefined);
    setOutcome(undefined);
    setTesting(false);
    update();
  };
  /** A new source or vendor also clears the key. */
  const changeProvider = (update: () => void): void => {
    change(update);
    setKey("");
  };
  const saveProvider = async (completePlan: Exclude<Plan, { kind: "incomplete" }>): Promise<string> =>
    completePlan.kind === "existing" ? completePlan.name : (await createProvider(completePlan.provider)).name;
  const showProblem = (newProblem: Problem): undefined => {
    setProblem(newProblem);
    return undefined;
  };

  const state = { offersQuery, draft, source, key, model, models, problem, outcome, isTesting };
  return {
    ...state,
    chooseSource: (id) => changeProvider(() => onDraft(chooseSource(draft, id))),
    chooseVendor: (name) => changeProvider(() => onDraft(chooseVendor(draft, name))),
    setAddress: (address) => change(() => onDraft({ ...draft, address })),
    setKey: (newKey) => change(() => setKey(newKey)),
    setModel: (newModel) => change(() => onDraft({ ...draft, model: newModel })),
    async test() {
      const name = model.trim();
      const inputProblem = plan.kind === "incomplete" ? plan.problem : name === "" ? undefined : checkModel(name);
      if (inputProblem !== undefined || plan.kind === "incomplete") {
        setProblem(inputProblem);
        return false;
      }
      latestAttempt.current += 1;
      const attempt = latestAttempt.current;
      setProblem(undefined);
      setOutcome(undefined);
      setTesting(true);
      // A provider that is not configured is tested with the values of the form. A test does not store it.
      const result = await tryModel(client.providers, plan, name);
      if (latestAttempt.current !== attempt) return false;
      if (result.kind === "listed") setListedModels({ planKey: JSON.stringify(plan), models: result.models });
      setTesting(false);
      setOutcome(result);
      return result.kind === "called" && result.test.ok;
    },
    async connectProvider() {
      return plan.kind === "incomplete" ? showProblem(plan.problem) : saveProvider(plan);
    },
    async connectModel() {
      if (plan.kind === "incomplete") return showProblem(plan.problem);
      const modelError = checkModel(model.trim());
      if (modelError !== undefined) return showProblem(modelError);
      return `${await saveProvider(plan)}/${model.trim()}`;
    },
  };
};

/** Returns the state of a form that chooses a model: its draft, and the action that saves it. */
export const useModelForm = (
  offersQuery: OffersQuery,
  createInitialDraft: () => ModelDraft,
): { readonly choice: ModelChoice; readonly submission: Submission } => {
  const submission = useSubmission();
  const [draft, setDraft] = useState(createInitialDraft);
  const choice = useModelChoice({
    offersQuery,
    draft,
    onDraft(newDraft) {
      submission.clear();
      setDraft(newDraft);
    },
  });
  return { choice, submission };
};

/** Returns the models that a test or the discovery found, or else requests the provider's list. */
const useModels = (
  plan: Plan,
  listedModels: { readonly planKey: string; readonly models: readonly string[] } | undefined,
  source: Source | undefined,
  draft: ModelDraft,
): readonly string[] | undefined => {
  const { client } = useUi();
  const origin = source?.origin;
  const isReady = origin?.kind !== "provider" || origin.provider.ready;
  // The form for a new key has no vendor at first.
  const isProviderChosen = origin?.kind !== "key" || draft.vendor !== undefined;
  const shouldRequest = plan.kind === "existing" && isReady && isProviderChosen && origin?.kind !== "offline";
  const name = shouldRequest ? plan.name : undefined;
  // A failed list is not shown: the user can type a name, and a test shows the problem.
  const request = useRequest(
    useMemo(() => (name === undefined ? undefined : () => client.providers.models(name)), [client, name]),
  );
  const testedModels = listedModels?.planKey === JSON.stringify(plan) ? listedModels.models : undefined;
  return testedModels ?? request.value ?? (origin?.kind === "found" ? origin.server.models : undefined);
};
