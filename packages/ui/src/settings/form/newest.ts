/** Selects the newest known version of a record, from the event log or from an API response. */
import { useState } from "react";

interface VersionedRecord {
  readonly id: string;
  readonly version: number;
}

/**
 * Returns the record to show, and a function that sets the record of an API response. A response
 * may arrive before the event of the log.
 */
export const useNewest = <Item extends VersionedRecord>(
  logged: Item,
): readonly [Item, (response: Item) => void] => {
  const [response, setAnswered] = useState(logged);
  return [pickNewest(logged, response), setAnswered];
};

export const pickNewest = <Item extends VersionedRecord>(logged: Item, response: Item): Item =>
  response.id === logged.id && response.version > logged.version ? response : logged;
