/** The brain of an agent: files, memory, version history, proposals and prompt. */
import type { AgentRecord } from "@hearth/protocol";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { PageHeader } from "../design/page-header.tsx";
import { Tabs } from "../design/tabs.tsx";
import { Spinner } from "../design/spinner.tsx";
import { useRequest } from "../house/request.ts";
import { useInterval } from "../house/interval.ts";
import { mayIn } from "../house/may.ts";
import { createLazyPart } from "../house/lazy-part.tsx";
import { brainPath } from "../house/paths.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { AgentLoader } from "../settings/agents/agent-at.tsx";
import { pathOfAgent, paths } from "../settings/place.ts";
import { UpLink } from "../settings/form/up-link.tsx";
import { toVisible } from "../text/visible.tsx";
import styles from "./brain.module.css";
import { createDrafts, type Drafts } from "./files/drafts.ts";
import { FilesTab } from "./files/files-tab.tsx";
import { HistoryTab } from "./history/history-tab.tsx";
import {
  type BrainPlace,
  brainPlaceOf,
  pathOfFile,
  pathOfHistory,
  pathOfWorkspaceFile,
  pathOfWorkspaceFolder,
} from "./place.ts";
import { PromptTab } from "./prompt-tab.tsx";
import { ProposalsTab } from "./proposals/proposals-tab.tsx";
import * as texts from "./text.ts";
import type { WorkspaceTabProps } from "./workspace/workspace-tab.tsx";

const MemoryTab = createLazyPart<{ readonly agent: AgentRecord }>({
  load: async () => (await import("./memory/memory-tab.tsx")).MemoryTab,
  Fallback: () => <Spinner label={texts.loading} />,
});

const WorkspaceTab = createLazyPart<WorkspaceTabProps>({
  load: async () => (await import("./workspace/workspace-tab.tsx")).WorkspaceTab,
  Fallback: () => <Spinner label={texts.loading} />,
});

export const BrainPage = () => {
  const { me } = useHouse();
  const [location] = useLocation();
  const search = useSearch();
  const place = brainPlaceOf(location, search);
  const page = useRef<HTMLDivElement>(null);
  const pathOf = useCallback((handle: string) => pathAt(brainPlaceOf(location, search), handle), [location, search]);
  // Scroll a new tab to its top.
  useEffect(() => {
    page.current?.scrollTo({ top: 0 });
  }, [location, search]);
  return (
    <div ref={page} className={styles.page}>
      <div className={styles.column}>
        <AgentLoader handle={place.agent} pathOf={pathOf} notFoundView={<AgentNotFound />}>
          {(agent) =>
            agent.content.kind !== "bot" || agent.content.runs === "elsewhere" ? (
              <NoBrain agent={agent} />
            ) : mayIn(me, "x", agent.house) ? (
              <Brain key={agent.id} agent={agent} place={place} />
            ) : (
              <NoAccess />
            )
          }
        </AgentLoader>
      </div>
    </div>
  );
};

export interface BrainProps {
  readonly agent: AgentRecord;
  readonly place: BrainPlace;
}

export const Brain = ({ agent, place }: BrainProps) => {
  const { storage } = useUi();
  const drafts = useMemo(() => createDrafts(storage, agent.id), [storage, agent.id]);
  const pendingCount = usePendingCount(agent);
  const name = toVisible(agent.content.name);
  const tabs = [
    { title: texts.files, to: brainPath(agent.handle), isCurrent: place.kind === "files" || place.kind === "file" },
    { title: texts.workspace, to: brainPath(agent.handle, "workspace"), isCurrent: place.kind === "workspace" },
    { title: texts.memory, to: brainPath(agent.handle, "memory"), isCurrent: place.kind === "memory" },
    { title: texts.history, to: brainPath(agent.handle, "history"), isCurrent: place.kind === "history" },
    {
      title: texts.proposals(pendingCount),
      to: brainPath(agent.handle, "proposals"),
      isCurrent: place.kind === "proposals",
    },
    { title: texts.prompt, to: brainPath(agent.handle, "prompt"), isCurrent: place.kind === "prompt" },
  ];
  return (
    <>
      <PageHeader title={texts.brainOf(name)} />
      <UpLink to={pathOfAgent(agent.handle, "memory")}>{texts.settingsOf(agent.content.name)}</UpLink>
      <Tabs
        label={texts.brainOf(name)}
        tabs={tabs.map(({ title, to, isCurrent }) => ({ title, path: to, isCurrent }))}
      />
      <BrainTab agent={agent} place={place} drafts={drafts} />
    </>
  );
};

const BrainTab = ({ agent, place, drafts }: BrainProps & { readonly drafts: Drafts }) => {
  switch (place.kind) {
    case "files":
      return <FilesTab agent={agent} path={undefined} drafts={drafts} />;
    case "file":
      return <FilesTab agent={agent} path={place.path} drafts={drafts} />;
    case "workspace":
      return <WorkspaceTab agent={agent} path={place.path} isFile={place.isFile} />;
    case "memory":
      return <MemoryTab key={agent.id} agent={agent} />;
    case "history":
      return <HistoryTab key={place.path} agent={agent} path={place.path} />;
    case "proposals":
      return <ProposalsTab agent={agent} />;
    case "prompt":
      return <PromptTab agent={agent} />;
  }
};

const POLL_INTERVAL_MS = 10_000;

/** Returns the number of pending proposals. */
const usePendingCount = ({ id }: AgentRecord): number => {
  const { client } = useUi();
  const loadCount = useCallback(
    async () => (await (await client.brains()).proposals(id, { state: "pending" })).length,
    [client, id],
  );
  const { value = 0, reload } = useRequest(loadCount);
  useInterval(POLL_INTERVAL_MS, reload);
  return value;
};

/** Returns the path of the same tab under the agent's current handle. */
const pathAt = (place: BrainPlace, handle: string): string => {
  switch (place.kind) {
    case "files":
      return brainPath(handle);
    case "file":
      return pathOfFile(handle, place.path);
    case "workspace":
      return place.isFile ? pathOfWorkspaceFile(handle, place.path) : pathOfWorkspaceFolder(handle, place.path);
    case "history":
      return pathOfHistory(handle, place.path);
    case "memory":
    case "proposals":
    case "prompt":
      return brainPath(handle, place.kind);
  }
};

const AgentNotFound = () => (
  <>
    <PageHeader title={texts.brain} />
    <p>
      {texts.agentNotFound} <Link href={paths.agents}>{texts.viewAgents}</Link>
    </p>
  </>
);

const NoAccess = () => (
  <>
    <PageHeader title={texts.brain} />
    <p>{texts.onlyAdmins}</p>
  </>
);

const NoBrain = ({ agent }: { readonly agent: AgentRecord }) => (
  <>
    <PageHeader title={texts.brain} />
    <p>
      {texts.hasNoBrain(toVisible(agent.content.name))}{" "}
      <Link href={pathOfAgent(agent.handle)}>{texts.viewProfile}</Link>
    </p>
  </>
);
