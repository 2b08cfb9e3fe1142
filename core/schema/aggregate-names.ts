const FUNCTIONS = ['CountDistinct', 'Sum', 'Avg', 'Min', 'Max'] as const

/** What the types that are generated for numbers about rows of a type are called, behind its name. */
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
