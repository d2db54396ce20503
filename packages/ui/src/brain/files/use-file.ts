/**
 * An open file: the stored version, unsaved text, and conflicts between the two. Never overwrites
 * unsaved text.
 */
import { observe } from "@hearth/client";
import { type AgentId, type BrainFile, type BrainText, isHearthError, MAX_BRAIN_TEXT_BYTES } from "@hearth/protocol";
import { useCallback, useEffect, useRef, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission, type Submission } from "../../house/use-submission.ts";
import type { Draft, Drafts } from "./drafts.ts";
import { fromField, toField } from "./line-ends.ts";
import * as texts from "../text.ts";

export type LoadedFile =
  | { readonly kind: "existing"; readonly file: BrainText }
  | { readonly kind: "missing" }
  /** The file is too large to be loaded. */
  | { readonly kind: "too-large"; readonly sizeBytes: number };

export interface UseFileOptions {
  readonly agent: AgentId;
  readonly path: string;
  /** The entry in the file list, which is refreshed regularly. */
  readonly listedFile: BrainFile | undefined;
  readonly drafts: Drafts;
  /** Called when unsaved text appears or disappears. */
  readonly onDraft: () => void;
  /** Called when the file list is outdated. */
  readonly onChanged: () => void;
}

export interface FileView {
  /** Undefined until the first response. */
  readonly loadedFile: LoadedFile | undefined;
  readonly loadError: unknown;
  readonly reload: () => void;
  /** The text in the field. */
  readonly text: string;
  readonly isChanged: boolean;
  /** The file changed since the edit started. */
  readonly hasConflict: boolean;
  /** The draft is stored and survives closing the page. */
  readonly isDraftStored: boolean;
  readonly isSaved: boolean;
  readonly submission: Submission;
  readonly setText: (text: string) => void;
  readonly discard: () => void;
  /** Saves, unless the file changed since the edit started. */
  readonly save: () => void;
  /** Overwrites the current version, which the conflict view showed to the user. */
  readonly saveOver: () => void;
  readonly remove: () => Promise<boolean>;
}

export const useFile = (options: UseFileOptions): FileView => {
  const { agent, path, onChanged } = options;
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const { loadedFile, loadError, load } = useLoaded(options);
  const { draft, latestDraft, isDraftStored, replaceDraft } = useDraft(options);
  const [isSaved, setSaved] = useState(false);

  const file = loadedFile?.kind === "existing" ? loadedFile.file : undefined;
  const storedText = toField(file?.text ?? "");
  const isChanged = draft !== undefined && draft.text !== storedText;
  const isDraftObsolete = draft !== undefined && !isChanged && loadedFile !== undefined;
  useEffect(() => {
    // The stored file now contains the typed text, so nothing is unsaved.
    if (isDraftObsolete) replaceDraft(undefined);
  }, [isDraftObsolete, replaceDraft]);

  const save = (replacedHash: string | undefined): Promise<boolean> =>
    submission.run(async () => {
      const sentDraft = latestDraft.current;
      if (sentDraft === undefined) return;
      const calls = await client.brains();
      try {
        await calls.write(agent, path, fromField(sentDraft.text, file?.text), replacedHash);
      } catch (error) {
        if (!isHearthError(error, "brain.changed")) throw error;
        await load();
        announce(texts.notSavedConflict);
        return;
      }
      const reloadedFile = await load();
      const typedDraft = latestDraft.current;
      // Text that was typed during the save is still unsaved. It is now an edit of the saved version.
      if (typedDraft === undefined || typedDraft.text === sentDraft.text) replaceDraft(undefined);
      else if (reloadedFile?.kind === "existing") replaceDraft({ text: typedDraft.text, hash: reloadedFile.file.hash });
      setSaved(true);
      announce(texts.saved);
      onChanged();
    });

  return {
    loadedFile,
    loadError,
    isChanged,
    isDraftStored,
    isSaved,
    submission,
    reload: () => observe(load()),
    text: draft?.text ?? storedText,
    hasConflict: isChanged && loadedFile !== undefined && loadedFile.kind !== "too-large" && draft.hash !== file?.hash,
    setText(text) {
      setSaved(false);
      submission.clear();
      const baseHash = latestDraft.current?.hash ?? (latestDraft.current === undefined ? file?.hash : undefined);
      const isSame = text === storedText && (baseHash === file?.hash || file === undefined);
      replaceDraft(isSame ? undefined : { text, ...(baseHash === undefined ? {} : { hash: baseHash }) });
    },
    discard() {
      submission.clear();
      replaceDraft(undefined);
    },
    save: () => observe(save(latestDraft.current?.hash)),
    saveOver: () => observe(save(file?.hash)),
    remove: () =>
      submission.run(async () => {
        await (await client.brains()).remove(agent, path);
        replaceDraft(undefined);
        announce(texts.removed);
        onChanged();
      }),
  };
};

/** Returns the stored version. It is read again when the file list reports another version. */
const useLoaded = ({ agent, path, listedFile }: UseFileOptions) => {
  const { client } = useUi();
  const [loadedFile, setLoadedFile] = useState<LoadedFile>();
  const [loadError, setLoadError] = useState<unknown>();
  /** Numbers requests, so that outdated responses are ignored. */
  const requestCount = useRef(0);

  const load = useCallback(async (): Promise<LoadedFile | undefined> => {
    requestCount.current += 1;
    const requestNumber = requestCount.current;
    try {
      const newFile = await readFile(async () => (await client.brains()).read(agent, path));
      if (requestNumber !== requestCount.current) return undefined;
      setLoadError(undefined);
      setLoadedFile(newFile);
      return newFile;
    } catch (error) {
      if (requestNumber === requestCount.current) setLoadError(error);
      return undefined;
    }
  }, [client, agent, path]);

  const isListed = listedFile !== undefined;
  const { hash, sizeBytes = 0 } = listedFile ?? {};
  useEffect(() => {
    if (!isListed || sizeBytes > MAX_BRAIN_TEXT_BYTES) {
      requestCount.current += 1;
      setLoadError(undefined);
      setLoadedFile(isListed ? { kind: "too-large", sizeBytes } : { kind: "missing" });
    } else observe(load());
    // Loads each version of the file once.
  }, [isListed, hash, sizeBytes, load]);

  return { loadedFile, loadError, load };
};

/** Returns the unsaved text. `latestDraft` holds the newest text, even before React renders it. */
const useDraft = ({ path, drafts, onDraft }: UseFileOptions) => {
  const [draft, setDraft] = useState(() => drafts.get(path));
  const latestDraft = useRef(draft);
  const [isDraftStored, setDraftStored] = useState(true);
  const replaceDraft = useCallback(
    (newDraft: Draft | undefined): void => {
      const isPresenceChanged = (latestDraft.current === undefined) !== (newDraft === undefined);
      latestDraft.current = newDraft;
      setDraft(newDraft);
      if (newDraft === undefined) drafts.drop(path);
      else setDraftStored(drafts.put(path, newDraft));
      if (isPresenceChanged) onDraft();
    },
    [drafts, path, onDraft],
  );
  return { draft, latestDraft, isDraftStored, replaceDraft };
};

const readFile = async (read: () => Promise<BrainText>): Promise<LoadedFile> => {
  try {
    return { kind: "existing", file: await read() };
  } catch (error) {
    if (isHearthError(error, "brain.not-found")) return { kind: "missing" };
    throw error;
  }
};
