/** Keys of `schema.json` and of the compiled schema that contain lists of named elements, in the order of the file. */
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
