import { ExactNumber } from '../base/util/exact-number.ts'
import { isDecimal } from './scalar-number.ts'
import { showValue, storable } from './scalar-text.ts'

/**
 * Checks a value of the scalar JSON from a client, and returns it: any JSON value that the database can store.
 * @throws Error if the database cannot store the value
 */
export function parseJson(value: unknown): unknown {
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    throw new Error('JSON cannot represent this value')
  }
  checkJson(value, MAX_JSON_DEPTH)
  return value
}

/**
 * Limit of nesting. Deeper documents overflow the stack when they are serialized, in this process or in the database.
 */
const MAX_JSON_DEPTH = 500

function checkJson(value: unknown, levels: number): void {
  if (typeof value === 'string') storable('JSON', value)
  if (typeof value !== 'object' || value === null) return
  if (value instanceof ExactNumber) {
    // Limits numbers to those that PostgreSQL's `numeric` stores, and that are fast to process.
    if (!isDecimal(String(value))) throw new Error(`JSON cannot hold the number ${showValue(value)}`)
    return
  }
  if (levels === 0) throw new Error(`JSON is nested deeper than ${MAX_JSON_DEPTH} levels`)
  if (Array.isArray(value)) {
    for (const item of value) checkJson(item, levels - 1)
    return
  }
  for (const [key, item] of Object.entries(value)) {
    storable('JSON', key)
    checkJson(item, levels - 1)
  }
}
