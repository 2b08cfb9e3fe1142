import { familyOf } from '../../schema/column-family.ts'

/** Type name in catalogs for columns and parameters without a declared type. */
const UNKNOWN = 'unknown'

/**
 * Tests whether a compiled schema can read values whose type in the database has changed, because both types have the
 * same JSON form.
 * @param compiled PostgreSQL type when the schema was compiled; `null`: unknown
 * @param now current type
 */
export function readsAlike(compiled: string | null, now: string): boolean {
  if (compiled === null || compiled === now || compiled === UNKNOWN || now === UNKNOWN) return true
  if (compiled.startsWith('_') && now.startsWith('_')) return readsAlike(compiled.slice(1), now.slice(1))
  const family = familyOf(compiled)
  return family !== null && family !== 'other' && family === familyOf(now)
}

/** PostgreSQL's implicit casts between types of arguments. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  int2: ['int4', 'int8', 'numeric', 'float4', 'float8'],
  int4: ['int8', 'numeric', 'float4', 'float8'],
  int8: ['numeric', 'float4', 'float8'],
  numeric: ['float4', 'float8'],
  float4: ['float8'],
  date: ['timestamp', 'timestamptz'],
  timestamp: ['timestamptz'],
  text: ['varchar', 'bpchar'],
  varchar: ['text', 'bpchar'],
  bpchar: ['text', 'varchar'],
}

/**
 * Tests whether a function parameter whose type has changed still accepts the argument that the compiled schema passes.
 * @param compiled PostgreSQL type when the schema was compiled; `null`: unknown
 * @param now current type
 */
export function takesAlike(compiled: string | null, now: string): boolean {
  if (compiled === null || compiled === now || compiled === UNKNOWN || now === UNKNOWN) return true
  return WIDER[compiled]?.includes(now) === true
}
