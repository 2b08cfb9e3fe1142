import { builtinShape, type InputShape, shapeOf } from '../input-shape.ts'
import type { FieldModel } from '../model.ts'
import type { Operator } from './operator.ts'
import { filterScalar } from './operators.ts'

/**
 * Type of the value that a client sends for a filter operator: in GraphQL notation, and as the valid form of the named
 * type in it.
 */
export interface OperandInput {
  readonly notation: string
  readonly shape: InputShape
}

/**
 * Returns the type of the value that clients send for a filter operator on a field. All protocols with filters
 * (GraphQL, REST, MCP) use it.
 */
export function operandInput({ operand: kind, input }: Operator, field: FieldModel): OperandInput {
  if (input !== null) return { notation: input.name, shape: input }
  if (kind === 'boolean') return { notation: 'Boolean', shape: builtinShape('Boolean') }
  if (kind === 'int') return { notation: 'Int', shape: builtinShape('Int') }
  if (kind === 'string') return { notation: 'String', shape: builtinShape('String') }
  if (kind === 'strings') return { notation: '[String!]', shape: builtinShape('String') }
  if (kind === 'key') return { notation: 'ID', shape: builtinShape('ID') }
  if (kind === 'place') return { notation: 'GeoJSON', shape: builtinShape('GeoJSON') }
  if (kind === 'json') return { notation: 'JSON', shape: builtinShape('JSON') }
  // A custom scalar parses its values itself, even when its filter is that of a built-in scalar.
  const isCustom = field.named.kind === 'scalar' && field.named.custom
  const scalar = isCustom ? undefined : filterScalar(field)
  const shape = scalar === undefined ? shapeOf(field.named) : builtinShape(scalar.name)
  return { notation: kind === 'list' ? `[${shape.name}!]` : shape.name, shape }
}
