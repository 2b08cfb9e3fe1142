import type { Operation, OperationTemplate, RootSelection } from '../../contract/operation.ts'
import { argumentValue } from '../../plan/plan-value.ts'
import { nodeIdOf } from '../../plan/rows/node-id.ts'
import type { SchemaModel } from '../../schema/model.ts'
import { type OperationPart, partOf } from './operation-part.ts'

/** Of one template: which database its `node` is of depends on the variables. */
const MOST = 16
const parts = new WeakMap<OperationTemplate, Map<string, readonly OperationPart[]>>()

/**
 * The roots by database, in their order; those that ask none are left out. The whole template where one database answers all.
 * @param inSeries the roots run one after the other: only neighbours are together
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

/** @returns `null`: it asks none */
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

/** An id that does not say its type is looked for in the default database. */
function databaseOfNode(id: unknown, schema: SchemaModel): string | undefined {
  const name = typeof id === 'string' ? nodeIdOf(id)?.type : undefined
  return schema.relayTypes.find((type) => type.name === name)?.source?.database
}
