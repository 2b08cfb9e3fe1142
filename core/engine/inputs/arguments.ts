import { builtinShape, type ShapeField, toShapeField } from '../../schema/input-shape.ts'
import type { FieldModel, OperationModel, QueryModel } from '../../schema/model.ts'
import { type GeneratedInputs, inputMember, isRowType } from './generated-inputs.ts'

/** The arguments of a GraphQL field with their types, by name, in the order of the schema. */
export type ArgumentShapes = ReadonlyMap<string, ShapeField>

const NONE: ArgumentShapes = new Map()

const int = (name: string, description: string): ShapeField =>
  inputMember(name, 'Int', builtinShape('Int'), description)
const text = (name: string, description: string): ShapeField =>
  inputMember(name, 'String', builtinShape('String'), description)

/** The argument of the root field `node(id: ID!)`. */
export const NODE_ARGUMENTS: ArgumentShapes = new Map([
  ['id', inputMember('id', 'ID!', builtinShape('ID'), 'Global id of the object, or the plain `id` of a row.')],
])

/**
 * Returns the arguments that clients may pass to a query, mutation or subscription: those that the schema declares,
 * then generated ones (`where`, `orderBy`, paging).
 */
export function argumentsOfOperation(operation: OperationModel, inputs: GeneratedInputs): ArgumentShapes {
  const declared = [...operation.arguments.values()].map(toShapeField)
  const automatic = operation.kind === 'query' ? automaticArguments(operation, inputs) : []
  return new Map([...declared, ...automatic].map((each) => [each.name, each]))
}

function automaticArguments(query: QueryModel, inputs: GeneratedInputs): readonly ShapeField[] {
  const { where, order_by, limit, offset } = query.autoParams
  const paging = query.relay
    ? [
        int('first', 'At most so many, from the start.'),
        text('after', 'Only what comes after this cursor.'),
        int('last', 'At most so many, from the end.'),
        text('before', 'Only what comes before this cursor.'),
      ]
    : [...(limit ? [LIMIT] : []), ...(offset ? [OFFSET] : [])]
  return [...filtering(query, inputs, where, order_by), ...paging]
}

const LIMIT = int('limit', 'At most so many rows.')
const OFFSET = int('offset', 'Leave out so many rows first.')

/** The paging arguments `limit` and `offset` of an aggregate with groups. */
export const GROUP_PAGE: readonly ShapeField[] = [
  int('limit', 'At most so many groups.'),
  int('offset', 'Leave out so many groups first.'),
]

function filtering(
  { named }: QueryModel | FieldModel,
  inputs: GeneratedInputs,
  where: boolean,
  sort: boolean,
): readonly ShapeField[] {
  if (!isRowType(named)) return []
  const filter = inputs.where(named)
  const order = sort ? inputs.orderBy(named) : null
  return [
    ...(where ? [inputMember('where', filter.name, filter, 'Only rows that match.')] : []),
    ...(order === null ? [] : [inputMember('orderBy', `[${order.name}!]`, order, 'Sort keys, the first counts most.')]),
  ]
}

/**
 * Returns the arguments that clients may pass to a field of a type. A list of related rows has `where`, `orderBy`,
 * `limit` and `offset`; other fields have none.
 */
export function argumentsOfField(field: FieldModel, inputs: GeneratedInputs): ArgumentShapes {
  if (field.read?.from !== 'relation' || !field.list) return NONE
  return new Map([...filtering(field, inputs, true, true), LIMIT, OFFSET].map((each) => [each.name, each]))
}
