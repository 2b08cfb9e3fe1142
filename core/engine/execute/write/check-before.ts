import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Session } from '../../../contract/database.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { ObjectSelection, Operation } from '../../../contract/operation.ts'
import type { WritePlan } from '../../../contract/plan/write-plan.ts'
import type { ObjectType } from '../../../schema/model.ts'
import { argumentsOf } from '../../plan/values/arguments-of.ts'
import { keyArguments } from '../../plan/write/key-argument.ts'
import type { ExecuteContext } from '../context/context.ts'
import { prepareRowsByKeys } from '../read/prepare-read.ts'

/**
 * Tests whether {@link checkBefore} has to run for a mutation: access rules restrict the rows of the type, and the
 * mutation is not a CREATE.
 */
export function asksBefore({ root: { operation }, types, isRuled }: WritePlan): boolean {
  return operation.operation !== 'CREATE' && types.some(isRuled)
}

/**
 * Checks that the caller may see the row with the `id` of a mutation's argument, before the function of the mutation
 * runs (docs/guides/access.md). Afterwards it would be too late, because the function can change values that a rule
 * reads, or delete the row.
 * @throws SvcError NOT_FOUND: there is no such row for the caller; FORBIDDEN: a DELETE has no `id` argument. Nothing
 * was written
 */
export async function checkBefore(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  plan: WritePlan,
  session: Session,
): Promise<void> {
  const { root, types, isRuled } = plan
  const ids = keyArguments(root.operation, argumentsOf(root, operation.variables))
  // A deleted row cannot be checked after the call.
  if (ids.length === 0 && root.operation.operation === 'DELETE') throw unnamed(root.operation.wireName)
  const ruled = types.filter(isRuled)
  for (const id of ids) {
    // Types without rules may have a row with this id, too. The check cannot tell which one is meant, so the types with rules decide.
    const found = await Promise.all(ruled.map((type) => isThere(type, id)))
    if (!found.includes(true)) throw notThere(root.operation.wireName, ruled, id)
  }

  async function isThere(type: ObjectType, id: string): Promise<boolean> {
    const read = { key: root.responseKey, type, selection: onlyId(type), many: false }
    const kind = `before ${root.responseKey} ${type.name}`
    const prepared = prepareRowsByKeys(operation, kind, read, exchange.generation.schema, context.settings)
    if (prepared.statement === null) throw new Error('Rows are read with a statement')
    const { variables, access } = operation
    const { rows } = await session.query(prepared.statement, prepared.bind(variables, exchange, [id], access))
    return (rows[0]?.[0] ?? null) !== null
  }
}

function notThere(mutation: string, types: readonly ObjectType[], id: string): SvcError {
  const names = types.map((type) => type.name).join(' or ')
  return new SvcError('NOT_FOUND', `${mutation}: there is no ${names} with the id "${id}". Nothing was written.`)
}

function unnamed(mutation: string): SvcError {
  const message = `${mutation}: there are rules about who sees which rows, and the call does not say by "id" which row it is about. Nothing was written.`
  return new SvcError('FORBIDDEN', message)
}

const selections = new WeakMap<ObjectType, ObjectSelection>()

function onlyId(type: ObjectType): ObjectSelection {
  let selection = selections.get(type)
  if (selection === undefined) {
    // `types` are those that can be read by an id.
    const field = type.fields.get('id')!
    const id = { kind: 'field', responseKey: 'id', field, arguments: [], selection: null, location: null } as const
    selection = { kind: 'object', type, fields: [id] }
    selections.set(type, selection)
  }
  return selection
}
