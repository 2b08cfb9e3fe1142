/** An object of the input whose keys have not been checked. */
export type Raw = { [key: string]: unknown }

export function isObject(value: unknown): value is Raw {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Copies an object without the keys that are `null`. A `default` of `null` is a value, and is kept. */
export function withoutNulls(object: Raw): Raw {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => value !== undefined && (value !== null || key === 'default')),
  )
}
