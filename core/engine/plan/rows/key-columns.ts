import type { ObjectType } from '../../../schema/model.ts'

/**
 * Returns the columns by which a written row is read again, for a type whose rows have no id: the declared key,
 * otherwise the key of its view or table.
 * @returns `null`: the row is read by its id; empty: it cannot be read
 */
export function keyColumns({ fields, key, source }: ObjectType): readonly string[] | null {
  const id = fields.get('id')
  if (id !== undefined && id.named.kind === 'scalar' && id.read !== null && id.read.from !== 'relation') return null
  return key ?? source?.key ?? []
}
