import type { MutationModel } from '../../../schema/model.ts'
import { wordOf } from './write-status.ts'

type Kind = MutationModel['operation']

/** Words of a status that say what became of the row: a function that inserts or updates says which it did. */
export const kindsByStatus: ReadonlyMap<string, Kind> = new Map([
  ['new', 'CREATE'],
  ['created', 'CREATE'],
  ['updated', 'UPDATE'],
  ['deleted', 'DELETE'],
])

/** `CommittedWrite.kind`: what the schema calls a DELETE is one, however the function did it. */
export function kindOfWrite(declared: Kind, status: string | null): Kind {
  if (declared === 'DELETE' || status === null) return declared
  return kindsByStatus.get(wordOf(status)) ?? declared
}
