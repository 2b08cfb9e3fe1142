import {
  aggregatesOf,
  type EnumShape,
  type FieldFunction,
  filterOperators,
  type InputShape,
  inputMember,
  lazily,
  type ObjectShape,
  ORDER_DIRECTION,
  type ShapeField,
  shapeOf,
} from '../../../core/doors/front.ts'
import type { FieldModel, SchemaModel } from '../../../core/doors/plugin.ts'
import type { CountedType } from './aggregate-fields.ts'

/** Input types for the groups of an aggregated type, generated from its fields. */
export interface GroupInputs {
  /** Enum of the fields to group by: `{Type}GroupBy`. */
  readonly groupBy: EnumShape
  /** Input type of the argument `having`, which filters groups: `{Type}HavingInput`. */
  readonly having: ObjectShape
  /** Input type of the argument `orderBy`, which sorts groups: `{Type}GroupOrderByInput`. */
  readonly orderBy: ObjectShape
  /** All input types of this object and the input types of their members, by name. */
  readonly all: ReadonlyMap<string, InputShape>
}

export interface AggregateInputs {
  of(type: CountedType): GroupInputs
  /** Returns the input type for conditions on an aggregated value of a scalar type: `{Scalar}HavingInput`. */
  condition(scalar: string): ObjectShape
}

/** Returns a name with its first letter in upper case, as part of a type name: `sum` → `Sum`. */
export function capitalised(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}`
}

const OPERATOR_WORDS: Readonly<Record<(typeof filterOperators.GROUP_OPERATORS)[number], string>> = {
  _eq: 'Equal.',
  _neq: 'Not equal.',
  _gt: 'Greater.',
  _gte: 'Greater or equal.',
  _lt: 'Less.',
  _lte: 'Less or equal.',
}

/** Creates the source of input types for aggregates. It makes each type at its first use. */
export function createAggregateInputs(model: SchemaModel): AggregateInputs {
  const types = new Map<CountedType, GroupInputs>()
  const conditions = new Map<string, ObjectShape>()

  function condition(scalar: string): ObjectShape {
    let shape = conditions.get(scalar)
    if (shape === undefined) {
      const named = model.types.get(scalar)
      if (named === undefined) throw new Error(`There is no ${scalar}`)
      const operand = shapeOf(named)
      shape = objectShape(
        `${scalar}HavingInput`,
        `Conditions on a value of a group, of the type ${scalar}. All members must hold.`,
        () => filterOperators.GROUP_OPERATORS.map((name) => inputMember(name, scalar, operand, OPERATOR_WORDS[name])),
      )
      conditions.set(scalar, shape)
    }
    return shape
  }

  function create(type: CountedType): GroupInputs {
    const { keys, measures } = aggregatesOf(type)
    const all = new Map<string, InputShape>()
    const add = <Shape extends InputShape>(shape: Shape): Shape => {
      all.set(shape.name, shape)
      return shape
    }
    const groupBy = add<EnumShape>({
      kind: 'enum',
      name: `${type.name}GroupBy`,
      description: `What ${type.name} rows can be grouped by.`,
      values: new Set(keys.keys()),
    })
    const havings = [...measures].map(([name, fields]): ShapeField => {
      const inner = add(
        objectShape(
          `${type.name}Having${capitalised(name)}Input`,
          `Conditions on ${WORDS[name]} of ${type.name}.`,
          () =>
            [...fields].map(([wireName, { field, type: scalar }]) => {
              const shape = condition(scalar)
              return ofField(field, wireName, shape.name, shape)
            }),
        ),
      )
      return inputMember(name, inner.name, inner, `Conditions on ${WORDS[name]}.`)
    })
    const name = `${type.name}HavingInput`
    const having: ObjectShape = add(
      objectShape(name, `Which groups of ${type.name} are shown. All members must hold.`, () => [
        inputMember('count', 'IntHavingInput', condition('Int'), 'Conditions on the number of rows.'),
        ...havings,
        inputMember('_and', `[${name}!]`, having, 'All of these hold.'),
        inputMember('_or', `[${name}!]`, having, 'At least one of these holds.'),
        inputMember('_not', name, having, 'This does not hold.'),
      ]),
    )
    const sorted = (label: string, fields: readonly (readonly [string, FieldModel])[]): ObjectShape =>
      add(
        objectShape(
          `${type.name}GroupOrderBy${capitalised(label)}Input`,
          `The field that groups of ${type.name} are sorted by.`,
          () => fields.map(([wireName, field]) => ofField(field, wireName, ORDER_DIRECTION.name, ORDER_DIRECTION)),
          true,
        ),
      )
    const byKeys = sorted(
      'keys',
      [...keys].map(([wireName, { field }]) => [wireName, field]),
    )
    const orders = [...measures].map(([name, fields]) => {
      const inner = sorted(
        name,
        [...fields].map(([wireName, { field }]) => [wireName, field] as const),
      )
      return inputMember(name, inner.name, inner, `By ${WORDS[name]}.`)
    })
    const orderBy = add(
      objectShape(
        `${type.name}GroupOrderByInput`,
        `One thing to sort groups of ${type.name} by.`,
        () => [
          inputMember('keys', byKeys.name, byKeys, 'By a field of groupBy.'),
          inputMember('count', ORDER_DIRECTION.name, ORDER_DIRECTION, 'By the number of rows.'),
          ...orders,
        ],
        true,
      ),
    )
    return { groupBy, having, orderBy, all }
  }

  return {
    of(type) {
      let inputs = types.get(type)
      if (inputs === undefined) {
        inputs = create(type)
        types.set(type, inputs)
      }
      return inputs
    },
    condition,
  }
}

/** Phrases for the results of aggregate functions, in descriptions of generated types. */
export const WORDS: Readonly<Record<FieldFunction, string>> = {
  countDistinct: 'numbers of different values',
  sum: 'sums',
  avg: 'averages',
  min: 'least values',
  max: 'greatest values',
}

function ofField(field: FieldModel, name: string, notation: string, shape: InputShape): ShapeField {
  return { ...inputMember(name, notation, shape, field.description), deprecated: field.deprecated }
}

function objectShape(
  name: string,
  description: string,
  members: () => readonly ShapeField[],
  oneOf = false,
): ObjectShape {
  const fields = lazily(() => new Map(members().map((each) => [each.name, each])))
  return { kind: 'object', name, description, oneOf, fields }
}
