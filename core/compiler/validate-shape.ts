import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { createAjv } from '../base/util/create-ajv.ts'
import { ExactNumber } from '../base/util/exact-number.ts'
import { didYouMean, listNames } from '../base/util/nearest.ts'
import type { AuthoredSchema, SourceLocation } from '../schema/authored.ts'
import type { OwnedKeys } from '../schema/plugin-keys.ts'
import type { EnabledPart } from './compile-part.ts'
import type { Report } from './ground/report.ts'
import { schemaJsonSchema, shapeWithParts } from './shape-with-keys.ts'

/** A compiled validator, with the keys that all operations have. */
interface ShapeValidator {
  readonly validate: ValidateFunction
  readonly operationKeys: readonly string[]
}

/** The last validator without compile parts, with the text of its JSON Schema. `svc compile --watch` reuses it. */
let last: (ShapeValidator & { readonly text: string }) | null = null

function validatorFor(owned: readonly OwnedKeys[], parts: readonly EnabledPart[]): ShapeValidator {
  const shape = schemaJsonSchema(owned)
  const operationKeys = Object.keys(shape.$defs.operation?.properties ?? {})
  if (parts.some(({ part }) => part.keys !== undefined)) {
    return { validate: createValidator(shapeWithParts(shape, parts, checkKeySchema)), operationKeys }
  }
  const text = JSON.stringify(shape)
  if (last?.text !== text) last = { text, validate: createValidator(shape), operationKeys }
  return last
}

function createValidator(shape: object): ValidateFunction {
  return createAjv({ allErrors: true, verbose: true, strictTypes: false }).compile(shape)
}

/** @throws Error that describes the problem of a plugin's JSON Schema */
function checkKeySchema(schema: object): void {
  createValidator(schema)
}

/**
 * Validates a schema against the JSON Schema of `schema.json`: keys, types of values, allowed words. An unknown key is
 * reported with the nearest valid name and removed, so that the other checks can continue.
 * @param owned keys of `schema.json` that plugins define
 * @param parts compile parts of enabled plugins, which may define further keys
 * @returns `false` when the schema is so malformed that further checks would be unreliable
 * @throws SvcError SVC_PLUGIN_INVALID for keys that a plugin cannot add
 */
export function validateShape(
  schema: AuthoredSchema,
  report: Report,
  owned: readonly OwnedKeys[],
  parts: readonly EnabledPart[],
): boolean {
  const { validate, operationKeys } = validatorFor(owned, parts)
  if (validate(schema)) return true
  const found = validate.errors ?? []
  const errors = found.filter((error) => !isNoise(error, found, operationKeys))
  let usable = true
  for (const error of errors) {
    const path = pathOf(error.instancePath)
    const { label, place } = describe(schema, path)
    const key = unknownKey(error)
    if (key === null) usable = false
    else removeKey(schema, path, key)
    report.fault(
      'shape',
      `${label}: ${explain(error, path, key, operationKeys)}`,
      place === null ? undefined : { $place: place },
    )
  }
  return usable
}

/**
 * Should an error of ajv be left out? For a failed `anyOf`, ajv reports the choice and each branch. Only one is
 * reported: an unknown key if there is one, otherwise the choice. ajv also reports valid keys of an operation as
 * unevaluated when anything else in the operation is wrong.
 */
function isNoise(error: ErrorObject, all: readonly ErrorObject[], operationKeys: readonly string[]): boolean {
  const unknown = unknownKey(error)
  if (error.keyword === 'unevaluatedProperties') return operationKeys.includes(unknown ?? '')
  if (error.keyword === 'anyOf') {
    return all.some((other) => other.keyword === 'additionalProperties' && other.instancePath === error.instancePath)
  }
  if (unknown !== null) return false
  const choices = all.filter((other) => other.keyword === 'anyOf').map((other) => other.instancePath)
  return choices.some((path) => error.instancePath === path || error.instancePath.startsWith(`${path}/`))
}

function unknownKey(error: ErrorObject): string | null {
  if (error.keyword === 'additionalProperties') return String(error.params.additionalProperty)
  if (error.keyword === 'unevaluatedProperties') return String(error.params.unevaluatedProperty)
  return null
}

function explain(
  error: ErrorObject,
  path: readonly string[],
  key: string | null,
  operationKeys: readonly string[],
): string {
  if (key !== null) {
    const known = knownKeys(error, operationKeys)
    const hint = hintOf(path, key) ?? didYouMean(key, known)
    const inner = /^\d+$/.test(path.at(-1) ?? '0') ? '' : `${path.at(-1)}: `
    return `${inner}unknown key "${key}".${hint === '' ? ` Keys: ${listNames(known, 40)}.` : hint}`
  }
  const last = path.at(-1) ?? ''
  const name = /^\d+$/.test(last) ? `${path.at(-2)}[${last}]` : last
  switch (error.keyword) {
    case 'required':
      return `"${String(error.params.missingProperty)}" is missing.`
    case 'enum': {
      const allowed = (error.params.allowedValues as readonly unknown[]).map(String)
      return `"${name}" is ${JSON.stringify(error.data)}; it can be ${allowed.join(', ')}.${didYouMean(String(error.data), allowed)}`
    }
    case 'type':
      if (error.data instanceof ExactNumber) return `"${name}" is ${error.data}: a number here has 15 digits at most.`
      return `"${name}" is ${JSON.stringify(error.data)}, which is no ${[error.params.type].flat().join(' or ')}.`
    case 'anyOf':
      return `"${name}" is ${JSON.stringify(error.data)}. ${describeWant(error)}`
    case 'minItems':
    case 'minLength':
    case 'minProperties':
      return `"${name}" is empty. Give it something, or leave it out.`
    case 'minimum':
      return `"${name}" is ${JSON.stringify(error.data)}; it is ${error.schema} at least.`
    case 'maximum':
      return `"${name}" is ${JSON.stringify(error.data)}; it is ${error.schema} at most.`
    default:
      return `"${name}" ${error.message ?? 'is not valid'}.`
  }
}

function describeWant(error: ErrorObject): string {
  const forms = error.schema as readonly { type?: string; $ref?: string }[]
  if (forms.some((form) => form.type === undefined)) return 'It can be INSERT, UPDATE, DELETE or a list of them.'
  return `It can be: ${forms.map((form) => form.type).join(' or ')}.`
}

/** Hints for plausible keys that belong elsewhere. */
const HINTS: Readonly<Record<string, string>> = {
  security: ' Configuration belongs in svc.toml.',
  auth: ' Configuration belongs in svc.toml.',
  returns_list: ' Write the list in "type": "[Post!]!".',
  'unions.aggregate':
    ' The types of a union have no fields in common that numbers could be about. Count its rows with auto_params.total_count of a query, or declare an interface with the fields that they share and give it "aggregate".',
  'vector_config.index_type':
    ' svc makes no indexes. Make it in SQL: CREATE INDEX … USING hnsw (embedding vector_cosine_ops).',
}

/** Finds the hint for a key: by its collection, by the object that contains it, or by the key alone. */
function hintOf(path: readonly string[], key: string): string | undefined {
  return HINTS[`${path[0] ?? ''}.${key}`] ?? HINTS[`${path.at(-1) ?? ''}.${key}`] ?? HINTS[key]
}

function knownKeys(error: ErrorObject, operationKeys: readonly string[]): readonly string[] {
  const own = Object.keys((error.parentSchema?.properties as object | undefined) ?? {})
  const keys = error.keyword === 'unevaluatedProperties' ? [...own, ...operationKeys] : own
  return keys.filter((key) => !key.startsWith('$'))
}

function pathOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

const KINDS: Readonly<Record<string, string>> = {
  types: 'Type',
  enums: 'Enum',
  interfaces: 'Interface',
  unions: 'Union',
  input_types: 'Input',
  custom_scalars: 'Scalar',
  queries: 'Query',
  mutations: 'Mutation',
  subscriptions: 'Subscription',
  observers: 'Observer',
  author_functions: 'Function',
  hierarchies: 'Hierarchy',
  fields: 'field',
  arguments: 'argument',
  values: 'value',
}

/** Returns the label (`Type "User", field "name"`) and the nearest location, for a path in the schema. */
function describe(schema: AuthoredSchema, path: readonly string[]): { label: string; place: SourceLocation | null } {
  const words: string[] = []
  let place: SourceLocation | null = null
  let at: unknown = schema
  for (const [index, key] of path.entries()) {
    const parent = path[index - 1] ?? ''
    at = (at as Record<string, unknown>)[key]
    if (at === null || typeof at !== 'object') break
    const element = at as { name?: unknown; $place?: SourceLocation }
    if (element.$place !== undefined) place = element.$place
    const kind = KINDS[parent]
    if (kind === undefined || !/^\d+$/.test(key)) continue
    words.push(typeof element.name === 'string' ? `${kind} "${element.name}"` : `${kind} ${Number(key) + 1}`)
  }
  return { label: words.length === 0 ? 'The schema' : words.join(', '), place }
}

function removeKey(schema: AuthoredSchema, path: readonly string[], key: string): void {
  let at: unknown = schema
  for (const part of path) at = (at as Record<string, unknown>)[part]
  delete (at as Record<string, unknown>)[key]
}
