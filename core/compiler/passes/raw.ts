/** A JSON object of an authored schema that has not been validated yet. */
export type Raw = { [key: string]: unknown }

export function isObject(value: unknown): value is Raw {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/**
 * Returns a copy of an object without the keys whose value is `null` or `undefined`. A `default` of `null` is kept,
 * because it is a value.
 */
export function withoutNulls(object: Raw): Raw {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => value !== undefined && (value !== null || key === 'default')),
  )
}
