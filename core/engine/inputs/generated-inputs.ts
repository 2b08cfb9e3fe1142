import { type EnumShape, type InputShape, lazily, type ObjectShape, type ShapeField } from '../../schema/input-shape.ts'
import type { FieldModel, InterfaceType, NamedType, ObjectType } from '../../schema/model.ts'
import { operandInput } from '../../schema/operators/operand-input.ts'
import { filterTypeName, operatorsFor } from '../../schema/operators/operators.ts'
import { parseTypeRef, type TypeRef } from '../../schema/type-ref.ts'
import { isOrderable } from '../plan/rows/order.ts'

/** Types whose rows can be filtered and sorted. Unions cannot, because they have no fields of their own. */
export type RowType = ObjectType | InterfaceType

/** The input types that svc generates for filters and sort orders. Each is created when it is first requested. */
export interface GeneratedInputs {
  /** Returns the input type `{Type}WhereInput`, the filter for rows of a type. */
  where(type: RowType): ObjectShape
  /**
   * Returns the input type `{Type}OrderByInput`, a sort key for rows of a type; `null`: the type has no sortable field.
   */
  orderBy(type: RowType): ObjectShape | null
  /** Returns the input type `{Type}ListFilter` (`some`, `every`, `none`), the filter for a list of related rows. */
  listFilter(type: RowType): ObjectShape
  /** Returns the input type with the filter operators of a scalar or enum field, such as `StringFilter`. */
  filter(field: FieldModel): ObjectShape
}

/** The GraphQL enum `OrderDirection`. `ASC` puts rows without a value last, `DESC` puts them first. */
export const ORDER_DIRECTION: EnumShape = {
  kind: 'enum',
  name: 'OrderDirection',
  description: 'Direction, and where rows without a value go.',
  values: new Set(['ASC', 'DESC', 'ASC_NULLS_FIRST', 'ASC_NULLS_LAST', 'DESC_NULLS_FIRST', 'DESC_NULLS_LAST']),
}

/** Parses a GraphQL type such as `[ID!]!` from svc's own source code. @throws Error for invalid notation */
export function typeRef(notation: string): TypeRef {
  const ref = parseTypeRef(notation)
  if (ref === null) throw new Error(`${notation} is no type`)
  return ref
}

export function inputMember(name: string, notation: string, shape: InputShape, description?: string): ShapeField {
  return { name, type: typeRef(notation), shape, description, deprecated: undefined, default: undefined }
}

export function isRowType(type: NamedType): type is RowType {
  return type.kind === 'object' || type.kind === 'interface'
}

function toMap(members: readonly ShapeField[]): ReadonlyMap<string, ShapeField> {
  return new Map(members.map((each) => [each.name, each]))
}

export function createGeneratedInputs(): GeneratedInputs {
  const wheres = new Map<RowType, ObjectShape>()
  const orders = new Map<RowType, ObjectShape | null>()
  const listFilters = new Map<RowType, ObjectShape>()
  const filters = new Map<string, ObjectShape>()

  function where(type: RowType): ObjectShape {
    let shape = wheres.get(type)
    if (shape === undefined) {
      shape = createWhere(type)
      wheres.set(type, shape)
    }
    return shape
  }

  function createWhere(type: RowType): ObjectShape {
    const name = `${type.name}WhereInput`
    const shape: ObjectShape = {
      kind: 'object',
      name,
      description: `Conditions on ${type.name}. All members must hold.`,
      oneOf: false,
      fields: lazily(() => {
        const own = [...type.fields.values()].map(toCondition).filter((each) => each !== null)
        return toMap([
          ...own,
          inputMember('_and', `[${name}!]`, shape, 'All of these hold.'),
          inputMember('_or', `[${name}!]`, shape, 'At least one of these holds.'),
          inputMember('_not', name, shape, 'This does not hold.'),
        ])
      }),
    }
    return shape
  }

  /** Returns the filter of one field in a `where`; `null` when the field cannot be filtered. */
  function toCondition(field: FieldModel): ShapeField | null {
    if (!field.filterable || field.read === null) return null
    if (isRowType(field.named)) {
      if (field.type.kind === 'list' && field.type.of.kind === 'list') return null
      const shape = field.list ? listFilter(field.named) : where(field.named)
      return { ...inputMember(field.wireName, shape.name, shape, field.description), deprecated: field.deprecated }
    }
    if (operatorsFor(field).length === 0) return null
    const shape = filter(field)
    return { ...inputMember(field.wireName, shape.name, shape, field.description), deprecated: field.deprecated }
  }

  function listFilter(type: RowType): ObjectShape {
    let shape = listFilters.get(type)
    if (shape === undefined) {
      const whereName = `${type.name}WhereInput`
      shape = {
        kind: 'object',
        name: `${type.name}ListFilter`,
        description: `Conditions on related ${type.name} rows.`,
        oneOf: false,
        fields: lazily(() =>
          toMap([
            inputMember('some', whereName, where(type), 'At least one related row matches.'),
            inputMember('every', whereName, where(type), 'All related rows match; true when there are none.'),
            inputMember('none', whereName, where(type), 'No related row matches.'),
          ]),
        ),
      }
      listFilters.set(type, shape)
    }
    return shape
  }

  function filter(field: FieldModel): ObjectShape {
    const name = filterTypeName(field)
    let shape = filters.get(name)
    if (shape === undefined) {
      shape = {
        kind: 'object',
        name,
        description: `Conditions on a ${field.list ? 'list of ' : ''}${field.named.name}.`,
        oneOf: false,
        fields: lazily(() =>
          toMap(
            operatorsFor(field).map((operator) => {
              const operand = operandInput(operator, field)
              return inputMember(operator.name, operand.notation, operand.shape, operator.description)
            }),
          ),
        ),
      }
      filters.set(name, shape)
    }
    return shape
  }

  function orderBy(type: RowType): ObjectShape | null {
    let shape = orders.get(type)
    if (shape === undefined) {
      const fields = [...type.fields.values()].filter(isOrderable)
      shape =
        fields.length === 0
          ? null
          : {
              kind: 'object',
              name: `${type.name}OrderByInput`,
              description: `One key to sort ${type.name} by.`,
              oneOf: true,
              fields: lazily(() =>
                toMap(
                  fields.map((field) => ({
                    ...inputMember(field.wireName, ORDER_DIRECTION.name, ORDER_DIRECTION, field.description),
                    deprecated: field.deprecated,
                  })),
                ),
              ),
            }
      orders.set(type, shape)
    }
    return shape
  }

  return { where, orderBy, listFilter, filter }
}
