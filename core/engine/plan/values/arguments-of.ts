import type { ArgumentNode, Operation, RootSelection } from '../../../contract/operation.ts'
import type { ObjectType } from '../../../schema/model.ts'
import { valueOfNode } from '../context/plan-value.ts'
import { toText } from './operand.ts'
import { columnOf } from './stored.ts'

/**
 * Returns the arguments of a root field in a request, checked and converted, by name: for audit, cache keys, and rules
 * about values. Arguments that the client omitted are absent. Values may be secret, so log only the names.
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
 * Describes why a field can never have a value, such as a malformed UUID for a column of UUIDs.
 * @param name name of the field in the schema
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
