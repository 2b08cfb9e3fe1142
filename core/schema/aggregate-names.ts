const FUNCTIONS = ['CountDistinct', 'Sum', 'Avg', 'Min', 'Max'] as const

/** Suffixes of the names of types that are generated for the aggregates of a type. */
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
