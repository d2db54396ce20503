/** The search dialog: a field, filters, and results that are updated while the user types. */
import { observe } from "@hearth/client";
import { MAX_SEARCH_LENGTH } from "@hearth/protocol/api";
import { type KeyboardEvent, useRef, useState } from "react";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Field, Select, TextInput } from "../design/field.tsx";
import { VisuallyHidden } from "../design/hidden.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Spinner } from "../design/spinner.tsx";
import { formatDay, useGoToDate } from "./go-to-date.ts";
import { roomTitle } from "../house/room-title.ts";
import { useHouse } from "../house/ui.tsx";
import { toVisible } from "../text/visible.tsx";
import { countOf, Results } from "./results.tsx";
import styles from "./search.module.css";
import * as texts from "./text.ts";
import { type Filters, NO_FILTERS, type Search, useResults } from "./use-results.ts";

export interface SearchDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Keeps the typed words and the filters while it is closed. */
export const SearchDialog = ({ isOpen, onClose }: SearchDialogProps) => {
  const [query, setQuery] = useState("");
  const [filters, setFilters] = useState(NO_FILTERS);
  return (
    <Dialog title={texts.search} isOpen={isOpen} onClose={onClose}>
      <Box query={query} onType={setQuery} filters={filters} onFilter={setFilters} onOpen={onClose} />
    </Dialog>
  );
};

interface BoxProps {
  readonly query: string;
  readonly onType: (query: string) => void;
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
  readonly onOpen: () => void;
}

const Box = ({ query, onType, filters, onFilter, onOpen }: BoxProps) => {
  const box = useRef<HTMLDivElement>(null);
  const search = useResults(query, filters);
  const { results, isLoading } = search;
  const count = results === undefined ? 0 : countOf(results);
  const [areFiltersOpen, setFiltersOpen] = useState(filters !== NO_FILTERS);
  return (
    <div ref={box} role="search" className={styles.box} onKeyDown={(event) => stepThrough(box.current, event)}>
      <TextInput
        type="search"
        aria-label={texts.searchFor}
        placeholder={texts.searchFor}
        value={query}
        maxLength={MAX_SEARCH_LENGTH}
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => event.target.select()}
        onChange={(event) => onType(event.target.value)}
      />
      <div>
        <Button
          kind="quiet"
          size="small"
          icon="settings"
          aria-expanded={areFiltersOpen}
          onClick={() => setFiltersOpen(!areFiltersOpen)}
        >
          {texts.filters}
        </Button>
      </div>
      {areFiltersOpen ? <FilterFields filters={filters} onFilter={onFilter} onOpen={onOpen} /> : undefined}
      <div className={styles.results} role="region" aria-label={texts.results} aria-busy={isLoading}>
        <ResultArea search={search} onOpen={onOpen} />
      </div>
      <VisuallyHidden>
        <span role="status">{results === undefined || isLoading ? "" : texts.resultCount(count)}</span>
      </VisuallyHidden>
    </div>
  );
};

interface ResultAreaProps {
  readonly search: Search;
  readonly onOpen: () => void;
}

const ResultArea = ({ search: { results, isLoading, error, retry, showMore }, onOpen }: ResultAreaProps) => {
  if (error !== undefined)
    return (
      <ErrorNotice
        error={error}
        button={
          <Button size="small" icon="retry" onClick={retry}>
            {texts.tryAgain}
          </Button>
        }
      />
    );
  if (results !== undefined && countOf(results) > 0)
    return <Results results={results} onOpen={onOpen} onMore={showMore} />;
  if (isLoading) return <Spinner label={texts.searching} />;
  if (results === undefined) return <p className={styles.about}>{texts.searchHint}</p>;
  return (
    <div className={styles.nothing}>
      <p>{texts.noMatches}</p>
      <p className={styles.about}>{texts.noMatchesHint}</p>
    </div>
  );
};

const kinds = [
  ["", texts.allKinds],
  ["message", texts.messages],
  ["file", texts.memory],
  ["workspace", texts.workspaceFiles],
  ["agent", texts.agents],
  ["room", texts.rooms],
] as const;

interface FilterFieldsProps {
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
  readonly onOpen: () => void;
}

const FilterFields = ({ filters, onFilter, onOpen }: FilterFieldsProps) => {
  const { agents, rooms, house } = useHouse();
  const set = (change: Partial<Filters>): void => onFilter({ ...filters, ...change });
  return (
    <div className={styles.filters}>
      <Field label={texts.kind}>
        {(ids) => (
          <Select
            {...ids}
            value={filters.kind}
            onChange={(event) => set({ kind: kinds.find(([kind]) => kind === event.target.value)?.[0] ?? "" })}
          >
            {kinds.map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={texts.from}>
        {(ids) => (
          <Select {...ids} value={filters.from} onChange={(event) => set({ from: event.target.value })}>
            <option value="">{texts.anyone}</option>
            {[...agents.values()]
              .filter((agent) => agent.house === house?.id)
              .map(({ id, content }) => (
                <option key={id} value={id}>
                  {toVisible(content.name)}
                </option>
              ))}
          </Select>
        )}
      </Field>
      <Field label={texts.room}>
        {(ids) => (
          <Select {...ids} value={filters.room} onChange={(event) => set({ room: event.target.value })}>
            <option value="">{texts.allRooms}</option>
            {rooms.map(({ room }) => (
              <option key={room.id} value={room.id}>
                {roomTitle(room)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <DayField label={texts.since} value={filters.since} onChange={(since) => set({ since })} />
      <DayField label={texts.until} value={filters.until} onChange={(until) => set({ until })} />
      {filters.room === "" || filters.since === "" ? undefined : (
        <GoToDate room={filters.room} day={filters.since} onOpen={onOpen} />
      )}
    </div>
  );
};

interface GoToDateProps {
  readonly room: string;
  readonly day: string;
  readonly onOpen: () => void;
}

/** Opens the chosen room at the first message of the chosen day or later. */
const GoToDate = ({ room, day, onOpen }: GoToDateProps) => {
  const { rooms } = useHouse();
  const { goTo, error, isBusy } = useGoToDate();
  const entry = rooms.find((candidate) => candidate.room.id === room);
  if (entry === undefined) return undefined;
  const open = async (): Promise<void> => {
    if (await goTo(entry.room, day)) onOpen();
  };
  return (
    <div className={styles.goTo}>
      <Button size="small" icon="clock" isBusy={isBusy} onClick={() => observe(open())}>
        {texts.goToDate(formatDay(day), roomTitle(entry.room))}
      </Button>
      {error === undefined ? undefined : <ErrorNotice error={error} shape="line" />}
    </div>
  );
};

interface DayFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const DayField = ({ label, value, onChange }: DayFieldProps) => (
  <Field label={label}>
    {(ids) => <TextInput {...ids} type="date" value={value} onChange={(event) => onChange(event.target.value)} />}
  </Field>
);

/** Moves the focus between the search field and the results on arrow keys. */
const stepThrough = (box: HTMLElement | null, event: KeyboardEvent): void => {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (box === null || step === 0) return;
  const items = [...box.querySelectorAll<HTMLElement>("input[type=search], li a")];
  const focusedIndex = items.findIndex((item) => item === event.target);
  const nextItem = focusedIndex === -1 ? undefined : items[focusedIndex + step];
  if (nextItem === undefined) return;
  event.preventDefault();
  nextItem.focus();
};
