type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type JsonObject = { readonly [key: string]: Json }

/** Tests whether two JSON texts are equal as values. The order of keys does not matter. */
export function isEqualJson(a: string, b: string): boolean {
  return equal(JSON.parse(a), JSON.parse(b))
}

/** Returns a text that is equal for equal JSON values: keys are sorted. */
export function jsonKey(json: string): string {
  return JSON.stringify(sorted(JSON.parse(json)))
}

/** Sorts the keys of objects. Numbers become doubles, as they are compared. */
function sorted(value: Json): Json {
  if (isList(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const members = Object.keys(value)
    .sort()
    .map((key) => [key, sorted(value[key]!)] as const)
  return Object.fromEntries(members)
}

/**
 * Tests whether a JSON value contains another, as `@>` in PostgreSQL does: a list contains the items of the other list,
 * and an object its members.
 */
export function containsJson(whole: string, part: string): boolean {
  const [a, b] = [JSON.parse(whole) as Json, JSON.parse(part) as Json]
  // A list contains a scalar at the top level only.
  if (isList(a) && !isList(b) && !isObject(b)) return a.some((item) => equal(item, b))
  return contains(a, b)
}

/**
 * Tests whether a text is a key of a JSON object or an item of a JSON list, as `?` in PostgreSQL does. A JSON string
 * contains only itself.
 */
export function hasKey(json: string, key: string): boolean {
  const value: Json = JSON.parse(json)
  if (isList(value)) return value.includes(key)
  return isObject(value) ? Object.hasOwn(value, key) : value === key
}

/**
 * Tests whether a JSON value has keys, as `?&` and `?|` in PostgreSQL do.
 * @param keys JSON list of keys
 * @param all `true`: all keys; `false`: at least one
 */
export function hasKeys(json: string, keys: string, all: boolean): boolean {
  const names: readonly string[] = JSON.parse(keys)
  return all ? names.every((name) => hasKey(json, name)) : names.some((name) => hasKey(json, name))
}

function contains(whole: Json, part: Json): boolean {
  if (isList(whole)) return isList(part) && part.every((item) => whole.some((own) => contains(own, item)))
  if (!isObject(whole)) return whole === part
  return (
    isObject(part) && Object.keys(part).every((key) => Object.hasOwn(whole, key) && contains(whole[key]!, part[key]!))
  )
}

function equal(a: Json, b: Json): boolean {
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]!))
  if (!isObject(a)) return a === b
  if (!isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key]!, b[key]!))
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
