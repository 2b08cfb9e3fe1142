import { builtinShape, type ShapeField, toShapeField } from '../../schema/input-shape.ts'
import type { FieldModel, OperationModel, QueryModel } from '../../schema/model.ts'
import { type GeneratedInputs, inputMember, isRowType } from './generated-inputs.ts'

/** Arguments of a field by wire name, in the order of the GraphQL schema. */
export type ArgumentShapes = ReadonlyMap<string, ShapeField>

const NONE: ArgumentShapes = new Map()

const int = (name: string, description: string): ShapeField =>
  inputMember(name, 'Int', builtinShape('Int'), description)
const text = (name: string, description: string): ShapeField =>
  inputMember(name, 'String', builtinShape('String'), description)

/** Arguments of `node(id: ID!)`. */
export const NODE_ARGUMENTS: ArgumentShapes = new Map([
  ['id', inputMember('id', 'ID!', builtinShape('ID'), 'Global id of the object, or the plain `id` of a row.')],
])

/** Returns the arguments of an operation: the declared ones, then the automatic ones (`where`, `orderBy`, paging). */
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

/** Paging arguments of a list of groups: `limit`, `offset`. */
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

/** Returns the arguments of a field. A related list has `where`, `orderBy`, `limit`, `offset`; other fields have none. */
export function argumentsOfField(field: FieldModel, inputs: GeneratedInputs): ArgumentShapes {
  if (field.read?.from !== 'relation' || !field.list) return NONE
  return new Map([...filtering(field, inputs, true, true), LIMIT, OFFSET].map((each) => [each.name, each]))
}
