/** Largest key in characters. Work is repeated rather than stored under a longer key. */
const LONGEST = 8192

/**
 * Makes a cache key from plain data: equal values have equal keys, and different values have different ones. The order
 * of object keys counts.
 * @returns `null` when the key would be longer than 8192 characters, or the value contains an object of a class or a
 *   function, whose state a text cannot show
 */
export function valueKey(value: unknown): string | null {
  const key = write(value)
  return key === null || key.length > LONGEST ? null : key
}

function write(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value.length > LONGEST ? null : JSON.stringify(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'bigint':
      return `${value}n`
    case 'boolean':
    case 'undefined':
      return String(value)
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? writeList(value) : writeObject(value)
    default:
      return null
  }
}

function writeList(list: readonly unknown[]): string | null {
  let text = '['
  for (const item of list) {
    const part = write(item)
    if (part === null || text.length > LONGEST) return null
    text += `${part},`
  }
  return `${text}]`
}

function writeObject(object: object): string | null {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) return null
  if (Object.getOwnPropertySymbols(object).length > 0) return null
  let text = '{'
  for (const key of Object.keys(object)) {
    const part = write((object as Readonly<Record<string, unknown>>)[key])
    if (part === null || text.length > LONGEST) return null
    text += `${JSON.stringify(key)}:${part},`
  }
  return `${text}}`
}
