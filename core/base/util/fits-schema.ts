import { isPlainSchema } from './plain-schema.ts'

type Schema = Readonly<Record<string, unknown>>
type Fields = Record<string, unknown>

/**
 * Validates a value against a JSON Schema and fills in the defaults of properties, in place. `true`: the value is
 * valid. `false`: it may be invalid, so validate it with the validator ajv, which lists the errors. This function
 * interprets the schema instead of compiling it as ajv does: a start validates one value per schema, and compiling
 * costs much more than one validation.
 */
export function fitsSchema(schema: unknown, value: unknown): boolean {
  return isPlainSchema(schema) && fits(schema, value)
}

function fits(schema: Schema, value: unknown): boolean {
  const { type, anyOf, oneOf } = schema
  if (type !== undefined && !(Array.isArray(type) ? type.some((one) => isOfType(one, value)) : isOfType(type, value)))
    return false
  if (schema.enum !== undefined && !(schema.enum as unknown[]).includes(value)) return false
  // Tested before the defaults below are filled in, because a branch does not see defaults.
  if (anyOf !== undefined && countFitting(anyOf, value) === 0) return false
  if (oneOf !== undefined && countFitting(oneOf, value) !== 1) return false
  if (typeof value === 'number') return fitsNumber(schema, value)
  if (typeof value === 'string') return fitsText(schema, value)
  if (Array.isArray(value)) return fitsList(schema, value)
  if (typeof value === 'object' && value !== null) return fitsObject(schema, value as Fields)
  return true
}

function countFitting(branches: unknown, value: unknown): number {
  return (branches as Schema[]).filter((branch) => fits(branch, value)).length
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

function fitsNumber(schema: Schema, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema as Record<string, number>
  return (
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (above === undefined || value > above) &&
    (below === undefined || value < below)
  )
}

function fitsText({ minLength, maxLength, pattern }: Schema, value: string): boolean {
  if (minLength !== undefined || maxLength !== undefined) {
    // A character outside of the basic multilingual plane counts as one.
    const { length } = [...value]
    if (!isWithin(length, minLength, maxLength)) return false
  }
  return pattern === undefined || new RegExp(pattern as string, 'u').test(value)
}

function fitsList({ minItems, maxItems, uniqueItems, items }: Schema, value: readonly unknown[]): boolean {
  if (!isWithin(value.length, minItems, maxItems)) return false
  if (uniqueItems === true && !areDistinctTexts(value)) return false
  return items === undefined || value.every((item) => fits(items as Schema, item))
}

/** Tests whether all items are different texts. Returns `false` for lists with other values, whose comparison is left to ajv. */
function areDistinctTexts(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string') && new Set(values).size === values.length
}

function isWithin(size: number, least: unknown, most: unknown): boolean {
  return (least === undefined || size >= (least as number)) && (most === undefined || size <= (most as number))
}

function fitsObject(schema: Schema, value: Fields): boolean {
  const { required, additionalProperties: rest } = schema
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  for (const [key, property] of properties) {
    if (value[key] === undefined && property.default !== undefined) value[key] = structuredClone(property.default)
  }
  if (required !== undefined && (required as string[]).some((key) => value[key] === undefined)) return false
  if (rest !== undefined && rest !== true) {
    const known = new Set(properties.map(([key]) => key))
    for (const key in value) {
      if (!known.has(key) && (rest === false || !fits(rest as Schema, value[key]))) return false
    }
  }
  return properties.every(([key, property]) => value[key] === undefined || fits(property, value[key]))
}
