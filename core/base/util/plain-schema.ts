/** A JSON Schema as parsed JSON. */
type Schema = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isFlag: Check = (value) => typeof value === 'boolean'
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const isCount: Check = (value) => Number.isInteger(value) && (value as number) >= 0
const isScalar: Check = (value) => isText(value) || isFlag(value) || isNumber(value) || value === null
const isSetOf =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item) && new Set(value).size === value.length

const TYPES: readonly unknown[] = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']
const isType: Check = (value) => TYPES.includes(value)
const areTypes = isSetOf(isType)
const areValues = isSetOf(isScalar)
const areNames = isSetOf(isText)
const isFilled: Check = (value) => Array.isArray(value) && value.length > 0

/** Supported keywords, with a check of their values. Annotations are included, so that a schema with a misspelt keyword is not plain. */
const KEYWORDS: Readonly<Record<string, Check>> = {
  type: (value) => isType(value) || (isFilled(value) && areTypes(value)),
  enum: (value) => isFilled(value) && areValues(value),
  required: areNames,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isFlag,
  pattern: isPattern,
  default: () => true,
  description: isText,
  title: isText,
  examples: Array.isArray,
  environment: isText,
  deprecated: isFlag,
  readOnly: isFlag,
  writeOnly: isFlag,
  additionalProperties: (value) => isFlag(value) || isPlainSchema(value),
  items: (value) => isPlainSchema(value),
  properties: (value) => isObject(value) && Object.values(value).every((part) => isPlainSchema(part)),
  anyOf: areBranches,
  oneOf: areBranches,
}

/**
 * Tests whether a JSON Schema is well formed and has only the keywords that {@link fitsSchema} supports. Nearly all
 * schemas of plugin options have only these. Any other schema needs the validator ajv.
 */
export function isPlainSchema(schema: unknown): schema is Schema {
  if (!isObject(schema)) return false
  return Object.entries(schema).every(([keyword, value]) => {
    return Object.hasOwn(KEYWORDS, keyword) && KEYWORDS[keyword]!(value)
  })
}

/** Tests for plain schemas without defaults. ajv reports a default in a branch, because it never fills it in. */
function areBranches(value: unknown): boolean {
  return isFilled(value) && (value as unknown[]).every((branch) => isPlainSchema(branch) && !hasDefault(branch))
}

function hasDefault(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const { properties, additionalProperties, items } = schema
  const below = [additionalProperties, items, ...Object.values((properties as object | undefined) ?? {})]
  return Object.hasOwn(schema, 'default') || below.some(hasDefault)
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') !== null
  } catch {
    return false
  }
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
