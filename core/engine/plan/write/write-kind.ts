import type { MutationModel } from '../../../schema/model.ts'
import { wordOf } from './write-status.ts'

type Kind = MutationModel['operation']

/** Statuses that report the kind of a write. A function that inserts or updates returns one of them. */
export const kindsByStatus: ReadonlyMap<string, Kind> = new Map([
  ['new', 'CREATE'],
  ['created', 'CREATE'],
  ['updated', 'UPDATE'],
  ['deleted', 'DELETE'],
])

/** Returns `CommittedWrite.kind`. A mutation declared as DELETE is always a DELETE. */
export function kindOfWrite(declared: Kind, status: string | null): Kind {
  if (declared === 'DELETE' || status === null) return declared
  return kindsByStatus.get(wordOf(status)) ?? declared
}
