import type { MutationModel } from '../schema/model.ts'
import type { ReturnForm } from './write-form.ts'

/** `ids`: the function gives ids only, and the objects have to be read. `void`: no rows matter. */
export type WriteKind = 'documents' | 'ids' | 'void'

/** What comes of the result of a mutation's function. */
export function writeKindOf({ named }: Pick<MutationModel, 'named'>, form: ReturnForm): WriteKind {
  if (form === 'void') return 'void'
  return form === 'scalar' && named.kind !== 'scalar' && named.kind !== 'enum' ? 'ids' : 'documents'
}
