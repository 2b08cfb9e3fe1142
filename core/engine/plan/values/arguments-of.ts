import type { ArgumentNode, Operation, RootSelection } from '../../../contract/operation.ts'
import type { ObjectType } from '../../../schema/model.ts'
import { valueOfNode } from '../context/plan-value.ts'
import { toText } from './operand.ts'
import { columnOf } from './stored.ts'

/**
 * Returns the arguments of a root field in this request, coerced, by wire name: for audit, cache keys, and rules about values. An
 * argument that the client omitted, or whose variable is absent, has no key. May be secret: log the names, not the values.
 */
export function argumentsOf(root: RootSelection, variables: Operation['variables']): Readonly<Record<string, unknown>> {
  const given: Record<string, unknown> = Object.create(null)
  for (const { name, value } of nodesOf(root)) {
    const { sample } = valueOfNode(value, variables)
    if (sample !== undefined) given[name] = sample
  }
  return given
}

function nodesOf(root: RootSelection): readonly ArgumentNode[] {
  if (root.kind === 'rows') return [{ name: 'keys', value: root.keys }]
  return root.kind === 'operation' || root.kind === 'node' || root.kind === 'aggregate' ? root.arguments : []
}

/**
 * Describes why no row of a type can have a value in a field, such as a malformed UUID for a column of UUIDs.
 * @param name of the field, as declared
 * @returns `null`: the value is possible, or the type of the column is unknown
 */
export function valueProblem(type: ObjectType, name: string, value: unknown): string | null {
  const field = [...type.fields.values()].find((one) => one.name === name)
  if (field?.read?.from !== 'column' || field.list || field.named.kind !== 'scalar' || type.source === null) return null
  const { column, column_type } = field.read
  try {
    toText(value, field.named, columnOf(type.source, column)?.type ?? column_type)
    return null
  } catch (error) {
    return (error as Error).message
  }
}
