const FUNCTIONS = ['CountDistinct', 'Sum', 'Avg', 'Min', 'Max'] as const

/**
 * Suffixes of GraphQL types that svc generates for aggregate queries: for `Post`, `PostAggregate`, `PostGroup` and
 * others.
 */
export const AGGREGATE_SUFFIXES: readonly string[] = [
  'Aggregate',
  'Group',
  'GroupKeys',
  'GroupBy',
  'HavingInput',
  'GroupOrderByInput',
  'GroupOrderByKeysInput',
  ...FUNCTIONS.flatMap((name) => [`Aggregate${name}`, `Having${name}Input`, `GroupOrderBy${name}Input`]),
]
