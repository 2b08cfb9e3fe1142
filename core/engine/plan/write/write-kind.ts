import type { MutationModel } from '../../../schema/model.ts'
import { wordOf } from './write-status.ts'

type Kind = MutationModel['operation']

/** Words in the status of a function that tell what it wrote, for functions that may insert or update. */
export const kindsByStatus: ReadonlyMap<string, Kind> = new Map([
  ['new', 'CREATE'],
  ['created', 'CREATE'],
  ['updated', 'UPDATE'],
  ['deleted', 'DELETE'],
])

/**
 * Returns what a mutation wrote: the kind that the status of its function tells, otherwise the declared one. A mutation
 * declared as DELETE is always a DELETE.
 * @param status status of the function; `null`: it returned none
 */
export function kindOfWrite(declared: Kind, status: string | null): Kind {
  if (declared === 'DELETE' || status === null) return declared
  return kindsByStatus.get(wordOf(status)) ?? declared
}
