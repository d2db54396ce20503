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
  loggedRecord: Item,
): readonly [Item, (response: Item) => void] => {
  const [response, setResponse] = useState(loggedRecord);
  return [pickNewest(loggedRecord, response), setResponse];
};

export const pickNewest = <Item extends VersionedRecord>(loggedRecord: Item, response: Item): Item =>
  response.id === loggedRecord.id && response.version > loggedRecord.version ? response : loggedRecord;
