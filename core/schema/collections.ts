/** The keys of `schema.json` and of the compiled schema whose elements have wire names, in the order of the file. */
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
