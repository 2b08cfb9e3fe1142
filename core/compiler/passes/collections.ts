/** The keys of `schema.json` that hold named elements. */
export const COLLECTIONS = [
  'types',
  'enums',
  'interfaces',
  'unions',
  'input_types',
  'custom_scalars',
  'queries',
  'mutations',
  'subscriptions',
  'observers',
] as const

export type CollectionName = (typeof COLLECTIONS)[number]
