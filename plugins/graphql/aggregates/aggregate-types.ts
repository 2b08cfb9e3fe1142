import {
  type GraphQLFieldConfig,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql'
import type { Period } from '../../../core/doors/driver.ts'
import { type Aggregates, aggregatesOf, type FieldFunction, type GeneratedInputs } from '../../../core/doors/front.ts'
import type { FieldModel, QueryModel, SchemaModel } from '../../../core/doors/plugin.ts'
import type { InputTypes } from '../types/input-types.ts'
import { argumentsOfAggregate } from './aggregate-arguments.ts'
import { type AggregateField, type CountedType, countedType } from './aggregate-fields.ts'
import { type AggregateInputs, capitalised, WORDS } from './aggregate-inputs.ts'
import { READS_ROWS } from './reads-rows.ts'

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

/** Output types of generated aggregate fields. Each type is made at its first use. */
export interface AggregateTypes {
  /** Returns the GraphQL configuration of an aggregate field: its type and arguments. */
  field(field: AggregateField<QueryModel | FieldModel>): FieldConfig
  /** Returns the aggregate output type with this name; `undefined`: there is none. */
  find(name: string): GraphQLObjectType | undefined
}

export interface AggregateParts {
  readonly model: SchemaModel
  readonly inputs: GeneratedInputs
  readonly aggregateInputs: AggregateInputs
  readonly inputTypes: InputTypes
  /** Returns the GraphQL output type of a field in the compiled schema. */
  readonly typeOf: (field: FieldModel) => GraphQLOutputType
}

export function createAggregateTypes({
  model,
  inputs,
  aggregateInputs,
  inputTypes,
  typeOf,
}: AggregateParts): AggregateTypes {
  const made = new Map<string, GraphQLObjectType>()

  function object(name: string, description: string, fields: () => Record<string, FieldConfig>): GraphQLObjectType {
    let type = made.get(name)
    if (type === undefined) {
      type = new GraphQLObjectType({ name, description, fields })
      made.set(name, type)
    }
    return type
  }

  const aggregateOf = (type: CountedType): GraphQLObjectType =>
    object(`${type.name}Aggregate`, `Numbers about ${type.name} rows.`, () => measuresOf(type))

  const groupOf = (type: CountedType): GraphQLObjectType =>
    object(`${type.name}Group`, `Numbers about ${type.name} rows that have the same keys.`, () => ({
      keys: {
        type: new GraphQLNonNull(keysOf(type)),
        description: 'What the rows have in common. Fields that groupBy does not name are refused.',
      },
      ...measuresOf(type),
    }))

  const keysOf = (type: CountedType): GraphQLObjectType =>
    object(`${type.name}GroupKeys`, `What ${type.name} rows of one group have in common.`, () =>
      Object.fromEntries(
        [...aggregatesOf(type).keys].map(([name, { field, period, type: shown }]) => {
          if (period === null || shown === null) return [name, ofField(field, typeOf(field))]
          return [name, { ...ofField(field, scalarOf(shown)), description: PERIOD_WORDS[period] }]
        }),
      ),
    )

  function measuresOf(type: CountedType): Record<string, FieldConfig> {
    const functions = [...aggregatesOf(type).measures].map(([name, fields]): [string, FieldConfig] => [
      name,
      { type: new GraphQLNonNull(measured(type, name, fields)), description: DESCRIPTIONS[name] },
    ])
    return {
      count: { type: new GraphQLNonNull(GraphQLInt), description: 'How many rows there are.' },
      ...Object.fromEntries(functions),
    }
  }

  function measured(
    type: CountedType,
    name: FieldFunction,
    fields: NonNullable<ReturnType<Aggregates['measures']['get']>>,
  ): GraphQLObjectType {
    const description = `${capitalised(WORDS[name])} of fields of ${type.name}.`
    return object(`${type.name}Aggregate${capitalised(name)}`, description, () =>
      Object.fromEntries(
        [...fields].map(([wireName, { field, type: scalar }]) => [wireName, ofField(field, scalarOf(scalar))]),
      ),
    )
  }

  function scalarOf(name: string): GraphQLOutputType {
    const scalar = model.types.get(name)
    if (scalar === undefined) throw new Error(`There is no ${name}`)
    return typeOf({ type: { kind: 'named', name, nullable: true }, named: scalar } as FieldModel)
  }

  return {
    field(field) {
      const type = field.groups ? new GraphQLList(new GraphQLNonNull(groupOf(field.type))) : aggregateOf(field.type)
      const { wireName, deprecated } = field.of
      return {
        type,
        args: inputTypes.arguments(argumentsOfAggregate(field, inputs, aggregateInputs)),
        description: field.groups
          ? `Numbers about the rows of "${wireName}", by groups.`
          : `Numbers about the rows of "${wireName}".`,
        deprecationReason: deprecated,
        extensions: READS_ROWS,
      }
    },
    find(name) {
      for (const [type, make] of candidates(name)) {
        const found = countedType(model.types.get(type))
        if (found !== null) return make(found)
      }
      return undefined
    },
  }

  function candidates(
    name: string,
  ): readonly (readonly [string, (type: CountedType) => GraphQLObjectType | undefined])[] {
    const suffixes: readonly (readonly [string, (type: CountedType) => GraphQLObjectType | undefined])[] = [
      ['Aggregate', aggregateOf],
      ['Group', groupOf],
      ['GroupKeys', keysOf],
      ...FUNCTION_SUFFIXES.map(
        ([suffix, of]) =>
          [
            suffix,
            (type: CountedType) => {
              const fields = aggregatesOf(type).measures.get(of)
              return fields === undefined ? undefined : measured(type, of, fields)
            },
          ] as const,
      ),
    ]
    return suffixes
      .filter(([suffix]) => name.endsWith(suffix))
      .map(([suffix, make]) => [name.slice(0, -suffix.length), make] as const)
  }
}

function ofField({ description, deprecated }: FieldModel, type: GraphQLOutputType): FieldConfig {
  return { type, description, deprecationReason: deprecated }
}

const DESCRIPTIONS: Readonly<Record<FieldFunction, string>> = {
  countDistinct: 'How many different values there are, without those that are null.',
  sum: 'Exact: of Int a BigInt, of BigInt and Decimal a Decimal. Null where there are no values.',
  avg: 'Of Int, BigInt and Decimal a Decimal. Null where there are no values.',
  min: 'The least value. Null where there are no values.',
  max: 'The greatest value. Null where there are no values.',
}

const PERIOD_WORDS: Readonly<Record<Period, string>> = {
  year: 'The first day of the year (UTC).',
  quarter: 'The first day of the quarter (UTC).',
  month: 'The first day of the month (UTC).',
  week: 'The Monday of the week (UTC).',
  day: 'The day (UTC).',
  hour: 'The beginning of the hour (UTC).',
}

const FUNCTION_SUFFIXES = (Object.keys(DESCRIPTIONS) as FieldFunction[]).map(
  (name) => [`Aggregate${capitalised(name)}`, name] as const,
)
