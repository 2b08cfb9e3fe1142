import { AGGREGATE_SUFFIXES } from '../schema/aggregate-names.ts'
import { OPERATOR_NAMES, OPERATORS } from '../schema/operators/operators.ts'
import { BUILTIN_SCALARS } from '../schema/scalars.ts'
import { COLUMN_SCALARS } from './column-scalar.ts'

/** Names of types that svc or GraphQL gives itself. */
const TYPES: ReadonlySet<string> = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'Node',
  'PageInfo',
  'OrderDirection',
  'LTreeHierarchyFilter',
  ...BUILTIN_SCALARS.keys(),
  ...COLUMN_SCALARS,
  ...OPERATORS.flatMap(({ input }) => (input === null ? [] : [input.name])),
])

const FILTERS: ReadonlySet<string> = new Set(
  [...BUILTIN_SCALARS.keys(), ...COLUMN_SCALARS, 'Json'].flatMap((scalar) => [
    `${scalar}Filter`,
    `${scalar}ArrayFilter`,
    `${scalar}TextFilter`,
    `${scalar}HavingInput`,
  ]),
)

/** Endings of the types that svc generates for a type. */
const ENDINGS: readonly string[] = [
  'WhereInput',
  'OrderByInput',
  'ListFilter',
  'List',
  'Connection',
  'Edge',
  'Filter',
  'ArrayFilter',
  'HavingInput',
  ...AGGREGATE_SUFFIXES,
]

/**
 * Tests whether a type cannot have this name, because GraphQL or svc defines a type of this name, such as `Query` or
 * `PageInfo`.
 */
export function isReservedType(name: string): boolean {
  return TYPES.has(name) || FILTERS.has(name) || name.startsWith('__')
}

/**
 * Tests whether a type name conflicts with a name that svc generates for one of the other types, or the reverse:
 * `PostConnection` with `Post`.
 */
export function clashesWith(name: string, others: ReadonlySet<string>): boolean {
  return ENDINGS.some(
    (ending) => (name.endsWith(ending) && others.has(name.slice(0, -ending.length))) || others.has(`${name}${ending}`),
  )
}

/** Tests whether a field cannot have this name, because filter inputs use it for an operator, such as `_and`. */
export function isReservedField(name: string): boolean {
  return ['_and', '_or', '_not'].includes(name) || OPERATOR_NAMES.has(name) || name.startsWith('__')
}
