import { createHash } from 'node:crypto'
import { valueKey } from '../../base/util/value-key.ts'
import type { OperationTemplate } from '../../contract/operation.ts'

const known = new WeakMap<OperationTemplate, string | null>()

/**
 * Returns a hash of an operation's template for cache keys that several processes share. Within one schema, two
 * templates have the same hash exactly if their root fields, arguments, selections, masked fields and variable types
 * are the same. Operation names and formatting have no effect. Combine it with the schema's hash, the variables
 * (`valueKey`) and `access.key`.
 * @returns `null`: a plugin answers a root field, or a constant is not plain data
 */
export function digestOf(template: OperationTemplate): string | null {
  let digest = known.get(template)
  if (digest === undefined) {
    digest = makeDigest(template)
    known.set(template, digest)
  }
  return digest
}

/** The template has no digest. */
class NoDigest extends Error {}

function makeDigest({ kind, roots, variables }: OperationTemplate): string | null {
  try {
    const declared = variables.map(({ name, type, default: value }) => [name, type, constant(value)])
    const text = JSON.stringify([kind, declared, describe(roots)])
    return createHash('sha256').update(text).digest('base64url')
  } catch (error) {
    if (error instanceof NoDigest) return null
    throw error
  }
}

function describe(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(describe)
  if (value instanceof Map) return [...value].map(describe)
  const object = value as Readonly<Record<string, unknown>>
  // Elements of the schema are represented by their names.
  if (typeof object.wireName === 'string') return [object.kind ?? 'field', object.wireName]
  if (object.fields instanceof Map) return ['type', object.name]
  if (object.call !== undefined) throw new NoDigest()
  if (object.kind === 'constant') return ['constant', constant(object.value)]
  return Object.keys(object)
    .filter((key) => key !== 'location' && object[key] !== undefined)
    .sort()
    .map((key) => [key, describe(object[key])])
}

function constant(value: unknown): string {
  const text = valueKey(value)
  if (text === null) throw new NoDigest()
  return text
}
