import type { Operation, OperationTemplate, RootSelection } from '../../../contract/operation.ts'
import type { SchemaModel } from '../../../schema/model.ts'
import { argumentValue } from '../../plan/context/plan-value.ts'
import { nodeIdOf } from '../../plan/rows/node-id.ts'
import { type OperationPart, partOf } from './operation-part.ts'

/** Most cached splits of a template. They differ because the database of `node` depends on the variables. */
const MOST = 16
const parts = new WeakMap<OperationTemplate, Map<string, readonly OperationPart[]>>()

/**
 * Groups the root fields of an operation by database. Root fields that need no database, such as `__typename`, are left
 * out, except if there is only one group, which then has all root fields.
 * @param inSeries `true`: the root fields run in series (a mutation), so that only adjacent ones form a group
 */
export function splitOperation(
  { template, variables }: Operation,
  schema: SchemaModel,
  inSeries: boolean,
): readonly OperationPart[] {
  const databases = template.roots.map((root) => databaseOf(root, variables, schema))
  const key = databases.join()
  const known = parts.get(template) ?? new Map<string, readonly OperationPart[]>()
  let found = known.get(key)
  if (found === undefined) {
    found = split(template, databases, inSeries).map((part) => partOf(part.database, part.template, schema))
    if (known.size >= MOST) known.clear()
    parts.set(template, known.set(key, found))
  }
  return found
}

function split(
  template: OperationTemplate,
  databases: readonly (string | undefined | null)[],
  inSeries: boolean,
): readonly Pick<OperationPart, 'database' | 'template'>[] {
  const groups: { database: string | undefined; roots: RootSelection[] }[] = []
  for (const [index, database] of databases.entries()) {
    if (database === null) continue
    const candidates = inSeries ? groups.slice(-1) : groups
    const group = candidates.find((each) => each.database === database)
    const root = template.roots[index]!
    if (group === undefined) groups.push({ database, roots: [root] })
    else group.roots.push(root)
  }
  const [only, ...others] = groups
  if (only === undefined) return [{ database: undefined, template }]
  if (others.length === 0) return [{ database: only.database, template }]
  return groups.map(({ database, roots }) => ({ database, template: { ...template, roots } }))
}

/** Returns the database of a root field; `undefined`: the default one; `null`: none. */
function databaseOf(
  root: RootSelection,
  variables: Operation['variables'],
  schema: SchemaModel,
): string | undefined | null {
  switch (root.kind) {
    case 'operation':
      if (root.operation.kind === 'query') return root.operation.source.database
      return root.operation.kind === 'mutation' ? root.operation.function.database : undefined
    case 'aggregate':
      return root.operation.source.database
    case 'rows':
      return (root.query?.source ?? root.type.source)?.database
    case 'node':
      return databaseOfNode(argumentValue(root.arguments, 'id', variables).sample, schema)
    default:
      return null
  }
}

/** Returns the database of an id. Ids without a type are looked up in the default database. */
function databaseOfNode(id: unknown, schema: SchemaModel): string | undefined {
  const name = typeof id === 'string' ? nodeIdOf(id)?.type : undefined
  return schema.relayTypes.find((type) => type.name === name)?.source?.database
}
